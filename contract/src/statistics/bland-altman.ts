/** How two ways to measure differ: bias, limits of agreement, and whether the difference grows with the size. */
import { type Estimate, level, meanOf, varianceOf, z95 } from './interval.ts'
import { tQuantile, tTails } from './special.ts'

export type BlandAltman = {
  count: number
  /** First less second, at the mean of both. */
  points: { mean: number; difference: number }[]
  bias: Estimate
  deviation: number
  /** Between which 95 % of differences lie. */
  lower: Estimate
  upper: Estimate
  /** By how much the difference grows when the mean grows by one, and whether that may be chance. */
  slope: Estimate
  slopeP: number
}

/** Bland & Altman 1986, Lancet 327:307, with their intervals; slope as in their 1999, Stat Methods Med Res 8:135. Null below three pairs. */
export function blandAltmanOf(pairs: readonly (readonly [number, number])[]): BlandAltman | null {
  const count = pairs.length
  if (count < 3) return null
  const points = pairs.map(([one, other]) => ({ mean: (one + other) / 2, difference: one - other }))
  const differences = points.map(({ difference }) => difference)
  const mean = meanOf(differences)
  const deviation = Math.sqrt(varianceOf(differences))
  const t = tQuantile(level, count - 1)
  const around = (value: number, error: number): Estimate => ({
    value,
    low: value - t * error,
    high: value + t * error,
  })
  // Variance of a limit: s² (1/n + z² / 2(n − 1)).
  const ofLimit = deviation * Math.sqrt(1 / count + z95 ** 2 / (2 * (count - 1)))
  return {
    count,
    points,
    bias: around(mean, deviation / Math.sqrt(count)),
    deviation,
    lower: around(mean - z95 * deviation, ofLimit),
    upper: around(mean + z95 * deviation, ofLimit),
    ...slopeOf(points),
  }
}

function slopeOf(points: BlandAltman['points']): Pick<BlandAltman, 'slope' | 'slopeP'> {
  const freedom = points.length - 2
  const [middle, mean] = [
    meanOf(points.map((point) => point.mean)),
    meanOf(points.map(({ difference }) => difference)),
  ]
  const spread = points.reduce((sum, point) => sum + (point.mean - middle) ** 2, 0)
  if (spread === 0) return { slope: { value: 0, low: 0, high: 0 }, slopeP: 1 }
  const value =
    points.reduce((sum, point) => sum + (point.mean - middle) * (point.difference - mean), 0) / spread
  const rest = points.reduce(
    (sum, point) => sum + (point.difference - mean - value * (point.mean - middle)) ** 2,
    0,
  )
  const error = Math.sqrt(rest / freedom / spread)
  const half = tQuantile(level, freedom) * error
  const slopeP = error > 0 ? tTails(value / error, freedom) : value === 0 ? 1 : 0
  return { slope: { value, low: value - half, high: value + half }, slopeP }
}
