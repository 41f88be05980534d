/** One card of a choice, with a real radio button; the list around it has its styles from choice.module.css. */
import { StarFilled } from '@ant-design/icons'
import { Tag } from 'antd'
import type { ReactNode } from 'react'
import styles from './choice.module.css'

type Props = {
  /** Name of the radio buttons that belong together. */
  group: string
  id: string
  title: ReactNode
  /** A mark beside the title. */
  tag?: ReactNode
  /** What is read out with the title. */
  about: ReactNode
  /** Below, for the eye alone. */
  foot?: ReactNode
  isChosen: boolean
  onChoose: () => void
}

export function ChoiceOption({ group, id, title, tag, about, foot, isChosen, onChoose }: Props) {
  const titleId = `${group}-${id}`
  return (
    <label className={styles.option} data-chosen={isChosen}>
      <input
        type="radio"
        name={group}
        className={styles.radio}
        checked={isChosen}
        onChange={onChoose}
        aria-labelledby={titleId}
        aria-describedby={`${titleId}-about`}
      />
      <span className={styles.text}>
        <span className={styles.head}>
          <span id={titleId} className={styles.name}>
            {title}
          </span>
          {tag}
        </span>
        <span id={`${titleId}-about`} className={styles.text}>
          {about}
        </span>
        {foot}
      </span>
    </label>
  )
}

/** The mark of the card that the product advises. */
export function AdviceChip({ text }: { text: string }) {
  return (
    <Tag color="cyan" icon={<StarFilled aria-hidden />} className={styles.advice ?? ''}>
      {text}
    </Tag>
  )
}
