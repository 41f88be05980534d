/**
 * Streamlines of one frame: dx/ds = v/|v| by the classical Runge–Kutta of fourth order, in steps of half the smallest voxel side,
 * from a place both ways. Places are in voxels, lengths in metres. A line ends before the step that would leave what is known, where
 * it is too slow, at the longest length, where it is told to, or on its own beginning. Pure; the same in two and three dimensions.
 */
import type { Field } from './field.ts'

/** Of the smallest voxel side. */
export const STEP = 0.5
/** |v| below this share of v_ref: direction is noise there. */
export const SLOWEST = 0.01
/** A line that has gone on for so many steps is closed where its beginning lies within a quarter of a step of the last one. */
const FEWEST_TO_CLOSE = 4
const CLOSE = 0.25

export type LineEnd = 'edge' | 'slow' | 'length' | 'near' | 'closed'

export type Line = {
  /** x, y, z in voxels, one place after the other, along the flow. */
  points: Float64Array
  /** Why it ends behind and in front. */
  ends: readonly [LineEnd, LineEnd]
  /** Place of the seed among the points. */
  seed: number
}

export type LineRules = {
  /** v_ref in m/s. */
  reference: number
  /** Metres each way; left out: four times the longest side. */
  longest?: number
  /** Metres; left out: half the smallest voxel side. */
  step?: number
  /** Asked at each new place with the length so far, below 0 against the flow: true ends the line before it. */
  isNear?: (x: number, y: number, z: number, length: number) => boolean
}

/** Null where the seed itself has no value or is too slow. */
export function streamline(
  field: Field,
  seed: readonly [number, number, number],
  rules: LineRules,
): Line | null {
  const ahead = march(field, seed, { ...rules, sign: 1 })
  if (ahead === null) return null
  if (ahead.end === 'closed') {
    return { points: Float64Array.from(ahead.places), ends: ['closed', 'closed'], seed: 0 }
  }
  const back = march(field, seed, { ...rules, sign: -1 })
  if (back === null) return null
  return { ...joined(back.places, ahead.places), ends: [back.end, ahead.end] }
}

/** Both begin with the seed. */
function joined(back: readonly number[], ahead: readonly number[]): { points: Float64Array; seed: number } {
  const points = new Float64Array(back.length + ahead.length - 3)
  const seed = back.length / 3 - 1
  for (let index = 0; index <= seed; index++) {
    for (let axis = 0; axis < 3; axis++) points[3 * (seed - index) + axis] = back[3 * index + axis] ?? 0
  }
  points.set(ahead, 3 * seed)
  return { points, seed }
}

function march(
  field: Field,
  [x, y, z]: readonly [number, number, number],
  { reference, sign, ...rules }: LineRules & { sign: 1 | -1 },
): { places: number[]; end: LineEnd } | null {
  const step = rules.step ?? STEP * Math.min(...field.spacing)
  const longest = rules.longest ?? longestOf(field)
  const stepper = makeStepper(field)
  const at = Float64Array.of(x, y, z)
  const places = [x, y, z]
  const slowest = Math.max(SLOWEST * reference, Number.MIN_VALUE)
  let speed = stepper.speedAt(at)
  // Also where it is NaN.
  if (!(speed >= slowest)) return null
  for (let steps = 1; ; steps++) {
    const length = steps * step
    if (length > longest * (1 + 1e-9)) return { places, end: 'length' }
    if (!stepper.advance(at, sign * step)) return { places, end: 'edge' }
    speed = stepper.speedAt(at)
    if (!(speed >= slowest)) return { places, end: Number.isNaN(speed) ? 'edge' : 'slow' }
    if (steps > FEWEST_TO_CLOSE && isBack(places, at, field.spacing, CLOSE * step)) {
      places.push(x, y, z)
      return { places, end: 'closed' }
    }
    if (rules.isNear?.(at[0] ?? 0, at[1] ?? 0, at[2] ?? 0, sign * length)) return { places, end: 'near' }
    places.push(at[0] ?? 0, at[1] ?? 0, at[2] ?? 0)
  }
}

const longestOf = ({ size, spacing }: Field): number =>
  4 * Math.max(size[0] * spacing[0], size[1] * spacing[1], size[2] * spacing[2])

/** Whether the first place lies within `reach` metres of the way from the last place to `at`. */
function isBack(
  places: readonly number[],
  at: Float64Array,
  spacing: readonly number[],
  reach: number,
): boolean {
  let [along, whole, apart] = [0, 0, 0]
  for (let axis = 0; axis < 3; axis++) {
    const side = spacing[axis] ?? 1
    const from = places[places.length - 3 + axis] ?? 0
    const way = ((at[axis] ?? 0) - from) * side
    const home = ((places[axis] ?? 0) - from) * side
    along += way * home
    whole += way * way
    apart += home * home
  }
  const share = Math.min(1, Math.max(0, along / whole))
  return apart - 2 * share * along + share * share * whole <= reach * reach
}

export type Stepper = {
  /** One step of `length` metres along v/|v|, in place; false, and `at` as it was, where a stage has no direction. */
  advance: (at: Float64Array, length: number) => boolean
  /** m/s; NaN where there is no value. */
  speedAt: (at: Float64Array) => number
}

export function makeStepper(field: Field): Stepper {
  const [hx, hy, hz] = field.spacing
  const v = new Float64Array(3)
  const [k1, k2, k3, k4] = [
    new Float64Array(3),
    new Float64Array(3),
    new Float64Array(3),
    new Float64Array(3),
  ]
  /** Voxels per metre of the line, `reach` metres along `from`. */
  const slope = (at: Float64Array, from: Float64Array, reach: number, into: Float64Array): boolean => {
    const [x, y, z] = [at[0] ?? 0, at[1] ?? 0, at[2] ?? 0]
    const [a, b, c] = [from[0] ?? 0, from[1] ?? 0, from[2] ?? 0]
    if (!field.at(x + reach * a, y + reach * b, z + reach * c, v)) return false
    const [p, q, r] = [v[0] ?? 0, v[1] ?? 0, v[2] ?? 0]
    const speed = Math.sqrt(p * p + q * q + r * r)
    if (!(speed > 0)) return false
    into[0] = p / (speed * hx)
    into[1] = q / (speed * hy)
    into[2] = r / (speed * hz)
    return true
  }
  return {
    advance(at, length) {
      const half = length / 2
      if (!slope(at, k1, 0, k1) || !slope(at, k1, half, k2)) return false
      if (!slope(at, k2, half, k3) || !slope(at, k3, length, k4)) return false
      for (let axis = 0; axis < 3; axis++) {
        const sum = (k1[axis] ?? 0) + 2 * (k2[axis] ?? 0) + 2 * (k3[axis] ?? 0) + (k4[axis] ?? 0)
        at[axis] = (at[axis] ?? 0) + (length / 6) * sum
      }
      return true
    },
    speedAt(at) {
      if (!field.at(at[0] ?? 0, at[1] ?? 0, at[2] ?? 0, v)) return Number.NaN
      return Math.hypot(v[0] ?? 0, v[1] ?? 0, v[2] ?? 0)
    },
  }
}
