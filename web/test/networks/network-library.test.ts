import { templates } from '@neuroloom/contract/network/templates'
import { expect, test } from 'vitest'
import { loadLibrary } from '../../src/features/networks/library.ts'

test('layers, blocks and every network are read once', async () => {
  const library = await loadLibrary()
  expect([...library.networks.keys()].sort()).toEqual(templates.map(({ id }) => id).sort())
  expect(library.catalogue.has('conv')).toBe(true)
  expect(library.std.has('res_basic')).toBe(true)
  expect(await loadLibrary()).toBe(library)
})
