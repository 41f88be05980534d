/** Percentiles of many values without sorting them, and the speed that arrows and lines are measured by. Pure. */
import { componentOf, type FlowVolume, type Samples, type Slice } from './slice.ts'

/** Arrows, colours and contours end here, so that one stray voxel does not rule them. */
export const TOP_SHARE = 0.99

/**
 * Between the two nearest ranks, as numpy's default (Hyndman and Fan's type 7). `values` change their order; null without any.
 * Values that are not finite must be left out before.
 */
export function percentile(values: Samples, share: number): number | null {
  if (values.length === 0) return null
  const place = (values.length - 1) * share
  const low = Math.floor(place)
  const value = select(values, low)
  if (low === place) return value
  // All behind the place are at least as large now.
  let next = Number.POSITIVE_INFINITY
  for (let index = low + 1; index < values.length; index++) next = Math.min(next, values[index] ?? next)
  return value + (place - low) * (next - value)
}

/** Hoare's selection: afterwards none before `rank` is larger, and none behind it smaller. */
function select(values: Samples, rank: number): number {
  let low = 0
  let high = values.length - 1
  while (low < high) {
    const pivot = values[(low + high) >> 1] ?? 0
    let [left, right] = [low, high]
    while (left <= right) {
      while ((values[left] ?? pivot) < pivot) left++
      while ((values[right] ?? pivot) > pivot) right--
      if (left > right) break
      const moved = values[left] ?? 0
      values[left++] = values[right] ?? 0
      values[right--] = moved
    }
    if (rank <= right) high = right
    else if (rank >= left) low = left
    else break
  }
  return values[rank] ?? 0
}

/** v_ref: the 99th percentile of speed (all three components) inside the mask over all frames; 0 where nothing is known. */
export function referenceSpeed(frames: readonly Slice[]): number {
  const speeds = frames.map(({ u, v, w, mask }) => speedsOf([u, v, w], { mask, scale: 1 }))
  return percentile(joined(speeds), TOP_SHARE) ?? 0
}

/** The same of a volume. */
export function referenceSpeedOf(volume: FlowVolume): number {
  const speeds = Array.from({ length: volume.frames }, (_, frame) =>
    speedsOf(
      ([0, 1, 2] as const).map((component) => componentOf(volume, component, frame)),
      volume,
    ),
  )
  return percentile(joined(speeds), TOP_SHARE) ?? 0
}

/** The known ones, in m/s. */
function speedsOf(
  [u = [], v = [], w = []]: readonly ArrayLike<number>[],
  { mask, scale }: { mask: Uint8Array | null; scale: number },
): Float32Array {
  const speeds = new Float32Array(u.length)
  let count = 0
  for (let index = 0; index < u.length; index++) {
    if (mask !== null && !mask[index]) continue
    const [a, b, c] = [u[index] ?? 0, v[index] ?? 0, w[index] ?? 0]
    const speed = scale * Math.sqrt(a * a + b * b + c * c)
    if (Number.isFinite(speed)) speeds[count++] = speed
  }
  return speeds.subarray(0, count)
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** The 99th percentile of |value| where there is one: the range of ω and of its contours. 0 where nothing is known. */
export function topMagnitude(maps: readonly Samples[]): number {
  const known = maps.map((values) => Float32Array.from(values.filter(Number.isFinite), Math.abs))
  return percentile(joined(known), TOP_SHARE) ?? 0
}
