import { blandAltmanOf } from '@neuroloom/contract/statistics/bland-altman'
import { iccOf } from '@neuroloom/contract/statistics/icc'
import { cohenKappa, fleissKappa, type Kappa } from '@neuroloom/contract/statistics/kappa'
import { formatNumber } from '../../../../lib/format.ts'
import { beneath, chance, few, number, numbers, type Outcome, rowOf, type Said, share } from '../answer.ts'
import type { Settings } from '../settings.ts'
import { inOrder, type Table } from '../table.ts'
import { isProblem, numbersIn, prepare } from './prepared.ts'

export function kappaIn(table: Table, settings: Settings): Outcome {
  const prepared = prepare(table, settings, ['several'])
  if (isProblem(prepared)) return prepared
  const { rows, warnings } = prepared
  const found = inOrder([...new Set(rows.flat())])
  const { order } = settings
  const categories = found.every((one) => order.includes(one))
    ? order.filter((one) => found.includes(one))
    : found
  const { weights } = settings
  const isPair = prepared.names.length === 2
  const kappa = isPair
    ? cohenKappa(
        rows.map(([one = '', other = '']) => [one, other] as const),
        { categories, weights },
      )
    : fleissKappa(rows, categories)
  if (kappa === null) return { problem: { key: 'allSame' } }
  if (kappa.subjects < few)
    warnings.push({
      key: 'fewSubjects',
      params: { count: kappa.subjects, shown: formatNumber(kappa.subjects) },
    })
  const most = largestShare(rows.flat())
  if (most > lopsided) warnings.push({ key: 'lopsided', params: { share: share(most) } })
  if (isPair && weights !== 'none') warnings.push({ key: 'order', params: { order: categories.join(' < ') } })
  if (!isPair && weights !== 'none') warnings.push({ key: 'noWeights' })
  return {
    sentences: kappaSentences(kappa),
    rows: [kappaRow(kappa, isPair ? weights : 'fleiss')],
    warnings,
    figure: null,
  }
}

/** From here on chance agrees nearly always, and kappa is low however well readers agree (Feinstein & Cicchetti 1990, J Clin Epidemiol 43:543). */
const lopsided = 0.85

function largestShare(said: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const one of said) counts.set(one, (counts.get(one) ?? 0) + 1)
  return Math.max(...counts.values()) / said.length
}

const kappaSentences = ({ subjects, readers, observed, expected, kappa }: Kappa): Said[] => [
  {
    key: 'agreed',
    params: {
      readers: formatNumber(readers),
      subjects: formatNumber(subjects),
      observed: share(observed),
      expected: share(expected),
    },
  },
  { key: `kappa.${wordOf(kappa.value)}`, params: numbers(kappa) },
]

/** Landis & Koch 1977, Biometrics 33:159. */
function wordOf(kappa: number): string {
  const steps = ['poor', 'slight', 'fair', 'moderate', 'substantial', 'almostPerfect']
  return steps[[0, 0.2, 0.4, 0.6, 0.8].filter((step) => kappa > step).length] ?? 'poor'
}

const kappaPapers = {
  none: 'Cohen 1960, Educ Psychol Meas 20:37',
  linear: 'Cicchetti & Allison 1971, Am J EEG Technol 11:101',
  quadratic: 'Fleiss & Cohen 1973, Educ Psychol Meas 33:613',
  fleiss: 'Fleiss 1971, Psychol Bull 76:378',
} as const

const kappaRow = ({ kappa }: Kappa, way: keyof typeof kappaPapers) =>
  rowOf('kappa', kappa, { as: 'number', method: `kappa.${way}`, paper: kappaPapers[way] })

export function blandAltmanIn(table: Table, settings: Settings): Outcome {
  const prepared = prepare(table, settings, ['first', 'second'])
  if (isProblem(prepared)) return prepared
  const [first, second] = [numbersIn(prepared, 0), numbersIn(prepared, 1)]
  if (isProblem(first)) return first
  if (isProblem(second)) return second
  const found = blandAltmanOf(first.map((value, k) => [value, second[k] ?? 0] as const))
  if (found === null) return { problem: { key: 'threePairs' } }
  const { bias, lower, upper, slope, slopeP, count } = found
  const [one = '', other = ''] = prepared.names
  const grows = slopeP < beneath
  const warnings = [...prepared.warnings]
  if (count < fewPairs) warnings.push({ key: 'fewPairs', params: { count, shown: formatNumber(count) } })
  const paper = 'Bland & Altman 1986, Lancet 327:307'
  return {
    sentences: [
      {
        key: bias.low > 0 || bias.high < 0 ? 'bias.clear' : 'bias.unclear',
        params: { first: one, second: other, ...numbers(bias) },
      },
      {
        key: 'limits',
        params: {
          low: number(lower.value),
          high: number(upper.value),
          lowest: number(lower.low),
          highest: number(upper.high),
        },
      },
      {
        key: grows ? 'slope.grows' : 'slope.steady',
        params: { value: number(slope.value), p: chance(slopeP) },
      },
    ],
    rows: [
      rowOf('bias', bias, { as: 'number', method: 'blandAltman', paper }),
      rowOf('lower', lower, { as: 'number', method: 'blandAltman', paper }),
      rowOf('upper', upper, { as: 'number', method: 'blandAltman', paper }),
      rowOf('slope', slope, {
        as: 'number',
        method: 'regression',
        paper: 'Bland & Altman 1999, Stat Methods Med Res 8:135',
      }),
      {
        name: 'p.slope',
        value: slopeP,
        as: 'p',
        method: 'regression',
        paper: 'Bland & Altman 1999, Stat Methods Med Res 8:135',
      },
    ],
    warnings: grows ? [...warnings, { key: 'growing' }] : warnings,
    figure: { kind: 'agreement', answer: found },
  }
}

/** Limits of fewer pairs are hardly told (Bland & Altman advise 100). */
const fewPairs = 50

export function iccIn(table: Table, settings: Settings): Outcome {
  const prepared = prepare(table, settings, ['several'])
  if (isProblem(prepared)) return prepared
  const columns: number[][] = []
  for (const place of prepared.names.keys()) {
    const column = numbersIn(prepared, place)
    if (isProblem(column)) return column
    columns.push(column)
  }
  const found = iccOf(prepared.rows.map((_, k) => columns.map((column) => column[k] ?? 0)))
  if (found === null) return { problem: { key: 'allSame' } }
  const { icc, subjects, readers } = found
  const warnings = [...prepared.warnings]
  if (subjects < few)
    warnings.push({ key: 'fewSubjects', params: { count: subjects, shown: formatNumber(subjects) } })
  return {
    sentences: [
      {
        key: 'icc.share',
        params: {
          readers: formatNumber(readers),
          subjects: formatNumber(subjects),
          share: share(Math.max(0, icc.value)),
        },
      },
      { key: `icc.${reliability(icc.low)}`, params: numbers(icc) },
    ],
    rows: [
      rowOf('icc', icc, { as: 'number', method: 'icc', paper: 'Shrout & Fleiss 1979, Psychol Bull 86:420' }),
    ],
    warnings,
    figure: null,
  }
}

/** By the lower end of the interval (Koo & Li 2016, J Chiropr Med 15:155). */
function reliability(value: number): string {
  const steps = ['poor', 'moderate', 'good', 'excellent']
  return steps[[0.5, 0.75, 0.9].filter((step) => value >= step).length] ?? 'poor'
}
