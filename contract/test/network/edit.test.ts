import type { Document } from '@neuroloom/contract/network/document/document'
import {
  addNode,
  changeNode,
  connect,
  disconnect,
  duplicateNodes,
  explicit,
  insertOnEdge,
  removeNodes,
  renameNode,
  siblingsOf,
  swapOp,
  wouldLoop,
} from '@neuroloom/contract/network/edit/edit'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { writeYaml } from '@neuroloom/contract/network/yaml/write'
import { readYaml } from '@neuroloom/contract/network/yaml/yaml'
import { describe, expect, test } from 'vitest'
import { quickest } from './quickest.ts'
import { library, makeNetwork } from './wire.ts'

const chain = { a: { op: 'conv', out: 8 }, b: 'bn', c: 'relu', d: { op: 'add', in: ['a', 'c'] } }
const heads = { main: { task: 'x', from: 'd' } }
const twoPorts = { inputs: ['x', 'skip'], nodes: { s: { op: 'add', in: ['x', 'skip'] } } }

const make = (nodes: object = chain, parts: object = { heads }) =>
  explicit(makeNetwork({ nodes, ...parts }), library)

/** Inputs of each node as they are in the document: `{a: ['image']}`. */
function wiresOf({ nodes }: Pick<Document, 'nodes'>) {
  return Object.fromEntries([...nodes].map(([id, { in: inputs }]) => [id, inputs]))
}

function block(document: Document, name: string) {
  const found = document.blocks.get(name)
  if (found === undefined) throw new Error(`no block ${name}`)
  return found
}

describe('explicit', () => {
  test('writes what was left out, and lists where ports were named', () => {
    const document = make({
      a: 'relu',
      b: { op: 'resize_like', in: { ref: 'image', x: 'a' } },
      c: { op: 'add', in: { one: 'a', two: 'image' } },
      d: { op: 'resize_like', in: { ref: 'a' } },
    })
    const gap = new Map([['ref', 'a']])
    expect(wiresOf(document)).toEqual({ a: ['image'], b: ['a', 'image'], c: ['a', 'image'], d: gap })
    expect(explicit(document, library)).toBe(document)
  })

  test('does so inside blocks, too', () => {
    const document = make({}, { blocks: { own: { inputs: ['x', 'skip'], nodes: { a: 'relu', b: 'bn' } } } })
    expect(wiresOf(block(document, 'own'))).toEqual({ a: ['skip'], b: ['a'] })
  })

  test('nothing connected and free ports survive YAML', () => {
    const document = make({ a: { op: 'conv', in: [] }, b: { op: 'resize_like', in: { ref: 'a' } } })
    const text = writeYaml(document, library)
    expect(text).toContain('a: {op: conv, in: []}')
    expect(text).toContain('b: {op: resize_like, in: {ref: a}}')
    const again = readYaml(text).document
    expect(again === null ? null : wiresOf(explicit(again, library))).toEqual(wiresOf(document))
    expect(resolve(document, library).errors.map(({ code, node }) => [code, node])).toContainEqual([
      'input_missing',
      'a',
    ])
  })
})

