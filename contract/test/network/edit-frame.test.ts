import type { Document, Head } from '@neuroloom/contract/network/document/document'
import { explicit } from '@neuroloom/contract/network/edit/edit'
import {
  connectHead,
  renameInput,
  renameKnob,
  setHead,
  setInfo,
  setInput,
  setKnob,
  setOutput,
} from '@neuroloom/contract/network/edit/frame'
import { headOutlets } from '@neuroloom/contract/network/resolve/heads'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { describe, expect, test } from 'vitest'
import { builtIn, library, makeNetwork } from './wire.ts'

const picture = { kind: 'image', channels: 1, size: [16, 16] } as const
const makeInput = () => ({ ...picture, size: [...picture.size] })

const make = (parts: Record<string, unknown>) => explicit(makeNetwork(parts), library)

describe('inputs', () => {
  const document = makeNetwork({ nodes: { a: 'relu' }, params: { width: 4 } })

  test('a new one does not become what the first node reads', () => {
    const { nodes, inputs } = setInput(document, 'mask', makeInput())
    expect(nodes.get('a')?.in).toEqual(['image'])
    expect([...inputs.keys()]).toEqual(['image', 'mask'])
  })

  test.each(['a', 'width', 'in', 'i', 'Mask', '__proto__', ''])('refuses the name %j', (name) => {
    expect(setInput(document, name, makeInput())).toBe(document)
  })

  test('refuses what could not be written', () => {
    expect(setInput(document, 'mask', { ...makeInput(), size: [Number.NaN] })).toBe(document)
  })

  test('one that is taken away leaves its reader open', () => {
    const without = setInput(document, 'image', null)
    expect(without.inputs.size).toBe(0)
    expect(resolve(without, library).errors.map(({ code, node }) => [code, node])).toContainEqual([
      'unknown_ref',
      'a',
    ])
    expect(setInput(document, 'none', null)).toBe(document)
  })

  test('renaming follows references, heads and shapes in expressions', () => {
    const nodes = {
      a: { op: 'conv', out: '=2*image.c', off: '=image.s[0]==3' },
      b: { op: 'add', in: ['a', 'image'] },
    }
    const heads = { main: { task: 'x', from: 'image' }, other: { task: 'x', from: { p: 'b' } } }
    const renamed = renameInput(make({ nodes, heads }), 'image', 'scan')
    expect([...renamed.inputs.keys()]).toEqual(['scan'])
    expect(renamed.nodes.get('a')).toMatchObject({ in: ['scan'], off: '=scan.s[0]==3' })
    expect(renamed.nodes.get('a')?.params.get('out')).toBe('=2*scan.c')
    expect(renamed.nodes.get('b')?.in).toEqual(['a', 'scan'])
    expect(renamed.heads.get('main')?.from).toBe('scan')
    expect(renameInput(document, 'image', 'a')).toBe(document)
    expect(renameInput(document, 'none', 'scan')).toBe(document)
  })
})

describe('parameters of the network', () => {
  test('one that is taken away leaves its default where it was used', () => {
    const params = { width: -2, twice: '=2*width+1', channels: { type: 'int', default: 3 } }
    const inputs = { image: { kind: 'image', channels: '=channels', size: [8, '=4-width'] } }
    const nodes = {
      a: { op: 'conv', out: '=8^width-width', kernel: ['=width', 3] },
      b: { op: 'conv', out: '=twice*x' },
    }
    const document = makeNetwork({ params, inputs, nodes })
    const without = setKnob(setKnob(setKnob(document, 'width', null), 'channels', null), 'twice', null)
    expect(without.params.size).toBe(0)
    expect(without.inputs.get('image')).toMatchObject({ channels: '=3', size: [8, '=4-(-2)'] })
    expect(without.nodes.get('a')?.params.get('out')).toBe('=8^(-2)-(-2)')
    expect(without.nodes.get('a')?.params.get('kernel')).toEqual(['=(-2)', 3])
    expect(without.nodes.get('b')?.params.get('out')).toBe('=(2*(-2)+1)*x')
  })

  test('every parameter of a shipped network may go, and the plan stays', () => {
    for (const id of ['unet', 'mobilenetv2', 'resnet18']) {
      const document = builtIn(id)
      const bare = [...document.params.keys()].reduce(
        (rest: Document, name) => setKnob(rest, name, null),
        document,
      )
      expect(bare.params.size).toBe(0)
      expect(resolve(bare, library).plan).toEqual(resolve(document, library).plan)
    }
  })

  test.each(['op', 'in', 'i', 'was', 'image', 'Width', ''])('refuses the name %j', (name) => {
    const document = makeNetwork({ nodes: {} })
    expect(setKnob(document, name, { default: 1 })).toBe(document)
  })

  test('refuses what could not be written', () => {
    const document = makeNetwork({ nodes: {} })
    expect(setKnob(document, 'width', { default: Number.POSITIVE_INFINITY })).toBe(document)
    expect(setKnob(document, 'width', null)).toBe(document)
    expect(setKnob(document, 'width', { default: 4, min: 1 }).params.get('width')).toEqual({
      default: 4,
      min: 1,
    })
  })
})

