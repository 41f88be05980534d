/** Whether measurements of two groups, or before and after, differ: t tests, and ranks where shapes are unknown. */
import { type Estimate, level, meanOf, varianceOf } from './interval.ts'
import { midranks } from './roc.ts'
import { normalTails, tQuantile, tTails } from './special.ts'

export type MeanDifference = {
  first: { count: number; mean: number; deviation: number }
  second: { count: number; mean: number; deviation: number }
  /** First less second. */
  difference: Estimate
  t: number
  freedom: number
  p: number
}

/** The same subjects twice (Student 1908, Biometrika 6:1). Null below two pairs. */
export function pairedMeans(pairs: readonly (readonly [number, number])[]): MeanDifference | null {
  if (pairs.length < 2) return null
  const apart = pairs.map(([one, other]) => one - other)
  const error = Math.sqrt(varianceOf(apart) / apart.length)
  const first = summaryOf(pairs.map(([one]) => one))
  const second = summaryOf(pairs.map(([, other]) => other))
  return { first, second, ...tested(meanOf(apart), error, apart.length - 1) }
}

/** Two groups, whose spreads may differ (Welch 1947, Biometrika 34:28). Null below two in one of them. */
export function separateMeans(one: readonly number[], other: readonly number[]): MeanDifference | null {
  if (one.length < 2 || other.length < 2) return null
  const [first, second] = [summaryOf(one), summaryOf(other)]
  const [a, b] = [first.deviation ** 2 / first.count, second.deviation ** 2 / second.count]
  const freedom =
    a + b === 0
      ? first.count + second.count - 2
      : (a + b) ** 2 / (a ** 2 / (first.count - 1) + b ** 2 / (second.count - 1))
  return { first, second, ...tested(first.mean - second.mean, Math.sqrt(a + b), freedom) }
}

/** Mean of a sample and its interval (Student 1908). Null below two values. */
export function meanEstimate(values: readonly number[]): Estimate | null {
  if (values.length < 2) return null
  const value = meanOf(values)
  const half = tQuantile(level, values.length - 1) * Math.sqrt(varianceOf(values) / values.length)
  return { value, low: value - half, high: value + half }
}

const summaryOf = (values: readonly number[]): MeanDifference['first'] => ({
  count: values.length,
  mean: meanOf(values),
  deviation: Math.sqrt(varianceOf(values)),
})

function tested(
  value: number,
  error: number,
  freedom: number,
): Pick<MeanDifference, 'difference' | 't' | 'freedom' | 'p'> {
  const half = tQuantile(level, freedom) * error
  const t = error > 0 ? value / error : 0
  const p = error > 0 ? tTails(t, freedom) : value === 0 ? 1 : 0
  return { difference: { value, low: value - half, high: value + half }, t, freedom, p }
}

export type RankTest = {
  /** Pairs in which the first group's value is larger; ties count half. */
  u: number
  /** The same as a share of all pairs: the chance that one of the first is larger than one of the second. */
  share: number
  p: number
  /** `exact`: all orders counted; `normal`: large groups or ties, with corrections for both. */
  way: 'exact' | 'normal'
}

/** Groups of fewer than this, without ties, are counted out. */
const exactBelow = 50

/** Mann & Whitney 1947, Ann Math Stat 18:50. Null when a group is empty. */
export function mannWhitney(one: readonly number[], other: readonly number[]): RankTest | null {
  const [m, n] = [one.length, other.length]
  if (m === 0 || n === 0) return null
  const ranks = midranks([...one, ...other])
  const u = ranks.slice(0, m).reduce((sum, rank) => sum + rank, 0) - (m * (m + 1)) / 2
  const ties = tiesOf(ranks)
  const isExact = ties === 0 && m < exactBelow && n < exactBelow
  const p = isExact ? exactTails(u, m, n) : normalOf(u, { m, n, ties })
  return { u, share: u / (m * n), p, way: isExact ? 'exact' : 'normal' }
}

/** Sum of t³ − t over groups of t equal values. */
function tiesOf(ranks: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const rank of ranks) counts.set(rank, (counts.get(rank) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => sum + count ** 3 - count, 0)
}

/** Shares of all orders by their U, built up one value at a time. */
function exactTails(u: number, m: number, n: number): number {
  const most = m * n
  const ways: number[][] = Array.from({ length: n + 1 }, () => [1])
  for (let i = 1; i <= m; i += 1) {
    for (let j = 1; j <= n; j += 1) {
      // Of i + j values the largest is of the first group, above all j of the second, or of the second.
      const without = ways[j] ?? []
      const fewer = ways[j - 1] ?? []
      ways[j] = Array.from(
        { length: i * j + 1 },
        (_, k) => ((without[k - j] ?? 0) * i + (fewer[k] ?? 0) * j) / (i + j),
      )
    }
  }
  const shares = ways[n] ?? []
  const below = Math.min(u, most - u)
  return Math.min(1, 2 * shares.slice(0, below + 1).reduce((sum, share) => sum + share, 0))
}

function normalOf(u: number, { m, n, ties }: { m: number; n: number; ties: number }): number {
  const all = m + n
  const variance = ((m * n) / 12) * (all + 1 - ties / (all * (all - 1)))
  if (!(variance > 0)) return 1
  const off = Math.max(0, Math.abs(u - (m * n) / 2) - 0.5)
  return normalTails(off / Math.sqrt(variance))
}
