/** A test against the truth, in four cells: what it finds, what it misses, and what its answers mean. */
import { type Estimate, z95 } from './interval.ts'
import { type Share, shareOf } from './proportion.ts'

/** Ill and found, healthy but called ill, ill but missed, healthy and called so. */
export type Cells = {
  truePositive: number
  falsePositive: number
  falseNegative: number
  trueNegative: number
}

export type Accuracy = {
  cells: Cells
  sensitivity: Share | null
  specificity: Share | null
  /** At the prevalence of these data. */
  positiveValue: Share | null
  negativeValue: Share | null
  accuracy: Share | null
  prevalence: Share | null
  positiveRatio: Ratio | null
  negativeRatio: Ratio | null
}
/** `corrected`: a cell was empty, so that a half was added to all four (Haldane 1956, Ann Hum Genet 20:309). */
export type Ratio = Estimate & { corrected: boolean }

export function accuracyOf(cells: Cells): Accuracy {
  const { truePositive, falsePositive, falseNegative, trueNegative } = cells
  const ill = truePositive + falseNegative
  const healthy = falsePositive + trueNegative
  return {
    cells,
    sensitivity: shareOf(truePositive, ill),
    specificity: shareOf(trueNegative, healthy),
    positiveValue: shareOf(truePositive, truePositive + falsePositive),
    negativeValue: shareOf(trueNegative, trueNegative + falseNegative),
    accuracy: shareOf(truePositive + trueNegative, ill + healthy),
    prevalence: shareOf(ill, ill + healthy),
    positiveRatio: ill && healthy ? ratioOf(cells, { of: 'truePositive', to: 'falsePositive' }) : null,
    negativeRatio: ill && healthy ? ratioOf(cells, { of: 'falseNegative', to: 'trueNegative' }) : null,
  }
}

/** Of the shares that the ill and the healthy have of one answer; interval on the logarithm (Simel 1991, J Clin Epidemiol 44:763). */
function ratioOf(cells: Cells, { of, to }: { of: keyof Cells; to: keyof Cells }): Ratio {
  const corrected = cells[of] === 0 || cells[to] === 0
  const half = corrected ? 0.5 : 0
  const ill = cells.truePositive + cells.falseNegative + 2 * half
  const healthy = cells.falsePositive + cells.trueNegative + 2 * half
  const [one, other] = [cells[of] + half, cells[to] + half]
  const value = one / ill / (other / healthy)
  const error = Math.sqrt(1 / one - 1 / ill + 1 / other - 1 / healthy)
  return { value, low: value * Math.exp(-z95 * error), high: value * Math.exp(z95 * error), corrected }
}
