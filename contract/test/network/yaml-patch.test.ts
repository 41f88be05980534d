import { canonicalDocument } from '@neuroloom/contract/network/document/canonical'
import { type Document, type Node, readDocument } from '@neuroloom/contract/network/document/document'
import { groupNodes } from '@neuroloom/contract/network/edit/blocks'
import {
  addNode,
  changeNode,
  explicit,
  insertOnEdge,
  renameNode,
} from '@neuroloom/contract/network/edit/edit'
import { lineOf, patchYaml, pathAt } from '@neuroloom/contract/network/yaml/patch'
import { writeYaml } from '@neuroloom/contract/network/yaml/write'
import { readYaml } from '@neuroloom/contract/network/yaml/yaml'
import { describe, expect, test } from 'vitest'
import { quickest } from './quickest.ts'
import { makeRandom, makeRandomDocument, type Random } from './random.ts'
import { exampleIds, exampleText, library, makeDocument } from './wire.ts'

const twelve = `# A small network.
dripe: 1
name: small   # shown in lists
task: classification
params: {classes: 4}
inputs: {image: {kind: image, channels: 3, size: [32, 32]}}
nodes:
  # first look
  stem: {op: conv, out: 16,   kernel: 3}   # sixteen are enough
  act: relu
  gap: globalavg   # one number a channel
  out: {op: linear, out: =classes}
heads: {main: {task: classification, from: out}}
`

type Nodes = Map<string, Node>

/** The document of a text after a change of its nodes. */
function changed(text: string, change: (nodes: Nodes) => Nodes, parts: Partial<Document> = {}): string {
  const document = makeDocument(text)
  return patchYaml(text, { ...document, nodes: change(new Map(document.nodes)), ...parts }, library)
}

const node = (op: string, params: Record<string, number | string> = {}, rest: Partial<Node> = {}): Node => ({
  op,
  params: new Map(Object.entries(params)),
  ...rest,
})

const put = (id: string, value: Node) => (nodes: Nodes) => nodes.set(id, value)

const after = (above: string, id: string, value: Node) => (nodes: Nodes) =>
  new Map([...nodes].flatMap((entry) => (entry[0] === above ? [entry, [id, value] as const] : [entry])))

function same(text: string, document: Document): void {
  const { document: again, problems } = readYaml(text)
  expect(problems).toEqual([])
  if (again === null) return
  expect(JSON.stringify(canonicalDocument(again, library))).toBe(
    JSON.stringify(canonicalDocument(document, library)),
  )
}

/** Lines of the first text that the second has no more, and the other way round. */
function difference(before: string, now: string): { gone: string[]; come: string[] } {
  const [old, next] = [before.split('\n'), now.split('\n')]
  return {
    gone: old.filter((line) => !next.includes(line)),
    come: next.filter((line) => !old.includes(line)),
  }
}

