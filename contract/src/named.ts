/** Which classes a result names: as the engine decided, by the thresholds that training chose on validation. */
import type { ItemResult } from './engine.ts'
import { training } from './limits.ts'

type Told = Pick<ItemResult, 'probabilities' | 'named'>

/** Of classes that exclude each other. Results of before tell none: the likeliest, then. */
export function namedClass({ probabilities, named }: Told): number {
  return named?.[0] ?? probabilities.indexOf(Math.max(...probabilities))
}

/** Of any number of labels. Results of before tell none: those that are as likely as not, then. */
export function namedLabels({ probabilities, named }: Told): number[] {
  return named ?? probabilities.flatMap((sure, label) => (sure >= training.sureFrom ? [label] : []))
}

type Facts = { classes: readonly string[]; decision: { thresholds: number[] } | null }

/** What a downloaded network names, by the facts that lie in it; of classes that exclude each other exactly one. */
export function namedBy(
  { classes, decision }: Facts,
  probabilities: readonly number[],
  kind: 'classes' | 'labels',
): number[] {
  const thresholds = decision?.thresholds ?? classes.map(() => training.sureFrom)
  if (kind === 'labels') {
    return probabilities.flatMap((sure, label) => (sure >= (thresholds[label] ?? 1) ? [label] : []))
  }
  const likeliest = probabilities.indexOf(Math.max(...probabilities))
  const [, threshold = training.sureFrom] = thresholds
  if (probabilities.length !== 2 || threshold === training.sureFrom) return [likeliest]
  return [(probabilities[1] ?? 0) >= threshold ? 1 : 0]
}
