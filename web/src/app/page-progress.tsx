import { useTranslation } from 'react-i18next'
import { useNavigation } from 'react-router'
import styles from './page-progress.module.css'

/** A thin line along the top while the next page loads; quick pages come before it shows. */
export function PageProgress() {
  const { t } = useTranslation('common')
  const { state } = useNavigation()
  if (state === 'idle') return null
  return <div className={styles.line} role="progressbar" aria-label={t('loading')} />
}
