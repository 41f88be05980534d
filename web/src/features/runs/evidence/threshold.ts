import type { ClassCurve } from '@neuroloom/contract/evidence'

/** What holds when a class is named from this probability on; points stand from the highest threshold down. */
export function atThreshold(
  { points }: Pick<ClassCurve, 'points'>,
  threshold: number,
): { sensitivity: number; specificity: number; precision: number | null } {
  const reached = points.findLast((point) => point.threshold >= threshold)
  return reached ?? { sensitivity: 0, specificity: 1, precision: null }
}