describe('adding', () => {
  test('takes the name of the layer, then numbers; names of inputs and parameters are taken', () => {
    let document = make({}, { params: { bn: 1 } })
    const ids: string[] = []
    for (const op of ['conv', 'conv', 'conv', 'bn', 'relu6', 'relu6']) {
      const added = addNode(document, null, { op }, library)
      document = added.document
      ids.push(added.id)
    }
    expect(ids).toEqual(['conv', 'conv2', 'conv3', 'bn2', 'relu6', 'relu6_2'])
    expect(wiresOf(document).conv).toEqual([])
  })

  test('connects inputs in port order and stands behind them', () => {
    const { document, id } = addNode(make(), null, { op: 'resize_like', inputs: ['missing', 'a'] }, library)
    expect(document.nodes.get(id)?.in).toEqual(new Map([['ref', 'a']]))
    expect([...document.nodes.keys()]).toEqual(['a', 'resize_like', 'b', 'c', 'd'])
    const both = addNode(make(), null, { op: 'add', inputs: ['a', 'image', 'c'] }, library)
    expect(both.document.nodes.get('add')?.in).toEqual(['a', 'image', 'c'])
  })

  test('never changes what a block gives', () => {
    const document = make(
      { a: 'own' },
      { blocks: { own: { nodes: { first: 'bn', last: 'relu' } } }, heads: {} },
    )
    const added = addNode(document, 'own', { op: 'conv', inputs: ['last'] }, library)
    expect([...block(added.document, 'own').nodes.keys()]).toEqual(['first', 'conv', 'last'])
  })

  test('a reference to nothing is not healed by a new node of that name', () => {
    const document = make({ a: { op: 'relu', in: 'conv' } })
    expect(addNode(document, null, { op: 'conv' }, library).id).toBe('conv2')
    expect(addNode(document, null, { op: 'conv', id: 'conv' }, library).id).toBe('conv')
  })

  test('refuses what could not be written', () => {
    const document = make()
    for (const op of ['', 'Bad', '__proto__', 'a b']) {
      expect(addNode(document, null, { op }, library)).toEqual({ document, id: '' })
    }
    expect(addNode(document, 'none', { op: 'conv' }, library).id).toBe('')
    const params = new Map([['note', 'x']])
    expect(addNode(document, null, { op: 'conv', params }, library).id).toBe('')
  })
})

describe('inserting on an edge', () => {
  test.each([
    ['a node', { target: 'd', slot: 1 }, { relu: ['c'], d: ['a', 'relu'] }],
    ['an input', { target: 'a', slot: 0 }, { relu: ['image'], a: ['relu'] }],
    ['a place without an edge', { target: 'd', slot: 2 }, { relu: [], d: ['a', 'c', 'relu'] }],
  ])('%s', (_, place, wires) => {
    const { document, id } = insertOnEdge(make(), null, place, 'relu', library)
    expect(id).toBe('relu')
    expect(wiresOf(document)).toMatchObject(wires)
  })

  test('before a head, and before what a block gives', () => {
    const before = insertOnEdge(make(), null, { target: 'heads.main', slot: 0 }, 'softmax', library)
    expect(before.document.heads.get('main')?.from).toBe('softmax')
    expect(wiresOf(before.document).softmax).toEqual(['d'])
    const blocks = { own: { nodes: { a: 'bn', b: 'relu' } } }
    const last = insertOnEdge(
      make(chain, { blocks }),
      'own',
      { target: 'outputs.', slot: 0 },
      'tanh',
      library,
    )
    expect([...block(last.document, 'own').nodes.keys()]).toEqual(['a', 'b', 'tanh'])
    expect(wiresOf(block(last.document, 'own')).tanh).toEqual(['b'])
  })

  test('nowhere changes nothing', () => {
    const document = make()
    for (const place of [
      { target: 'none', slot: 0 },
      { target: 'a', slot: 1 },
      { target: 'heads.none', slot: 0 },
    ]) {
      expect(insertOnEdge(document, null, place, 'relu', library)).toEqual({ document, id: '' })
    }
  })
})

