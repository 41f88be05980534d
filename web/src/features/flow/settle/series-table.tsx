import { type FlowCell, type FlowLeft, flowCells } from '@neuroloom/contract/flow/settled'
import type { FlowAnswer, FlowLook, FlowSeries } from '@neuroloom/contract/flow/study'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { sizeText } from '../words.ts'
import { saidIn, say } from './draft.ts'
import { SeriesCell } from './series-cell.tsx'
import styles from './settle.module.css'

type Props = {
  look: FlowLook
  left: FlowLeft
  answer: FlowAnswer
  /** What the files told may be changed too. */
  isAll: boolean
  onAnswer: (answer: FlowAnswer) => void
}

/** One row a series: what it is, and what of that is a guess. */
export function SeriesTable({ look, left, answer, isAll, onAnswer }: Props) {
  const { t } = useTranslation('flow')
  const columns = ['name', ...flowCells, 'size', 'frames', 'files'] as const
  const markOf = (id: string, cell: FlowCell) => {
    const series = left.series.find((one) => one.id === id)
    if (left.questions.some((one) => one.series === id && one.what === cell))
      return series?.[cell] === null ? 'open' : 'guessed'
    return answer.series.find((one) => one.id === id)?.[cell] === undefined ? 'told' : 'answered'
  }
  return (
    <ScrollRegion name={t('settle.table')} className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {t(`settle.column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {left.series.map((series, at) => (
            <tr key={series.id} data-unused={series.role === 'unused'}>
              <th scope="row">{series.name}</th>
              {flowCells.map((cell) => (
                <td key={cell} data-label={t(`settle.column.${cell}`)} data-empty={!isAsked(series, cell)}>
                  {isAsked(series, cell) && (
                    <SeriesCell
                      series={series}
                      cell={cell}
                      mark={markOf(series.id, cell)}
                      isEditable={isAll || isOpenAtFirst(look.series[at], cell)}
                      onSay={(said) => onAnswer(say(answer, series.id, said))}
                      onConfirm={() => onAnswer(say(answer, series.id, saidIn(series, cell) ?? {}))}
                    />
                  )}
                </td>
              ))}
              <td className={styles.number} data-label={t('settle.column.size')}>
                {sizeText(series.size)}
              </td>
              <td data-label={t('settle.column.frames')}>{formatNumber(series.frames)}</td>
              <td data-label={t('settle.column.files')}>{formatNumber(series.files)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

/** Direction, unit and VENC are those of a velocity. */
const isAsked = ({ role }: FlowSeries, cell: FlowCell): boolean => cell === 'role' || role === 'velocity'

/** What a person may answer without changing what the files told. */
const isOpenAtFirst = (told: FlowSeries | undefined, cell: FlowCell): boolean =>
  told === undefined || told[cell] === null || told.unsure.includes(cell)
