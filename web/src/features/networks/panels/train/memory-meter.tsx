import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../../lib/format.ts'
import styles from './memory-meter.module.css'
import type { MemoryNeed } from './memory-need.ts'

/** What training needs of the device's memory, as a bar where that is known, and in figures. */
export function MemoryMeter({ need }: { need: MemoryNeed }) {
  const { t } = useTranslation('dripe-panels')
  const { totalBytes, deviceBytes, isTooMuch } = need
  if (deviceBytes === null) return <span>{t('bar.memoryAlone', { need: formatBytes(totalBytes) })}</span>
  return (
    <>
      <span className={styles.meter} data-full={isTooMuch} aria-hidden="true">
        <span style={{ inlineSize: `${Math.min(100, (100 * totalBytes) / deviceBytes)}%` }} />
      </span>
      <span>{t('bar.memory', { need: formatBytes(totalBytes), have: formatBytes(deviceBytes) })}</span>
    </>
  )
}
