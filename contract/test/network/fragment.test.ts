import { type Document, networkLimits } from '@neuroloom/contract/network/document/document'
import { copyFragment, pasteFragment } from '@neuroloom/contract/network/document/fragment'
import { explicit } from '@neuroloom/contract/network/edit/edit'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { describe, expect, test } from 'vitest'
import { builtIn, library, makeNetwork } from './wire.ts'

const make = (parts: Record<string, unknown>) => explicit(makeNetwork(parts), library)
const fragment = (lines: string) => `dripe: 1\nfragment: true\n${lines}\n`

function pasted(document: Document, text: string, scope: string | null = null) {
  const result = pasteFragment(document, scope, text, library)
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  return result
}

const wiresOf = ({ nodes }: Pick<Document, 'nodes'>) =>
  Object.fromEntries([...nodes].map(([id, { in: inputs }]) => [id, inputs]))

describe('copying', () => {
  const document = make({
    params: { width: 8, twice: '=2*width', unused: 1 },
    blocks: {
      inner: { nodes: { a: 'relu' } },
      outer: {
        inputs: ['x', 'y'],
        params: { n: 4 },
        nodes: { p: { op: 'inner', in: 'x' }, q: { op: 'add', in: ['p', 'y'] } },
      },
      other: { nodes: { a: 'bn' } },
    },
    nodes: {
      a: { op: 'conv', out: '=twice', was: 'stem', note: 'first\n"line"' },
      b: { op: 'outer', in: { y: 'a' }, n: 6 },
      c: 'relu',
      d: 'bn',
    },
  })

  test('writes the nodes, what they read, and what they need', () => {
    expect(copyFragment(document, null, ['b', 'a', 'c', 'none'], library)).toBe(
      [
        'dripe: 1',
        'fragment: true',
        'params:',
        '  width: 8',
        '  twice: =2*width',
        'blocks:',
        '  inner:',
        '    nodes:',
        '      a: relu',
        '  outer:',
        '    inputs: [x, y]',
        '    params: {n: 4}',
        '    nodes:',
        '      p: {op: inner, in: x}',
        '      q: {op: add, in: [p, y]}',
        'nodes:',
        '  a: {op: conv, in: image, note: "first\\n\\"line\\"", out: =twice}',
        '  b: {op: outer, in: {y: a}, n: 6}',
        '  c: {op: relu, in: b}',
        '',
      ].join('\n'),
    )
  })

  test('inside a block, and of nothing', () => {
    expect(copyFragment(document, 'outer', ['q'], library)).toContain('q: {op: add, in: [p, y]}')
    expect(copyFragment(document, null, [], library)).toBe(fragment('nodes: {}'))
    expect(copyFragment(document, 'none', ['a'], library)).toBe(fragment('nodes: {}'))
  })
})

