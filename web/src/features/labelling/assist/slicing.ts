/** Slices of a volume across one of its axes, cut down to the box in which segments stand. */
import type { Three } from '@neuroloom/contract/labelling/distance'
import { boxAround, eachIn } from './box.ts'
import type { SegmentVolume } from './plane.ts'

export type Slicing = {
  /** Of the box within each slice. */
  width: number
  height: number
  /** Millimetres from one pixel of a slice to the next, and from slice to slice. */
  spacing: readonly [across: number, down: number]
  thickness: number
  /** Slices that hold one of the segments, in their order. */
  drawn: number[]
  /** Of the first voxel of the box on slice 0, and from column to column, row to row, slice to slice. */
  start: number
  steps: readonly [across: number, down: number, slice: number]
}

/** Around the box: what is interpolated bulges a little beyond the slices that it is interpolated from. */
const RIM = 4

/** Null when none of the segments stands anywhere. */
export function slicing(
  { size, values }: SegmentVolume,
  { axis, spacing, segments }: { axis: 0 | 1 | 2; spacing: Three; segments: readonly number[] },
): Slicing | null {
  const wanted = new Uint8Array(2 ** 16)
  for (const segment of segments) wanted[segment] = 1
  const box = boxAround({ size, values }, [RIM, RIM, RIM], (value) => wanted[value] === 1)
  if (!box) return null
  const [across, down] = ([[1, 2], [0, 2], [0, 1]] as const)[axis] // biome-ignore format: a table
  const steps = [1, size[0], size[0] * size[1]] as const
  const isDrawn = new Uint8Array(size[axis])
  eachIn(box, size, (index) => {
    if (wanted[values[index] ?? 0] === 1) isDrawn[Math.floor(index / steps[axis]) % size[axis]] = 1
  })
  return {
    width: box.size[across],
    height: box.size[down],
    spacing: [spacing[across], spacing[down]],
    thickness: spacing[axis],
    drawn: [...isDrawn.keys()].filter((slice) => isDrawn[slice] === 1),
    start: box.from[across] * steps[across] + box.from[down] * steps[down],
    steps: [steps[across], steps[down], steps[axis]],
  }
}

/** Each pixel of the box on one slice: where it stands in the volume, and where in the slice. */
export function sliceOf(
  { width, height, start, steps }: Slicing,
  slice: number,
  visit: (index: number, at: number) => void,
): void {
  for (let y = 0, at = 0; y < height; y++) {
    let index = start + slice * steps[2] + y * steps[1]
    for (let x = 0; x < width; x++, at++, index += steps[0]) visit(index, at)
  }
}
