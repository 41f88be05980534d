import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './field.module.css'

type FieldProps = {
  id: string
  label: string
  problem: string | null
  /** In long forms, where most must be filled in, the others say so. */
  isOptional?: boolean
  children: ReactNode
}

/** Label above, what is wrong below; the input inside points at both by `id`. */
export function Field({ id, label, problem, isOptional = false, children }: FieldProps) {
  const { t } = useTranslation('accounts')
  return (
    <div className={`${styles.field} ${problem === null ? '' : styles.wrong}`}>
      <div className={styles.labels}>
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
        {isOptional && <span className={styles.optional}>{t('field.optional')}</span>}
      </div>
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
