/** What the bench answers: sentences first, then the figures they stand on. */
import type { Estimate } from '@neuroloom/contract/statistics/interval'
import { formatNumber, formatPercent } from '../../../lib/format.ts'

/** A text of `statistics.json` below `said.` or `warn.`, with what stands in it. */
export type Said = { key: string; params?: Record<string, string | number> }

/** `share`: shown per cent; `number`: as it is; `p`: a chance. */
type As = 'share' | 'number' | 'p'

export type Row = {
  /** A text below `row.`, or a name of a column before it. */
  name: string
  of?: string
  value: number
  interval?: { low: number; high: number }
  as: As
  /** A text below `method.`. */
  method: string
  paper: string
}

export type Figure =
  | {
      kind: 'roc'
      curves: { name: string; points: [number, number][] }[]
      marked: [number, number] | null
    }
  | { kind: 'agreement'; answer: import('@neuroloom/contract/statistics/bland-altman').BlandAltman }
  | { kind: 'cells'; cells: import('@neuroloom/contract/statistics/two-by-two').Cells }

export type Answer = { sentences: Said[]; rows: Row[]; warnings: Said[]; figure: Figure | null }
/** Why there is no answer: a text below `problem.`. */
export type Outcome = Answer | { problem: Said }

export const isAnswer = (outcome: Outcome): outcome is Answer => 'sentences' in outcome

/** As few digits as tell the two ends apart. */
export function share(value: number): string {
  return formatPercent(value, value > 0.0995 && value < 0.9995 ? 0 : 1)
}

export const number = (value: number): string => {
  const size = Math.abs(value)
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞'
  return formatNumber(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3)
}

export const chance = (p: number): string =>
  p < 0.001 ? `< ${formatNumber(0.001, 3)}` : formatNumber(p, p < 0.1 ? 3 : 2)

/** For sentences: the figure and the ends of its interval. */
export const shares = ({ value, low, high }: Estimate) => ({
  value: share(value),
  low: share(low),
  high: share(high),
})
export const numbers = ({ value, low, high }: Estimate) => ({
  value: number(value),
  low: number(low),
  high: number(high),
})

export const rowOf = (
  name: string,
  { value, low, high }: Estimate,
  { as, method, paper, of }: { as: As; method: string; paper: string; of?: string },
): Row => ({ name, value, interval: { low, high }, as, method, paper, ...(of === undefined ? {} : { of }) })

/** Below this a share or an area is hardly told. */
export const few = 30

export const beneath = 0.05
