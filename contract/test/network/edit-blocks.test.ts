import type { Document } from '@neuroloom/contract/network/document/document'
import {
  dissolveBlock,
  groupNodes,
  liftParameter,
  makeLocal,
  parametersOf,
} from '@neuroloom/contract/network/edit/blocks'
import { explicit } from '@neuroloom/contract/network/edit/edit'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { writeYaml } from '@neuroloom/contract/network/yaml/write'
import { describe, expect, test } from 'vitest'
import { builtIn, library, makeNetwork } from './wire.ts'

const make = (parts: Record<string, unknown>) => explicit(makeNetwork(parts), library)
const heads = (from: unknown) => ({ main: { task: 'x', from } })

/** The lines of YAML from `blocks` on. */
const shown = (document: Document) =>
  writeYaml(document, library).split('blocks:\n')[1]?.split('\n').slice(0, -1)

function grouped(document: Document, ids: string[], name = 'part', scope: string | null = null): Document {
  const result = groupNodes(document, scope, ids, name, library)
  if ('refused' in result) throw new Error(result.refused)
  return result.document
}

const planOf = (document: Document) => {
  const { plan, errors } = resolve(document, library)
  if (plan === null) throw new Error(JSON.stringify(errors))
  return plan
}

describe('grouping', () => {
  test('cut edges become ports, parameters pass through', () => {
    const document = make({
      params: { width: { type: 'int', default: 8, min: 2, role: 'classes' }, unused: 1 },
      nodes: {
        a: { op: 'conv', out: '=width' },
        b: { op: 'conv', out: '=2*width', kernel: ['=width//4+1', 3] },
        c: { op: 'conv', in: 'image', out: '=2*width' },
        d: { op: 'add', in: ['b', 'c'] },
        e: { op: 'add', in: ['c', 'd'] },
      },
      heads: heads('e'),
    })
    const after = grouped(document, ['b', 'c', 'd'])
    expect(shown(after)).toEqual([
      '  part:',
      '    inputs: [a, image]',
      '    params: {width: {type: int, default: 8, min: 2}}',
      '    nodes:',
      '      b: {op: conv, in: a, out: =2*width, kernel: [=width//4+1, 3]}',
      '      c: {op: conv, in: image, out: =2*width}',
      '      d: {op: add, in: [b, c]}',
      '    outputs: {c: c, d: d}',
      'nodes:',
      '  a: {op: conv, out: =width}',
      '  part: {op: part, in: [a, image], width: =width}',
      '  e: {op: add, in: [part.c, part.d]}',
      'heads:',
      '  main: {task: x, from: e}',
    ])
    expect(planOf(after).learn).toBe(planOf(document).learn)
  })

  test('the last node is the output where nothing else is read', () => {
    const document = make({ nodes: { a: 'relu', b: 'bn', c: 'relu' }, heads: heads('c') })
    const after = grouped(document, ['b', 'c'])
    expect(after.blocks.get('part')?.outputs).toBeUndefined()
    expect(after.heads.get('main')?.from).toBe('part')
    const early = grouped(make({ nodes: { a: 'relu', b: 'bn', c: 'relu' }, heads: heads('b') }), ['b', 'c'])
    expect(early.blocks.get('part')?.outputs).toEqual(new Map([['b', 'b']]))
  })

  test('names of ports come from what they read; a port that an expression asks for keeps its name', () => {
    const blocks = {
      two: { inputs: ['x'], nodes: { p: 'relu', q: 'relu' }, outputs: { left: 'p', right: 'q' } },
    }
    const nodes = {
      t: 'two',
      a: { op: 'add', in: ['t.left', 't.right'] },
      b: { op: 'conv', out: '=image.c' },
    }
    const document = make({ blocks, nodes, heads: heads('b') })
    const after = grouped(document, ['a', 'b'])
    expect(after.blocks.get('part')?.inputs).toEqual(['t_left', 't_right', 'image'])
    expect(after.nodes.get('part')?.in).toEqual(['t.left', 't.right', 'image'])
    expect(planOf(after).learn).toBe(planOf(document).learn)
  })

  test('inside a block, its silent output stays', () => {
    const nodes = {
      a: { op: 'conv', out: '=n' },
      b: 'bn',
      c: { op: 'relu', in: 'a' },
      d: { op: 'add', in: ['b', 'c'] },
    }
    const document = make({
      blocks: { own: { params: { n: 4 }, nodes } },
      nodes: { u: { op: 'own', n: 6 } },
      heads: heads('u'),
    })
    const after = grouped(document, ['c', 'd'], 'end', 'own')
    expect([...(after.blocks.get('own')?.nodes.keys() ?? [])]).toEqual(['a', 'b', 'end'])
    expect(planOf(after).nodes.map(({ id }) => id)).toEqual(['u/a', 'u/b', 'u/end/c', 'u/end/d'])
  })

  test('never takes a name that means something already', () => {
    const document = make({ nodes: { own: 'relu', a: 'bn' }, heads: heads('a') })
    for (const [name, op, id] of [
      ['res_basic', 'res_basic2', 'res_basic'],
      ['own', 'own', 'own2'],
      ['Über Block', 'über_block', 'über_block'],
      ['', 'node', 'node'],
    ]) {
      const after = grouped(document, ['a'], name)
      expect([...after.blocks.keys()]).toEqual([op])
      expect([...after.nodes.keys()]).toEqual(['own', id])
    }
  })

  test('nodes that read nothing become a block all the same', () => {
    const after = grouped(make({ nodes: { a: { op: 'relu', in: [] } } }), ['a'])
    expect(after.blocks.get('part')?.inputs).toEqual(['x'])
    expect(after.nodes.get('part')?.in).toEqual([])
  })

  const detour = { a: 'relu', b: { op: 'relu', in: 'a' }, c: { op: 'add', in: ['a', 'b'] } }
  const twins = { a: { op: 'conv', out: 3 }, b: { op: 'conv', out: 3, share: 'a' } }
  const wide = Object.fromEntries(
    Array.from({ length: 65 }, (_, k) => [`n${k}`, { op: 'relu', in: 'image' }]),
  )
  const eaters = {
    p: { op: 'concat', in: Object.keys(wide).slice(0, 60) },
    q: { op: 'concat', in: Object.keys(wide).slice(5) },
  }
  test.each([
    ['loop', detour, ['a', 'c']],
    ['share', twins, ['b']],
    ['share', twins, ['a', 'none']],
    ['empty', twins, ['none']],
    ['inputs', { ...wide, ...eaters }, ['p', 'q']],
  ])('refuses for %s', (refused, nodes, ids) => {
    expect(groupNodes(make({ nodes }), null, ids, 'part', library)).toEqual({ refused })
  })
})

