/** The part of a volume in which something stands, so that tools need not look at the rest. */
import type { Three } from '@neuroloom/contract/labelling/distance'
import type { Volume } from './plane.ts'

/** A box of voxels: its first corner and its sides. */
export type VolumeBox = { from: Three; size: Three }

/** Around all voxels whose value counts, with so many more on each side as the volume has; null when none counts. */
export function boxAround(
  { size, values }: Volume<ArrayLike<number>>,
  room: Three,
  counts: (value: number) => boolean = (value) => value > 0,
): VolumeBox | null {
  const [low, high] = [[...size], [-1, -1, -1]]
  for (let z = 0, index = 0; z < size[2]; z++) {
    for (let y = 0; y < size[1]; y++) {
      // Within a row the first and the last one tell all.
      let [first, last] = [-1, -1]
      for (let x = 0; x < size[0]; x++, index++) {
        if (!counts(values[index] ?? 0)) continue
        if (first < 0) first = x
        last = x
      }
      if (first < 0) continue
      for (const [side, least, most] of [
        [0, first, last],
        [1, y, y],
        [2, z, z],
      ] as const) {
        low[side] = Math.min(low[side] ?? 0, least)
        high[side] = Math.max(high[side] ?? 0, most)
      }
    }
  }
  if ((high[0] ?? -1) < 0) return null
  const from = (side: 0 | 1 | 2) => Math.max(0, (low[side] ?? 0) - room[side])
  const length = (side: 0 | 1 | 2) => Math.min(size[side], (high[side] ?? 0) + 1 + room[side]) - from(side)
  return { from: [from(0), from(1), from(2)], size: [length(0), length(1), length(2)] }
}

/** Each voxel of the box in its order: where it stands in the volume, and where in the box. */
export function eachIn(
  { from, size }: VolumeBox,
  whole: Three,
  visit: (index: number, at: number) => void,
): void {
  for (let z = 0, at = 0; z < size[2]; z++) {
    for (let y = 0; y < size[1]; y++) {
      let index = ((from[2] + z) * whole[1] + from[1] + y) * whole[0] + from[0]
      for (let x = 0; x < size[0]; x++, at++, index++) visit(index, at)
    }
  }
}
