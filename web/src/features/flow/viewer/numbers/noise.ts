/** How noisy velocities are: measured where nothing flows. Pure. */
import { percentile } from '@neuroloom/contract/flow/percentile'
import { type Angiogram, otsu } from './mask.ts'
import { type Measured, velocityAt, voxelsOf } from './measured.ts'

/** Fewer voxels, or frames, tell nothing. */
const FEWEST_VOXELS = 50
const FEWEST_FRAMES = 4

/**
 * σ_v in m/s of one component, from the differences of neighbouring frames in voxels with tissue (magnitude above Otsu's level) and
 * without flow (angiogram below its own): half their mean square is the variance, whatever stays the same in time. Null where there
 * are too few.
 */
export function velocityNoise(measured: Measured, vessel: Angiogram): number | null {
  const { head, magnitude } = measured
  if (!vessel.hasMagnitude || head.frames < FEWEST_FRAMES) return null
  const voxels = voxelsOf(head)
  const bright = Float32Array.from({ length: voxels }, (_, voxel) => magnitude[voxel] ?? 0)
  const top = bright.reduce((most, value) => Math.max(most, value), 0)
  const tissue = otsu(bright, top) * top
  const blood = otsu(vessel.values, vessel.top) * vessel.top
  const variances = new Float64Array(voxels)
  let count = 0
  for (let voxel = 0; voxel < voxels; voxel++) {
    if (!((bright[voxel] ?? 0) > tissue) || !((vessel.values[voxel] ?? 0) < blood)) continue
    const variance = differences(measured, voxel)
    if (Number.isFinite(variance)) variances[count++] = variance
  }
  const middle = percentile(variances.subarray(0, count), 0.5)
  return count < FEWEST_VOXELS || middle === null ? null : Math.sqrt(middle)
}

function differences(measured: Measured, voxel: number): number {
  const [before, now] = [new Float64Array(3), new Float64Array(3)]
  const { frames } = measured.head
  velocityAt(measured, { voxel, frame: 0 }, before)
  let sum = 0
  for (let frame = 1; frame < frames; frame++) {
    velocityAt(measured, { voxel, frame }, now)
    for (let axis = 0; axis < 3; axis++) sum += ((now[axis] ?? 0) - (before[axis] ?? 0)) ** 2
    before.set(now)
  }
  return sum / (6 * (frames - 1))
}
