import { Input } from 'antd'
import styles from './office.module.css'

type WordsFieldProps = {
  id: string
  label: string
  text: string
  maxLength: number
  help?: string
  /** More than one line. */
  isLong?: boolean
  onText: (text: string) => void
}

/** A field of a dialog with its label, and what is to be known of it. */
export function WordsField({ id, label, text, maxLength, help, isLong = false, onText }: WordsFieldProps) {
  const props = {
    id,
    maxLength,
    value: text,
    autoComplete: 'off',
    ...(help === undefined ? {} : { 'aria-describedby': `${id}-help` }),
  }
  return (
    <>
      <label htmlFor={id}>{label}</label>
      {isLong ? (
        <Input.TextArea
          {...props}
          autoSize={{ minRows: 2, maxRows: 6 }}
          onChange={({ target }) => onText(target.value)}
        />
      ) : (
        <Input {...props} onChange={({ target }) => onText(target.value)} />
      )}
      {help !== undefined && (
        <p id={`${id}-help`} className={styles.help}>
          {help}
        </p>
      )}
    </>
  )
}
