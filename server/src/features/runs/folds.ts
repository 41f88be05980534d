import type { Run } from '@neuroloom/contract/runs'
import type { FoldRow } from './tables.ts'

type Judged = Pick<Run, 'perClass' | 'confusion'>
type Values = Judged['perClass'][number]['values']

/**
 * What the folds of a k-fold training that was stopped say together: each item was unseen once, so counts add up, and
 * what counts tell is read from their sum. Other figures are averaged. Of a whole one the engine says more (`pooled.py`).
 */
export function mergeFolds(folds: Pick<FoldRow, 'perClass' | 'confusion'>[]): Judged | null {
  const [first] = folds
  if (!first) return null
  const confusion = folds.map((fold) => fold.confusion).reduce(added)
  return {
    perClass: first.perClass.map(({ class: name, values }, row) => {
      const ofFolds = folds.map((fold) => fold.perClass[row]?.values ?? {})
      const means = Object.keys(values).map((key) => [key, mean(ofFolds.map((one) => one[key]))])
      const counted = confusion && folds.length > 1 ? countedOf(confusion, row) : {}
      return { class: name, values: { ...Object.fromEntries(means), ...counted } }
    }),
    confusion,
  }
}

/** As the engine reads them from one test (`tasks/scores.py`): undefined where the class does not occur. */
function countedOf(confusion: number[][], index: number): Values {
  const hits = confusion[index]?.[index] ?? 0
  const support = sum(confusion[index] ?? [])
  const named = sum(confusion.map((row) => row[index] ?? 0))
  const ratio = (part: number, whole: number) => (support > 0 && whole > 0 ? part / whole : null)
  return {
    precision: ratio(hits, named),
    recall: ratio(hits, support),
    f1: ratio(2 * hits, support + named),
    support,
  }
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)

function mean(values: (number | null | undefined)[]): number | null {
  const known = values.filter((value) => typeof value === 'number')
  return known.length === 0 ? null : sum(known) / known.length
}

const added = (left: number[][] | null, right: number[][] | null): number[][] | null =>
  left && right ? left.map((row, y) => row.map((count, x) => count + (right[y]?.[x] ?? 0))) : null
