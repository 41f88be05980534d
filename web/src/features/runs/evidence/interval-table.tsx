import type { Evidence } from '@neuroloom/contract/evidence'
import type { Run } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { useClassName } from '../../../lib/class-name.ts'
import { formatMetric } from '../../../lib/metric.ts'
import { MetricName } from '../metric-name.tsx'
import { orderedMetrics, type Values } from '../metrics.ts'
import styles from '../tables.module.css'

type Props = { run: Pick<Run, 'task' | 'metrics' | 'perClass'>; evidence: Evidence }
type Intervals = Evidence['intervals']

/** Each figure with the range in which it would lie in 95 of 100 such tests: over all, then class by class. */
export function IntervalTable({ run, evidence }: Props) {
  const { t } = useTranslation('evidence')
  const classNameOf = useClassName(run.task)
  const rows = evidence.perClass.map(({ class: name, intervals }) => ({
    name: classNameOf(name),
    intervals,
    values: run.perClass.find((one) => one.class === name)?.values ?? {},
  }))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.scroll} aria-label={t('intervals.title')} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('intervals.of')}</th>
            <th scope="col">{t('intervals.figure')}</th>
            <th scope="col" className={styles.number}>
              {t('intervals.value')}
            </th>
            <th scope="col" className={styles.number}>
              {t('intervals.range')}
            </th>
          </tr>
        </thead>
        <tbody>
          <Rows name={t('intervals.all')} values={run.metrics} intervals={evidence.intervals} />
          {rows.map(({ name, values, intervals }) => (
            <Rows key={name} name={name} values={values} intervals={intervals} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Rows({ name, values, intervals }: { name: string; values: Values; intervals: Intervals }) {
  const { t } = useTranslation('evidence')
  const known = orderedMetrics(values).filter((metric) => metric in intervals)
  return known.map((metric, index) => (
    <tr key={metric}>
      {index === 0 ? (
        <th scope="rowgroup" rowSpan={known.length}>
          {name}
        </th>
      ) : null}
      <td>
        <MetricName name={metric} />
      </td>
      <td className={styles.number}>{formatMetric(metric, values[metric])}</td>
      <td className={styles.number}>
        {rangeOf(metric, intervals[metric] ?? null) ?? <span title={t('intervals.noneWhy')}>–</span>}
      </td>
    </tr>
  ))
}

export function rangeOf(metric: string, interval: [number, number] | null): string | null {
  if (interval === null) return null
  return `${formatMetric(metric, interval[0])} – ${formatMetric(metric, interval[1])}`
}
