import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatPercent } from '../../../lib/format.ts'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import styles from './confusion-matrix.module.css'

type Pair = { truth: number; named: number }
type Props = {
  classes: readonly string[]
  counts: readonly (readonly number[])[]
  /** The cell whose images are shown. */
  chosen?: Pair | null
  /** Leads to the images of a cell, or back to all. */
  onChoose?: (cell: Pair | null) => void
}

/** Which class was taken for which: rows are the truth, columns what the network said, colour is the row's share. */
export function ConfusionMatrix({ classes, counts, chosen = null, onChoose }: Props) {
  const isChosen = (truth: number, named: number) => chosen?.truth === truth && chosen.named === named
  const { t } = useTranslation(['runs', 'results'])
  return (
    <ScrollRegion name={t('results:confusion.title')} className={styles.scroll}>
      <table className={styles.matrix}>
        <caption>{t('results:confusion.caption')}</caption>
        <thead>
          <tr>
            <td rowSpan={2} />
            <th colSpan={classes.length} scope="colgroup" className={styles.axis}>
              {t('results:confusion.predicted')}
            </th>
          </tr>
          <tr>
            {classes.map((name) => (
              <th key={name} scope="col" title={name} className={styles.column}>
                <span>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {classes.map((truth, row) => (
            <tr key={truth}>
              <th scope="row" title={truth}>
                <span className={styles.truthPrefix}>{t('results:confusion.truth')}</span> {truth}
              </th>
              {classes.map((predicted, column) => (
                <Cell
                  key={predicted}
                  truth={truth}
                  predicted={predicted}
                  isRight={row === column}
                  count={counts[row]?.[column] ?? 0}
                  total={(counts[row] ?? []).reduce((sum, count) => sum + count, 0)}
                  isChosen={isChosen(row, column)}
                  onChoose={
                    onChoose
                      ? () => onChoose(isChosen(row, column) ? null : { truth: row, named: column })
                      : null
                  }
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

type CellProps = {
  truth: string
  predicted: string
  isRight: boolean
  count: number
  total: number
  isChosen: boolean
  onChoose: (() => void) | null
}

function Cell({ truth, predicted, isRight, count, total, isChosen, onChoose }: CellProps) {
  const { t } = useTranslation(['runs', 'results'])
  const share = total > 0 ? count / total : 0
  // React's CSSProperties does not know custom properties.
  const style = { '--share': `${Math.round(share * 100)}%` } as CSSProperties
  const figures = (
    <>
      {formatNumber(count)}
      {count > 0 ? <small>{formatPercent(share, share < 0.1 ? 1 : 0)}</small> : null}
    </>
  )
  return (
    <td
      className={isRight ? styles.right : styles.wrong}
      style={style}
      data-strong={share > 0.55}
      data-empty={count === 0}
      title={t('results:confusion.cell', { count, truth, predicted, share: formatPercent(share) })}
    >
      {onChoose && count > 0 ? (
        <button type="button" className={styles.cell} aria-pressed={isChosen} onClick={onChoose}>
          {figures}
        </button>
      ) : (
        figures
      )}
    </td>
  )
}
