/** Which figures of single classes the table of decisions holds as well. Free of schemas: pages load it. */
import type { Decision } from '../evidence.ts'
import type { PerClass } from './class-findings.ts'

/** Recall is sensitivity, and precision the positive predictive value. */
const sameFigure = { recall: 'sensitivity', precision: 'ppv' } as const

/** The figures of single classes that the table of decisions shows with the same values: they need no second table. */
export function decisionColumns(perClass: PerClass, decisions: readonly Decision[]): ReadonlySet<string> {
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
