/** The box round a mask in run lengths, as COCO writes it: column by column, background first; as numbers or packed in letters. */
import * as z from 'zod'
import type { around } from './outlines.ts'

const side = z.int().min(1).max(65_535)
export const runLengthsSchema = z.object({
  counts: z.union([z.array(z.int().min(0)), z.string()]),
  /** Height, width. */
  size: z.tuple([side, side]),
})

/** As numbers. */
export const countsOf = ({ counts }: z.infer<typeof runLengthsSchema>): number[] =>
  typeof counts === 'string' ? unpacked(counts) : counts

/** Null where nothing is marked, or the runs are longer than the picture. */
export function boxOfRuns(read: z.infer<typeof runLengthsSchema>): ReturnType<typeof around> | null {
  const runs = countsOf(read)
  const [height, width] = read.size
  let [x0, y0, x1, y1, at] = [width, height, 0, 0, 0]
  for (const [index, length] of runs.entries()) {
    const end = at + length
    if (!(length >= 0) || end > height * width) return null
    if (index % 2 === 1 && length > 0) {
      const [first, last] = [Math.floor(at / height), Math.floor((end - 1) / height)]
      x0 = Math.min(x0, first)
      x1 = Math.max(x1, last + 1)
      // A run over the end of a column touches both ends of it.
      y0 = first === last ? Math.min(y0, at % height) : 0
      y1 = first === last ? Math.max(y1, ((end - 1) % height) + 1) : height
    }
    at = end
  }
  return x1 > x0 && y1 > y0 ? { x0, y0, x1, y1 } : null
}

/** Five bits a letter from `0` on, the sixth where more follow; from the third run on the difference to the one before last. */
function unpacked(text: string): number[] {
  const runs: number[] = []
  let [value, shift] = [0, 0]
  for (const letter of text) {
    const bits = (letter.codePointAt(0) ?? 0) - 48
    value |= (bits & 31) << shift
    shift += 5
    if (bits & 32 && shift < 30) continue
    if (bits & 16) value |= -1 << shift
    runs.push(runs.length > 2 ? value + (runs.at(-2) ?? 0) : value)
    ;[value, shift] = [0, 0]
  }
  return runs
}