describe('renaming a parameter of the network', () => {
  const params = { width: 4, twice: '=2*width', channels: { type: 'int', default: 3, role: 'channels' } }
  const inputs = { image: { kind: 'image', channels: '=channels', size: [8, '=2*width'] } }
  const own = { params: { width: 2 }, nodes: { a: { op: 'conv', out: '=width' } } }
  const nodes = {
    width: { op: 'conv', out: '=width+width_2', kernel: ['=width-1', 3], note: '=width' },
    b: { op: 'own', width: '=width', repeat: '=width//2', off: '=i<width' },
  }
  const heads = { main: { task: 'x', from: 'width', factor: '=width' } }
  const document = make({ params, inputs, nodes, heads, blocks: { own } })

  test('every expression that reads it follows, and nothing else', () => {
    const renamed = renameKnob(document, 'width', 'wide')
    expect([...renamed.params]).toEqual([
      ['wide', { default: 4 }],
      ['twice', { default: '=2*wide' }],
      ['channels', params.channels],
    ])
    expect(renamed.inputs.get('image')?.size).toEqual([8, '=2*wide'])
    expect(renamed.nodes.get('width')).toMatchObject({ note: '=width' })
    expect([...(renamed.nodes.get('width')?.params ?? [])]).toEqual([
      ['out', '=wide+width_2'],
      ['kernel', ['=wide-1', 3]],
    ])
    expect(renamed.nodes.get('b')).toMatchObject({ repeat: '=wide//2', off: '=i<wide' })
    expect(renamed.nodes.get('b')?.params).toEqual(new Map([['width', '=wide']]))
    expect(renamed.heads.get('main')).toMatchObject({ from: 'width', factor: '=wide' })
    expect(renamed.blocks).toEqual(document.blocks)
    expect(renameKnob(renamed, 'wide', 'width')).toEqual(document)
    expect(renameKnob(document, 'channels', 'colours').inputs.get('image')?.channels).toBe('=colours')
  })

  test('every parameter of a shipped network may have another name, and the plan stays', () => {
    for (const id of ['unet', 'mobilenetv2', 'swin_tiny']) {
      const before = builtIn(id)
      const after = [...before.params.keys()].reduce(
        (rest: Document, name) => renameKnob(rest, name, `my_${name}`),
        before,
      )
      expect([...after.params.keys()]).toEqual([...before.params.keys()].map((name) => `my_${name}`))
      expect(resolve(after, library).plan).toEqual(resolve(before, library).plan)
    }
  })

  test.each(['twice', 'width', 'image', 'in', 'i', 'op', 'Wide', '__proto__', '', 'x'.repeat(41)])(
    'refuses the name %j',
    (next) => {
      expect(renameKnob(document, 'width', next)).toBe(document)
    },
  )

  test('refuses what is not there, and what would grow too long to be read', () => {
    expect(renameKnob(document, 'none', 'wide')).toBe(document)
    const long = make({ params: { w: 4, n: `=${'w+'.repeat(200)}w` }, nodes: {} })
    expect(renameKnob(long, 'w', 'width')).toBe(long)
    expect(renameKnob(long, 'n', 'number').params.has('number')).toBe(true)
  })
})

