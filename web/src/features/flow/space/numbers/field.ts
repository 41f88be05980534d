/** The velocity at any place of one frame, for hundreds of lines: what may be known beforehand is, and no velocity is copied. Pure. */
import { type Field, fieldOfFrame } from '@neuroloom/contract/flow/field'
import { NO_VALUE } from '@neuroloom/contract/flow/study'
import { type Measured, metresOf, voxelsOf } from '../../viewer/numbers/measured.ts'

/** Along the grid, in m/s. Between voxels it is linear, so that turning it afterwards gives the same as before. */
export function turnedField(measured: Measured, frame: number, mask: Uint8Array | null): Field {
  const { head, velocity, turn } = measured
  const { size, frames } = head
  const volume = { size, spacing: metresOf(head), frames, frameSeconds: 1, values: velocity, scale: 1 }
  const field = fieldOfFrame({ ...volume, mask: knownIn(measured, frame, mask) }, frame)
  const [[xa, xb, xc], [ya, yb, yc], [za, zb, zc]] = turn
  return {
    ...field,
    at(x, y, z, out) {
      if (!field.at(x, y, z, out)) return false
      const [a, b, c] = [out[0] ?? 0, out[1] ?? 0, out[2] ?? 0]
      out[0] = xa * a + xb * b + xc * c
      out[1] = ya * a + yb * b + yc * c
      out[2] = za * a + zb * b + zc * c
      return true
    },
  }
}

function knownIn({ head, velocity }: Measured, frame: number, mask: Uint8Array | null): Uint8Array {
  const voxels = voxelsOf(head)
  const step = head.frames * voxels
  const known = new Uint8Array(voxels)
  for (let voxel = 0; voxel < voxels; voxel++) {
    if (mask !== null && !mask[voxel]) continue
    const at = frame * voxels + voxel
    const isGap =
      velocity[at] === NO_VALUE || velocity[at + step] === NO_VALUE || velocity[at + 2 * step] === NO_VALUE
    known[voxel] = isGap ? 0 : 1
  }
  return known
}
