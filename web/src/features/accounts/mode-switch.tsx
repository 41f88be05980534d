import { useTranslation } from 'react-i18next'
import type { LoginDraft } from './check-login.ts'
import styles from './mode-switch.module.css'

type Mode = LoginDraft['mode']
const modes: readonly Mode[] = ['phone', 'email']

/** Sign in by phone or by e-mail. */
export function ModeSwitch({ mode, onChange }: { mode: Mode; onChange: (mode: Mode) => void }) {
  const { t } = useTranslation('accounts')
  return (
    <div className={styles.switch} role="radiogroup" aria-label={t('login.mode')}>
      {modes.map((one) => (
        <label key={one} className={`${styles.choice} ${one === mode ? styles.chosen : ''}`}>
          <input
            type="radio"
            name="login-mode"
            className={styles.radio}
            checked={one === mode}
            onChange={() => onChange(one)}
          />
          {t(`login.${one}Mode`)}
        </label>
      ))}
    </div>
  )
}
