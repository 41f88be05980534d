import type { Cells } from '@neuroloom/contract/statistics/two-by-two'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../../ui/number-field.tsx'
import styles from './statistics.module.css'

const most = 1e9

/** The four cells of a table that one has on paper. */
export function CellsForm({ cells, onChange }: { cells: Cells; onChange: (cells: Cells) => void }) {
  const { t } = useTranslation('statistics')
  const field = (name: keyof Cells) => (
    <td>
      <NumberField
        min={0}
        max={most}
        precision={0}
        aria-label={t(`cells.${name}`)}
        value={cells[name]}
        onChange={(value) => onChange({ ...cells, [name]: value ?? 0 })}
      />
    </td>
  )
  return (
    <table className={styles.cells}>
      <caption>{t('cells.type')}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{t('cells.ill')}</th>
          <th scope="col">{t('cells.healthy')}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{t('cells.positive')}</th>
          {field('truePositive')}
          {field('falsePositive')}
        </tr>
        <tr>
          <th scope="row">{t('cells.negative')}</th>
          {field('falseNegative')}
          {field('trueNegative')}
        </tr>
      </tbody>
    </table>
  )
}
