/** Agreement of readers who measure: the intraclass correlation ICC(2,1), two-way random, single, absolute agreement. */
import { type Estimate, level, meanOf } from './interval.ts'
import { fQuantile } from './special.ts'

export type Icc = { subjects: number; readers: number; icc: Estimate }

/** Shrout & Fleiss 1979, Psychol Bull 86:420; interval after McGraw & Wong 1996, Psychol Methods 1:30. Null below two subjects or readers. */
export function iccOf(rows: readonly (readonly number[])[]): Icc | null {
  const subjects = rows.length
  const readers = rows[0]?.length ?? 0
  if (subjects < 2 || readers < 2) return null
  const all = meanOf(rows.flat())
  const ofRows = rows.map(meanOf)
  const ofColumns = Array.from({ length: readers }, (_, j) => meanOf(rows.map((row) => row[j] ?? 0)))
  const squares = (values: readonly number[]): number =>
    values.reduce((sum, one) => sum + (one - all) ** 2, 0)
  const [between, across] = [readers * squares(ofRows), subjects * squares(ofColumns)]
  const rest = squares(rows.flat()) - between - across
  const rowMean = between / (subjects - 1)
  const columnMean = across / (readers - 1)
  const restMean = Math.max(0, rest) / ((subjects - 1) * (readers - 1))
  const below = rowMean + (readers - 1) * restMean + (readers * (columnMean - restMean)) / subjects
  if (below === 0) return null
  const value = (rowMean - restMean) / below
  return { subjects, readers, icc: bounds(value, { subjects, readers, rowMean, columnMean, restMean }) }
}

type Means = { subjects: number; readers: number; rowMean: number; columnMean: number; restMean: number }

function bounds(value: number, { subjects: n, readers: k, rowMean, columnMean, restMean }: Means): Estimate {
  if (restMean === 0) return { value, low: value, high: value }
  const a = (k * value) / (n * (1 - value))
  const b = 1 + (k * value * (n - 1)) / (n * (1 - value))
  const freedom =
    (a * columnMean + b * restMean) ** 2 /
    ((a * columnMean) ** 2 / (k - 1) + (b * restMean) ** 2 / ((n - 1) * (k - 1)))
  const p = 1 - (1 - level) / 2
  const lower = fQuantile(p, n - 1, freedom)
  const upper = fQuantile(p, freedom, n - 1)
  const rest = k * columnMean + (k * n - k - n) * restMean
  return {
    value,
    low: (n * (rowMean - lower * restMean)) / (lower * rest + n * rowMean),
    high: (n * (upper * rowMean - restMean)) / (rest + n * upper * rowMean),
  }
}
