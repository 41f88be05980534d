import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './field.module.css'
import { describedBy, Field } from './field.tsx'

type PasswordFieldProps = {
  id: string
  label: string
  hint: string
  /** `new` lets the browser offer a strong one. */
  kind: 'current' | 'new'
  value: string
  problem: string | null
  onChange: (value: string) => void
  onBlur: () => void
}

export function PasswordField({
  id,
  label,
  hint,
  kind,
  value,
  problem,
  onChange,
  onBlur,
}: PasswordFieldProps) {
  const { t } = useTranslation('accounts')
  const [isShown, setIsShown] = useState(false)
  return (
    <Field id={id} label={label} problem={problem}>
      <div className={styles.box}>
        <input
          {...describedBy(id, problem)}
          className={styles.input}
          type={isShown ? 'text' : 'password'}
          autoComplete={`${kind}-password`}
          placeholder={hint}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        />
        <button
          type="button"
          className={styles.addon}
          aria-label={t(isShown ? 'login.hidePassword' : 'login.showPassword')}
          onClick={() => setIsShown(!isShown)}
        >
          <EyeIcon isOpen={isShown} />
        </button>
      </div>
    </Field>
  )
}

function EyeIcon({ isOpen }: { isOpen: boolean }) {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" fill="none" stroke="currentColor" aria-hidden="true">
      <path
        d="M2 11c2-4 5.3-6 9-6s7 2 9 6c-2 4-5.3 6-9 6s-7-2-9-6Z"
        strokeWidth="1.6"
        strokeLinejoin="round"
      />
      <circle cx="11" cy="11" r="2.8" strokeWidth="1.6" />
      {!isOpen && <path d="m4 19 14-16" strokeWidth="1.6" strokeLinecap="round" />}
    </svg>
  )
}
