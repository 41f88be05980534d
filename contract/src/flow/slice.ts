/**
 * What the functions of flow read: one plane, or a volume in time. SI units: metres, seconds, metres a second. A sample (i, j)
 * is the middle of its voxel and lies at whole coordinates; NaN is no value, and never 0. Types and looks at them alone.
 */
import type { Three } from '../labelling/distance.ts'

export type { Three }
export type Samples = Float32Array | Float64Array

/** Row after row. `mask` not 0 = inside; null = everything is. */
export type Slice = {
  width: number
  height: number
  /** Along columns and along rows (hx, hy), in metres. */
  spacing: readonly [number, number]
  /** In-plane along +column, along +row, and through the plane, in m/s. */
  u: Samples
  v: Samples
  w: Samples
  mask: Uint8Array | null
}

/** Components along the axes of the grid, as `values[c][t][z][y][x]` in one array. */
export type FlowVolume = {
  /** x, y, z. */
  size: Three
  /** In metres. */
  spacing: Three
  frames: number
  /** From one frame to the next. */
  frameSeconds: number
  values: Int16Array | Samples
  /** m/s of 1 in `values`. */
  scale: number
  /** One for all frames: x fastest, not 0 = inside; null = everything is. */
  mask: Uint8Array | null
}

/** One component of one frame, as a look into the volume. */
export function componentOf(
  { size, frames, values }: FlowVolume,
  component: 0 | 1 | 2,
  frame: number,
): Int16Array | Samples {
  const voxels = size[0] * size[1] * size[2]
  const first = (component * frames + frame) * voxels
  return values.subarray(first, first + voxels)
}

/** 1 where a vector is known: inside the mask, and each component finite. */
export function knownOf(
  components: readonly ArrayLike<number>[],
  { count, mask }: { count: number; mask: Uint8Array | null },
): Uint8Array {
  const known = new Uint8Array(count)
  for (let index = 0; index < count; index++) known[index] = mask === null || mask[index] ? 1 : 0
  for (const values of components) {
    // Whole numbers are always finite.
    if (values instanceof Int16Array) continue
    for (let index = 0; index < count; index++) {
      // Of NaN and of both infinities this is NaN.
      if ((values[index] ?? Number.NaN) * 0 !== 0) known[index] = 0
    }
  }
  return known
}
