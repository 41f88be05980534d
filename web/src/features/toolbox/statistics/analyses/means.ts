import {
  type MeanDifference,
  mannWhitney,
  pairedMeans,
  separateMeans,
} from '@neuroloom/contract/statistics/means'
import { formatNumber } from '../../../../lib/format.ts'
import {
  beneath,
  chance,
  few,
  number,
  numbers,
  type Outcome,
  type Row,
  rowOf,
  type Said,
  share,
} from '../answer.ts'
import type { Settings } from '../settings.ts'
import { inOrder, type Table } from '../table.ts'
import { isProblem, numbersIn, prepare } from './prepared.ts'

export function meansIn(table: Table, settings: Settings): Outcome {
  return settings.pairing === 'same' ? paired(table, settings) : grouped(table, settings)
}

function paired(table: Table, settings: Settings): Outcome {
  const prepared = prepare(table, settings, ['first', 'second'])
  if (isProblem(prepared)) return prepared
  const [first, second] = [numbersIn(prepared, 0), numbersIn(prepared, 1)]
  if (isProblem(first)) return first
  if (isProblem(second)) return second
  const found = pairedMeans(first.map((value, k) => [value, second[k] ?? 0] as const))
  if (found === null) return { problem: { key: 'twoEach' } }
  const [one = '', other = ''] = prepared.names
  const paper = 'Student 1908, Biometrika 6:1'
  return {
    sentences: [meanSentence(found, [one, other])],
    rows: rowsOf(found, 'pairedT', paper),
    warnings: [...prepared.warnings, ...tooFew(found)],
    figure: null,
  }
}

function grouped(table: Table, settings: Settings): Outcome {
  const prepared = prepare(table, settings, ['value', 'group'])
  if (isProblem(prepared)) return prepared
  const values = numbersIn(prepared, 0)
  if (isProblem(values)) return values
  const groups = inOrder([...new Set(prepared.rows.map((row) => row[1] ?? ''))])
  const [one, other] = groups
  if (groups.length !== 2 || one === undefined || other === undefined)
    return { problem: { key: 'twoGroups', params: { count: groups.length } } }
  const of = (name: string): number[] => values.filter((_, k) => prepared.rows[k]?.[1] === name)
  const found = separateMeans(of(one), of(other))
  const ranks = mannWhitney(of(one), of(other))
  if (found === null || ranks === null) return { problem: { key: 'twoEach' } }
  const rank: Row = {
    ...{ name: 'p.ranks', value: ranks.p, as: 'p', method: `mannWhitney.${ranks.way}` },
    paper: 'Mann & Whitney 1947, Ann Math Stat 18:50',
  }
  return {
    sentences: [
      meanSentence(found, [one, other]),
      {
        key: ranks.p < beneath ? 'ranks.clear' : 'ranks.unclear',
        params: { first: one, second: other, share: share(ranks.share), p: chance(ranks.p) },
      },
    ],
    rows: [
      ...rowsOf(found, 'welch', 'Welch 1947, Biometrika 34:28'),
      { ...rank, name: 'u', value: ranks.u, as: 'number' },
      rank,
    ],
    warnings: [...prepared.warnings, ...tooFew(found)],
    figure: null,
  }
}

function meanSentence(
  { first, second, difference, p }: MeanDifference,
  [one, other]: [string, string],
): Said {
  return {
    key: p < beneath ? 'means.clear' : 'means.unclear',
    params: {
      first: one,
      second: other,
      ofFirst: number(first.mean),
      ofSecond: number(second.mean),
      ...numbers(difference),
      p: chance(p),
    },
  }
}

const rowsOf = (
  { first, second, difference, t, p }: MeanDifference,
  method: string,
  paper: string,
): Row[] => [
  { name: 'mean.first', value: first.mean, as: 'number', method, paper },
  { name: 'mean.second', value: second.mean, as: 'number', method, paper },
  rowOf('difference.means', difference, { as: 'number', method, paper }),
  { name: 't', value: t, as: 'number', method, paper },
  { name: 'p.means', value: p, as: 'p', method, paper },
]

function tooFew({ first, second }: MeanDifference): Said[] {
  const count = Math.min(first.count, second.count)
  return count < few ? [{ key: 'fewMeans', params: { count, shown: formatNumber(count) } }] : []
}
