import { useTranslation } from 'react-i18next'
import { formatRate } from '../../../lib/format.ts'
import { formatMetric } from '../../../lib/metric.ts'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import type { Chart, Series } from './curve-series.ts'
import styles from './tables.module.css'

/** The curves as figures, one row an epoch: for screen readers and for everyone who wants to read off a number. */
export function CurveTable({ charts, metric }: { charts: readonly Chart[]; metric: string }) {
  const { t } = useTranslation(['runs', 'results'])
  const epochs = charts[0]?.epochs ?? []
  const columns = charts.flatMap((chart) => chart.series)
  const nameOf = ({ name, split }: Series) => {
    if (name === 'learningRate') return t('results:curves.learningRate')
    const title = name === 'loss' ? t('results:curves.loss') : t(`metric.${metric}.name`)
    return `${title} · ${t(`results:curves.${split}`)}`
  }
  return (
    <ScrollRegion name={t('results:curves.tableLabel')} className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('results:curves.epochColumn')}</th>
            {columns.map((series) => (
              <th key={`${series.split}-${series.name}`} scope="col" className={styles.number}>
                {nameOf(series)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {epochs.map((epoch, row) => (
            <tr key={epoch}>
              <th scope="row">{epoch}</th>
              {columns.map((series) => (
                <td key={`${series.split}-${series.name}`} className={styles.number}>
                  {cell(series, row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function cell({ name, values }: Series, row: number): string {
  const value = values[row]
  if (value === null || value === undefined) return '–'
  return name === 'learningRate' ? formatRate(value) : formatMetric(name, value)
}
