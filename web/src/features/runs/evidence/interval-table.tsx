import type { Evidence } from '@neuroloom/contract/evidence'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { useClassName } from '../../../lib/class-name.ts'
import { formatMetric, formatRange } from '../../../lib/metric.ts'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { MetricName } from '../results/metric-name.tsx'
import { orderedMetrics, type Values } from '../results/metrics.ts'
import styles from '../results/tables.module.css'
import { decisionColumns } from './decision-columns.ts'

type Props = { run: Pick<LearnedRun, 'task' | 'metrics' | 'perClass'>; evidence: Evidence }
type Intervals = Evidence['intervals']

/** Each figure with the range in which it would lie in 95 of 100 such tests: over all, then class by class. */
export function IntervalTable({ run, evidence }: Props) {
  const { t } = useTranslation('evidence')
  const classNameOf = useClassName(run.task)
  const elsewhere = decisionColumns(run.perClass, evidence.decisions)
  const rows = evidence.perClass.map(({ class: name, intervals }) => ({
    name: classNameOf(name),
    intervals: without(intervals, elsewhere),
    values: run.perClass.find((one) => one.class === name)?.values ?? {},
  }))
  const isLong = rows.reduce((sum, { intervals }) => sum + 1 + Object.keys(intervals).length, 0) > FEW_ROWS
  return (
    <ScrollRegion name={t('intervals.title')} className={isLong ? styles.scroll : styles.whole}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('intervals.figure')}</th>
            <th scope="col" className={styles.number}>
              {t('intervals.value')}
            </th>
            <th scope="col" className={styles.number}>
              {t('intervals.range')}
            </th>
          </tr>
        </thead>
        <Rows name={t('intervals.all')} values={run.metrics} intervals={evidence.intervals} of={run} />
        {rows.map(({ name, values, intervals }) => (
          <Rows key={name} name={name} values={values} intervals={intervals} />
        ))}
      </table>
    </ScrollRegion>
  )
}

/** So many rows of classes are shown whole; more move by themselves. */
const FEW_ROWS = 24

const without = (intervals: Intervals, names: ReadonlySet<string>): Intervals =>
  Object.fromEntries(Object.entries(intervals).filter(([name]) => !names.has(name)))

type RowsProps = {
  name: string
  values: Values
  intervals: Intervals
  /** Of figures over all. */
  of?: Props['run']
}

function Rows({ name, values, intervals, of }: RowsProps) {
  const { t } = useTranslation('evidence')
  const known = orderedMetrics(values).filter((metric) => metric in intervals)
  if (known.length === 0) return null
  const range = (metric: string) => {
    const interval = intervals[metric]
    return interval ? formatRange(metric, interval) : null
  }
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={3}>
          {name}
        </th>
      </tr>
      {known.map((metric) => (
        <tr key={metric}>
          <td>
            <MetricName name={metric} {...(of ? { of } : {})} />
          </td>
          <td className={styles.number}>{formatMetric(metric, values[metric])}</td>
          <td className={`${styles.number} ${styles.range}`}>
            {range(metric) ?? <span title={t('intervals.noneWhy')}>–</span>}
          </td>
        </tr>
      ))}
    </tbody>
  )
}
