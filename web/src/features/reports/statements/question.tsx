import { statements as limits } from '@neuroloom/contract/limits'
import type { Statement } from '@neuroloom/contract/statements'
import { Input } from 'antd'
import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './statements.module.css'
import { useAnswer } from './use-answer.ts'

type Props = { projectId: string; name: Statement; isFlow: boolean; stored: string; isAsked: boolean }

/** One question with its help, an example, and what became of the answer. */
export function Question({ projectId, name, isFlow, stored, isAsked }: Props) {
  const { t } = useTranslation('statements')
  const { text, state, failure, type, save } = useAnswer({ projectId, name, stored })
  const id = useId()
  // A scan is asked about in other words than images to learn from.
  const words = `${isFlow ? 'flow' : 'question'}.${name}`
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isAsked) return
    place.current?.scrollIntoView({ block: 'center' })
    place.current?.querySelector('textarea')?.focus({ preventScroll: true })
  }, [isAsked])
  return (
    <div className={styles.question} ref={place}>
      <label htmlFor={id}>{t(`${words}.title`)}</label>
      <p id={`${id}-help`} className={styles.help}>
        {t(`${words}.help`)} <em>{t('example', { text: t(`${words}.example`) })}</em>
      </p>
      <Input.TextArea
        id={id}
        aria-describedby={`${id}-help ${id}-state`}
        autoSize={{ minRows: 2, maxRows: 12 }}
        maxLength={limits.length}
        value={text}
        onChange={({ target }) => type(target.value)}
        onBlur={() => void save()}
      />
      <p id={`${id}-state`} className={styles.state} role="status" data-state={state}>
        {state === 'refused' ? failure : t(`state.${state}`)}
      </p>
    </div>
  )
}
