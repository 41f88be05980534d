import type { FileFacts } from '@neuroloom/contract/engine'
import { expect, it } from 'vitest'
import { regionsOf } from './regions.ts'

const facts = (values: Record<string, number> | null, width = 10): FileFacts => ({
  ...{ format: 'png', width, height: 10, depth: null, spacing: null, orientation: null },
  ...{ channels: 1, bits: 8, mean: 0.5, std: 0.1, values },
})
const found = (masks: FileFacts[]) => {
  const pairs = masks.map((_, index) => ({
    ...{ image: `i${index}`, label: `l${index}`, region: `r${index}`, facts: facts(null) },
  }))
  const check = (path: string) => ({ facts: masks[Number(path.slice(1))] ?? facts(null), reason: null })
  return [...regionsOf(pairs, { sha256: (path) => path, check })]
}

it('a field of view covers much of each picture, and about the same', () => {
  expect(found([facts({ '0': 30, '255': 70 }), facts({ '0': 28, '1': 72 })])).toEqual([
    ['i0', 'r0'],
    ['i1', 'r1'],
  ])
})

it.each([
  ['small areas', [facts({ '0': 95, '255': 5 }), facts({ '0': 96, '255': 4 })]],
  ['areas of any size', [facts({ '0': 10, '255': 90 }), facts({ '0': 60, '255': 40 })]],
])('masks with %s are none', (_, masks) => {
  expect(found(masks)).toEqual([])
})

it('one of another size than its picture is left out', () => {
  expect(found([facts({ '0': 30, '255': 70 }), facts({ '0': 30, '255': 70 }, 12)])).toEqual([['i0', 'r0']])
})
