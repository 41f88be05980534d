import {
  type AreaComparison,
  compareAreas,
  compareSeparateAreas,
  type Roc,
  rocOf,
  type Scored,
} from '@neuroloom/contract/statistics/roc'
import { formatNumber } from '../../../../lib/format.ts'
import {
  type Answer,
  beneath,
  chance,
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
import { inOrder, type Table } from '../table.ts'
import { isProblem, numbersIn, type Prepared, prepare } from './prepared.ts'

const delong = 'DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837'
const youdenPaper = 'Youden 1950, Cancer 3:32'

export function rocIn(table: Table, settings: Settings): Outcome {
  const prepared = prepare(table, settings, ['truth', 'score'])
  if (isProblem(prepared)) return prepared
  const scores = numbersIn(prepared, 1)
  if (isProblem(scores)) return scores
  const turned = upright(scored(prepared, scores, settings))
  if (turned === null) return { problem: { key: 'oneSide' } }
  const { roc, isTurned } = turned
  const { best } = roc
  const cut = number(isTurned ? -best.cut : best.cut)
  const sentences: Said[] = [
    { key: isTurned ? 'area.lower' : 'area.higher', params: shares(roc.area) },
    {
      key: isTurned ? 'cut.lower' : 'cut.higher',
      params: { cut, sensitivity: share(best.sensitivity), specificity: share(best.specificity) },
    },
  ]
  return {
    sentences,
    rows: [areaRow(roc, undefined), ...cutRows(roc, isTurned)],
    warnings: [...prepared.warnings, ...warningsOf(roc)],
    figure: {
      kind: 'roc',
      curves: [{ name: prepared.names[1] ?? '', points: curveOf(roc) }],
      marked: [1 - best.specificity, best.sensitivity],
    },
  }
}

export function compareRocIn(table: Table, settings: Settings): Outcome {
  return settings.pairing === 'same' ? samePatients(table, settings) : twoGroups(table, settings)
}

function samePatients(table: Table, settings: Settings): Outcome {
  const prepared = prepare(table, settings, ['truth', 'first', 'second'])
  if (isProblem(prepared)) return prepared
  const [first, second] = [numbersIn(prepared, 1), numbersIn(prepared, 2)]
  if (isProblem(first)) return first
  if (isProblem(second)) return second
  const one = upright(scored(prepared, first, settings))
  const other = upright(scored(prepared, second, settings))
  if (one === null || other === null) return { problem: { key: 'oneSide' } }
  const signed = (values: readonly number[], isTurned: boolean, k: number): number =>
    (isTurned ? -1 : 1) * (values[k] ?? 0)
  const compared = compareAreas(
    prepared.rows.map(([truth], k) => ({
      ill: truth === settings.yes.truth,
      first: signed(first, one.isTurned, k),
      second: signed(second, other.isTurned, k),
    })),
  )
  if (compared === null) return { problem: { key: 'oneSide' } }
  const names: [string, string] = [prepared.names[1] ?? '', prepared.names[2] ?? '']
  return comparisonOf(compared, {
    names,
    one: one.roc,
    other: other.roc,
    warnings: prepared.warnings,
    method: 'delongPaired',
  })
}

function twoGroups(table: Table, settings: Settings): Outcome {
  const prepared = prepare(table, settings, ['truth', 'score', 'group'])
  if (isProblem(prepared)) return prepared
  const scores = numbersIn(prepared, 1)
  if (isProblem(scores)) return scores
  const groups = inOrder([...new Set(prepared.rows.map((row) => row[2] ?? ''))])
  const [first, second] = groups
  if (groups.length !== 2 || first === undefined || second === undefined)
    return { problem: { key: 'twoGroups', params: { count: groups.length } } }
  const all = scored(prepared, scores, settings)
  const inGroup = (name: string): Scored[] => all.filter((_, k) => prepared.rows[k]?.[2] === name)
  // One direction for both: the one that all patients together speak for.
  const whole = upright(all)
  const turn = (patients: Scored[]): Scored[] => (whole?.isTurned ? patients.map(reversed) : patients)
  const [one, other] = [rocOf(turn(inGroup(first))), rocOf(turn(inGroup(second)))]
  if (one === null || other === null) return { problem: { key: 'oneSide' } }
  const compared = compareSeparateAreas(one, other)
  return comparisonOf(compared, {
    names: [first, second],
    one,
    other,
    warnings: prepared.warnings,
    method: 'delongUnpaired',
  })
}

type Beside = { names: [string, string]; one: Roc; other: Roc; warnings: Said[]; method: string }

function comparisonOf(compared: AreaComparison, { names, one, other, warnings, method }: Beside): Answer {
  const { first, second, difference, p } = compared
  const verdict = p < beneath ? (difference.value > 0 ? 'first' : 'second') : 'unclear'
  return {
    sentences: [
      {
        key: 'areas.both',
        params: {
          first: names[0],
          second: names[1],
          ofFirst: share(first.value),
          ofSecond: share(second.value),
        },
      },
      {
        key: `areas.${verdict}`,
        params: { first: names[0], second: names[1], ...shares(difference), p: chance(p) },
      },
    ],
    rows: [
      areaRow(one, names[0]),
      areaRow(other, names[1]),
      rowOf('difference.area', difference, { as: 'share', method, paper: delong }),
      { name: 'p.area', value: p, as: 'p', method, paper: delong },
    ],
    warnings: [...warnings, ...warningsOf(one.ill + one.healthy < other.ill + other.healthy ? one : other)],
    figure: {
      kind: 'roc',
      curves: [
        { name: names[0], points: curveOf(one) },
        { name: names[1], points: curveOf(other) },
      ],
      marked: null,
    },
  }
}

const scored = ({ rows }: Prepared, scores: readonly number[], { yes }: Settings): Scored[] =>
  rows.map(([truth], k) => ({ ill: truth === yes.truth, score: scores[k] ?? 0 }))

const reversed = ({ ill, score }: Scored): Scored => ({ ill, score: -score })

/** Where lower values speak for illness, the scale is turned. */
function upright(patients: Scored[]): { roc: Roc; isTurned: boolean } | null {
  const roc = rocOf(patients)
  if (roc === null || roc.area.value >= 0.5) return roc && { roc, isTurned: false }
  const turned = rocOf(patients.map(reversed))
  return turned && { roc: turned, isTurned: true }
}

const curveOf = ({ points }: Roc): [number, number][] =>
  points.map(({ sensitivity, specificity }) => [1 - specificity, sensitivity])

const areaRow = ({ area }: Roc, of: string | undefined): Row =>
  rowOf('area', area, { as: 'number', method: 'delong', paper: delong, ...(of === undefined ? {} : { of }) })

function cutRows({ best }: Roc, isTurned: boolean): Row[] {
  const shared = { method: 'youden', paper: youdenPaper }
  return [
    { name: 'cut', value: isTurned ? -best.cut : best.cut, as: 'number', ...shared },
    { name: 'cutSensitivity', value: best.sensitivity, as: 'share', ...shared },
    { name: 'cutSpecificity', value: best.specificity, as: 'share', ...shared },
  ]
}

/** From this share of equal pairs on the area says little of them. */
const manyTies = 0.1

function warningsOf({ ill, healthy, tied, area }: Roc): Said[] {
  const warnings: Said[] = []
  if (ill < few || healthy < few)
    warnings.push({ key: 'fewSides', params: { ill: formatNumber(ill), healthy: formatNumber(healthy) } })
  if (tied >= manyTies) warnings.push({ key: 'ties', params: { share: share(tied) } })
  if (area.value === 1) warnings.push({ key: 'perfect' })
  return warnings
}
