import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { type Division, divide } from './split.ts'

const python = process.env.ENGINE_PYTHON ?? '/usr/bin/python3'
const engine = fileURLToPath(new URL('../../../../engine', import.meta.url))
const program = `
import json, sys
from neuroloom_engine.data.split import split
from neuroloom_engine.spec import Item, parse_validation
for case in json.load(sys.stdin):
    items = [Item(str(n), 'n', 'p', None, i['class'], i['group'], None if i['labels'] is None else tuple(i['labels']), None, i['part'])
             for n, i in enumerate(case['items'])]
    (parts,) = split(items, parse_validation(case['validation']))
    print(json.dumps({'train': parts.train, 'validation': parts.validation, 'test': parts.test}))
`

type Part = 'train' | 'validation' | 'test' | null
const givenBy = (index: number): Part => (index % 5 === 0 ? 'test' : 'train')
const itemsOf = (count: number, of: { groups: number; labels?: boolean; part?: (index: number) => Part }) =>
  Array.from({ length: count }, (_, index) => ({
    class: of.labels ? null : (index * 7) % 3,
    labels: of.labels ? [index % 4, 4 + (index % 3)].filter((label) => label !== 3) : null,
    group: `patient ${(index * 13) % of.groups}`,
    part: of.part?.(index) ?? null,
  }))

const holdout = { method: 'holdout', train: 4, test: 1, seed: 7 } as const
const given = { method: 'given', seed: 7 } as const
const cases = [
  { items: itemsOf(100, { groups: 100 }), validation: holdout },
  { items: itemsOf(83, { groups: 19 }), validation: { ...holdout, train: 3, test: 2, seed: 11 } },
  { items: itemsOf(60, { groups: 60, labels: true }), validation: holdout },
  { items: itemsOf(12, { groups: 3 }), validation: holdout },
  { items: itemsOf(50, { groups: 50, part: givenBy }), validation: given },
  {
    items: itemsOf(40, { groups: 10, part: (index) => (index % 10 === 0 ? 'test' : 'train') }),
    validation: given,
  },
  {
    items: itemsOf(9, {
      groups: 9,
      part: (index) => (['train', 'validation', 'test'] as const)[index % 3] ?? null,
    }),
    validation: given,
  },
  {
    items: itemsOf(20, { groups: 2, part: (index) => ((index * 13) % 2 === 0 ? 'train' : 'test') }),
    validation: given,
  },
]

it('divides data as the engine does, to the item', () => {
  const env = { ...process.env, PYTHONPATH: engine }
  const lines = execFileSync(python, ['-c', program], { input: JSON.stringify(cases), env, encoding: 'utf8' })
  const expected = lines
    .trim()
    .split('\n')
    .map((line): Division => JSON.parse(line))
  expect(cases.map(({ items, validation }) => divide(items, validation))).toEqual(expected)
  expect(expected[0]?.test).toHaveLength(21)
})
