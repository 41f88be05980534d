import { type ResolveOptions, resolve } from '@neuroloom/contract/network/resolve/resolve'
import { describe, expect, test } from 'vitest'
import { builtIn, library, makeNetwork } from './wire.ts'

function planOf(parts: Record<string, unknown>, options: Partial<ResolveOptions> = {}) {
  const heads = { main: { task: 'x', from: Object.keys(parts.nodes ?? {}).at(-1) ?? 'image' } }
  const { plan, errors } = resolve(makeNetwork({ heads, ...parts }), { ...library, ...options })
  expect(errors).toEqual([])
  if (plan === null) throw new Error('no plan')
  return plan
}

describe('the plan', () => {
  test('has every parameter worked out, axis by axis', () => {
    const { nodes } = planOf({ nodes: { t: { op: 'conv', out: '=2*in.c', kernel: [5, 3], dilation: 2 } } })
    expect(nodes).toEqual([
      {
        id: 't',
        op: 'conv',
        in: { x: '@image' },
        params: {
          out: 6,
          kernel: [5, 3],
          stride: [1, 1],
          pad: [4, 2],
          dilation: [2, 2],
          groups: 1,
          bias: true,
          mode: 'zeros',
        },
        type: { k: 'map', c: 6, s: [32, 32] },
        learn: 6 * 3 * 15 + 6,
        buffers: 0,
        macs: 6 * 3 * 15 * 1024,
        share: null,
      },
    ])
  })

  test.each([1, 2, 3])('serves pictures of %i axes with the same layers', (rank) => {
    const inputs = { image: { kind: 'image', channels: 3, size: new Array(rank).fill(16) } }
    const { nodes } = planOf({
      inputs,
      nodes: { a: 'double_conv', b: 'maxpool', c: { op: 'deconv', out: 4 } },
    })
    expect(nodes.at(-1)?.type).toEqual({ k: 'map', c: 4, s: new Array(rank).fill(16) })
  })

  test('names layers by their path, and variadic ports by number', () => {
    const { nodes } = planOf({ nodes: { stage: { op: 'res_basic', repeat: 2, out: 3 } } })
    expect(nodes.map(({ id }) => id).filter((id) => id.endsWith('sum'))).toEqual([
      'stage/0/sum',
      'stage/1/sum',
    ])
    expect(nodes.find(({ id }) => id === 'stage/1/sum')?.in).toEqual({
      x0: 'stage/1/bn2',
      x1: 'stage/0/relu2',
    })
  })

  test('puts layers into an order that can be run, whatever the order of the text', () => {
    const nodes = {
      last: { op: 'relu', in: 'first' },
      first: { op: 'tanh', in: 'image' },
      after: { op: 'relu', in: 'last' },
    }
    expect(planOf({ nodes }).nodes.map(({ id }) => id)).toEqual(['first', 'last', 'after'])
  })

  test('leaves out what is off, also a branch', () => {
    const nodes = {
      a: { op: 'conv', out: 8, off: true },
      b: { op: 'relu', repeat: 0 },
      c: { op: 'relu', repeat: 3, off: '=i==1' },
    }
    expect(planOf({ nodes }).nodes.map(({ id, in: inputs }) => [id, inputs.x])).toEqual([
      ['c/0', '@image'],
      ['c/2', 'c/0'],
    ])
  })

  test('counts shared weights once, through blocks and shares of shares', () => {
    const nodes = {
      a: { op: 'double_conv', in: 'image', out: 4 },
      b: { op: 'double_conv', in: 'image', out: 4, share: 'a' },
      c: { op: 'double_conv', in: 'image', out: 4, share: 'b' },
      d: { op: 'concat', in: ['a', 'b', 'c'] },
    }
    const plan = planOf({ nodes })
    const alone = planOf({ nodes: { a: nodes.a } })
    expect([plan.learn, plan.buffers, plan.macs]).toEqual([alone.learn, alone.buffers, 3 * alone.macs])
    const shares = plan.nodes.filter(({ id }) => id.endsWith('a/conv')).map(({ id, share }) => [id, share])
    expect(shares).toEqual([
      ['a/a/conv', null],
      ['b/a/conv', 'a/a/conv'],
      ['c/a/conv', 'a/a/conv'],
    ])
  })

  test('builds the owner of shared weights first, though it is written later', () => {
    const nodes = {
      b: { op: 'conv', in: 'image', share: 'a' },
      a: { op: 'conv', in: 'image' },
      c: { op: 'add', in: ['a', 'b'] },
    }
    expect(planOf({ nodes }).nodes.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  })

  test('ties all copies of a repeat to one layer outside', () => {
    const nodes = { a: { op: 'conv', out: 3 }, b: { op: 'conv', out: 3, repeat: 2, share: 'a' } }
    expect(planOf({ nodes }).nodes.map(({ share }) => share)).toEqual([null, 'a', 'a'])
  })

  test('keeps library blocks as they are when a document has blocks of the same name', () => {
    const blocks = { conv_bn_relu: { nodes: { n: { op: 'tanh', in: 'x' } } } }
    const nodes = { a: 'conv_bn_relu', b: { op: 'double_conv', out: 4 } }
    expect(planOf({ blocks, nodes }).nodes.map(({ op }) => op)).toEqual([
      'tanh',
      ...['conv', 'bn', 'relu', 'conv', 'bn', 'relu'],
    ])
  })

  test('works for five thousand layers in a row, the first of them written last', () => {
    const ids = Array.from({ length: 4999 }, (_, k) => `n${k}`)
    const nodes = Object.fromEntries(ids.map((id, k) => [id, { op: 'relu', in: ids[k + 1] ?? 'image' }]))
    const plan = planOf({ nodes, heads: { main: { task: 'x', from: 'n0' } } })
    expect(plan.nodes.length).toBe(4999)
    expect(plan.nodes.at(-1)?.id).toBe('n0')
  })
})

describe('what training keeps', () => {
  const picture = 4 * 32 * 32
  const kept = (nodes: Record<string, unknown>) => planOf({ nodes }).keptBytes / picture

  test.each<[string, Record<string, unknown>, number]>([
    [
      'input, convolution and activation, each once',
      { a: { op: 'conv', out: 8 }, b: 'bn', c: 'relu', d: 'conv' },
      3 + 8 + 8,
    ],
    [
      'nothing before the first learnable layer',
      { a: 'relu', b: { op: 'mul', in: ['a', 'image'] }, c: 'conv' },
      3,
    ],
    [
      'a view once, with its source',
      { a: { op: 'conv', out: 8 }, b: { op: 'slice', to: 2 }, c: 'conv' },
      3 + 8,
    ],
    [
      'a padded copy besides the input',
      { a: { op: 'conv', out: 8, kernel: 1 }, b: { op: 'conv', kernel: 1, mode: 'reflect' } },
      3 + 8 + 8,
    ],
    [
      'both factors of a product',
      { a: { op: 'conv', out: 8 }, b: { op: 'conv', in: 'image', out: 8 }, c: { op: 'mul', in: ['a', 'b'] } },
      3 + 16,
    ],
    ['positions of the largest values', { a: { op: 'conv', out: 8 }, b: 'maxpool' }, 3 + 8 + (2 * 8) / 4],
    [
      'nothing for sums and joins',
      {
        a: { op: 'conv', out: 3 },
        b: { op: 'add', in: ['a', 'image'] },
        c: { op: 'concat', in: ['a', 'b'] },
      },
      3,
    ],
  ])('is %s', (_, nodes, pictures) => expect(kept(nodes)).toBe(pictures))
})

test('every path has its type: inputs, blocks, copies, ports', () => {
  const { types } = resolve(builtIn('resnet18'), library)
  expect(types.get('@image')).toEqual({ k: 'map', c: 3, s: [224, 224] })
  expect(types.get('stage2')).toEqual({ k: 'map', c: 128, s: [28, 28] })
  expect(types.get('stage2/0')).toEqual({ k: 'map', c: 128, s: [28, 28] })
  expect(types.get('stage2/0/conv1')).toEqual({ k: 'map', c: 128, s: [28, 28] })
  expect(types.get('logits')).toMatchObject({ k: 'vec' })
})
