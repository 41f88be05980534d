/**
 * The velocity at any place of one frame of a study, as `contract/flow/field.ts` defines it, read from the file's own numbers: planes
 * and lines touch few voxels of a volume, so that nothing is made of all of them beforehand. Pure.
 */
import type { Field } from '@neuroloom/contract/flow/field'
import { NO_VALUE } from '@neuroloom/contract/flow/study'
import { type Measured, metresOf, voxelsOf } from './measured.ts'

export function fieldOfMeasured(measured: Measured, frame: number, mask: Uint8Array | null): Field {
  const { head, velocity, turn } = measured
  const [width, height, depth] = head.size
  const voxels = voxelsOf(head)
  const step = head.frames * voxels
  const first = frame * voxels
  const isKnown = (voxel: number): boolean => {
    if (mask !== null && !mask[voxel]) return false
    const at = first + voxel
    return (
      velocity[at] !== NO_VALUE && velocity[at + step] !== NO_VALUE && velocity[at + 2 * step] !== NO_VALUE
    )
  }
  const voxelAt = (x: number, y: number, z: number): number =>
    x >= 0 && y >= 0 && z >= 0 && x < width && y < height && z < depth ? (z * height + y) * width + x : -1
  let known: Uint8Array | null = null

  return {
    size: head.size,
    spacing: metresOf(head),
    get known() {
      known ??= Uint8Array.from({ length: voxels }, (_, voxel) => (isKnown(voxel) ? 1 : 0))
      return known
    },
    at(x, y, z, out) {
      const nearest = voxelAt(Math.floor(x + 0.5), Math.floor(y + 0.5), Math.floor(z + 0.5))
      if (nearest < 0 || !isKnown(nearest)) return false
      const [i, j, k] = [Math.floor(x), Math.floor(y), Math.floor(z)]
      const isInner = i >= 0 && j >= 0 && k >= 0 && i < width - 1 && j < height - 1 && k < depth - 1
      const cell = (k * height + j) * width + i
      const [ahead, below, behind] = [x - i, y - j, z - k]
      let [whole, a, b, c] = [0, 0, 0, 0]
      for (let corner = 0; corner < 8; corner++) {
        const [right, down, deep] = [corner & 1, (corner >> 1) & 1, corner >> 2]
        const weight = (right ? ahead : 1 - ahead) * (down ? below : 1 - below) * (deep ? behind : 1 - behind)
        if (weight === 0) continue
        const voxel = isInner
          ? cell + right + width * (down + height * deep)
          : voxelAt(i + right, j + down, k + deep)
        if (voxel < 0 || (mask !== null && !mask[voxel])) continue
        const at = first + voxel
        const u = velocity[at] ?? NO_VALUE
        const v = velocity[at + step] ?? NO_VALUE
        const w = velocity[at + 2 * step] ?? NO_VALUE
        if (u === NO_VALUE || v === NO_VALUE || w === NO_VALUE) continue
        whole += weight
        a += weight * u
        b += weight * v
        c += weight * w
      }
      for (let axis = 0; axis < 3; axis++) {
        const row = turn[axis] ?? turn[0]
        out[axis] = (row[0] * a + row[1] * b + row[2] * c) / whole
      }
      return true
    },
  }
}
