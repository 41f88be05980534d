/**
 * Slopes by a cubic of ten terms: two filters each where the N×N window is full, normal equations of the known samples where it
 * is not. Part of `vorticity.ts`.
 */
import { makeNormal, TERMS } from './cubic-normal.ts'
import type { Samples } from './slice.ts'
import type { KnownField } from './vorticity-plane.ts'
import { type Filter, filterColumns, filterOf, filterRows } from './window-filters.ts'
import { type SlopeWeights, slopeWeights } from './window-weights.ts'

/** Twice as many known samples as terms, as with a plane. */
const FEWEST = 2 * TERMS

export function cubicSlopes(field: KnownField, window: number, omega: Samples) {
  const weights = slopeWeights(window, 3)
  const { known, spacing } = field
  const { radius } = weights
  const all = filterOf(radius, false, () => 1)
  const counts = filterColumns(filterRows(Float64Array.from(known), field, all), field, all)
  const alongX = fullSlopes(field, weights, 'x')
  const alongY = fullSlopes(field, weights, 'y')
  const partly: number[] = []
  for (let at = 0; at < omega.length; at++) {
    const count = counts[at] ?? 0
    omega[at] = (alongX[at] ?? 0) / spacing[0] - (alongY[at] ?? 0) / spacing[1]
    if (!known[at] || count < FEWEST) omega[at] = Number.NaN
    else if (count < window * window) partly.push(at)
  }
  if (partly.length > 0) solvePartly(field, { radius, partly, omega })
}

/** Of v along x, or of u along y: (linear·x + cubic·x³)·1 + (mixed·x)·y². */
function fullSlopes(
  field: KnownField,
  { radius, linear, cubic, mixed }: SlopeWeights,
  axis: 'x' | 'y',
): Float64Array {
  const values = axis === 'x' ? field.v : field.u
  const twice = (first: Filter, second: Filter) => {
    const [rows, columns] = axis === 'x' ? [first, second] : [second, first]
    return filterColumns(filterRows(values, field, rows), field, columns)
  }
  const straight = twice(
    filterOf(radius, true, (d) => linear * d + cubic * d ** 3),
    filterOf(radius, false, () => 1),
  )
  const bent = twice(
    filterOf(radius, true, (d) => mixed * d),
    filterOf(radius, false, (d) => d * d),
  )
  for (let at = 0; at < straight.length; at++) straight[at] = (straight[at] ?? 0) + (bent[at] ?? 0)
  return straight
}

type Partly = { radius: number; partly: readonly number[]; omega: Samples }

/** Places go from −1 to 1 in the window, so that all terms are of one size. */
function solvePartly(field: KnownField, { radius, partly, omega }: Partly) {
  const { width, height, spacing } = field
  const where = besides(partly, { field, radius })
  const powers = (values: Float64Array, degree: number) =>
    Array.from({ length: degree + 1 }, (_, power) => {
      const filter = filterOf(radius, power % 2 === 1, (d) => (d / radius) ** power)
      return filterRows(values, field, { ...filter, where })
    })
  // A product of two terms has degree 6.
  const rows = { n: powers(Float64Array.from(field.known), 6), u: powers(field.u, 3), v: powers(field.v, 3) }
  const normal = makeNormal()
  for (const at of partly) {
    const line = Math.floor(at / width)
    normal.clear()
    for (let d = Math.max(-radius, -line); d <= Math.min(radius, height - 1 - line); d++) {
      normal.addRow(rows, at + d * width, d / radius)
    }
    const slopes = normal.solve()
    omega[at] = slopes === null ? Number.NaN : (slopes.v / spacing[0] - slopes.u / spacing[1]) / radius
  }
}

/** Samples above and below these within the window: the middles of its rows. */
function besides(
  samples: readonly number[],
  { field, radius }: { field: KnownField; radius: number },
): Uint8Array {
  const where = new Uint8Array(field.width * field.height)
  for (const at of samples) {
    for (let d = -radius; d <= radius; d++) where[at + d * field.width] = 1
  }
  return where
}
