import type { Share } from '@neuroloom/contract/statistics/proportion'
import { type Accuracy, accuracyOf, type Cells } from '@neuroloom/contract/statistics/two-by-two'
import { formatNumber } from '../../../../lib/format.ts'
import {
  type Answer,
  few,
  number,
  type Outcome,
  type Row,
  rowOf,
  type Said,
  share,
  shares,
} from '../answer.ts'
import type { Settings } from '../settings.ts'
import type { Table } from '../table.ts'
import { isProblem, prepare } from './prepared.ts'

export function accuracyIn(table: Table, settings: Settings): Outcome {
  const prepared = prepare(table, settings, ['truth', 'test'])
  if (isProblem(prepared)) return prepared
  const cells = { truePositive: 0, falsePositive: 0, falseNegative: 0, trueNegative: 0 }
  for (const [truth, test] of prepared.rows) {
    const isIll = truth === settings.yes.truth
    if (test === settings.yes.test) cells[isIll ? 'truePositive' : 'falsePositive'] += 1
    else cells[isIll ? 'falseNegative' : 'trueNegative'] += 1
  }
  const outcome = answerOf(cells)
  return isProblem(outcome) ? outcome : { ...outcome, warnings: [...prepared.warnings, ...outcome.warnings] }
}

export function answerOf(cells: Cells): Outcome {
  const counts = Object.values(cells)
  if (counts.some((count) => !Number.isInteger(count) || count < 0))
    return { problem: { key: 'wholeCounts' } }
  if (counts.every((count) => count === 0)) return { problem: { key: 'noRows' } }
  const found = accuracyOf(cells)
  return {
    sentences: sentencesOf(found),
    rows: rowsOf(found),
    warnings: warningsOf(found),
    figure: { kind: 'cells', cells },
  }
}

const names = ['sensitivity', 'specificity', 'positiveValue', 'negativeValue', 'accuracy'] as const

function sentencesOf(found: Accuracy): Said[] {
  const said = names.flatMap((name): Said[] => {
    const one = found[name]
    if (one === null) return []
    const { prevalence } = found
    return [
      {
        key: name,
        params: { ...countsOf(one), prevalence: prevalence ? share(prevalence.wilson.value) : '' },
      },
    ]
  })
  const { positiveRatio, negativeRatio } = found
  if (positiveRatio && negativeRatio)
    said.push({
      key: 'ratios',
      params: { positive: number(positiveRatio.value), negative: number(negativeRatio.value) },
    })
  return said
}

export const countsOf = (one: Share) => ({
  count: one.count,
  shown: formatNumber(one.count),
  total: formatNumber(one.total),
  ...shares(one.wilson),
})

const wilson = { as: 'share', method: 'wilson', paper: 'Wilson 1927, J Am Stat Assoc 22:209' } as const
const exact = {
  as: 'share',
  method: 'clopperPearson',
  paper: 'Clopper & Pearson 1934, Biometrika 26:404',
} as const

function rowsOf(found: Accuracy): Row[] {
  const shareRows = [...names, 'prevalence' as const].flatMap((name) => {
    const one = found[name]
    return one === null ? [] : [rowOf(name, one.wilson, wilson), rowOf(name, one.exact, exact)]
  })
  const ratios = (['positiveRatio', 'negativeRatio'] as const).flatMap((name) => {
    const one = found[name]
    const paper = 'Simel, Samsa & Matchar 1991, J Clin Epidemiol 44:763'
    return one === null ? [] : [rowOf(name, one, { as: 'number', method: 'logarithm', paper })]
  })
  return [...shareRows, ...ratios]
}

function warningsOf({
  cells,
  sensitivity,
  specificity,
  positiveRatio,
  negativeRatio,
}: Accuracy): Answer['warnings'] {
  const warnings: Said[] = []
  const ill = sensitivity?.total ?? 0
  const healthy = specificity?.total ?? 0
  if (ill === 0) warnings.push({ key: 'noIll' })
  if (healthy === 0) warnings.push({ key: 'noHealthy' })
  if ((ill > 0 && ill < few) || (healthy > 0 && healthy < few))
    warnings.push({ key: 'fewSides', params: { ill: formatNumber(ill), healthy: formatNumber(healthy) } })
  if (positiveRatio?.corrected || negativeRatio?.corrected) warnings.push({ key: 'emptyCell' })
  else if (Object.values(cells).some((count) => count === 0)) warnings.push({ key: 'zeroCell' })
  return warnings
}
