/** Which figures of a test stand on cases enough for an interval. Free of schemas: pages load it. */
import type { Evidence } from '../evidence.ts'
import { comparison } from '../limits.ts'

/** Whether there are independent cases enough for intervals at all. */
export const hasEnoughCases = ({ groups, method, resamples }: Evidence): boolean =>
  groups >= comparison.fewestGroups && (method === 'score' || resamples > 0)

type Intervals = Evidence['intervals']
/** Figures of a class that stand on its true cases. */
const ofTrueCases: ReadonlySet<string> = new Set(['recall', 'f1', 'rocAuc', 'ap50', 'sensitivity'])

/** Without the intervals of figures that stand on too few cases: tests of before have those, too. */
export function withoutFewCases(evidence: Evidence): Evidence {
  const isEnough = hasEnoughCases(evidence)
  const counts = new Map([
    ...evidence.curves.map((one) => [one.class, one.positives] as const),
    ...evidence.detections.map((one) => [one.class, one.boxes] as const),
  ])
  const isFew = (name: string, metric: string): boolean =>
    !isEnough ||
    (ofTrueCases.has(metric) && (counts.get(name) ?? comparison.fewestGroups) < comparison.fewestGroups)
  const kept = (intervals: Intervals, isGone: (metric: string) => boolean): Intervals =>
    Object.fromEntries(
      Object.entries(intervals).map(([metric, one]) => [metric, isGone(metric) ? null : one]),
    )
  return {
    ...evidence,
    intervals: kept(evidence.intervals, () => !isEnough),
    perClass: evidence.perClass.map((one) => ({
      ...one,
      intervals: kept(one.intervals, (metric) => isFew(one.class, metric)),
    })),
    decisions: evidence.decisions.map((one) => ({
      ...one,
      figures: one.figures.map((figure) =>
        isFew(one.class, figure.name) ? { ...figure, interval: null } : figure,
      ),
    })),
    surfaces: evidence.surfaces.map((one) =>
      isEnough && one.measured >= comparison.fewestGroups ? one : { ...one, interval: null },
    ),
    gains: evidence.gains.map((one) => (isEnough ? one : { ...one, interval: null })),
  }
}
