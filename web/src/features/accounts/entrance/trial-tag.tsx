import { useTranslation } from 'react-i18next'
import { usePublicSetting } from './public-setting.ts'
import styles from './trial-tag.module.css'

/** Says that this is a trial installation, where it is one. */
export function TrialTag() {
  const { t } = useTranslation('common')
  const setting = usePublicSetting()
  if (!setting?.trial) return null
  return (
    <span className={styles.trial} title={t('trialText')}>
      <span className={styles.word}>{t('trial')}</span>
    </span>
  )
}
