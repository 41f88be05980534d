import { metricKind } from '@neuroloom/contract/metric'
import { useTranslation } from 'react-i18next'
import { formatMetric, formatRange } from '../../../lib/metric.ts'
import styles from './scale-bar.module.css'

type Props = {
  name: string
  value: number
  /** In which the figure would lie in 95 of 100 such tests; null where nothing can be told. */
  range: readonly [number, number] | null
}

/** A figure between nothing and all, with its range; decibels have no such scale and say their range alone. */
export function ScaleBar({ name, value, range }: Props) {
  const { t } = useTranslation('results')
  const told = range === null ? null : t('scale.range', { range: formatRange(name, [range[0], range[1]]) })
  if (metricKind(name) === 'decibels') return told === null ? null : <p className={styles.range}>{told}</p>
  const [low, high] = range ?? [value, value]
  return (
    <div className={styles.scale}>
      <div
        className={styles.track}
        role="img"
        aria-label={[formatMetric(name, value), told].filter(Boolean).join(', ')}
      >
        <span className={styles.filled} style={{ width: share(value) }} />
        {range === null ? null : (
          <span className={styles.band} style={{ left: share(low), width: share(high - low) }} />
        )}
        <span className={styles.mark} style={{ left: share(value) }} />
      </div>
      <div className={styles.ends} aria-hidden="true">
        <span>{formatEnd(name, 0)}</span>
        {told === null ? null : <span className={styles.range}>{told}</span>}
        <span>{formatEnd(name, 1)}</span>
      </div>
    </div>
  )
}

const share = (value: number): string => `${Math.min(1, Math.max(0, value)) * 100}%`

const formatEnd = (name: string, value: number): string =>
  metricKind(name) === 'percent' ? `${value * 100}%` : String(value)
