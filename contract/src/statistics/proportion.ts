/** Intervals of a share: Wilson's score interval and the exact one of Clopper and Pearson. */
import { type Estimate, level, z95 } from './interval.ts'
import { betaQuantile } from './special.ts'

/** `count` of `total`; null where there are none. */
export type Share = { count: number; total: number; wilson: Estimate; exact: Estimate }

export function shareOf(count: number, total: number): Share | null {
  if (total === 0) return null
  return { count, total, wilson: wilson(count, total), exact: clopperPearson(count, total) }
}

/** Wilson 1927, J Am Stat Assoc 22:209, recommended by Newcombe 1998, Stat Med 17:857. */
function wilson(count: number, total: number): Estimate {
  const share = count / total
  const square = z95 ** 2 / total
  const middle = share + square / 2
  const half = z95 * Math.sqrt((share * (1 - share)) / total + square / (4 * total))
  return {
    value: share,
    low: count === 0 ? 0 : (middle - half) / (1 + square),
    high: count === total ? 1 : (middle + half) / (1 + square),
  }
}

/** Clopper & Pearson 1934, Biometrika 26:404. */
function clopperPearson(count: number, total: number): Estimate {
  const tail = (1 - level) / 2
  return {
    value: count / total,
    low: count === 0 ? 0 : betaQuantile(tail, count, total - count + 1),
    high: count === total ? 1 : betaQuantile(1 - tail, count + 1, total - count),
  }
}