describe('pasting', () => {
  test('beside the originals: new ids, references among themselves, the others as they were', () => {
    const document = make({
      nodes: { a: 'relu', b: { op: 'conv', out: 3 }, c: { op: 'conv', out: 3, share: 'b' } },
    })
    const { document: after, ids } = pasted(document, copyFragment(document, null, ['b', 'c'], library))
    expect(ids).toEqual(['b2', 'c2'])
    expect(wiresOf(after)).toEqual({ a: ['image'], b: ['a'], c: ['b'], b2: ['a'], c2: ['b2'] })
    expect(after.nodes.get('c2')?.share).toBe('b2')
  })

  test('what is not there is left open', () => {
    const text = fragment(
      'nodes: {a: {op: add, in: [gone, image, gone.p]}, b: {op: resize_like, in: [gone, a]}, c: {op: conv, in: b, share: gone}}',
    )
    const { document } = pasted(make({ nodes: {} }), text)
    expect(wiresOf(document)).toEqual({ a: ['image'], b: new Map([['ref', 'a']]), c: ['b'] })
    expect(document.nodes.get('c')?.share).toBeUndefined()
  })

  test('a line without inputs reads the line before, the first one nothing', () => {
    expect(wiresOf(pasted(make({ nodes: {} }), fragment('nodes: {a: relu, b: bn}')).document)).toEqual({
      a: [],
      b: ['a'],
    })
  })

  test('weights are shared with a layer of the same kind alone', () => {
    const text = fragment('nodes: {c: {op: conv, in: image, share: a}, d: {op: conv, in: image, share: b}}')
    const { document } = pasted(make({ nodes: { a: 'conv', b: 'bn' } }), text)
    expect([document.nodes.get('c')?.share, document.nodes.get('d')?.share]).toEqual(['a', undefined])
  })

  const own = (op: string) => `blocks: {own: {nodes: {a: ${op}}}}\nnodes: {u: {op: own, in: image}}`

  test('a block that is here already is not brought twice; another one of that name is renamed', () => {
    const document = make({ nodes: {}, blocks: { own: { nodes: { a: 'relu' } } } })
    expect([...pasted(document, fragment(own('relu'))).document.blocks.keys()]).toEqual(['own'])
    const { document: after } = pasted(document, fragment(own('bn')))
    expect([...after.blocks.keys()]).toEqual(['own', 'own2'])
    expect(after.nodes.get('u')?.op).toBe('own2')
    expect(after.blocks.get('own')).toBe(document.blocks.get('own'))
  })

  test('blocks inside blocks are renamed with them', () => {
    const blocks = 'blocks: {top: {nodes: {a: own}}, own: {nodes: {a: bn}}, idle: {nodes: {a: bn}}}'
    const document = make({
      nodes: {},
      blocks: { own: { nodes: { a: 'relu' } }, top: { nodes: { a: 'own' } } },
    })
    const { document: after } = pasted(document, fragment(`${blocks}\nnodes: {u: {op: top, in: image}}`))
    expect([...after.blocks.keys()]).toEqual(['own', 'top', 'own2', 'top2'])
    expect(after.blocks.get('top2')?.nodes.get('a')?.op).toBe('own2')
    expect(after.nodes.get('u')?.op).toBe('top2')
  })

  test('never hides a block of the library, and is not hidden', () => {
    const local = fragment('blocks: {res_basic: {nodes: {a: relu}}}\nnodes: {u: {op: res_basic, in: image}}')
    const document = make({ nodes: { r: 'res_basic' } })
    const { document: after } = pasted(document, local)
    expect(after.nodes.get('u')?.op).toBe('res_basic2')
    const hidden = make({ nodes: {}, blocks: { double_conv: { params: { out: 1 }, nodes: { a: 'relu' } } } })
    const library2 = pasted(hidden, fragment('nodes: {u: {op: double_conv, in: image, out: 8}}')).document
    expect(library2.nodes.get('u')?.op).toBe('double_conv2')
    expect(library2.blocks.get('double_conv2')?.nodes.has('b')).toBe(true)
  })

  test('parameters come along where they are missing; data binds one of each role', () => {
    const lines =
      'params: {w: 8, classes: {type: int, default: 2, role: classes}, idle: 1}\nnodes: {a: {op: conv, in: image, out: =w*classes}}'
    const { document } = pasted(make({ nodes: {}, params: { w: 3 } }), fragment(lines))
    expect(document.params.get('w')).toEqual({ default: 3 })
    expect(document.params.get('classes')).toEqual({ type: 'int', default: 2, role: 'classes' })
    expect(document.params.has('idle')).toBe(false)
    const bound = make({
      nodes: {},
      params: { n: { default: 1, role: 'classes' } },
      blocks: { own: { nodes: {} } },
    })
    expect(pasted(bound, fragment(lines)).document.params.get('classes')?.role).toBeUndefined()
    const inside = pasted(bound, fragment(lines), 'own').document.blocks.get('own')
    expect([...(inside?.params.keys() ?? [])]).toEqual(['w', 'classes'])
  })

  test('a block goes on giving what it gave', () => {
    const document = make({ nodes: { u: 'own' }, blocks: { own: { nodes: { a: 'relu' } } } })
    const { document: after } = pasted(
      document,
      fragment('nodes: {b: {op: bn, in: a}, x: {op: bn, in: b}}'),
      'own',
    )
    expect([...(after.blocks.get('own')?.nodes.keys() ?? [])]).toEqual(['b', 'x2', 'a'])
  })

  test('there is no such block: nothing happens', () => {
    const document = make({ nodes: {} })
    expect(pasteFragment(document, 'none', fragment('nodes: {a: relu}'), library)).toEqual({
      document,
      ids: [],
    })
  })

  test('the whole U-Net into an empty network', () => {
    const unet = builtIn('unet')
    const text = copyFragment(unet, null, unet.nodes.keys(), library)
    const image = { kind: 'image', channels: 3, size: [64, 64] }
    const empty = make({
      inputs: { image },
      nodes: {},
      heads: { main: { task: 'segmentation', from: 'logits' } },
    })
    const { plan } = resolve(pasted(empty, text).document, library)
    expect(plan?.learn).toBe(resolve(unet, library).plan?.learn)
  })
})

