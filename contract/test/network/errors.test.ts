import { type Problem, problemKey } from '@neuroloom/contract/network/resolve/problems'
import { type ResolveOptions, resolve } from '@neuroloom/contract/network/resolve/resolve'
import { describe, expect, test } from 'vitest'
import { cases } from './error-cases.ts'
import { library, makeNetwork } from './wire.ts'

function errorsOf(parts: Record<string, unknown>, options: Partial<ResolveOptions> = {}): Problem[] {
  const heads = { main: { task: 'x', from: Object.keys(parts.nodes ?? {}).at(-1) ?? 'image' } }
  const { plan, errors } = resolve(makeNetwork({ heads, ...parts }), { ...library, ...options })
  expect(plan).toBeNull()
  return errors
}

describe('one mistake gives one message', () => {
  test.each(cases)('%s: %o', (key, parts, problem, options) => {
    const errors = errorsOf(parts, options)
    expect(errors.map(problemKey)).toEqual([key])
    expect(errors[0]).toMatchObject(problem)
  })

  test('layers behind a mistake wait in silence, layers beside it go on', () => {
    const nodes = {
      a: { op: 'conv', out: 8 },
      wrong: { op: 'gn', groups: 3 },
      b: 'relu',
      c: { op: 'double_conv' },
      beside: { op: 'conv', in: 'a', out: 4 },
      join: { op: 'concat', in: ['c', 'beside'] },
    }
    const {
      errors,
      nodes: done,
      waiting,
    } = resolve(makeNetwork({ nodes, heads: { main: { task: 'x', from: 'join' } } }), library)
    expect(errors.map(({ code, node }) => [code, node])).toEqual([['groups_divide', 'wrong']])
    expect(done.map(({ id }) => id)).toEqual(['a', 'beside'])
    expect(waiting).toEqual(['b', 'c', 'join'])
  })

  test('a mistake inside a block is told once, however often the block is used', () => {
    const blocks = { b: { nodes: { n: { op: 'conv', kernal: 3 } } } }
    const nodes = { a: 'b', c: { op: 'b', in: 'image' }, d: { op: 'b', in: 'image', repeat: 3 } }
    const errors = errorsOf({ blocks, nodes })
    expect(errors.map(({ code, node }) => [code, node])).toEqual([['unknown_param', 'a/n']])
  })

  test('two mistakes give two messages', () => {
    const nodes = { a: { op: 'conv', out: 0 }, b: { op: 'conv', in: 'image', out: 'x' } }
    expect(errorsOf({ nodes }).map(({ node }) => node)).toEqual(['a', 'b'])
  })

  test('blocks of blocks of nothing end', () => {
    const blocks: Record<string, unknown> = { e0: { nodes: { n: { op: 'relu', off: true } } } }
    for (let k = 1; k < 12; k += 1) blocks[`e${k}`] = { nodes: { n: { op: `e${k - 1}`, repeat: 200 } } }
    expect(errorsOf({ blocks, nodes: { t: 'e11' } }).map(({ code }) => code)).toEqual(['too_big'])
  })
})

describe('warnings', () => {
  const warningsOf = (parts: Record<string, unknown>) => {
    const { errors, warnings } = resolve(makeNetwork(parts), library)
    expect(errors).toEqual([])
    return warnings.map(({ code, node }) => [code, node])
  }

  test('a branch that leads nowhere', () => {
    const heads = { main: { task: 'x', from: 'a' } }
    expect(warningsOf({ heads, nodes: { a: 'relu', b: 'tanh' } })).toEqual([['dead_end', 'b']])
  })

  test('an activation that the loss applies itself', () => {
    const heads = { main: { task: 'segmentation', from: 's' } }
    expect(warningsOf({ heads, nodes: { a: 'conv', s: 'softmax' } })).toEqual([['act_before_loss', 's']])
  })

  test('a layer that ties the network to one size', () => {
    const heads = { main: { task: 'x', from: 'p' } }
    expect(warningsOf({ heads, nodes: { t: 'to_tokens', p: 'pos_embed' } })).toEqual([['fixed_size', 'p']])
  })

  test('no picture size is tied where every picture is brought to one size first', () => {
    const heads = { main: { task: 'x', from: 'p' } }
    const nodes = { r: { op: 'resize', size: 16 }, t: 'to_tokens', p: 'pos_embed' }
    expect(warningsOf({ heads, nodes })).toEqual([])
    const flat = { f: 'flatten', d: 'dropout', p: 'linear', l: 'linear' }
    expect(warningsOf({ heads: { main: { task: 'x', from: 'l' } }, nodes: flat })).toEqual([
      ['fixed_size', 'p'],
    ])
    const pooled = { a: 'adaptavg', f: 'flatten', p: 'linear' }
    expect(warningsOf({ heads, nodes: pooled })).toEqual([])
  })

  test('two activations in a row, but no gate behind one', () => {
    const heads = { main: { task: 'x', from: 'c' } }
    expect(warningsOf({ heads, nodes: { a: 'relu', b: 'sigmoid', c: 'identity' } })).toEqual([])
    expect(warningsOf({ heads, nodes: { a: 'relu', b: 'silu', c: 'identity' } })).toEqual([
      ['double_act', 'b'],
    ])
  })

  test('a bias that batch norm takes away, unless somebody else reads it or the library wrote it', () => {
    const heads = { main: { task: 'x', from: 't' } }
    expect(warningsOf({ heads, nodes: { a: 'conv', t: 'bn' } })).toEqual([['bias_before_bn', 'a']])
    expect(warningsOf({ heads, nodes: { a: { op: 'conv', bias: false }, t: 'bn' } })).toEqual([])
    expect(warningsOf({ heads, nodes: { a: 'conv', b: 'bn', t: { op: 'add', in: ['a', 'b'] } } })).toEqual([])
    const gate = { t: { op: 'attention_gate', in: ['image', 'image'], mid: 4 } }
    expect(warningsOf({ heads, nodes: gate })).toEqual([])
  })

  test('many layers in a row without norm or shortcut', () => {
    const heads = { main: { task: 'x', from: 't' } }
    const row = (count: number, block: Record<string, unknown>) => ({
      heads,
      blocks: { b: { nodes: block } },
      nodes: { t: { op: 'b', repeat: count } },
    })
    const plain = { a: { op: 'conv', in: 'x', out: 3 }, r: 'relu' }
    expect(warningsOf(row(20, plain))).toEqual([])
    expect(warningsOf(row(24, plain))).toEqual([['no_norm_deep', 't/20/a']])
    const shortcut = { ...plain, s: { op: 'add', in: ['x', 'r'] } }
    expect(warningsOf(row(24, shortcut))).toEqual([])
    expect(warningsOf(row(24, { ...plain, n: { op: 'gn', groups: 3 } }))).toEqual([])
  })
})
