import { readDocument } from '@neuroloom/contract/network/document/document'
import { type Migration, migrate } from '@neuroloom/contract/network/document/migrate'
import { expect, test } from 'vitest'

const chain = new Map<number, Migration>([
  [1, ({ layers, ...data }) => ({ ...data, nodes: layers })],
  [2, ({ nodes, ...data }) => ({ ...data, nodes, heads: {} })],
])

test('a document goes through every step from its version on', () => {
  const one = { dripe: 1, name: 'a', layers: { b: 'relu' } }
  const three = { dripe: 3, name: 'a', nodes: { b: 'relu' }, heads: {} }
  expect(migrate(one, chain)).toEqual(three)
  expect(migrate({ dripe: 2, name: 'a', nodes: { b: 'relu' } }, chain)).toEqual(three)
  expect(one).toEqual({ dripe: 1, name: 'a', layers: { b: 'relu' } })
})

test('what is no document, or newer, is left to the reader', () => {
  for (const value of [null, 3, 'x', [], {}, { dripe: '1' }, { dripe: 3 }, { dripe: 1.5 }, { dripe: -1 }]) {
    expect(migrate(value, chain)).toBe(value)
  }
  expect(readDocument({ dripe: 2 }).problems).toMatchObject([{ code: 'newer_version', data: { version: 2 } }])
})
