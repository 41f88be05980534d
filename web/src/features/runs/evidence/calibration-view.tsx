import type { Calibration } from '@neuroloom/contract/evidence'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatPercent } from '../../../lib/format.ts'
import { formatMetric } from '../../../lib/metric.ts'
import { SquareChart } from '../../../ui/charts/square-chart.tsx'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import tables from '../results/tables.module.css'
import styles from './evidence.module.css'

/** Up to this an answer's probability may be taken at its word; beyond the second it may not. */
const CLOSE = 0.05
const FAR = 0.15

/** Whether the network is as often right as it says: as a sentence, as a line, and in figures. */
export function CalibrationView({ calibration: { bins, error, brier } }: { calibration: Calibration }) {
  const { t } = useTranslation('evidence')
  const filled = bins.flatMap(({ confidence, accuracy, ...bin }) =>
    confidence === null || accuracy === null ? [] : [{ ...bin, confidence, accuracy }],
  )
  return (
    <>
      <p className={styles.lead}>{t(`calibration.${wordOf(error)}`, { share: formatPercent(error, 1) })}</p>
      <div className={styles.charts}>
        <SquareChart
          title={t('calibration.chart')}
          x={t('calibration.said')}
          y={t('calibration.was')}
          points={filled.map(({ confidence, accuracy }) => [confidence, accuracy])}
          guide="diagonal"
        />
        <ScrollRegion name={t('calibration.table')} className={tables.scroll}>
          <table className={tables.table}>
            <thead>
              <tr>
                <th scope="col">{t('calibration.said')}</th>
                <th scope="col" className={tables.number}>
                  {t('calibration.was')}
                </th>
                <th scope="col" className={tables.number}>
                  {t('calibration.pictures')}
                </th>
              </tr>
            </thead>
            <tbody>
              {filled.map(({ from, to, count, accuracy }) => (
                <tr key={from}>
                  <th scope="row">{`${formatPercent(from, 0)} – ${formatPercent(to, 0)}`}</th>
                  <td className={tables.number}>{formatPercent(accuracy, 1)}</td>
                  <td className={tables.number}>{formatNumber(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      </div>
      <p className={styles.note}>{t('calibration.brier', { value: formatMetric('brier', brier) })}</p>
    </>
  )
}

function wordOf(error: number): 'close' | 'fair' | 'far' {
  if (error <= CLOSE) return 'close'
  return error <= FAR ? 'fair' : 'far'
}
