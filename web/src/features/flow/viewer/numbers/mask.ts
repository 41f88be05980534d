/**
 * Where blood flows: a threshold on the phase-contrast angiogram, the mean over time of magnitude × speed (only speed where the study
 * has no magnitude). Pure.
 */
import { percentile } from '@neuroloom/contract/flow/percentile'
import type { Three } from '@neuroloom/contract/flow/slice'
import { components } from '@neuroloom/contract/labelling/components'
import { type Measured, velocityAt, voxelsOf } from './measured.ts'

export type Angiogram = {
  /** One a voxel; NaN where no frame has a value, and without signal: phase is noise there, and lungs would outshine vessels. */
  values: Float32Array
  /** The level 1. A few voxels are brighter. */
  top: number
  hasMagnitude: boolean
}

/** Standard deviations of a normal distribution per median absolute deviation. */
const PER_MAD = 1.4826
/** Of a level above what does not flow; and its least share of the top, for studies without noise. */
const DEVIATIONS = 3
const LEAST_LEVEL = 0.03
/** Noise differs from voxel to voxel as much as over all; what differs this much less hangs together, as blood does. */
const COHERENT = 3
/** Of the brightest voxels so many are above the level 1. */
const TOP_SHARE = 0.999
const BINS = 256

export function angiogram(measured: Measured): Angiogram {
  const { head, magnitude } = measured
  const voxels = voxelsOf(head)
  const hasMagnitude = magnitude.some((value) => value > 0)
  const values = new Float32Array(voxels)
  const out = new Float64Array(3)
  for (let voxel = 0; voxel < voxels; voxel++) {
    let [sum, count] = [0, 0]
    for (let frame = 0; frame < head.frames; frame++) {
      velocityAt(measured, { voxel, frame }, out)
      const speed = Math.hypot(out[0] ?? 0, out[1] ?? 0, out[2] ?? 0)
      if (Number.isNaN(speed)) continue
      sum += speed * (hasMagnitude ? (magnitude[frame * voxels + voxel] ?? 0) : 1)
      count++
    }
    values[voxel] = sum / count
  }
  if (hasMagnitude) leaveDark(values, measured)
  return { values, top: percentile(values.filter(Number.isFinite), TOP_SHARE) ?? 0, hasMagnitude }
}

/** N. Otsu, "A Threshold Selection Method from Gray-Level Histograms" (1979): as a share of the top. */
export function otsu(values: Float32Array, top: number): number {
  const bins = new Float64Array(BINS)
  let [count, sum] = [0, 0]
  for (const value of values) {
    if (!Number.isFinite(value)) continue
    const bin = Math.min(BINS - 1, Math.max(0, Math.floor((value / top) * BINS)))
    bins[bin] = (bins[bin] ?? 0) + 1
    count++
    sum += bin
  }
  let [best, widest, below, sumBelow] = [0, 0, 0, 0]
  for (const [bin, size] of bins.entries()) {
    below += size
    sumBelow += size * bin
    if (below === 0 || below === count) continue
    const apart = sumBelow / below - (sum - sumBelow) / (count - below)
    const between = below * (count - below) * apart * apart
    if (between > widest) [best, widest] = [bin + 1, between]
  }
  return best / BINS
}

/** Signal is a mean magnitude above half of Otsu's level. */
function leaveDark(values: Float32Array, { head, magnitude }: Measured): void {
  const bright = new Float32Array(values.length)
  for (let voxel = 0; voxel < values.length; voxel++) {
    let sum = 0
    for (let frame = 0; frame < head.frames; frame++) sum += magnitude[frame * values.length + voxel] ?? 0
    bright[voxel] = sum / head.frames
  }
  const top = percentile(bright.slice(), TOP_SHARE) ?? 0
  if (!(top > 0)) return
  const least = (otsu(bright, top) * top) / 2
  for (const [voxel, value] of bright.entries()) if (!(value > least)) values[voxel] = Number.NaN
}

/**
 * The level to begin with, as a share of the top: three deviations above what does not flow, which are voxels with signal below
 * Otsu's level. Half of Otsu's level, tried before, loses the slow rim of a vessel where noise is low (8 % of the net volume of a tube
 * 10 voxels across, 2 to 5 % here) and takes all tissue for a vessel where it is high. At most Otsu's level; where that is reached
 * because the dim voxels are slow blood, as in a study cut close around a vessel, half of it: the whole cut away 29 % of an aorta.
 * The engine's `first_level` finds the same. `width`: voxels along x.
 */
export function firstLevel({ values, top }: Angiogram, width: number): number {
  const most = otsu(values, top)
  const still = values.filter((value) => value < most * top)
  const middle = percentile(still, 0.5)
  if (middle === null) return most / 2
  const spread = deviation(still.map((value) => value - middle)) ?? 0
  const level = (middle + DEVIATIONS * spread) / top
  if (level > most && spread > COHERENT * roughness(values, { width, most: most * top })) return most / 2
  return Math.min(most, Math.max(LEAST_LEVEL, level))
}

/** Of a normal distribution around 0; null of nothing. */
function deviation(values: Float32Array): number | null {
  const median = percentile(values.map(Math.abs), 0.5)
  return median === null ? null : PER_MAD * median
}

/** Noise of what lies below `most`, from second differences along x; infinite where no three such voxels adjoin. */
function roughness(values: Float32Array, { width, most }: { width: number; most: number }): number {
  const isDim = (at: number) => (values[at] ?? Number.NaN) < most
  const apart: number[] = []
  for (let at = 1; at + 1 < values.length; at++) {
    const isInRow = at % width > 0 && at % width < width - 1
    if (!isInRow || !isDim(at - 1) || !isDim(at) || !isDim(at + 1)) continue
    apart.push((values[at - 1] ?? 0) - 2 * (values[at] ?? 0) + (values[at + 1] ?? 0))
  }
  return (deviation(Float32Array.from(apart)) ?? Number.POSITIVE_INFINITY) / Math.sqrt(6)
}

/** 1 where the angiogram is above the level, a share of its top. */
export function above({ values, top }: Angiogram, level: number): Uint8Array {
  const least = level * top
  return Uint8Array.from(values, (value) => (value > least ? 1 : 0))
}

/** The largest part whose voxels touch with their faces, the first of equals; the mask itself stays as it is. */
export function largestPart(mask: Uint8Array, size: Three): Uint8Array {
  const { numbers, sizes } = components(mask, size, false)
  const most = sizes.indexOf(sizes.reduce((largest, one) => Math.max(largest, one), 0))
  return Uint8Array.from(numbers, (one) => (one === most && most > 0 ? 1 : 0))
}

/** All speeds inside the mask over all frames, in m/s. */
export function speedsIn(measured: Measured, mask: Uint8Array | null): Float32Array {
  const { head } = measured
  const voxels = voxelsOf(head)
  const inside = mask === null ? voxels : mask.reduce((sum, is) => sum + is, 0)
  const speeds = new Float32Array(inside * head.frames)
  const out = new Float64Array(3)
  let count = 0
  for (let voxel = 0; voxel < voxels; voxel++) {
    if (mask !== null && !mask[voxel]) continue
    for (let frame = 0; frame < head.frames; frame++) {
      velocityAt(measured, { voxel, frame }, out)
      const speed = Math.hypot(out[0] ?? 0, out[1] ?? 0, out[2] ?? 0)
      if (Number.isFinite(speed)) speeds[count++] = speed
    }
  }
  return speeds.subarray(0, count)
}
