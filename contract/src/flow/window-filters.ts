/** Weighted sums around each sample of a plane, along rows or along columns; outside the plane everything counts as 0. Pure. */

export type Plane = { width: number; height: number }

/** Weights of d = 0, 1, … radius; those of −d are the same, with the other sign where the filter is odd. */
export type Filter = { weights: readonly number[]; isOdd: boolean }

/** `of(d)` must be as odd or even as told. */
export const filterOf = (radius: number, isOdd: boolean, of: (d: number) => number): Filter => ({
  weights: Array.from({ length: radius + 1 }, (_, d) => of(d)),
  isOdd,
})

/** Places where `where` is 0 are left out: 0. */
export function filterRows(
  values: Float64Array,
  { width, height }: Plane,
  { weights, isOdd, where }: Filter & { where?: Uint8Array },
): Float64Array {
  const filtered = new Float64Array(values.length)
  const radius = weights.length - 1
  const half = Float64Array.from(weights)
  const sign = isOdd ? -1 : 1
  const line = new Float64Array(width + 2 * radius)
  for (let row = 0; row < height; row++) {
    line.set(values.subarray(row * width, (row + 1) * width), radius)
    for (let at = 0; at < width; at++) {
      if (where && !where[row * width + at]) continue
      const middle = at + radius
      let sum = isOdd ? 0 : (half[0] ?? 0) * (line[middle] ?? 0)
      for (let d = 1; d <= radius; d++) {
        sum += (half[d] ?? 0) * ((line[middle + d] ?? 0) + sign * (line[middle - d] ?? 0))
      }
      filtered[row * width + at] = sum
    }
  }
  return filtered
}

/** Row by row, so that memory is read in its order. */
export function filterColumns(
  values: Float64Array,
  { width, height }: Plane,
  { weights, isOdd }: Filter,
): Float64Array {
  const filtered = new Float64Array(values.length)
  const radius = weights.length - 1
  for (let row = 0; row < height; row++) {
    for (let d = -radius; d <= radius; d++) {
      const from = row + d
      const weight = (weights[Math.abs(d)] ?? 0) * (isOdd ? Math.sign(d) : 1)
      if (weight === 0 || from < 0 || from >= height) continue
      const shift = d * width
      for (let at = row * width; at < (row + 1) * width; at++) {
        filtered[at] = (filtered[at] ?? 0) + weight * (values[at + shift] ?? 0)
      }
    }
  }
  return filtered
}
