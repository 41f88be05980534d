import type { Decision } from '@neuroloom/contract/evidence'
import type { LearnedRun } from '@neuroloom/contract/runs'

/** Recall is sensitivity, and precision the positive predictive value. */
const sameFigure = { recall: 'sensitivity', precision: 'ppv' } as const

/**
 * The figures of single classes that the table of decisions shows as well, with the same values: they need no second
 * table. Pure.
 */
export function decisionColumns(
  perClass: LearnedRun['perClass'],
  decisions: readonly Decision[],
): ReadonlySet<string> {
  const same = Object.entries(sameFigure).filter(
    ([name, other]) =>
      perClass.some(({ values }) => name in values) &&
      perClass.every(({ class: className, values }) => {
        const figures = decisions.find((one) => one.class === className)?.figures
        const figure = figures?.find((one) => one.name === other)
        return figure !== undefined && isSame(values[name] ?? null, figure.value)
      }),
  )
  return new Set(same.map(([name]) => name))
}

/** In what is shown: three decimals. */
const isSame = (one: number | null, other: number | null): boolean =>
  one === null || other === null ? one === other : Math.abs(one - other) < 5e-4
