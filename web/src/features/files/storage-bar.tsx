import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'
import { LimitMeter } from '../../ui/limits/limit-meter.tsx'
import styles from './storage-bar.module.css'

/** How much of the member's storage is used. Says nothing while it is not known. */
export function StorageBar() {
  const { t } = useTranslation('files')
  const { data } = useCall('user/size', {}, { quiet: true })
  if (!data) return null
  const { storageSize, storageLimit } = data
  if (storageLimit === null)
    return <p className={styles.text}>{t('storage.unlimited', { used: formatBytes(storageSize) })}</p>
  const label = t('storage.used', { used: formatBytes(storageSize), limit: formatBytes(storageLimit) })
  return <LimitMeter label={label} used={storageSize} limit={storageLimit} />
}
