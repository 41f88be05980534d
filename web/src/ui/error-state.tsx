/** What a page shows in the place of what it could not load, with another try. Fetches nothing itself. */
import { useTranslation } from 'react-i18next'
import { messageOf } from '../lib/api.ts'
import { Button } from './button.tsx'
import styles from './states.module.css'

export function ErrorState({ error, retry }: { error: unknown; retry?: () => void }) {
  const { t } = useTranslation('common')
  return (
    <div className={styles.state} role="alert">
      <div className={`${styles.icon} ${styles.broken}`} aria-hidden="true">
        <BrokenIcon />
      </div>
      <h2 className={styles.title}>{t('failure.title')}</h2>
      <div className={styles.text}>{messageOf(error)}</div>
      {retry && (
        <div className={styles.action}>
          <Button look="quiet" onClick={retry}>
            {t('retry')}
          </Button>
        </div>
      )}
    </div>
  )
}

function BrokenIcon() {
  return (
    <svg width="40" height="40" viewBox="0 0 40 40" fill="none" aria-hidden="true">
      <path
        d="M6 27h6c3 0 3.5-6 4.8-10M24 17c1 4 1.5 10 4 10h6"
        stroke="currentColor"
        strokeWidth="2.2"
        strokeLinecap="round"
      />
      <path d="M20 9v9M20 23.5v.5" stroke="currentColor" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
  )
}