describe('removing', () => {
  test('readers, heads and outputs go on with what came before', () => {
    const document = removeNodes(make(), null, ['b', 'c', 'd'], library)
    expect(wiresOf(document)).toEqual({ a: ['image'] })
    expect(document.heads.get('main')?.from).toBe('a')
  })

  test('where nothing is left, the port is free and a list is shorter', () => {
    const nodes = {
      a: { op: 'relu', in: [] },
      b: { op: 'resize_like', in: ['a', 'image'] },
      c: { op: 'add', in: ['a', 'b', 'a'] },
    }
    const document = removeNodes(make(nodes), null, ['a'], library)
    expect(wiresOf(document)).toEqual({ b: new Map([['ref', 'image']]), c: ['b'] })
  })

  test('follows removed nodes that feed each other no further than once round', () => {
    const nodes = { a: { op: 'relu', in: 'b' }, b: { op: 'relu', in: 'a' }, c: { op: 'relu', in: 'b' } }
    expect(wiresOf(removeNodes(make(nodes), null, ['a', 'b'], library))).toEqual({ c: [] })
  })

  test('nobody shares the weights of a removed node', () => {
    const nodes = { a: { op: 'conv', out: 3 }, b: { op: 'conv', out: 3, share: 'a' } }
    expect(removeNodes(make(nodes), null, ['a'], library).nodes.get('b')?.share).toBeUndefined()
  })

  test('a block gives what its last node was given', () => {
    const nodes = { a: 'bn', side: { op: 'relu', in: 'x' }, last: { op: 'relu', in: 'a' } }
    const document = make({ u: 'own' }, { blocks: { own: { nodes } } })
    const { nodes: left } = block(removeNodes(document, 'own', ['last'], library), 'own')
    expect([...left.keys()]).toEqual(['side', 'a'])
    const through = block(removeNodes(document, 'own', ['last', 'a'], library), 'own')
    expect(through.outputs).toEqual(new Map([['out', 'x']]))
    expect(block(removeNodes(document, 'own', Object.keys(nodes), library), 'own').nodes.size).toBe(0)
  })
})

describe('connecting', () => {
  const base = make({ ...chain, r: { op: 'resize_like', in: [] } }, { heads, blocks: { two: twoPorts } })
  test.each([
    ['replaces at a fixed port', { source: 'image', target: 'b', slot: 0 }, { b: ['image'] }],
    ['fills a later port alone', { source: 'a', target: 'r', slot: 1 }, { r: new Map([['ref', 'a']]) }],
    ['replaces in a list', { source: 'b', target: 'd', slot: 0 }, { d: ['b', 'c'] }],
    ['appends to a list', { source: 'b', target: 'd', slot: 7 }, { d: ['a', 'c', 'b'] }],
  ])('%s', (_, edge, wires) => {
    expect(wiresOf(connect(base, null, edge, library))).toMatchObject(wires)
  })

  test.each([
    ['a loop', { source: 'd', target: 'a', slot: 0 }],
    ['itself', { source: 'a', target: 'a', slot: 0 }],
    ['an unknown source', { source: 'none', target: 'a', slot: 0 }],
    ['an unknown target', { source: 'a', target: 'none', slot: 0 }],
    ['a port that is not there', { source: 'image', target: 'b', slot: 1 }],
    ['no number of a port', { source: 'image', target: 'b', slot: Number.NaN }],
    ['a port before the first', { source: 'image', target: 'b', slot: -1 }],
  ])('refuses %s', (_, edge) => {
    expect(connect(base, null, edge, library)).toBe(base)
  })

  test('a full list takes no more', () => {
    const inputs = Array.from({ length: 16 }, () => 'image')
    const full = make({ a: { op: 'add', in: inputs }, b: 'relu' }, {})
    expect(connect(full, null, { source: 'image', target: 'a', slot: 16 }, library)).toBe(full)
  })

  test('knows loops through shared weights, too', () => {
    const nodes = {
      a: { op: 'conv', in: 'image', share: 'b' },
      b: { op: 'conv', in: 'image' },
      c: { op: 'relu', in: 'a' },
    }
    expect(wouldLoop(make(nodes), null, { source: 'c', target: 'b' })).toBe(true)
    expect(wouldLoop(make(nodes), null, { source: 'b', target: 'c' })).toBe(false)
  })

  test('disconnecting frees the port, or shortens the list', () => {
    const filled = connect(
      connect(base, null, { source: 'a', target: 'r', slot: 0 }, library),
      null,
      { source: 'b', target: 'r', slot: 1 },
      library,
    )
    expect(wiresOf(disconnect(filled, null, { target: 'r', slot: 0 }, library)).r).toEqual(
      new Map([['ref', 'b']]),
    )
    expect(wiresOf(disconnect(filled, null, { target: 'r', slot: 1 }, library)).r).toEqual(['a'])
    expect(wiresOf(disconnect(base, null, { target: 'd', slot: 0 }, library)).d).toEqual(['c'])
    expect(disconnect(base, null, { target: 'r', slot: 0 }, library)).toBe(base)
    expect(disconnect(base, null, { target: 'd', slot: 9 }, library)).toBe(base)
  })
})

