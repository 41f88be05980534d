/** A study as it came: a safetensors container, read without a copy; and its velocities turned into the axes of the grid. Pure. */
import type { Three } from '@neuroloom/contract/flow/slice'
import { type FlowStudy, flowStudySchema, NO_VALUE } from '@neuroloom/contract/flow/study'
import { readContainer } from './container.ts'

export type Measured = {
  head: FlowStudy
  /** [3, frames, z, y, x], along `head.directions`. */
  velocity: Int16Array
  /** [frames, z, y, x]. */
  magnitude: Int16Array
  /** Row a holds the share of each measured component in axis a of the grid, in m/s of one unit. */
  turn: readonly [Three, Three, Three]
}

/** Throws an Error where the bytes are no such container. */
export function readMeasured(bytes: Uint8Array): Measured {
  const { about, int16 } = readContainer(bytes)
  const head = flowStudySchema.parse(JSON.parse(String(about.flow)))
  const [x, y, z] = head.size
  const velocity = int16('velocity', [3, head.frames, z, y, x])
  const magnitude = int16('magnitude', [head.frames, z, y, x])
  return { head, velocity, magnitude, turn: turnOf(head) }
}

/** A component is measured as m = d·v; v comes back by the inverse of the three rows d, which need not stand upright. */
function turnOf({ directions: [a, b, c], velocityScale: scale }: FlowStudy): Measured['turn'] {
  const [bc, ca, ab] = [cross(b, c), cross(c, a), cross(a, b)]
  const volume = a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2]
  if (!(Math.abs(volume) > 1e-6)) throw new Error('the directions span no space')
  const row = (axis: 0 | 1 | 2): Three => [
    (scale * bc[axis]) / volume,
    (scale * ca[axis]) / volume,
    (scale * ab[axis]) / volume,
  ]
  return [row(0), row(1), row(2)]
}

const cross = ([a, b, c]: Three, [x, y, z]: Three): Three => [b * z - c * y, c * x - a * z, a * y - b * x]

export const voxelsOf = ({ size: [x, y, z] }: FlowStudy): number => x * y * z

/** In metres. */
export const metresOf = ({ spacing: [x, y, z] }: FlowStudy): Three => [x / 1000, y / 1000, z / 1000]

/** m/s along the grid, written into `out`; NaN where one component has no value. */
export function velocityAt(
  { head, velocity, turn }: Measured,
  { voxel, frame }: { voxel: number; frame: number },
  out: Float64Array,
): void {
  const voxels = voxelsOf(head)
  const step = head.frames * voxels
  const at = frame * voxels + voxel
  const [a, b, c] = [velocity[at] ?? 0, velocity[at + step] ?? 0, velocity[at + 2 * step] ?? 0]
  if (a === NO_VALUE || b === NO_VALUE || c === NO_VALUE) {
    out.fill(Number.NaN)
    return
  }
  out[0] = turn[0][0] * a + turn[0][1] * b + turn[0][2] * c
  out[1] = turn[1][0] * a + turn[1][1] * b + turn[1][2] * c
  out[2] = turn[2][0] * a + turn[2][1] * b + turn[2][2] * c
}
