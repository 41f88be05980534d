import { opinions as limits } from '@neuroloom/contract/limits'
import type { Opinion, Outline } from '@neuroloom/contract/social/opinions'
import { Button, Input, Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import styles from './opinions.module.css'

type Props = {
  opinion: Opinion
  position: number
  /** Drawn on the image; null where none is. */
  outline: Outline | null
  onAnswered: (opinion: Opinion) => void
}

/** The answer for one study: one of those that were offered, and a line of one's own. */
export function StudyAnswer({ opinion, position, outline, onAnswered }: Props) {
  const { t } = useTranslation('social-opinions')
  const { id: opinionId, answers, own, question, hasOutline, studies } = opinion
  const known = own.find((one) => one.position === position)
  const [answer, setAnswer] = useState<number | null>(known?.answer ?? null)
  const [note, setNote] = useState(known?.note ?? '')
  const { mutate, isPending } = useAction('opinion/answer', {
    refresh: ['opinion/show'],
    onDone: onAnswered,
  })
  const isLast = !known && own.length === studies.length - 1
  return (
    <form
      className={styles.answer}
      onSubmit={(event) => {
        event.preventDefault()
        if (answer !== null) mutate({ opinionId, position, answer, note, outline })
      }}
    >
      <fieldset>
        <legend>{question}</legend>
        <Radio.Group
          vertical
          value={answer}
          onChange={({ target }) => setAnswer(Number(target.value))}
          options={answers.map((label, value) => ({ value, label }))}
        />
      </fieldset>
      <Input
        aria-label={t('note')}
        placeholder={t('note')}
        maxLength={limits.noteLength}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      {hasOutline && <p className={styles.soft}>{t(outline ? 'outlined' : 'outlineText')}</p>}
      {isLast && <p className={styles.soft}>{t('lastText')}</p>}
      <Button type="primary" htmlType="submit" disabled={answer === null} loading={isPending}>
        {t(isLast ? 'finish' : 'next')}
      </Button>
    </form>
  )
}
