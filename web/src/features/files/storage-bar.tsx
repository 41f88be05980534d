import { Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'
import styles from './storage-bar.module.css'

/** From this share on the bar warns: time to tidy up before an upload is refused. */
const warnShare = 0.8

/** How much of the member's storage is used. Says nothing while it is not known. */
export function StorageBar() {
  const { t } = useTranslation('files')
  const { data } = useCall('user/size', {}, { quiet: true })
  if (!data) return null
  const { storageSize, storageLimit } = data
  if (storageLimit === null)
    return <p className={styles.text}>{t('storage.unlimited', { used: formatBytes(storageSize) })}</p>
  const share = Math.min(1, storageSize / storageLimit)
  const text = t('storage.used', { used: formatBytes(storageSize), limit: formatBytes(storageLimit) })
  return (
    <div className={styles.bar}>
      <div className={styles.text}>
        <span>{text}</span>
        {share >= warnShare && <strong>{t(share >= 1 ? 'storage.full' : 'storage.nearlyFull')}</strong>}
      </div>
      <Progress
        percent={share * 100}
        showInfo={false}
        size="small"
        status={share >= warnShare ? 'exception' : 'normal'}
        aria-label={text}
      />
    </div>
  )
}