describe('changing', () => {
  test('sets and takes back', () => {
    const set = changeNode(make(), null, 'a', {
      params: new Map([['kernel', 5]]),
      repeat: 2,
      note: 'n',
      off: '=i==0',
    })
    const { params, ...frame } = set.nodes.get('a') ?? { params: new Map() }
    expect(params).toEqual(
      new Map([
        ['out', 8],
        ['kernel', 5],
      ]),
    )
    expect(frame).toEqual({ op: 'conv', in: ['image'], repeat: 2, note: 'n', off: '=i==0' })
    const back = changeNode(set, null, 'a', {
      params: new Map([['kernel', undefined]]),
      repeat: undefined,
      note: '',
      off: false,
    })
    expect(back).toEqual(make())
  })

  test.each([
    ['an unknown node', 'none', { note: 'x' }],
    ['a text without end', 'a', { note: 'x'.repeat(2001) }],
    ['a number that is none', 'a', { params: new Map([['out', Number.NaN]]) }],
    ['a setting called like a key of nodes', 'a', { params: new Map([['op', 'x']]) }],
    ['a name that is no id', 'a', { params: new Map([['__proto__', 1]]) }],
    ['a repeat that is no rule', 'a', { repeat: 'often' }],
    ['weights of a node that is not there', 'a', { share: 'none' }],
    ['its own weights', 'a', { share: 'a' }],
    ['weights of a node that needs it', 'a', { share: 'd' }],
  ])('refuses %s', (_, id, change) => {
    const document = make()
    expect(changeNode(document, null, id, change)).toBe(document)
  })
})

describe('renaming', () => {
  const nodes = {
    ...chain,
    e: { op: 'conv', in: { x: 'd' }, share: 'a' },
    f: { op: 'own', in: 'a' },
    g: { op: 'add', in: ['f.left', 'f'] },
  }
  const blocks = { own: { nodes: { p: 'relu', q: 'bn' }, outputs: { left: 'p', right: 'q' } } }
  const document = make(nodes, {
    blocks,
    heads: { main: { task: 'x', from: [{ cls: 'a', box: 'f.right' }] } },
  })

  test('every reference follows, order stays, the old id is kept once', () => {
    const first = renameNode(renameNode(document, null, 'a', 'stem'), null, 'f', 'split')
    expect([...first.nodes.keys()]).toEqual(['stem', 'b', 'c', 'd', 'e', 'split', 'g'])
    expect(wiresOf(first)).toMatchObject({
      b: ['stem'],
      d: ['stem', 'c'],
      split: ['stem'],
      g: ['split.left', 'split'],
    })
    expect(first.nodes.get('e')?.share).toBe('stem')
    expect(first.heads.get('main')?.from).toEqual([
      new Map([
        ['cls', 'stem'],
        ['box', 'split.right'],
      ]),
    ])
    const again = renameNode(first, null, 'stem', 'start')
    expect(again.nodes.get('start')?.was).toBe('a')
    expect(renameNode(again, null, 'start', 'a').nodes.get('a')?.was).toBeUndefined()
    expect(writeYaml(again, library)).toContain('start: {op: conv, was: a, out: 8}')
  })

  test('outputs of a block follow', () => {
    expect(block(renameNode(document, 'own', 'p', 'first'), 'own').outputs?.get('left')).toBe('first')
  })

  test.each(['b', 'image', 'Bad', '', 'constructor!', 'in'])('refuses %s', (next) => {
    expect(renameNode(document, null, 'a', next)).toBe(document)
  })
})

