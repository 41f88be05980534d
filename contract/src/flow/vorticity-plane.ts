/**
 * Slopes by a plane of three terms, from sums over the known samples of each N×N window. The sums run along rows and then along
 * columns, so that the cost does not depend on N. Rounding grows with the length of a line to the power 3/2: below 1e-12 at 512.
 * Part of `vorticity.ts`.
 */
import type { Samples } from './slice.ts'

/** u and v are 0 where `known` is. */
export type KnownField = {
  width: number
  height: number
  spacing: readonly [number, number]
  known: Uint8Array
  u: Float64Array
  v: Float64Array
}

/** Known samples that three terms ask for. */
const FEWEST = 6
/** Smaller : larger eigenvalue of the places' scatter (in voxels); below it they lie on one line as good as. */
const WORST_CONDITION = 1e-3

export function planeSlopes(field: KnownField, window: number, omega: Samples) {
  const { width, height, known, u, v } = field
  const sums = makeSums(width, window)
  const radius = (window - 1) / 2
  for (let enters = 0; enters < height + radius; enters++) {
    const into = sums.rows[enters % (window + 1)] ?? sums.none
    if (enters < height) {
      const row = { start: enters * width, width, radius }
      slideAlong(known, row, into.n)
      slideAlong(u, row, into.u)
      slideAlong(v, row, into.v)
    }
    const out = enters >= window ? sums.rows[(enters - window) % (window + 1)] : undefined
    slideAcross(sums, { into: enters < height ? into : sums.none, out: out ?? sums.none, radius })
    if (enters >= radius) solveRow(field, { sums, window, start: (enters - radius) * width, omega })
  }
}

/** Σ f, Σ d·f and Σ d²·f, d = places from the middle of the window. */
type Moments = [sum: Float64Array, slope: Float64Array, bend: Float64Array]
type RowSums = { n: Moments; u: Moments; v: Moments }

function makeSums(width: number, window: number) {
  const moments = (): Moments => [new Float64Array(width), new Float64Array(width), new Float64Array(width)]
  const rowSums = (): RowSums => ({ n: moments(), u: moments(), v: moments() })
  return {
    /** Of the last rows: of each, sums along it. */
    rows: Array.from({ length: window + 1 }, rowSums),
    none: rowSums(),
    /** Of the places along rows to the power 0, 1 and 2: sums over the rows of the window. */
    n: [moments(), moments(), moments()] as const,
    u: [moments(), moments()] as const,
    v: [moments(), moments()] as const,
  }
}
type Sums = ReturnType<typeof makeSums>

/** The one that leaves is taken away, the middle moves by one place, the new one is added. */
function slideAlong(
  values: Float64Array | Uint8Array,
  { start, width, radius }: { start: number; width: number; radius: number },
  [sums, slopes, bends]: Moments,
) {
  const square = radius * radius
  let [sum, slope, bend] = [0, 0, 0]
  for (let at = -radius; at < width; at++) {
    const out = at > radius ? (values[start + at - radius - 1] ?? 0) : 0
    const into = at + radius < width ? (values[start + at + radius] ?? 0) : 0
    sum -= out
    slope += radius * out
    bend += sum - 2 * slope + square * (into - out)
    slope += radius * into - sum
    sum += into
    if (at < 0) continue
    sums[at] = sum
    slopes[at] = slope
    bends[at] = bend
  }
}

type Change = { into: RowSums; out: RowSums; radius: number }

function slideAcross(sums: Sums, { into, out, radius }: Change) {
  const slide = (target: Moments, entering: Float64Array, leaving: Float64Array, degree: 0 | 1 | 2) =>
    slideColumns(target, { entering, leaving, radius, degree })
  slide(sums.n[0], into.n[0], out.n[0], 2)
  slide(sums.n[1], into.n[1], out.n[1], 1)
  slide(sums.n[2], into.n[2], out.n[2], 0)
  for (const of of ['u', 'v'] as const) {
    slide(sums[of][0], into[of][0], out[of][0], 1)
    slide(sums[of][1], into[of][1], out[of][1], 0)
  }
}

type Sliding = { entering: Float64Array; leaving: Float64Array; radius: number; degree: 0 | 1 | 2 }

/** The same for all columns at once; moments above `degree` are left alone. */
function slideColumns([sums, slopes, bends]: Moments, { entering, leaving, radius, degree }: Sliding) {
  const square = radius * radius
  for (let at = 0; at < sums.length; at++) {
    const [into, out] = [entering[at] ?? 0, leaving[at] ?? 0]
    const left = (sums[at] ?? 0) - out
    sums[at] = left + into
    if (degree === 0) continue
    const slope = (slopes[at] ?? 0) + radius * out
    slopes[at] = slope - left + radius * into
    if (degree === 2) bends[at] = (bends[at] ?? 0) + left - 2 * slope + square * (into - out)
  }
}

type Row = { sums: Sums; window: number; start: number; omega: Samples }

function solveRow({ width, known, spacing: [hx, hy] }: KnownField, { sums, window, start, omega }: Row) {
  const [[n, ny, nyy], [nx, nxy], [nxx]] = sums.n
  const [[u, uy], [ux]] = sums.u
  const [[v, vy], [vx]] = sums.v
  const full = window * window
  const scatter = (full * (full - 1)) / 12
  for (let at = 0; at < width; at++) {
    const count = n[at] ?? 0
    if (!known[start + at] || count < FEWEST) {
      omega[start + at] = Number.NaN
      continue
    }
    if (count === full) {
      omega[start + at] = ((vx[at] ?? 0) / hx - (uy[at] ?? 0) / hy) / scatter
      continue
    }
    const [x, y] = [(nx[at] ?? 0) / count, (ny[at] ?? 0) / count]
    const xx = (nxx[at] ?? 0) - count * x * x
    const xy = (nxy[at] ?? 0) - count * x * y
    const yy = (nyy[at] ?? 0) - count * y * y
    const middle = (xx + yy) / 2
    const apart = Math.sqrt(((xx - yy) / 2) ** 2 + xy * xy)
    const [ofU, ofV] = [u[at] ?? 0, v[at] ?? 0]
    const slopeV = yy * ((vx[at] ?? 0) - x * ofV) - xy * ((vy[at] ?? 0) - y * ofV)
    const slopeU = xx * ((uy[at] ?? 0) - y * ofU) - xy * ((ux[at] ?? 0) - x * ofU)
    const isCarried = middle - apart >= WORST_CONDITION * (middle + apart)
    omega[start + at] = isCarried ? (slopeV / hx - slopeU / hy) / (xx * yy - xy * xy) : Number.NaN
  }
}
