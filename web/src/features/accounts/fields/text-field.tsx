import { type HTMLAttributes, useId } from 'react'
import styles from './field.module.css'
import { describedBy, Field } from './field.tsx'

type TextFieldProps = {
  id: string
  label: string
  value: string
  problem: string | null
  onChange: (value: string) => void
  onBlur: () => void
  hint?: string
  /** Below the field, for as long as nothing is wrong. */
  note?: string
  autoComplete?: string
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode']
  maxLength?: number
  isOptional?: boolean
  isFixed?: boolean
}

/** One line of text. */
export function TextField({ id, label, value, problem, onChange, onBlur, ...rest }: TextFieldProps) {
  const { hint, note, isFixed = false, isOptional = false, autoComplete, inputMode, maxLength } = rest
  const noteId = useId()
  return (
    <Field id={id} label={label} problem={problem} isOptional={isOptional}>
      <div className={`${styles.box} ${isFixed ? styles.fixed : ''}`}>
        <input
          {...(note === undefined ? {} : { 'aria-describedby': noteId })}
          {...describedBy(id, problem)}
          className={styles.input}
          autoComplete={autoComplete ?? 'off'}
          inputMode={inputMode}
          maxLength={maxLength}
          placeholder={hint}
          readOnly={isFixed}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          onBlur={onBlur}
        />
      </div>
      {note !== undefined && problem === null && (
        <p className={styles.note} id={noteId}>
          {note}
        </p>
      )}
    </Field>
  )
}
