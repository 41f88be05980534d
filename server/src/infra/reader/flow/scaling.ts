/** From numbers as stored to numbers of a study: velocities as parts of the VENC, magnitudes within 16 bits. */
import { type FlowStudy, NO_VALUE } from '@neuroloom/contract/flow/study'
import type { Numbers } from './batches.ts'
import type { FlowImage, FlowRow, Traits } from './images.ts'

export type Scaling = {
  plane(component: number | 'magnitude', image: FlowImage, numbers: Numbers): Int16Array
  /** In cm/s, where what was put is far above or below what the VENC allows. */
  doubtful(): { largest: number; venc: number } | null
}

const MOST = 32_767

export function makeScaling(
  study: FlowStudy,
  velocity: readonly FlowRow[],
  magnitude: FlowRow | null,
): Scaling {
  const counts = velocity.map(() => new Uint32Array(MOST + 1))
  const magnitudes = magnitude ? magnitudeFactor(magnitude) : 1
  return {
    plane(component, image, numbers) {
      if (component === 'magnitude')
        return turned(numbers, { factor: image.slope * magnitudes, offset: image.intercept * magnitudes })
      const row = velocity[component]
      const count = counts[component]
      if (!row || !count) throw new Error(`There is no component ${component}`)
      const { factor, offset } = inMetres(row, image)
      const plane = turned(numbers, {
        factor: factor / study.velocityScale,
        offset: offset / study.velocityScale,
      })
      for (const one of plane) if (one !== NO_VALUE) count[Math.abs(one)] = (count[Math.abs(one)] ?? 0) + 1
      return plane
    },
    doubtful: () => doubtfulOf(study, counts),
  }
}

type Line = { factor: number; offset: number }

function turned(numbers: Numbers, { factor, offset }: Line): Int16Array {
  const plane = new Int16Array(numbers.length)
  for (let at = 0; at < numbers.length; at += 1) {
    const value = Math.round((numbers[at] ?? 0) * factor + offset)
    plane[at] = Number.isNaN(value) ? NO_VALUE : Math.max(-MOST, Math.min(MOST, value))
  }
  return plane
}

/** m/s = stored × factor + offset. */
function inMetres({ series, traits }: FlowRow, { slope, intercept }: FlowImage): Line {
  if (series.unit !== 'phase') {
    const unit = { 'm/s': 1, 'cm/s': 0.01, 'mm/s': 0.001 }[series.unit ?? 'm/s']
    return { factor: slope * unit, offset: intercept * unit }
  }
  const venc = series.venc ?? 0
  if (intercept !== 0)
    return { factor: (slope * venc) / Math.abs(intercept), offset: (intercept * venc) / Math.abs(intercept) }
  // Without a scale, all that can be stored stands for −VENC to VENC.
  const half = 2 ** (traits.bits - 1)
  return { factor: venc / half, offset: traits.isSigned ? 0 : -venc }
}

/** Magnitudes have no unit: they stay as they are as long as they are whole and fit. */
function magnitudeFactor({ images, traits }: FlowRow): number {
  const most = images.reduce((most, image) => Math.max(most, largestOf(traits, image)), 0)
  const isWhole = images.every(
    ({ slope, intercept }) => Number.isInteger(slope) && Number.isInteger(intercept),
  )
  return most > MOST || (!isWhole && most > 0) ? MOST / most : 1
}

const largestOf = ({ bits, isSigned }: Traits, { slope, intercept }: FlowImage): number =>
  Math.abs(slope) * 2 ** (isSigned ? bits - 1 : bits) + Math.abs(intercept)

/** Above twice the VENC, or below a twentieth of it, by the 99.9th percentile: then the scale or the VENC may be wrong. */
function doubtfulOf({ velocityScale, venc }: FlowStudy, counts: readonly Uint32Array[]) {
  const shares = counts.map((count, component) => {
    const largest = percentile(count, 0.999) * velocityScale
    return { largest, venc: venc[component] ?? 1 }
  })
  const above = shares.find((one) => one.largest > 2 * one.venc)
  const isBelow = shares.every((one) => one.largest < 0.05 * one.venc)
  const told = above ?? (isBelow ? shares.reduce((a, b) => (b.largest > a.largest ? b : a)) : null)
  if (!told) return null
  const round = (metres: number): number => Math.round(metres * 1000) / 10
  return { largest: round(told.largest), venc: round(told.venc) }
}

function percentile(count: Uint32Array, share: number): number {
  const all = count.reduce((sum, one) => sum + one, 0)
  let below = 0
  for (const [value, one] of count.entries()) {
    below += one
    if (below >= share * all) return value
  }
  return 0
}
