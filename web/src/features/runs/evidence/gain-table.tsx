import type { Evidence, Gain } from '@neuroloom/contract/evidence'
import type { Task } from '@neuroloom/contract/task'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { formatMetric } from '../../../lib/metric.ts'
import { MetricName } from '../metric-name.tsx'
import tables from '../tables.module.css'
import styles from './evidence.module.css'
import { rangeOf } from './interval-table.tsx'

const columns = ['before', 'after', 'difference', 'range', 'worse'] as const

/** Whether a restoration is worth it: against what needs no network, and how often it does harm. */
export function GainTable({ evidence: { gains, items }, task }: { evidence: Evidence; task: Task }) {
  const { t } = useTranslation('evidence')
  const first = gains[0]
  return (
    <>
      <p className={styles.lead}>{t('gains.lead', { context: task })}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={tables.scroll} aria-label={t('gains.title', { context: task })} tabIndex={0}>
        <table className={tables.table}>
          <thead>
            <tr>
              <th scope="col">{t('gains.figure')}</th>
              {columns.map((column) => (
                <th key={column} scope="col" className={tables.number}>
                  {t(`gains.${column}`, { context: task })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {gains.map((gain) => (
              <tr key={gain.metric}>
                <th scope="row">
                  <MetricName name={gain.metric} />
                </th>
                <td className={tables.number}>{formatMetric(gain.metric, gain.baseline)}</td>
                <td className={tables.number}>{formatMetric(gain.metric, gain.mean)}</td>
                <td className={tables.number}>{signed(gain.metric, gain.mean - gain.baseline)}</td>
                <td className={tables.number}>{rangeOf(gain.metric, gain.interval) ?? '–'}</td>
                <td className={tables.number}>
                  {t('gains.worseOf', { worse: formatNumber(gain.worse), items: formatNumber(items) })}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {first?.interval ? <p className={styles.note}>{t(`gains.${verdictOf(first.interval)}`)}</p> : null}
    </>
  )
}

const signed = (metric: string, value: number): string =>
  `${value > 0 ? '+' : ''}${formatMetric(metric, value)}`

function verdictOf([low, high]: NonNullable<Gain['interval']>): 'sure' | 'unsure' | 'lost' {
  if (low > 0) return 'sure'
  return high < 0 ? 'lost' : 'unsure'
}
