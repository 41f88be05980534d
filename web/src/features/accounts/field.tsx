import type { ReactNode } from 'react'
import styles from './field.module.css'

type FieldProps = {
  id: string
  label: string
  problem: string | null
  children: ReactNode
}

/** Label above, what is wrong below; the input inside points at both by `id`. */
export function Field({ id, label, problem, children }: FieldProps) {
  return (
    <div className={`${styles.field} ${problem === null ? '' : styles.wrong}`}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children}
      {problem !== null && (
        <p className={styles.problem} id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

/** For the input inside a field. */
export function describedBy(id: string, problem: string | null) {
  return {
    id,
    'aria-invalid': problem !== null,
    ...(problem === null ? {} : { 'aria-describedby': `${id}-problem` }),
  }
}