describe('a patched text', () => {
  test('keeps ten of twelve lines when two are changed', () => {
    const text = twelve.split('\n').slice(1).join('\n')
    expect(text.trimEnd().split('\n')).toHaveLength(12)
    const now = changed(text, (nodes) =>
      nodes
        .set('stem', node('conv', { out: 32, kernel: 3 }))
        .set('act', node('leaky', { slope: 0.2 }, { in: 'stem' })),
    )
    expect(difference(text, now)).toEqual({
      gone: ['  stem: {op: conv, out: 16,   kernel: 3}   # sixteen are enough', '  act: relu'],
      come: [
        '  stem: {op: conv, out: 32,   kernel: 3}   # sixteen are enough',
        '  act: {op: leaky, slope: 0.2}',
      ],
    })
  })

  test('of an unchanged document is the same text', () => {
    expect(changed(twelve, (nodes) => nodes)).toBe(twelve)
    const explicit = (nodes: Nodes) =>
      put('act', node('relu', {}, { in: ['stem'] }))(put('gap', node('globalavg', {}, { in: 'act' }))(nodes))
    expect(changed(twelve, explicit)).toBe(twelve)
  })

  test('has a new node behind the line of the node before it', () => {
    const now = changed(twelve, (nodes) => {
      const next = after('stem', 'bn', node('bn', {}, { in: ['stem'] }))(nodes)
      return next.set('act', node('relu', {}, { in: ['bn'] }))
    })
    expect(now).toBe(twelve.replace('  act: relu\n', '  bn: bn\n  act: relu\n'))
  })

  test('loses the line and the comment of a removed node, and the next says what it reads', () => {
    const now = changed(twelve, (nodes) => {
      nodes.delete('stem')
      return nodes.set('act', node('relu', {}, { in: 'image' }))
    })
    expect(difference(twelve, now).gone).toHaveLength(2)
    const loose = changed(twelve, (nodes) => nodes.set('gap', node('globalavg', {}, { in: 'stem' })))
    expect(difference(twelve, loose)).toEqual({
      gone: ['  gap: globalavg   # one number a channel'],
      come: ['  gap: {op: globalavg, in: stem}   # one number a channel'],
    })
  })

  test('keeps comments at a renamed node', () => {
    const now = changed(
      twelve,
      (nodes) =>
        new Map(
          [...nodes].map(([id, value]) =>
            id === 'stem' ? ['first', { ...value, was: 'stem' }] : [id, value],
          ),
        ),
    )
    expect(now).toBe(
      twelve.replace(
        'stem: {op: conv, out: 16,   kernel: 3}',
        'first: {op: conv, was: stem, out: 16,   kernel: 3}',
      ),
    )
  })

  test('moves lines with their comments', () => {
    const now = changed(twelve, (nodes) => {
      const [stem, act, ...others] = [...nodes]
      if (stem === undefined || act === undefined) throw new Error('no nodes')
      const first: [string, Node] = ['act', { ...act[1], in: 'image' }]
      return new Map([
        first,
        ['stem', { ...stem[1], in: 'act' }],
        ['gap', node('globalavg', {}, { in: 'stem' })],
        ...others.slice(1),
      ])
    })
    expect(now.split('\n').slice(7, 11)).toEqual([
      '  act: relu',
      '  # first look',
      '  stem: {op: conv, out: 16,   kernel: 3}   # sixteen are enough',
      '  gap: globalavg   # one number a channel',
    ])
  })

  test('has knobs, inputs, heads and blocks in their sections', () => {
    const document = makeDocument(twelve)
    const next: Document = {
      ...document,
      title: 'A title: with a colon',
      params: new Map([...document.params, ['width', { default: 8, min: 1 }]]),
      inputs: new Map([...document.inputs, ['age', { kind: 'vec', channels: 1 }]]),
      blocks: new Map([
        [
          'twice',
          {
            inputs: ['x'],
            params: new Map([['out', { default: 4 }]]),
            nodes: new Map([
              ['a', node('conv', { out: '=out' }, { in: 'x' })],
              ['b', node('relu', {}, { in: 'a' })],
            ]),
          },
        ],
      ]),
      heads: new Map([...document.heads, ['side', { task: 'x', from: 'act' }]]),
    }
    const now = patchYaml(twelve, next, library)
    same(now, next)
    expect(difference(twelve, now)).toEqual({
      gone: [
        'params: {classes: 4}',
        'inputs: {image: {kind: image, channels: 3, size: [32, 32]}}',
        'heads: {main: {task: classification, from: out}}',
      ],
      come: [
        'title: "A title: with a colon"',
        'params: {classes: 4, width: {default: 8, min: 1}}',
        'inputs: {image: {kind: image, channels: 3, size: [32, 32]}, age: {kind: vec}}',
        'blocks:',
        '  twice:',
        '    params: {out: 4}',
        '    nodes:',
        '      a: {op: conv, out: =out}',
        '      b: relu',
        'heads: {main: {task: classification, from: out}, side: {task: x, from: act}}',
      ],
    })
    expect(patchYaml(now, document, library)).toBe(twelve)
  })

  test('is written anew when the old text cannot be read', () => {
    const document = makeDocument(twelve)
    for (const old of ['', 'nodes: [', '- 1', 'dripe: 1\nnodes: !x {}', `${twelve}  \tx: 1\n`]) {
      same(patchYaml(old, document, library), document)
    }
  })
})