describe('dissolving', () => {
  test('gives back what was grouped', () => {
    const document = make({
      params: { width: 8 },
      nodes: {
        a: { op: 'conv', out: '=width' },
        b: { op: 'conv', out: '=2*width', off: '=width==3' },
        c: 'relu',
      },
      heads: heads('c'),
    })
    const result = dissolveBlock(grouped(document, ['b', 'c']), null, 'part', library)
    if ('refused' in result) throw new Error(result.refused)
    expect(result.ids).toEqual(['b', 'c'])
    expect(writeYaml(result.document, library)).toBe(writeYaml(document, library))
  })

  test('writes parameters into the settings, in brackets where they are part of more', () => {
    const blocks = {
      own: {
        params: { n: 4, m: '=n+1', rates: [2, 3], flag: true, mode: 'zeros' },
        nodes: {
          a: { op: 'conv', out: '=2*n', kernel: '=n', bias: '=flag', mode: '=mode' },
          b: { op: 'conv', out: '=m*2', dilation: '=rates[1]', stride: '=rates', off: '=!flag' },
          c: { op: 'conv', out: '=x.c*i+n', kernel: '=in.c', repeat: '=m' },
        },
      },
    }
    const document = make({ blocks, params: { w: 1 }, nodes: { u: { op: 'own', n: '=w+2' }, v: 'own' } })
    const result = dissolveBlock(document, null, 'u', library)
    // The copies of `c` get other shapes than `x`, but `x` is the image.
    if ('refused' in result) throw new Error(result.refused)
    const settings = ['a', 'b', 'c'].map((id) =>
      Object.fromEntries(result.document.nodes.get(id)?.params ?? []),
    )
    expect(settings).toEqual([
      { out: '=2*(w+2)', kernel: '=w+2', bias: true, mode: 'zeros' },
      { out: '=((w+2)+1)*2', dilation: '=[2,3][1]', stride: [2, 3] },
      { out: '=image.c*i+(w+2)', kernel: '=in.c' },
    ])
    expect(result.document.nodes.get('b')?.off).toBe('=!true')
    expect(result.document.nodes.get('c')?.repeat).toBe('=(w+2)+1')
    expect(result.document.blocks.has('own')).toBe(true)
  })

  test('`in` and `i` of the use keep their meaning', () => {
    const blocks = {
      own: { params: { n: 4 }, nodes: { a: { op: 'conv', out: '=n' }, b: { op: 'conv', out: 3 } } },
    }
    const document = make({
      blocks,
      nodes: { p: { op: 'conv', out: 5 }, u: { op: 'own', n: '=in.c+i' } },
      heads: heads('u'),
    })
    const result = dissolveBlock(document, null, 'u', library)
    if ('refused' in result) throw new Error(result.refused)
    expect(result.document.nodes.get('a')?.params.get('out')).toBe('=in.c+0')
    expect(planOf(result.document).learn).toBe(planOf(document).learn)
  })

  test('readers of ports, free ports, clashing names and what the scope gives', () => {
    const blocks = {
      own: {
        inputs: ['x', 'y'],
        nodes: { p: { op: 'relu', in: 'x' }, s: { op: 'add', in: ['p', 'y'] } },
        outputs: { main: 's', through: 'y', early: 'p' },
      },
      around: { nodes: { p: 'bn', u: { op: 'own', in: ['p'] } } },
    }
    const nodes = {
      u: { op: 'own', in: ['image', 'image'] },
      z: { op: 'add', in: ['u', 'u.through', 'u.early', 'u.none'] },
    }
    const document = make({ blocks, nodes, heads: heads({ a: 'u.through', b: 'u' }) })
    const outer = dissolveBlock(document, null, 'u', library)
    if ('refused' in outer) throw new Error(outer.refused)
    expect(outer.document.nodes.get('z')?.in).toEqual(['s', 'image', 'p'])
    expect(outer.document.heads.get('main')?.from).toEqual(
      new Map([
        ['a', 'image'],
        ['b', 's'],
      ]),
    )
    const inner = dissolveBlock(document, 'around', 'u', library)
    if ('refused' in inner) throw new Error(inner.refused)
    expect(
      [...(inner.document.blocks.get('around')?.nodes ?? [])].map(([id, node]) => [id, node.in]),
    ).toEqual([
      ['p', ['x']],
      ['p2', ['p']],
      ['s', ['p2']],
    ])
  })

  const own = { nodes: { a: 'relu', b: 'bn' } }
  test.each([
    ['block', { u: 'relu' }, {}],
    ['block', {}, {}],
    ['repeat', { u: { op: 'own', repeat: 2 } }, { own }],
    ['off', { u: { op: 'own', off: true } }, { own }],
    ['share', { u: 'own', v: { op: 'own', share: 'u' } }, { own }],
    ['share', { v: 'own', u: { op: 'own', share: 'v' } }, { own }],
    ['names', { u: 'double_conv' }, { conv_bn_relu: own }],
    ['expression', { p: 'relu', u: 'res_basic' }, {}],
    [
      'expression',
      { u: 'own' },
      { own: { params: { n: `=${'1+'.repeat(200)}1` }, nodes: { a: { op: 'conv', out: '=n+n' } } } },
    ],
  ])('refuses for %s', (refused, nodes, blocks) => {
    expect(dissolveBlock(make({ nodes, blocks }), null, 'u', library)).toEqual({ refused })
  })

  test('defaults that double with each step end at once', () => {
    const params = Object.fromEntries(
      Array.from({ length: 60 }, (_, k) => [`p${k}`, k === 0 ? 1 : `=p${k - 1}+p${k - 1}`]),
    )
    const blocks = { own: { params, nodes: { a: { op: 'conv', out: '=p59+1' } } } }
    expect(dissolveBlock(make({ blocks, nodes: { u: 'own' } }), null, 'u', library)).toEqual({
      refused: 'expression',
    })
  })
})

