import type { ClassCurve, Decision } from '@neuroloom/contract/evidence'

/** Where a threshold stands before anybody moves it: where training put it. */
export const startOf = (decisions: readonly Decision[], name: string | undefined): number =>
  decisions.find((one) => one.class === name)?.threshold ?? EVEN_ODDS

const EVEN_ODDS = 0.5

/** The last point that a threshold still lets in; points stand from the highest threshold down. */
export const reachedAt = <P extends { threshold: number }>(
  points: readonly P[],
  threshold: number,
): P | undefined => points.findLast((point) => point.threshold >= threshold)

/** What holds when a class is named from this probability on. */
export function atThreshold(
  { points }: Pick<ClassCurve, 'points'>,
  threshold: number,
): { sensitivity: number; specificity: number; precision: number | null } {
  return reachedAt(points, threshold) ?? { sensitivity: 0, specificity: 1, precision: null }
}
