import type { Cells } from '@neuroloom/contract/statistics/two-by-two'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { SquareChart } from '../../../ui/charts/square-chart.tsx'
import { AgreementChart } from './agreement-chart.tsx'
import type { Figure } from './answer.ts'
import styles from './statistics.module.css'

export function FigureView({ figure }: { figure: Figure }) {
  const { t } = useTranslation('statistics')
  switch (figure.kind) {
    case 'cells':
      return <FourCells cells={figure.cells} />
    case 'agreement':
      return <AgreementChart answer={figure.answer} />
    case 'roc': {
      const [one, other] = figure.curves
      if (!one) return null
      return (
        <div className={styles.figure}>
          <SquareChart
            title={t('chart.roc')}
            x={t('chart.false')}
            y={t('chart.true')}
            points={one.points}
            second={other ? { points: other.points, names: [one.name, other.name] } : null}
            marked={figure.marked}
            guide="diagonal"
          />
          {figure.marked && <p className={styles.soft}>{t('chart.marked')}</p>}
        </div>
      )
    }
  }
}

function FourCells({ cells }: { cells: Cells }) {
  const { t } = useTranslation('statistics')
  const rows = [
    { name: 'positive', ill: cells.truePositive, healthy: cells.falsePositive },
    { name: 'negative', ill: cells.falseNegative, healthy: cells.trueNegative },
  ] as const
  return (
    <table className={styles.cells}>
      <caption>{t('cells.caption')}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{t('cells.ill')}</th>
          <th scope="col">{t('cells.healthy')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, ill, healthy }) => (
          <tr key={name}>
            <th scope="row">{t(`cells.${name}`)}</th>
            <td>{formatNumber(ill)}</td>
            <td>{formatNumber(healthy)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
