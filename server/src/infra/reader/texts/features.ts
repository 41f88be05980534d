/** What a line of blobs looks like, in numbers between about -1 and 3 that a small network weighs. */
import type { Blob } from './blobs.ts'
import type { Line } from './lines.ts'
import { type Plane, type PlaneName, planeNames } from './planes.ts'

export type Seen = { plane: Plane; name: PlaneName; threshold: number; isTurned: boolean }

export function featuresOf(
  { x, y, w, h, blobs }: Line,
  { plane, name, threshold, isTurned }: Seen,
): number[] {
  const glyphs = blobs.filter((blob) => blob.h >= h * 0.35)
  const big = glyphs.length > 0 ? glyphs : blobs
  const heights = spread(big.map((blob) => blob.h))
  const widths = spread(big.map((blob) => blob.w))
  const rises = spread(big.map((blob) => blob.rise))
  const peaks = spread(big.map((blob) => blob.peak))
  const fills = spread(big.map((blob) => blob.area / (blob.w * blob.h)))
  const strokes = spread(big.map((blob) => blob.area / blob.runs))
  const cuts = spread(big.map((blob) => blob.runs / blob.h))
  const bottoms = spread(big.map((blob) => (blob.y + blob.h - y) / h))
  const tops = spread(big.map((blob) => (blob.y - y) / h))
  const gaps = spread(gapsOf(big).map((gap) => gap / h))
  const area = blobs.reduce((sum, blob) => sum + blob.area, 0)
  const runs = blobs.reduce((sum, blob) => sum + blob.runs, 0)
  const ring = ringOf(plane, { x, y, w, h }, threshold)
  const inner = innerOf(plane, { x, y, w, h }, threshold)
  return [
    Math.log(blobs.length),
    Math.log(big.length),
    Math.log(w / h),
    Math.log(h / 12),
    heights.mean / h,
    heights.relative,
    widths.mean / h,
    widths.relative,
    rises.mean / 128,
    rises.relative,
    rises.least / 128,
    peaks.mean / 255,
    peaks.deviation / 32,
    fills.mean,
    fills.deviation * 4,
    strokes.mean / h,
    strokes.relative,
    cuts.mean,
    cuts.deviation,
    runs / h / 8,
    bottoms.deviation * 4,
    tops.deviation * 4,
    gaps.mean,
    gaps.deviation,
    alike(big),
    area / (w * h),
    ring.share,
    ring.mean / 128,
    ring.deviation / 32,
    (peaks.mean - ring.mean) / 128,
    inner.across / 64,
    inner.down / 64,
    inner.cuts / 4,
    threshold / 255,
    ...planeNames.map((one) => (one === name ? 1 : 0)),
    isTurned ? 1 : 0,
  ]
}

type Spread = { mean: number; deviation: number; relative: number; least: number }

function spread(values: readonly number[]): Spread {
  if (values.length === 0) return { mean: 0, deviation: 0, relative: 0, least: 0 }
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  const deviation = Math.sqrt(square)
  return {
    mean,
    deviation,
    relative: mean === 0 ? 0 : deviation / Math.abs(mean),
    least: Math.min(...values),
  }
}

function gapsOf(blobs: readonly Blob[]): number[] {
  const sorted = [...blobs].sort((a, b) => a.x - b.x)
  return sorted.slice(1).map((blob, index) => {
    const before = sorted[index]
    return before ? blob.x - before.x - before.w : 0
  })
}

/** Share of neighbours that are the same mark once more, as ticks and dots of a scale are. */
function alike(blobs: readonly Blob[]): number {
  if (blobs.length < 2) return 0
  const sorted = [...blobs].sort((a, b) => a.x - b.x)
  const same = sorted.slice(1).filter((blob, index) => {
    const before = sorted[index]
    return (
      before &&
      Math.abs(blob.w - before.w) <= 1 &&
      Math.abs(blob.h - before.h) <= 1 &&
      Math.abs(blob.area - before.area) <= 0.12 * before.area + 1
    )
  })
  return same.length / (blobs.length - 1)
}

type Box = { x: number; y: number; w: number; h: number }

/** Strokes of letters that touch: how much greys change from place to place, and how often a column is cut at the threshold. */
function innerOf({ values, width }: Plane, { x, y, w, h }: Box, threshold: number) {
  let [across, down, cuts] = [0, 0, 0]
  for (let row = y; row < y + h; row += 1) {
    for (let at = row * width + x; at < row * width + x + w; at += 1) {
      const value = values[at] ?? 0
      const below = row + 1 < y + h ? (values[at + width] ?? 0) : value
      if (at + 1 < row * width + x + w) across += Math.abs(value - (values[at + 1] ?? 0))
      down += Math.abs(value - below)
      if (value >= threshold !== below >= threshold) cuts += 1
    }
  }
  return { across: across / (w * h), down: down / (w * h), cuts: cuts / w }
}

/** What lies around: the share above the threshold, and the greys. */
function ringOf({ values, width, height }: Plane, box: Box, threshold: number) {
  const step = Math.max(1, Math.round(box.h / 12))
  const [left, right] = [Math.max(0, box.x - 3 * step), Math.min(width, box.x + box.w + 3 * step)]
  let [count, over, sum, squares] = [0, 0, 0, 0]
  for (const distance of [2, 3, 4]) {
    for (const y of [box.y - distance * step, box.y + box.h - 1 + distance * step]) {
      if (y < 0 || y >= height) continue
      for (let x = left; x < right; x += 1) {
        const value = values[y * width + x] ?? 0
        count += 1
        sum += value
        squares += value * value
        if (value >= threshold) over += 1
      }
    }
    for (const x of [box.x - distance * step, box.x + box.w - 1 + distance * step]) {
      if (x < 0 || x >= width) continue
      for (let y = box.y; y < box.y + box.h; y += 1) {
        const value = values[y * width + x] ?? 0
        count += 1
        sum += value
        squares += value * value
        if (value >= threshold) over += 1
      }
    }
  }
  if (count === 0) return { share: 0, mean: 0, deviation: 0 }
  const mean = sum / count
  return { share: over / count, mean, deviation: Math.sqrt(Math.max(squares / count - mean * mean, 0)) }
}
