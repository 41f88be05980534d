import { useTranslation } from 'react-i18next'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import styles from '../toolbox.module.css'
import { Histogram } from './histogram.tsx'
import type { Row } from './table.ts'

type LayerTableProps = { rows: readonly Row[]; isCompared: boolean; hasCosts: boolean }

const columns = [
  'shape',
  'format',
  'parameters',
  'bytes',
  'spread',
  'min',
  'max',
  'mean',
  'zeros',
  'notFinite',
]

/** Each layer with the tensors that it holds. */
export function LayerTable({ rows, isCompared, hasCosts }: LayerTableProps) {
  const { t } = useTranslation('inspector')
  const all = [...columns, ...(isCompared ? ['change', 'cosine'] : [])]
  return (
    <table className={styles.parts}>
      <thead>
        <tr>
          <th scope="col">{t('column.layer')}</th>
          {all.map((name) => (
            <th key={name} scope="col">
              {t(`column.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      {rows.map((row) => (
        <tbody key={row.name}>
          <tr>
            <th scope="rowgroup" colSpan={all.length + 1}>
              {row.name} <span className={styles.about}>{aboutOf(row)}</span>
            </th>
          </tr>
          {row.tensors.map(({ name, shape, format, parameters, bytes, figures, compared }) => (
            <tr key={name}>
              <td>{name}</td>
              <td>{shape.join(' × ')}</td>
              <td>{format}</td>
              <td>{formatNumber(parameters)}</td>
              <td>{formatBytes(bytes)}</td>
              <td>{figures && <Histogram counts={figures.histogram} />}</td>
              <td>{short(figures?.min)}</td>
              <td>{short(figures?.max)}</td>
              <td>{short(figures?.mean)}</td>
              <td>{figures ? `${formatNumber(figures.zeros * 100, 1)} %` : '–'}</td>
              <td>{figures ? formatNumber(figures.notFinite) : '–'}</td>
              {isCompared && (
                <>
                  <td>{compared?.change == null ? '–' : `${formatNumber(compared.change * 100, 1)} %`}</td>
                  <td>{short(compared?.cosine)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  )

  function aboutOf({ op, output, macs, field }: Row): string {
    const seen = hasCosts && field !== undefined ? [t('sees', { field: field ?? t('wholeInput') })] : []
    const cost = hasCosts && macs !== null ? [t('cost', { macs: formatNumber(macs) })] : []
    return [op, output, ...cost, ...seen].filter((part) => part !== '').join(' · ')
  }
}

const short = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : String(Number(value.toPrecision(4)))