describe('heads', () => {
  const document = make({ nodes: { a: 'relu', b: 'bn' }, heads: { main: { task: 'x', from: 'a' } } })
  const withFrom = (from: Head['from']) => setHead(document, 'main', { task: 'x', from })
  const levels = [new Map([['cls', 'a']])]

  test.each<[string, Head['from'], string, string | null, Head['from'] | null]>([
    ['the only outlet', 'a', '', 'b', 'b'],
    ['the only outlet, to nothing', 'a', '', null, new Map()],
    ['an outlet of a head that has none', new Map(), '', 'b', 'b'],
    ['a named outlet', new Map([['cls', 'a']]), 'cls', 'b', new Map([['cls', 'b']])],
    [
      'a new named outlet',
      new Map([['cls', 'a']]),
      'box',
      'b',
      new Map([
        ['cls', 'a'],
        ['box', 'b'],
      ]),
    ],
    ['a named outlet, to nothing', new Map([['cls', 'a']]), 'cls', null, new Map()],
    ['an outlet of a level', levels, '0.cls', 'b', [new Map([['cls', 'b']])]],
    ['a new level', levels, '7.cls', 'b', [...levels, new Map([['cls', 'b']])]],
    ['no outlet where there are names', new Map([['cls', 'a']]), '', 'b', null],
    ['a name that is none', 'a', 'Bad', 'b', null],
    ['an unknown source', 'a', '', 'none', null],
  ])('connects %s', (_, from, outlet, source, expected) => {
    const before = withFrom(from)
    const after = connectHead(before, { head: 'main', outlet, source })
    if (expected === null) expect(after).toBe(before)
    else expect(after.heads.get('main')?.from).toEqual(expected)
  })

  test('a head that is connected to nothing has no result', () => {
    const empty = connectHead(document, { head: 'main', outlet: '', source: null })
    const { plan, errors } = resolve(empty, library)
    expect(plan).toBeNull()
    expect(errors).toEqual([{ code: 'head_missing', node: 'heads.main', port: null, data: {} }])
    expect(headOutlets({ task: 'x', from: new Map() })).toEqual([])
  })

  test('tells its outlets in order', () => {
    expect(headOutlets({ task: 'x', from: 'a' })).toEqual([{ outlet: '', ref: 'a' }])
    expect(headOutlets({ task: 'x', from: levels })).toEqual([{ outlet: '0.cls', ref: 'a' }])
  })

  test('come and go', () => {
    expect(setHead(document, 'Bad', { task: 'x', from: 'a' })).toBe(document)
    expect(setHead(document, 'none', null)).toBe(document)
    expect(setHead(document, 'main', null).heads.size).toBe(0)
  })
})

describe('outputs of a block', () => {
  const blocks = { own: { nodes: { a: 'relu', b: 'bn' } } }
  const document = make({ nodes: {}, blocks })
  const outputs = (edited: Document) => edited.blocks.get('own')?.outputs

  test('a second one leaves the first as it was', () => {
    expect(outputs(setOutput(document, 'own', 'early', 'a'))).toEqual(
      new Map([
        ['out', 'b'],
        ['early', 'a'],
      ]),
    )
    expect(outputs(setOutput(document, 'own', 'out', 'x'))).toEqual(new Map([['out', 'x']]))
  })

  test('without any left, the last node is the output again', () => {
    const named = setOutput(document, 'own', 'out', 'a')
    expect(outputs(setOutput(named, 'own', 'out', null))).toBeUndefined()
    expect(outputs(setOutput(document, 'own', 'out', null))).toBeUndefined()
  })

  test('refuses what is not there', () => {
    expect(setOutput(document, 'own', 'out', 'none')).toBe(document)
    expect(setOutput(document, 'none', 'out', 'a')).toBe(document)
    expect(setOutput(document, 'own', 'Bad', 'a')).toBe(document)
  })
})

test('texts of the network: empty ones are taken away, endless ones refused', () => {
  const document = setInfo(makeNetwork({ nodes: {}, title: 'old' }), { name: 'new', about: 'why', title: '' })
  expect(document).toMatchObject({ name: 'new', about: 'why' })
  expect('title' in document).toBe(false)
  expect(setInfo(document, { about: 'x'.repeat(2001) })).toBe(document)
})