describe('swapping', () => {
  test('keeps inputs and common settings that are possible there', () => {
    const nodes = {
      a: { op: 'conv', out: 8, kernel: 5, pad: 'auto', mode: 'reflect', bias: false },
      b: { op: 'conv', share: 'a' },
    }
    const swapped = swapOp(make(nodes), null, 'a', 'deconv', library)
    expect(swapped.nodes.get('a')).toEqual({
      op: 'deconv',
      in: ['image'],
      params: new Map<string, unknown>([
        ['out', 8],
        ['kernel', 5],
        ['bias', false],
      ]),
    })
    expect(swapped.nodes.get('b')?.share).toBeUndefined()
  })

  test('keeps as many inputs as there are ports, and readers of ports that are gone', () => {
    const blocks = { own: { nodes: { p: 'relu' }, outputs: { left: 'p' } } }
    const nodes = {
      a: 'relu',
      b: { op: 'add', in: ['a', 'image', 'a'] },
      c: 'own',
      d: { op: 'relu', in: 'c.left' },
    }
    const document = make(nodes, { blocks })
    expect(wiresOf(swapOp(document, null, 'b', 'sub', library)).b).toEqual(['a', 'image'])
    expect(wiresOf(swapOp(document, null, 'c', 'tanh', library)).d).toEqual(['c'])
  })

  test.each([
    ['conv', ['dwconv', 'deconv'], ['linear']],
    ['maxpool', ['avgpool', 'globalavg', 'adaptmax'], ['conv']],
    ['relu', ['silu', 'sigmoid', 'softmax'], ['bn']],
    ['bn', ['gn', 'ln', 'inorm'], ['dropout']],
    ['add', ['concat', 'mul', 'sub'], ['scale']],
    ['resize', ['upsample', 'pixelshuffle'], ['resize_like', 'flatten', 'to_tokens']],
    ['cls_token', ['pos_embed', 'attention', 'lstm'], ['take_token', 'window_attention']],
    ['none', [], ['conv']],
  ])('%s has kin', (op, kin, strangers) => {
    const siblings = siblingsOf(op, library)
    expect(siblings).toEqual(expect.arrayContaining(kin))
    for (const stranger of [...strangers, op]) expect(siblings).not.toContain(stranger)
  })
})

test('copies read each other where both were copied, and the originals else', () => {
  const nodes = { ...chain, e: { op: 'conv', in: 'd', out: 8, share: 'a', was: 'old' }, conv1: 'relu' }
  const { document, ids } = duplicateNodes(make(nodes), null, ['c', 'd', 'e', 'conv1', 'none'], library)
  expect(ids).toEqual(['c2', 'd2', 'e2', 'conv2'])
  expect(wiresOf(document)).toMatchObject({ c2: ['b'], d2: ['a', 'c2'], e2: ['d2'], conv2: ['e2'] })
  expect(document.nodes.get('e2')).toMatchObject({ share: 'a' })
  expect(document.nodes.get('e2')?.was).toBeUndefined()
  expect(document.heads).toEqual(make().heads)
})

test('an edit among a thousand nodes takes no longer than a moment', () => {
  const nodes = Object.fromEntries(
    Array.from({ length: 1000 }, (_, k) => [
      `n${k}`,
      k % 3 === 2 ? { op: 'add', in: [`n${k - 1}`, `n${k - 2}`] } : { op: 'conv', out: 8 },
    ]),
  )
  const document = make(nodes, { heads: { main: { task: 'x', from: 'n999' } } })
  const runs = [
    () => addNode(document, null, { op: 'conv', inputs: ['n500'] }, library),
    () => removeNodes(document, null, ['n500'], library),
    () => connect(document, null, { source: 'n0', target: 'n998', slot: 0 }, library),
    () => renameNode(document, null, 'n0', 'first'),
    () => duplicateNodes(document, null, Object.keys(nodes), library),
  ]
  // 0.3 to 2 ms here; a shared machine may be ten times slower.
  for (const run of runs) expect(quickest(run, 20)).toBeLessThan(20)
})