describe('own copies', () => {
  test('a library block can be changed without changing the others', () => {
    const document = make({ nodes: { a: 'res_basic', b: 'res_basic' }, heads: heads('b') })
    const local = makeLocal(document, null, 'a', library)
    expect(local.nodes.get('a')?.op).toBe('res_basic2')
    expect(local.nodes.get('b')?.op).toBe('res_basic')
    expect(planOf(local)).toEqual(planOf(document))
    const again = makeLocal(local, null, 'a', library)
    expect(again.nodes.get('a')?.op).toBe('res_basic2_2')
    expect([...again.blocks.keys()]).toEqual(['res_basic2', 'res_basic2_2'])
  })

  test('means the same where a block of the network hides one inside', () => {
    const blocks = { conv_bn_relu: { params: { out: 1, kernel: 1 }, nodes: { a: 'relu' } } }
    const document = make({ blocks, nodes: { a: 'double_conv' }, heads: heads('a') })
    expect(planOf(makeLocal(document, null, 'a', library)).learn).toBe(planOf(document).learn)
  })

  test('layers and unknown nodes have none', () => {
    const document = make({ nodes: { a: 'relu' } })
    expect(makeLocal(document, null, 'a', library)).toBe(document)
    expect(makeLocal(document, null, 'none', library)).toBe(document)
  })
})

