/** What of a study lies in a plane that it is looked at in: voxels themselves in planes of the grid, between them in oblique ones. Pure. */
import { sliceThrough } from '@neuroloom/contract/flow/plane'
import type { Slice, Three } from '@neuroloom/contract/flow/slice'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { type Measured, metresOf } from './measured.ts'
import { fieldOfMeasured } from './measured-field.ts'
import type { Sight } from './sight.ts'
import { cutSlice, voxelsIn } from './view-plane.ts'

export type Cutting = { sight: Sight; slice: number }

/** Velocities as they are shown: u to the right, v down, w away. */
export function velocitiesIn(
  measured: Measured,
  { sight, slice, frame, mask }: Cutting & { frame: number; mask: Uint8Array | null },
): Slice {
  const { grid, shown, right, away, toGrid } = sight
  if (grid) return cutSlice(measured, { plane: grid, slice, frame, mask })
  const { width, height } = shown
  const pitch = shown.spacing[0]
  const metres = metresOf(measured.head)
  const [x, y, z] = toGrid({ column: (width - 1) / 2, row: (height - 1) / 2, slice })
  const centre: Three = [x * metres[0], y * metres[1], z * metres[2]]
  const first = [(-(width - 1) / 2) * pitch, (-(height - 1) / 2) * pitch] as const
  const field = fieldOfMeasured(measured, frame, mask)
  return sliceThrough(field, { centre, normal: away, along: right }, { first, pitch, width, height })
}

/** One number a sample. NaN where there is none; between voxels where the nearest one has a number. */
export function numbersIn(
  head: FlowStudy,
  { sight, slice }: Cutting,
  read: (voxel: number) => number,
): Float32Array {
  const { grid, shown, toGrid } = sight
  if (grid) return Float32Array.from(voxelsIn(head, grid, slice), read)
  const between = betweenVoxels(head.size, read)
  const values = new Float32Array(shown.width * shown.height)
  for (let at = 0; at < values.length; at++) {
    values[at] = between(toGrid({ column: at % shown.width, row: Math.floor(at / shown.width), slice }))
  }
  return values
}

/** Trilinear; voxels without a number are left out. */
function betweenVoxels([width, height, depth]: Three, read: (voxel: number) => number) {
  const valueAt = (x: number, y: number, z: number): number =>
    x >= 0 && y >= 0 && z >= 0 && x < width && y < height && z < depth
      ? read((z * height + y) * width + x)
      : Number.NaN
  return ([x, y, z]: Three): number => {
    if (Number.isNaN(valueAt(Math.round(x), Math.round(y), Math.round(z)))) return Number.NaN
    const [i, j, k] = [Math.floor(x), Math.floor(y), Math.floor(z)]
    let [whole, sum] = [0, 0]
    for (let corner = 0; corner < 8; corner++) {
      const [right, down, deep] = [corner & 1, (corner >> 1) & 1, corner >> 2]
      const weight = (right ? x - i : 1 - x + i) * (down ? y - j : 1 - y + j) * (deep ? z - k : 1 - z + k)
      const value = weight === 0 ? Number.NaN : valueAt(i + right, j + down, k + deep)
      if (Number.isNaN(value)) continue
      whole += weight
      sum += weight * value
    }
    return sum / whole
  }
}