describe('wrong texts', () => {
  const nodes = 'nodes: {a: {op: relu, in: []}}'
  test.each([
    ['an alias', fragment('nodes: {a: &x {op: relu}, b: *x}'), 'yaml_alias', 3],
    ['a tag', fragment('nodes: {a: !!js/function relu}'), 'yaml_tag', 3],
    ['a syntax error', fragment('nodes: {a: {op: relu'), 'yaml_syntax', 4],
    ['a key twice', fragment('nodes: {a: relu, a: bn}'), 'key_twice', 3],
    ['too much of it', fragment(`${nodes} # ${'x'.repeat(networkLimits.yamlBytes)}`), 'yaml_too_large', null],
    ['no document', 'just words', 'wrong_value', 1],
    ['nothing', '', 'wrong_value', 1],
    ['a whole network', `dripe: 1\nname: a\ntask: x\ninputs: {}\n${nodes}`, 'missing_key', 1],
    ['a newer version', `dripe: 2\nfragment: true\n${nodes}`, 'wrong_value', 1],
    ['a bad id', fragment('nodes:\n  __proto__: relu'), 'bad_id', 4],
    ['a reserved name', fragment('params: {op: 1}\nnodes: {}'), 'reserved_name', 3],
  ])('%s comes back as a problem at its place', (_, text, code, line) => {
    const document = make({ nodes: { a: 'relu' } })
    const result = pasteFragment(document, null, text, library)
    if (!('problems' in result)) throw new Error('accepted')
    expect(result.problems.map((problem) => [problem.code, problem.line])).toContainEqual([code, line])
  })

  test('deep nesting is refused without falling over', () => {
    const deep = `${'{b: '.repeat(20_000)}${'}'.repeat(20_000)}`
    expect(pasteFragment(make({ nodes: {} }), null, fragment(`nodes: ${deep}`), library)).toHaveProperty(
      'problems',
    )
  })

  test('`constructor` is an id like any other', () => {
    const text = fragment(
      'blocks: {constructor: {nodes: {valueof: relu}}}\nnodes: {constructor: {op: constructor, in: image}, b: {op: relu, in: constructor}}',
    )
    const document = make({ nodes: { constructor: { op: 'conv', out: 2, in: 'image' } } })
    const { document: after, ids } = pasted(document, text)
    expect(ids).toEqual(['constructor2', 'b'])
    expect(after.blocks.has('constructor')).toBe(true)
    expect(after.nodes.get('b')?.in).toEqual(['constructor2'])
    expect(resolve(after, library).errors.map(({ code }) => code)).toEqual(['head_missing'])
  })

  test('more nodes than a network may have', () => {
    const many = Array.from({ length: 3000 }, (_, k) => `  n${k}: {op: relu, in: image}`).join('\n')
    const half = pasted(make({ nodes: {} }), fragment(`nodes:\n${many}`)).document
    const result = pasteFragment(half, null, fragment(`nodes:\n${many}`), library)
    expect(result).toEqual({
      problems: [
        { code: 'too_many', path: 'nodes', line: null, column: null, data: { most: 5000, count: 6000 } },
      ],
    })
  })

  test('blocks in blocks, thousands deep, do not fall over', () => {
    const count = 4000
    const blocks = Array.from({ length: count }, (_, k) => `  b${k}: {nodes: {a: b${k + 1}}}`).join('\n')
    const { document } = pasted(
      make({ nodes: {} }),
      fragment(`blocks:\n${blocks}\nnodes: {u: {op: b0, in: image}}`),
    )
    expect(document.blocks.size).toBe(count)
    expect(resolve(document, library).errors.map(({ code }) => code)).toContain('too_deep')
  })
})
