import type { Evidence } from '@neuroloom/contract/evidence'
import { classMark } from '@neuroloom/contract/evidence/class-findings'
import { decisionColumns } from '@neuroloom/contract/evidence/decision-columns'
import { hasBothWays, outlineFigures, plainFigure } from '@neuroloom/contract/evidence/figure-means'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { useClassName } from '../../../lib/class-name.ts'
import { formatMetric, formatRange } from '../../../lib/metric.ts'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { MetricName } from '../results/metric-name.tsx'
import { orderedMetrics, type Values } from '../results/metrics.ts'
import styles from '../results/tables.module.css'

type Props = {
  run: Pick<LearnedRun, 'task' | 'metrics' | 'perClass'>
  evidence: Evidence
  hasClasses: boolean
}
type Intervals = Evidence['intervals']

/**
 * Each figure, with the range in which it would lie in 95 of 100 such tests: over all, then class by class. Figures of outlines
 * stand there as the mean over the images, and beside it over the points of all images together.
 */
export function IntervalTable({ run, evidence, hasClasses }: Props) {
  const { t } = useTranslation('evidence')
  const classNameOf = useClassName(run.task)
  const elsewhere = decisionColumns(run.perClass, evidence.decisions)
  const rows = (hasClasses ? run.perClass : []).map((one) => ({
    name: classNameOf(one.class),
    mark: classMark(run.task, one),
    intervals: evidence.perClass.find((other) => other.class === one.class)?.intervals ?? {},
    values: without(one.values, elsewhere),
  }))
  const isPaired = hasBothWays(run)
  const isLong = rows.reduce((sum, { values }) => sum + 1 + Object.keys(values).length, 0) > FEW_ROWS
  return (
    <ScrollRegion name={t('intervals.title')} className={isLong ? styles.scroll : styles.whole}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('intervals.figure')}</th>
            <th scope="col" className={styles.number}>
              {t(isPaired ? 'intervals.mean' : 'intervals.value', { context: run.task })}
            </th>
            <th scope="col" className={styles.number}>
              {t('intervals.range')}
            </th>
            {isPaired ? (
              <th scope="col" className={styles.number}>
                {t('intervals.pooled', { context: run.task })}
              </th>
            ) : null}
          </tr>
        </thead>
        <Rows
          name={t('intervals.all', { context: run.task })}
          values={run.metrics}
          intervals={evidence.intervals}
          of={run}
          isPaired={isPaired}
        />
        {rows.map(({ name, mark, values, intervals }) => (
          <Rows
            key={name}
            name={name}
            mark={mark}
            values={values}
            intervals={intervals}
            isPaired={isPaired}
          />
        ))}
      </table>
    </ScrollRegion>
  )
}

/** So many rows of classes are shown whole; more move by themselves. */
const FEW_ROWS = 24

const without = (values: Values, names: ReadonlySet<string>): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)))

type RowsProps = {
  name: string
  /** Of a class that is missed more often than found. */
  mark?: ReturnType<typeof classMark>
  values: Values
  intervals: Intervals
  /** Of figures over all. */
  of?: Props['run']
  /** With a column for the points of all images together. */
  isPaired: boolean
}

type Row = { name: string; metric: string; pooled: string | null }

/** A row for each figure; where both ways have a column, one for both. */
function rowsOf(values: Values, isPaired: boolean): Row[] {
  const known = orderedMetrics(values)
  if (!isPaired) return known.map((metric) => ({ name: metric, metric, pooled: null }))
  return [...new Set(known.map(plainFigure))].map((name) => {
    const both = outlineFigures.find((one) => one.name === name)
    return { name, metric: both?.mean ?? name, pooled: both?.pooled ?? null }
  })
}

function Rows({ name, mark = null, values, intervals, of, isPaired }: RowsProps) {
  const { t } = useTranslation(['evidence', 'figures'])
  const known = rowsOf(values, isPaired)
  if (known.length === 0) return null
  const range = (metric: string) => {
    const interval = intervals[metric]
    return interval ? formatRange(metric, interval) : null
  }
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={isPaired ? 4 : 3}>
          {name}
          {mark === null ? null : <span className={styles.missed}>{t(`figures:class.mark.${mark}`)}</span>}
        </th>
      </tr>
      {known.map(({ name: figure, metric, pooled }) => (
        <tr key={figure}>
          <td>
            <MetricName name={figure} {...(of && !isPaired ? { of } : {})} />
          </td>
          <td className={styles.number}>{formatMetric(metric, values[metric])}</td>
          <td className={`${styles.number} ${styles.range}`}>
            {range(metric) ?? (metric in intervals ? <span title={t('intervals.noneWhy')}>–</span> : null)}
          </td>
          {isPaired ? (
            <td className={styles.number}>{pooled === null ? null : formatMetric(pooled, values[pooled])}</td>
          ) : null}
        </tr>
      ))}
    </tbody>
  )
}
