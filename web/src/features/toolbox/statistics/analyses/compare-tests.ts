import { type Comparison, compareRight } from '@neuroloom/contract/statistics/mcnemar'
import { formatNumber } from '../../../../lib/format.ts'
import { beneath, chance, few, type Outcome, type Row, rowOf, type Said, share, shares } from '../answer.ts'
import type { Settings } from '../settings.ts'
import type { Table } from '../table.ts'
import { isProblem, prepare } from './prepared.ts'

export function compareTestsIn(table: Table, settings: Settings): Outcome {
  const prepared = prepare(table, settings, ['truth', 'first', 'second'])
  if (isProblem(prepared)) return prepared
  const { rows, names, warnings } = prepared
  const of = (isIll: boolean): Comparison | null => {
    const pairs = { both: 0, first: 0, second: 0, neither: 0 }
    for (const [truth, one, other] of rows) {
      if ((truth === settings.yes.truth) !== isIll) continue
      // Right: finds the ill, leaves the healthy alone.
      const right = [one === settings.yes.first, other === settings.yes.second].map((says) => says === isIll)
      if (right[0]) pairs[right[1] ? 'both' : 'first'] += 1
      else pairs[right[1] ? 'second' : 'neither'] += 1
    }
    return compareRight(pairs)
  }
  const sides = { sensitivity: of(true), specificity: of(false) }
  const called = { first: names[1] ?? '', second: names[2] ?? '' }
  const told = (['sensitivity', 'specificity'] as const).flatMap((name) => {
    const side = sides[name]
    return side === null ? [] : [{ name, side }]
  })
  for (const { name, side } of told)
    if (side.total < few)
      warnings.push({ key: `few.${name}`, params: { count: side.total, shown: formatNumber(side.total) } })
  if (sides.sensitivity === null) warnings.push({ key: 'noIll' })
  if (sides.specificity === null) warnings.push({ key: 'noHealthy' })
  return {
    sentences: told.map(({ name, side }) => sentence(name, side, called)),
    rows: told.flatMap(({ name, side }) => rowsOf(name, side)),
    warnings,
    figure: null,
  }
}

type Name = 'sensitivity' | 'specificity'

function sentence(
  name: Name,
  { pairs, total, difference, p }: Comparison,
  called: { first: string; second: string },
): Said {
  const verdict = p < beneath ? (difference.value > 0 ? 'first' : 'second') : 'unclear'
  return {
    key: `compare.${name}.${verdict}`,
    params: {
      ...called,
      total: formatNumber(total),
      ofFirst: formatNumber(pairs.both + pairs.first),
      ofSecond: formatNumber(pairs.both + pairs.second),
      apart: formatNumber(pairs.first + pairs.second),
      ...shares(difference),
      p: chance(p),
      share: share(Math.abs(difference.value)),
    },
  }
}

const rowsOf = (name: Name, { difference, p }: Comparison): Row[] => [
  rowOf(`difference.${name}`, difference, {
    as: 'share',
    method: 'newcombe',
    paper: 'Newcombe 1998, Stat Med 17:2635',
  }),
  { name: `p.${name}`, value: p, as: 'p', method: 'mcnemar', paper: 'McNemar 1947, Psychometrika 12:153' },
]
