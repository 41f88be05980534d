import { useTranslation } from 'react-i18next'
import styles from './attachments.module.css'

/** Over the area that takes the files. */
export function DropHint() {
  const { t } = useTranslation('social-attachments')
  return (
    <div className={styles.drop} aria-hidden>
      {t('drop')}
    </div>
  )
}
