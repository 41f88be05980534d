import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AgreementDialog } from '../entrance/agreement-dialog.tsx'
import styles from './field.module.css'
import { describedBy } from './field.tsx'

type AgreementCheckProps = {
  id: string
  accepted: boolean
  problem: string | null
  onChange: (accepted: boolean) => void
}

/** The agreement must be accepted, and can be read at once. */
export function AgreementCheck({ id, accepted, problem, onChange }: AgreementCheckProps) {
  const { t } = useTranslation('accounts')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className={styles.field}>
      <div className={styles.check}>
        <input
          {...describedBy(id, problem)}
          type="checkbox"
          checked={accepted}
          onChange={({ target }) => onChange(target.checked)}
        />
        <span>
          <label htmlFor={id}>{t('register.accept')}</label>{' '}
          <button type="button" className={styles.link} onClick={() => setIsOpen(true)}>
            {t('register.agreement')}
          </button>
        </span>
      </div>
      {problem !== null && (
        <p className={styles.problem} id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
      {isOpen && <AgreementDialog onClose={() => setIsOpen(false)} />}
    </div>
  )
}
