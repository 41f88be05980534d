/** Light or dark, with one press; the personal centre has the system's choice too. */
import { useTranslation } from 'react-i18next'
import { setLook, useIsDark } from '../hooks/use-look.ts'
import styles from './look-toggle.module.css'

export function LookToggle() {
  const { t } = useTranslation('common')
  const isDark = useIsDark()
  return (
    <button
      type="button"
      className={styles.toggle}
      aria-pressed={isDark}
      aria-label={t('look.toggle')}
      title={t('look.toggle')}
      onClick={() => setLook(isDark ? 'light' : 'dark')}
    >
      <svg width="20" height="20" viewBox="0 0 20 20" fill="none" aria-hidden="true">
        <circle cx="10" cy="10" r="7" stroke="currentColor" strokeWidth="1.6" />
        <path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor" />
      </svg>
    </button>
  )
}
