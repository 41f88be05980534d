import type { Evidence, Gain } from '@neuroloom/contract/evidence'
import type { Task } from '@neuroloom/contract/task'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { formatMetric } from '../../../lib/metric.ts'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { useDifference } from '../results/difference.ts'
import { MetricName } from '../results/metric-name.tsx'
import tables from '../results/tables.module.css'
import styles from './evidence.module.css'

const rows = ['before', 'after', 'difference', 'range', 'worse'] as const

/** Whether a restoration is worth it: against what needs no network, and how often it does harm. */
export function GainTable({ evidence: { gains, items }, task }: { evidence: Evidence; task: Task }) {
  const { t } = useTranslation('evidence')
  const { difference, range } = useDifference()
  const figureOf = (row: 'before' | 'after' | 'difference' | 'range', { metric, ...gain }: Gain): string => {
    switch (row) {
      case 'before':
        return formatMetric(metric, gain.baseline)
      case 'after':
        return formatMetric(metric, gain.mean)
      case 'difference':
        return difference(metric, gain.mean - gain.baseline, { isSigned: true })
      case 'range':
        return gain.interval === null ? '–' : range(metric, gain.interval)
    }
  }
  const first = gains[0]
  return (
    <>
      <p className={styles.lead}>{t('gains.lead', { context: task })}</p>
      <ScrollRegion name={t('gains.title', { context: task })} className={tables.scroll}>
        <table className={tables.table}>
          <thead>
            <tr>
              <th scope="col">{t('gains.figure')}</th>
              {gains.map(({ metric }) => (
                <th key={metric} scope="col" className={tables.number}>
                  <MetricName name={metric} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row}>
                <th scope="row">{t(`gains.${row}`, { context: task })}</th>
                {gains.map((gain) => (
                  <td key={gain.metric} className={tables.number}>
                    {row === 'worse'
                      ? t('gains.worseOf', { worse: formatNumber(gain.worse), items: formatNumber(items) })
                      : figureOf(row, gain)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {first?.interval ? <p className={styles.note}>{t(`gains.${verdictOf(first.interval)}`)}</p> : null}
    </>
  )
}

function verdictOf([low, high]: NonNullable<Gain['interval']>): 'sure' | 'unsure' | 'lost' {
  if (low > 0) return 'sure'
  return high < 0 ? 'lost' : 'unsure'
}