describe('every way of writing is kept', () => {
  const json = `${JSON.stringify(
    {
      dripe: 1,
      name: 'a',
      task: 'b',
      inputs: { image: { kind: 'image', channels: 3, size: [8, 8] } },
      nodes: { a: { op: 'conv', out: 8 }, b: 'relu' },
      heads: { main: { task: 'x', from: 'b' } },
    },
    null,
    2,
  )}\n`
  const long = `%HEAD%dripe: 1
name: a
about: |
  Two lines
  # not a comment
task: b
inputs:
    image:
        kind: image   # grey
        channels: 3
        size: [8, 8]
nodes:

    # all of it
    a:
        op: conv  # why

        out: 8    # eight
    # loose

    b: relu
heads:
    main: {task: x,
           from: b}   # end
# last words`
  test.each([
    ['JSON', json],
    ['long maps', long.replace('%HEAD%', '')],
    ['a document mark', long.replace('%HEAD%', '# top\n---\n')],
    ['line ends of Windows', long.replace('%HEAD%', '').replaceAll('\n', '\r\n')],
    ['a byte order mark', long.replace('%HEAD%', '\uFEFF')],
  ])('%s', (_, text) => {
    expect(changed(text, (nodes) => nodes)).toBe(text)
    const one = changed(text, put('a', node('conv', { out: 16 })))
    expect(difference(text, one)).toEqual({
      gone: [expect.stringMatching(/out"?: 8/)],
      come: [expect.stringMatching(/out"?: 16/)],
    })
    expect(changed(one, put('a', node('conv', { out: 8 })))).toBe(text)
    const document = makeDocument(text)
    const more = {
      ...document,
      nodes: new Map(document.nodes).set('c', node('conv', { out: 2 }, { in: 'a' })),
    }
    const two = patchYaml(text, more, library)
    same(two, more)
    expect(difference(text, two).gone.length).toBeLessThanOrEqual(1)
    expect(patchYaml(two, document, library)).toBe(text)
  })
})

describe('places', () => {
  const text = `dripe: 1
name: a
task: b
inputs: {image: {kind: image, channels: 3, size: [8, 8]}, mask: {kind: image, size: [8, 8]}}
blocks:
  up:
    # twice as large
    nodes:
      grow: upsample
      conv: {op: conv,
        out: 4}
nodes:
  a: conv_bn_relu
  # here
  b: {op: up, in: a, repeat: 2}
heads: {main: {task: x, from: b}}
`
  test.each([
    ['a', 13, 3, 13],
    ['a/conv', 13, 3, 13],
    ['b', 15, 3, 15],
    ['b/1/conv', 10, 7, 11],
    ['b/grow', 9, 7, 9],
    ['@mask', 4, 59, 4],
    ['heads.main', 16, 9, 16],
    ['heads.main.0.cls', 16, 9, 16],
  ])('%s stands in line %i, column %i', (path, line, column, endLine) => {
    expect(lineOf(text, path)).toEqual({ line, column, endLine })
  })

  test('what is not there stands nowhere', () => {
    expect(['', 'c', '@x', 'heads.other', 'constructor'].map((path) => lineOf(text, path))).toEqual(
      new Array(5).fill(null),
    )
    expect(lineOf('{nodes: {a: relu}}', 'a')).toEqual({ line: 1, column: 10, endLine: 1 })
  })

  test.each([
    ['name', null],
    ['image: {', '@image'],
    ['mask', '@mask'],
    ['# twice', 'b'],
    ['grow', 'b/grow'],
    ['out: 4', 'b/conv'],
    ['conv_bn', 'a'],
    ['# here', 'b'],
    ['repeat', 'b'],
    ['main', 'heads.main'],
    ['from', 'heads.main'],
  ])('at "%s" stands %s', (word, path) => {
    expect(pathAt(text, text.indexOf(word))).toBe(path)
  })

  test('also in a text that is half typed', () => {
    const half = `${text.slice(0, text.indexOf(', repeat'))}\nheads: {main`
    expect(pathAt(half, half.indexOf('up, in'))).toBe('b')
    expect(pathAt(half, half.length)).toBe(null)
    expect(pathAt('', 0)).toBe(null)
    expect(pathAt('nodes:\n  a: relu', 16)).toBe('a')
  })
})

describe('networks of the literature', () => {
  test.each(exampleIds)('%s: an edit of the canvas changes the lines that it is about', (id) => {
    const text = exampleText(id)
    const document = explicit(makeDocument(text), library)
    expect(patchYaml(text, document, library)).toBe(text)
    const ids = [...document.nodes.keys()]
    const middle = ids[ids.length >> 1] ?? ''
    const lines = (edited: Document): number => {
      const patched = patchYaml(text, edited, library)
      same(patched, edited)
      same(patchYaml(patched, document, library), document)
      return difference(text, patched).come.length
    }
    const noted = changeNode(document, null, middle, { note: 'a note: "x"' })
    expect(lines(noted)).toBe(1)
    expect(patchYaml(patchYaml(text, noted, library), document, library)).toBe(text)
    expect(
      lines(insertOnEdge(document, null, { target: middle, slot: 0 }, 'relu', library).document),
    ).toBeLessThanOrEqual(3)
    expect(
      lines(addNode(document, null, { op: 'tanh', inputs: [middle] }, library).document),
    ).toBeLessThanOrEqual(2)
    const readers = [...document.nodes.values()].filter(({ in: inputs }) =>
      JSON.stringify(inputs).includes(`"${middle}"`),
    )
    const renamed = patchYaml(text, renameNode(document, null, middle, 'renamed'), library)
    same(renamed, renameNode(document, null, middle, 'renamed'))
    expect(difference(text, renamed).come.length).toBeLessThanOrEqual(readers.length + 2)
    const grouped = groupNodes(document, null, ids.slice(1, 3), 'made', library)
    if ('document' in grouped) same(patchYaml(text, grouped.document, library), grouped.document)
  })
})

describe('random documents', () => {
  const random = makeRandom(11)
  const aDocument = (): Document => {
    for (;;) {
      const made = makeRandomDocument(random, library.catalogue, library.std.keys(), 0.95)
      const { document } = readDocument(made)
      if (document !== null) return document
    }
  }

  test('patched into any other document say what it says, and comments stay', () => {
    for (let k = 0; k < 150; k += 1) {
      const document = aDocument()
      const text = commented(random, writeYaml(document, library))
      expect(patchYaml(text, document, library)).toBe(text)
      const edited = randomEdit(random, document)
      const patched = patchYaml(text, edited, library)
      same(patched, edited)
      expect(patched.split('\n').filter((line) => line === '# loose')).toHaveLength(2)
      same(patchYaml(patched, document, library), document)
      const other = aDocument()
      same(patchYaml(text, other, library), other)
    }
  })
})

test('a thousand nodes take no longer than a moment', () => {
  const lines = Array.from({ length: 1000 }, (_, k) => `  n${k}: {op: conv, out: 8} # ${k}`)
  const text = `dripe: 1\nname: a\ntask: b\ninputs: {image: {kind: image, channels: 8, size: [8, 8]}}\nnodes:\n${lines.join('\n')}\n`
  const document = makeDocument(text)
  patchYaml(text, document, library)
  let out = 0
  const edit = () => {
    out += 1
    const nodes = new Map(document.nodes).set('n500', node('conv', { out }, { in: 'n499' }))
    patchYaml(text, { ...document, nodes }, library)
  }
  expect(quickest(edit, 150)).toBeLessThan(150)
})

/** Two comments that belong to no node, and one at the end of every third line. */
function commented(random: Random, text: string): string {
  const lines = text
    .split('\n')
    .map((line) => (random.below(3) === 0 && line !== '' ? `${line}  # why` : line))
  return `# loose\n\n${lines.join('\n')}\n# loose\n`
}

function randomEdit(random: Random, document: Document): Document {
  let nodes = [...document.nodes]
  for (let k = 1 + random.below(4); k > 0; k -= 1) {
    const at = random.below(nodes.length)
    const [id, value] = nodes[at] ?? ['x', node('relu')]
    const fresh = `m${random.below(1000)}`
    const edits: (() => [string, Node][])[] = [
      () => [],
      () => [[id, { ...value, params: new Map([...value.params].slice(1)) }]],
      () => [[id, { ...value, op: 'relu', params: new Map() }]],
      () => [[id, { ...value, in: ['image', id] }]],
      () => [[id, { ...value, in: [] }]],
      () => [[id, { ...value, in: new Map([['x', 'image']]) }]],
      () => [[id, { ...value, note: 'a, b: "c" # d' }]],
      () => [[fresh, { ...value, was: id }]],
      () => [[fresh, value]],
      () => [
        [fresh, node('conv', { out: '=w' }, { in: id })],
        [id, value],
      ],
      () => [
        [id, value],
        [fresh, node('relu', {}, { in: id })],
      ],
    ]
    nodes.splice(at, 1, ...random.pick(edits)())
    if (random.chance(0.2)) nodes.reverse()
    if (nodes.length === 0) nodes = [['only', node('relu')]]
  }
  const params = new Map(document.params)
  if (random.chance(0.3)) params.set('depth', { default: random.pick([1, '=w', true]), min: 0 })
  if (random.chance(0.3)) params.delete('w')
  const blocks = new Map([...document.blocks].filter(() => random.chance(0.7)))
  for (const [name, block] of blocks) {
    const inner = new Map(block.nodes).set('last', node('relu'))
    if (random.chance(0.5)) blocks.set(name, { ...block, nodes: inner, outputs: new Map([['out', 'last']]) })
  }
  const heads = new Map(
    random.chance(0.3) ? [['side', { task: 'x', from: 'image' }] as const] : document.heads,
  )
  return { ...document, params, blocks, heads, nodes: new Map(nodes) }
}
