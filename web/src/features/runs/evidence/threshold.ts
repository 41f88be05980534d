import type { ClassCurve, Decision, DetectionCurve } from '@neuroloom/contract/evidence'

/** Where a threshold stands before anybody moves it: where training put it. */
export const startOf = (decisions: readonly Decision[], name: string | undefined): number =>
  decisions.find((one) => one.class === name)?.threshold ?? EVEN_ODDS

const EVEN_ODDS = 0.5

/** The last point that a threshold still lets in; points stand from the highest threshold down. */
const reachedAt = <P extends { threshold: number }>(points: readonly P[], threshold: number): P | undefined =>
  points.findLast((point) => point.threshold >= threshold)

type Reached = { sensitivity: number; specificity: number; precision: number | null }

/** What holds when a class is named from this probability on. */
export function atThreshold({ points }: Pick<ClassCurve, 'points'>, threshold: number): Reached {
  return reachedAt(points, threshold) ?? { sensitivity: 0, specificity: 1, precision: null }
}

/** The same; at the threshold that was chosen, the figures of the test itself, since a curve keeps some points alone. */
export function measuredAt(
  curve: Pick<ClassCurve, 'class' | 'points'>,
  decisions: readonly Decision[],
  threshold: number,
): Reached {
  const figures = figuresAt(decisions, curve.class, threshold)
  const read = atThreshold(curve, threshold)
  if (!figures) return read
  return {
    sensitivity: figures.get('sensitivity') ?? read.sensitivity,
    specificity: figures.get('specificity') ?? read.specificity,
    precision: figures.has('ppv') ? (figures.get('ppv') ?? null) : read.precision,
  }
}

/** Of found boxes; `shown` is null where a test of before does not tell how many there are. */
export type ReachedBoxes = { recall: number; precision: number | null; shown: number | null }

export function boxesAt(
  { class: name, boxes, points }: Pick<DetectionCurve, 'class' | 'boxes' | 'points'>,
  decisions: readonly Decision[],
  threshold: number,
): ReachedBoxes {
  const figures = figuresAt(decisions, name, threshold)
  const point = reachedAt(points, threshold)
  const recall = figures?.get('sensitivity') ?? point?.recall ?? 0
  const precision = figures?.has('ppv') ? (figures.get('ppv') ?? null) : (point?.precision ?? null)
  return { recall, precision, shown: shownOf({ boxes, recall, precision, point }) }
}

type Read = { boxes: number; recall: number; precision: number | null }

function shownOf({
  boxes,
  recall,
  precision,
  point,
}: Read & { point: DetectionCurve['points'][number] | undefined }): number | null {
  if (precision === null) return boxes > 0 ? 0 : null
  if (point && point.shown !== null && point.precision === precision) return point.shown
  // Right boxes are so many, and they are this share of those that are shown.
  return precision > 0 ? Math.round((recall * boxes) / precision) : null
}

/** What the test measured of a class, if the threshold is the one that it measured at. */
function figuresAt(
  decisions: readonly Decision[],
  name: string,
  threshold: number,
): ReadonlyMap<string, number | null> | null {
  const decision = decisions.find((one) => one.class === name)
  return decision && decision.threshold === threshold
    ? new Map(decision.figures.map((one) => [one.name, one.value]))
    : null
}
