import type { LearnedRun } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { formatTicks } from '../../../lib/metric.ts'
import { useCall } from '../../../lib/query.ts'
import { textContext } from './item-kind.ts'
import { itemMetric } from './item-metric.ts'
import type { ItemFilter } from './result-items.tsx'
import styles from './score-histogram.module.css'

type Props = {
  run: LearnedRun
  /** The bin whose images are shown. */
  chosen: number | null
  onChoose: (filter: ItemFilter | null) => void
}

/** How the score is spread over the images; a bar leads to its images. */
export function ScoreHistogram({ run, chosen, onChoose }: Props) {
  const { t } = useTranslation(['results', 'runs'])
  const { data } = useCall('runs/scores', { id: run.id }, { quiet: true })
  if (!data || data.counts.every((count) => count === 0)) return null
  const { low, high, counts } = data
  const metric = itemMetric(run.task)
  const context = textContext(run.task)
  const width = (high - low) / counts.length
  const ends = formatTicks(
    metric,
    [...counts, 0].map((_, index) => low + index * width),
  )
  const most = Math.max(...counts)
  return (
    <figure className={styles.figure}>
      <figcaption>
        <strong>{t('spread.title', { metric: t(`runs:metric.${metric}.name`), context })}</strong>
        <small>{t('spread.lead', { context })}</small>
      </figcaption>
      <ol className={styles.bars}>
        {counts.map((count, bin) => (
          <li key={ends[bin]}>
            <button
              type="button"
              disabled={count === 0}
              aria-pressed={chosen === bin}
              aria-label={t('spread.bar', { from: ends[bin], to: ends[bin + 1], count, context })}
              title={t('spread.bar', { from: ends[bin], to: ends[bin + 1], count, context })}
              onClick={() =>
                onChoose(chosen === bin ? null : { bin, from: ends[bin] ?? '', to: ends[bin + 1] ?? '' })
              }
            >
              <span style={{ height: `${(count / most) * 100}%` }} />
            </button>
          </li>
        ))}
      </ol>
      <div className={styles.ends} aria-hidden="true">
        <span>{ends[0]}</span>
        <span>{ends[Math.floor(counts.length / 2)]}</span>
        <span>{ends.at(-1)}</span>
      </div>
    </figure>
  )
}
