/** What masks measure, as lines of a table. Pure. */
import { csvText } from '../../../lib/csv.ts'
import type { MeasuredIn } from './use-measures.ts'

export type Line = {
  mask: MeasuredIn
  /** Null of a mask in which nothing is marked, and of one that cannot be measured. */
  row: MeasuredIn['rows'][number] | null
}

export const linesOf = (masks: readonly MeasuredIn[]): Line[] =>
  masks.flatMap((mask): Line[] =>
    mask.rows.length === 0 ? [{ mask, row: null }] : mask.rows.map((row) => ({ mask, row })),
  )

const CUBIC_MM_A_ML = 1000
export const millilitres = (size: number): number => size / CUBIC_MM_A_ML

/** For programs: the same English names in every language, numbers as they were measured. */
export function csvOf(masks: readonly MeasuredIn[]): string {
  const sides = ['x', 'y', 'z'].flatMap((axis) => [`${axis}_first`, `${axis}_last`])
  const head = ['folder', 'mask', 'class', 'pixels_or_voxels', 'mm3', 'ml', 'pieces', ...sides, 'problem']
  const lines = linesOf(masks).map(({ mask: { folder, path, reason }, row }) => {
    if (row === null)
      return [
        folder,
        path,
        '',
        reason ? '' : '0',
        '',
        '',
        reason ? '' : '0',
        ...sides.map(() => ''),
        reason?.name ?? '',
      ]
    const { value, count, size, pieces, box } = row
    const measured = size === null ? ['', ''] : [String(size), String(millilitres(size))]
    const places = sides.map((_, index) => String(box[Math.floor(index / 2)]?.[index % 2] ?? ''))
    return [folder, path, String(value), String(count), ...measured, String(pieces), ...places, '']
  })
  return csvText([head, ...lines])
}
