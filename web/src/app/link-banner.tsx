import { useTranslation } from 'react-i18next'
import { isEmbedded, useUser } from '../lib/session.ts'
import styles from './workspace-layout.module.css'

/** Whoever was signed in by a link sees as whom. */
export function LinkBanner() {
  const { t } = useTranslation('workspace')
  const user = useUser()
  if (user === null || !isEmbedded()) return null
  return (
    <p className={styles.banner} role="status">
      {t('bar.byLink', { name: user.nickName })}
    </p>
  )
}
