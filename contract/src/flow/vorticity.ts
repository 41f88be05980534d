/**
 * Vorticity of a plane, ω = ∂v/∂x − ∂u/∂y (1/s): u and v are fitted by least squares over the N×N samples around each one. Where
 * some of them are not known the normal equations are of the others alone, and where those do not carry it ω is NaN, as it is
 * where the middle itself is not known. Pure.
 */
import { knownOf, type Samples, type Slice } from './slice.ts'
import { cubicSlopes } from './vorticity-cubic.ts'
import { planeSlopes } from './vorticity-plane.ts'
import { type FitOrder, slopeWeights } from './window-weights.ts'

/**
 * Row after row, of as many bits as the slice. Throws a RangeError where the window is even, below 3 (5 with order 3), or larger
 * than the smaller side.
 */
export function vorticity(slice: Slice, { window, order }: { window: number; order: FitOrder }): Samples {
  const { width, height, spacing } = slice
  slopeWeights(window, order)
  if (window > Math.min(width, height)) {
    throw new RangeError(`a window of ${window} in a plane of ${width} × ${height}`)
  }
  const known = knownOf([slice.u, slice.v], { count: width * height, mask: slice.mask })
  const field = { width, height, spacing, known, u: cleaned(slice.u, known), v: cleaned(slice.v, known) }
  const omega = new (slice.u instanceof Float64Array ? Float64Array : Float32Array)(known.length)
  if (order === 3) cubicSlopes(field, window, omega)
  else planeSlopes(field, window, omega)
  return omega
}

function cleaned(values: Samples, known: Uint8Array): Float64Array {
  const clean = new Float64Array(values.length)
  for (let at = 0; at < clean.length; at++) clean[at] = known[at] ? (values[at] ?? 0) : 0
  return clean
}
