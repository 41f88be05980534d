import type { LearnedRun } from '@neuroloom/contract/runs'
import type { ItemFilter } from './result-items.tsx'

type Cell = { truth: number; named: number }

/** The images of one cell of the confusion matrix, with the words for it; null for all. */
export const filterOf = ({ classes }: LearnedRun, cell: Cell | null): ItemFilter | null =>
  cell && { cell, truth: classes[cell.truth] ?? '', named: classes[cell.named] ?? '' }

/** The cell that is chosen, if one is. */
export const cellOf = (filter: ItemFilter | null): Cell | null =>
  filter && 'cell' in filter ? filter.cell : null
