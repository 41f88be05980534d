import { CheckOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import styles from './step-section.module.css'

export type StepState = 'done' | 'next' | 'later'

type Props = {
  number: number
  title: string
  state: StepState
  extra?: ReactNode
  /** What a step that is done shows in one line, as long as nobody asks for all of it. */
  folded?: ReactNode
  children: ReactNode
}

/** One step of a project's way from data to result; exactly the next one stands out. */
export function StepSection({ number, title, state, extra, folded = null, children }: Props) {
  const { t } = useTranslation('runs')
  const id = idOf(number)
  const { hash } = useLocation()
  const [isOpen, setOpen] = useState<boolean | null>(null)
  // Whoever was led here wants to see it.
  const isFolded = folded !== null && !(isOpen ?? hash === `#${id}`)
  return (
    <section className={styles.step} data-state={state} aria-labelledby={id}>
      <div className={styles.mark} aria-hidden="true">
        {state === 'done' ? <CheckOutlined /> : number}
      </div>
      <div className={styles.body}>
        <div className={styles.head}>
          <h2 id={id} className={styles.title}>
            {title}
            <span className="nl-hidden"> – {t(`project.step.${state}`)}</span>
          </h2>
          {state === 'next' ? (
            <span className={styles.next} aria-hidden="true">
              {t('project.step.next')}
            </span>
          ) : null}
          {extra || folded !== null ? (
            <div className={styles.extra}>
              {extra}
              {folded === null ? null : (
                <Button
                  type="link"
                  className={styles.fold ?? ''}
                  aria-expanded={!isFolded}
                  onClick={() => setOpen(isFolded)}
                >
                  {t(isFolded ? 'project.step.unfold' : 'project.step.fold')}
                </Button>
              )}
            </div>
          ) : null}
        </div>
        {isFolded ? folded : children}
      </div>
    </section>
  )
}

/** Leads back to a step from further down the page. */
export function scrollToStep(number: number): void {
  document.getElementById(idOf(number))?.scrollIntoView?.({ behavior: 'smooth', block: 'center' })
}

const idOf = (number: number): string => `step-${number}`