describe('numbers of a block', () => {
  const nodes = {
    a: { op: 'conv', out: 8, kernel: 5 },
    b: { op: 'conv', out: 8 },
    c: { op: 'conv', out: '=k' },
    d: { op: 'conv', out: 4 },
  }
  const document = make({
    blocks: { own: { params: { k: 2 }, nodes } },
    nodes: { u: 'own' },
    heads: heads('u'),
  })

  test('equal ones under one name are one', () => {
    expect(parametersOf(document, 'own')).toEqual([
      {
        name: 'out',
        value: 8,
        places: [
          { node: 'a', param: 'out' },
          { node: 'b', param: 'out' },
        ],
      },
      { name: 'kernel', value: 5, places: [{ node: 'a', param: 'kernel' }] },
      { name: 'out2', value: 4, places: [{ node: 'd', param: 'out' }] },
    ])
    expect(parametersOf(document, 'none')).toEqual([])
  })

  test('become parameters without changing what is there', () => {
    const lifted = parametersOf(document, 'own').reduce(
      (rest, number) => liftParameter(rest, 'own', number),
      document,
    )
    expect([...(lifted.blocks.get('own')?.params.keys() ?? [])]).toEqual(['k', 'out', 'kernel', 'out2'])
    expect(lifted.blocks.get('own')?.nodes.get('b')?.params.get('out')).toBe('=out')
    expect(planOf(lifted)).toEqual(planOf(document))
  })

  test.each(['k', 'x', 'in', 'Bad'])('refuse the name %s', (name) => {
    expect(liftParameter(document, 'own', { name, value: 8, places: [] })).toBe(document)
  })
})

test('a new block says its name, though another has the wished one, and its numbers can be lifted', () => {
  const document = make({
    blocks: { part: { nodes: { a: 'relu' } } },
    nodes: { part: 'part', b: { op: 'conv', out: 8 }, c: { op: 'conv', out: 8 } },
    heads: heads('c'),
  })
  const result = groupNodes(document, null, ['b', 'c'], 'part', library)
  if ('refused' in result) throw new Error(result.refused)
  expect(result).toMatchObject({ id: 'part2', block: 'part2' })
  const [number] = parametersOf(result.document, result.block)
  if (number === undefined) throw new Error('no number')
  const lifted = liftParameter(result.document, result.block, { ...number, name: 'width' })
  expect(lifted.blocks.get('part2')?.params).toEqual(new Map([['width', { default: 8 }]]))
  expect(planOf(lifted)).toEqual(planOf(result.document))
})

test('groups of the shipped U-Net keep its published numbers', () => {
  const document = builtIn('unet')
  const after = grouped(
    grouped(document, ['e1', 'e2', 'e3', 'e4', 'e5'], 'encoder'),
    ['d4', 'd3', 'd2', 'd1'],
    'decoder',
  )
  expect([...after.nodes.keys()]).toEqual(['encoder', 'decoder', 'logits'])
  expect(after.blocks.get('encoder')?.outputs?.size).toBe(5)
  expect(planOf(after).learn).toBe(planOf(document).learn)
})
