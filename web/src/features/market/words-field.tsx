import { Input } from 'antd'
import styles from './market.module.css'

type Props = {
  id: string
  label: string
  help?: string
  text: string
  maxLength: number
  /** Lines that it begins with; 1 = a single line. */
  rows?: number
  onText: (text: string) => void
}

/** A labelled field for words. */
export function WordsField({ id, label, help, text, maxLength, rows = 1, onText }: Props) {
  const props = {
    id,
    maxLength,
    value: text,
    autoComplete: 'off',
    ...(help === undefined ? {} : { 'aria-describedby': `${id}-help` }),
  }
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {rows === 1 ? (
        <Input {...props} onChange={({ target }) => onText(target.value)} />
      ) : (
        <Input.TextArea
          {...props}
          autoSize={{ minRows: rows, maxRows: rows + 8 }}
          onChange={({ target }) => onText(target.value)}
        />
      )}
      {help !== undefined && (
        <p id={`${id}-help`} className={styles.help}>
          {help}
        </p>
      )}
    </div>
  )
}
