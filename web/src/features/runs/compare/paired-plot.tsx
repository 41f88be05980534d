import type { Comparison, Difference, Pair } from '@neuroloom/contract/compare'
import { useTranslation } from 'react-i18next'
import { useClassName } from '../../../lib/class-name.ts'
import { formatDifference, formatMetric } from '../../../lib/metric.ts'
import { useDifference } from '../results/difference.ts'
import styles from './compare.module.css'

type Row = Difference & { first: number; other: number; value: number }
type Props = { comparison: Comparison; pair: Pair; names: { first: number; other: number } }

/** Each figure of both tests as two dots on one scale, and beside them the difference with its range. */
export function PairedPlot({ comparison: { task }, pair, names }: Props) {
  const { t } = useTranslation(['compare', 'runs'])
  const classNameOf = useClassName(task)
  const { difference, range } = useDifference()
  const rows = rowsOf(pair.differences)
  if (rows.length === 0) return null
  const values = scaleOf(rows.flatMap(({ first, other }) => [first, other]))
  const reach = Math.max(...rows.flatMap(({ value, interval }) => [value, ...(interval ?? [])].map(Math.abs)))
  const at = (value: number): string => percent(reach > 0 ? (value + reach) / (2 * reach) : 0.5)
  const [main] = rows
  const metric = main?.metric ?? ''
  return (
    <figure className={styles.plot}>
      <figcaption>
        <span data-dot="first">{t('test', { number: names.first })}</span>
        <span data-dot="other">{t('test', { number: names.other })}</span>
        <span>{t('plot.range')}</span>
      </figcaption>
      <ul>
        {rows.map((row) => (
          <li key={`${row.metric} ${row.class ?? ''}`}>
            <span>
              {t(`runs:metric.${row.metric}.name`, { defaultValue: row.metric })} ·{' '}
              {row.class === null ? t('all', { context: task }) : classNameOf(row.class)}
            </span>
            <svg
              role="img"
              aria-label={t('plot.values', {
                first: formatMetric(row.metric, row.first),
                other: formatMetric(row.metric, row.other),
              })}
            >
              <line x1="0%" x2="100%" y1="50%" y2="50%" data-line="scale" />
              <line x1={values(row.first)} x2={values(row.other)} y1="50%" y2="50%" data-line="way" />
              <circle cx={values(row.first)} cy="50%" r="5" data-dot="first" />
              <circle cx={values(row.other)} cy="50%" r="5" data-dot="other" />
            </svg>
            <svg
              role="img"
              aria-label={
                row.interval
                  ? t('plot.differenceRange', {
                      value: difference(row.metric, row.value, { isSigned: true }),
                      range: range(row.metric, row.interval),
                    })
                  : difference(row.metric, row.value, { isSigned: true })
              }
            >
              <line x1="50%" x2="50%" y1="0%" y2="100%" data-line="scale" />
              {row.interval ? (
                <line
                  x1={at(row.interval[0])}
                  x2={at(row.interval[1])}
                  y1="50%"
                  y2="50%"
                  data-line="range"
                  data-verdict={row.verdict}
                />
              ) : null}
              <circle cx={at(row.value)} cy="50%" r="5" data-dot="difference" data-verdict={row.verdict} />
            </svg>
          </li>
        ))}
        <li aria-hidden="true">
          <span />
          <Ends ends={values.ends.map((end) => formatMetric(metric, end))} />
          <Ends
            ends={(reach > 0 ? [-reach, 0, reach] : [0]).map((end) =>
              formatDifference(metric, end, { isSigned: true }),
            )}
          />
        </li>
      </ul>
    </figure>
  )
}

const Ends = ({ ends }: { ends: readonly string[] }) => (
  <span className={styles.ends}>
    {ends.map((end) => (
      <span key={end}>{end}</span>
    ))}
  </span>
)

/** What one scale can show: all shares where the main figure is one, else the main figure alone. */
function rowsOf(differences: readonly Difference[]): Row[] {
  const known = differences.filter(
    (one): one is Row => one.first !== null && one.other !== null && one.value !== null,
  )
  const [main] = known
  if (!main) return []
  return isShare(main) ? known.filter(isShare) : known.filter(({ metric }) => metric === main.metric)
}

const isShare = ({ first, other }: Row): boolean => [first, other].every((value) => value >= 0 && value <= 1)

/** Shares from 0 to 1; others from the least to the greatest. */
function scaleOf(values: readonly number[]) {
  const areShares = values.every((value) => value >= 0 && value <= 1)
  const [least, most] = areShares ? [0, 1] : [Math.min(...values), Math.max(...values)]
  const place = (value: number): string => percent(most > least ? (value - least) / (most - least) : 0.5)
  return Object.assign(place, { ends: most > least ? [least, most] : [least] })
}

const percent = (share: number): string => `${Math.round(share * 1000) / 10}%`
