/** Two tests on the same patients. */
import { type Estimate, z95 } from './interval.ts'
import { beta } from './special.ts'

/** How often both were right, only the first, only the second, neither. */
export type Pairs = { both: number; first: number; second: number; neither: number }

export type Comparison = {
  pairs: Pairs
  total: number
  /** Share of the first less that of the second; interval by Newcombe 1998, Stat Med 17:2635, method 10. */
  difference: Estimate
  /** Exact, two-sided (McNemar 1947, Psychometrika 12:153, by the binomial distribution). */
  p: number
}

/** Null where there is nobody to compare. */
export function compareRight(pairs: Pairs): Comparison | null {
  const { both, first, second, neither } = pairs
  const total = both + first + second + neither
  if (total === 0) return null
  return { pairs, total, difference: pairedDifference(pairs), p: mcnemarExact(first, second) }
}

/**
 * Two-sided exact test of McNemar (1947): were both equally good, those whom only one of them tells rightly would fall to
 * either by the toss of a coin.
 */
export function mcnemarExact(first: number, second: number): number {
  const apart = first + second
  if (apart === 0) return 1
  // P(X ≤ fewer) of a fair coin thrown `apart` times.
  const fewer = Math.min(first, second)
  return Math.min(1, 2 * (fewer === apart ? 1 : beta(0.5, apart - fewer, fewer + 1)))
}

/**
 * Share of the first less that of the second, with an interval that has a width even where all agree (Newcombe 1998, Stat
 * Med 17:2635, method 10). Counts need not be whole: of cases that resemble each other there are fewer than were counted.
 */
export function pairedDifference({ both, first, second, neither }: Pairs): Estimate {
  const total = both + first + second + neither
  const one = scoreBounds(both + first, total)
  const other = scoreBounds(both + second, total)
  const value = (first - second) / total
  const phi = correlationOf({ both, first, second, neither }, total)
  const reach = (a: number, b: number): number => Math.sqrt(Math.max(0, a * a - 2 * phi * a * b + b * b))
  return {
    value,
    low: value - reach(one.share - one.low, other.high - other.share),
    high: value + reach(one.high - one.share, other.share - other.low),
  }
}

/** With Newcombe's continuity correction. */
function correlationOf({ both, first, second, neither }: Pairs, total: number): number {
  const product = (both + first) * (second + neither) * (both + second) * (first + neither)
  if (product === 0) return 0
  const off = both * neither - first * second
  const corrected = off > total / 2 ? off - total / 2 : off > 0 ? 0 : off
  return corrected / Math.sqrt(product)
}

function scoreBounds(count: number, total: number): { share: number; low: number; high: number } {
  const square = z95 ** 2
  const root = z95 * Math.sqrt(square + 4 * count * (1 - count / total))
  const below = 2 * (total + square)
  return {
    share: count / total,
    low: (2 * count + square - root) / below,
    high: (2 * count + square + root) / below,
  }
}
