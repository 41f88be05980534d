import type { Run } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { formatMetric } from '../../lib/metric.ts'
import { isActive } from './journey.ts'
import { MetricName } from './metric-name.tsx'
import { headlineOf, orderedMetrics } from './metrics.ts'
import styles from './run.module.css'

/** The result as one figure, what it means in plain words, and the other figures beside it. */
export function Score({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  const headline = headlineOf(run)
  if (!headline) return <p className={styles.lead}>{t('score.none')}</p>
  const { name, value, deviation } = headline
  const others = orderedMetrics(run.metrics).filter((other) => other !== name)
  return (
    <div className={styles.score}>
      <div className={styles.headline}>
        <span className={styles.headlineName}>
          <MetricName name={name} />
        </span>
        <span className={styles.headlineValue}>
          {formatMetric(name, value)}
          {deviation === null ? null : <small> ± {formatMetric(name, deviation)}</small>}
        </span>
      </div>
      <div className={styles.meaning}>
        <p className={styles.lead}>{t(`score.${meaningOf(run, value)}`, sharesOf(run, value))}</p>
        <p className={styles.source}>{t(`score.source.${sourceOf(run)}`, countsOf(run))}</p>
        <dl className={styles.figures}>
          {others.map((other) => (
            <div key={other}>
              <dt>
                <MetricName name={other} />
              </dt>
              <dd>{formatMetric(other, run.metrics[other])}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  )
}

/** Bands of Dice in words; limits as usual in the field, where two readers agree at about 0.9 on clear structures. */
function meaningOf(run: Run, value: number): string {
  const { task, kind, counts } = run
  if (isActive(run)) return 'soFar'
  if (task === 'classification') return kind === 'test' && counts?.test ? 'exact' : 'classification'
  if (value >= 0.9) return 'overlapExcellent'
  if (value >= 0.8) return 'overlapGood'
  return value >= 0.6 ? 'overlapFair' : 'overlapPoor'
}

/** A test has counted its pictures; a training's figure speaks of a hundred. */
function sharesOf({ kind, counts }: Run, value: number): { total: number; count: number } {
  const total = (kind === 'test' ? counts?.test : null) ?? 100
  return { total, count: Math.round(value * total) }
}

function sourceOf({ kind, validation }: Run): string {
  if (kind === 'test') return 'test'
  return validation.method === 'kfold' ? 'folds' : 'validation'
}

function countsOf({ counts, validation }: Run): Record<string, string | number> {
  const items = counts?.test ?? counts?.validation ?? 0
  return {
    count: items,
    items: formatNumber(items),
    folds: validation.method === 'kfold' ? validation.splits : 1,
  }
}
