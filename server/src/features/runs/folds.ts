import type { Run } from '@neuroloom/contract/runs'
import type { FoldRow } from './tables.ts'

type Judged = Pick<Run, 'perClass' | 'confusion'>

/** What all folds of a k-fold training say together: each item was unseen once, so counts add up and figures are averaged. */
export function mergeFolds(folds: Pick<FoldRow, 'perClass' | 'confusion'>[]): Judged | null {
  const [first] = folds
  if (!first) return null
  return {
    perClass: first.perClass.map(({ class: name, values }, row) => {
      const ofFolds = folds.map((fold) => fold.perClass[row]?.values ?? {})
      const means = Object.keys(values).map((key) => [key, mean(ofFolds.map((one) => one[key]))])
      return { class: name, values: Object.fromEntries(means) }
    }),
    confusion: folds.map((fold) => fold.confusion).reduce(added),
  }
}

function mean(values: (number | null | undefined)[]): number | null {
  const known = values.filter((value) => typeof value === 'number')
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

const added = (left: number[][] | null, right: number[][] | null): number[][] | null =>
  left && right ? left.map((row, y) => row.map((count, x) => count + (right[y]?.[x] ?? 0))) : null
