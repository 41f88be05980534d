/** What a split keeps aside, in pictures and in independent cases. */
import type { DataFacts } from '../datasets.ts'
import { training } from '../limits.ts'

type Known = Pick<DataFacts, 'items' | 'patients' | 'origin'>

/** Patients or series, and pictures that nothing is known of: what a split keeps together. */
export const casesOf = ({ items, patients, origin }: Known): number =>
  patients === null ? items : patients + (origin?.single ?? 0)

export type Kept = {
  learn: number
  aside: number
  /** Null where nothing tells patients. */
  asideCases: number | null
}

/** About: cases stay whole, and each class gives its share (`engine/neuroloom_engine/data/split.py`). */
export function keptBy(facts: Known, { train, test }: { train: number; test: number }): Kept {
  const share = test / (train + test)
  const of = (count: number) => Math.min(Math.max(1, Math.round(count * share)), Math.max(1, count - 1))
  const aside = of(facts.items)
  return {
    learn: facts.items - aside,
    aside,
    asideCases: facts.patients === null ? null : of(casesOf(facts)),
  }
}

/** Whether so little is kept aside that testing on all of it in turn tells much more. */
export const isFewAside = ({ aside, asideCases }: Kept): boolean =>
  aside < training.fewAside || (asideCases !== null && asideCases < training.fewAsideCases)
