import type { Document } from '@neuroloom/contract/network/document/document'
import { formerNames } from '@neuroloom/contract/network/document/former-names'
import { explicit, renameNode } from '@neuroloom/contract/network/edit/edit'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { writeYaml } from '@neuroloom/contract/network/yaml/write'
import { readYaml } from '@neuroloom/contract/network/yaml/yaml'
import { describe, expect, test } from 'vitest'
import { library, makeNetwork } from './wire.ts'

const drawn = explicit(
  makeNetwork({
    nodes: {
      stem: { op: 'conv', out: 8 },
      act: 'relu',
      stage: { op: 'pair', repeat: 2 },
      last: { op: 'conv', out: 8 },
    },
    blocks: { pair: { inputs: ['x'], nodes: { one: { op: 'conv', out: 8 }, two: 'bn' } } },
    heads: { main: { task: 'x', from: 'last' } },
  }),
  library,
)

function named(document: Document) {
  const { plan } = resolve(document, library)
  if (plan === null) throw new Error('no plan')
  return { document, plan }
}
const former = (now: Document, earlier: Document) => formerNames(named(now), named(earlier))
const rename = (document: Document, ...[id, next]: [string, string]) => renameNode(document, null, id, next)

describe('layers under their earlier names', () => {
  test('none where nothing was renamed', () => {
    expect(former(drawn, drawn)).toEqual({})
  })

  test('a renamed layer, and one renamed several times', () => {
    const once = rename(drawn, 'stem', 'entry')
    expect(former(once, drawn)).toEqual({ entry: 'stem' })
    const twice = rename(once, 'entry', 'first')
    expect(former(twice, drawn)).toEqual({ first: 'stem' })
    expect(former(twice, once)).toEqual({ first: 'entry' })
    expect(former(drawn, twice)).toEqual({ stem: 'first' })
    expect(former(rename(twice, 'first', 'stem'), twice)).toEqual({ stem: 'first' })
  })

  test('everything inside a use of a block that was renamed, and a layer of the block', () => {
    const outer = rename(drawn, 'stage', 'body')
    expect(former(outer, drawn)).toEqual({
      'body/0/one': 'stage/0/one',
      'body/0/two': 'stage/0/two',
      'body/1/one': 'stage/1/one',
      'body/1/two': 'stage/1/two',
    })
    const inner = renameNode(outer, 'pair', 'one', 'filter')
    expect(former(inner, drawn)).toMatchObject({
      'body/1/filter': 'stage/1/one',
      'body/1/two': 'stage/1/two',
    })
  })

  test('a new layer under the old name does not hide it', () => {
    const moved = rename(rename(drawn, 'stem', 'entry'), 'last', 'stem')
    expect(former(moved, drawn)).toEqual({ entry: 'stem', stem: 'last' })
    expect(former(moved, moved)).toEqual({})
  })

  test('they survive the text', () => {
    const { document } = readYaml(writeYaml(rename(drawn, 'stem', 'entry'), library))
    expect(document && former(document, drawn)).toEqual({ entry: 'stem' })
  })
})
