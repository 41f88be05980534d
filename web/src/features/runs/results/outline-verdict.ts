/** Which sentence says how well outlines match, from both ways to count and from single images. Pure. */

/** Images of a test that went badly, of all. */
export type Cases = { bad: number; total: number }

/** `pooled`: Dice over the points of all images together; null of results from before it was measured. */
type Outlined = { mean: number; pooled: number | null }

/** As usual in the field, where two readers agree at about 0.9 on clear structures. */
const bands = [
  [0.9, 'Excellent'],
  [0.8, 'Good'],
  [0.6, 'Fair'],
] as const

/** By the lower of both figures, and never better than what single images say. */
export function outlineVerdict({ mean, pooled, cases }: Outlined & { cases: Cases | null }): string {
  const value = Math.min(mean, pooled ?? mean)
  const band = bands.find(([least]) => value >= least)?.[1] ?? 'Poor'
  if (cases === null || cases.bad === 0) return `overlap${band}`
  if (cases.bad * 2 >= cases.total) return 'overlapMostlyBad'
  return `overlap${band === 'Excellent' ? 'Good' : band}But`
}

/** Both figures differ by this much before a page speaks of it. */
const APART = 0.1

/** What it means that both figures differ: an image with a large area counts more among all points than in the mean. */
export function pooledNote({ mean, pooled }: Outlined): 'pooledLower' | 'pooledHigher' | null {
  if (pooled === null || Math.abs(mean - pooled) < APART) return null
  return pooled < mean ? 'pooledLower' : 'pooledHigher'
}
