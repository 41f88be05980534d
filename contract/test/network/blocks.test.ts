import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { expect, test } from 'vitest'
import { library, makeNetwork } from './wire.ts'

const size = { 1: [32], 2: [32, 32], 3: [16, 16, 16] }

function use(op: string, { channels, rank = 2, params = {} }: Use) {
  const input = { kind: 'image', channels, size: size[rank] }
  const document = makeNetwork({
    inputs: { image: input },
    nodes: { a: { op, ...params } },
    heads: { main: { task: 'image-processing', from: 'a' } },
  })
  const { plan, errors } = resolve(document, library)
  expect(errors).toEqual([])
  return { learn: plan?.learn, type: plan?.nodes.at(-1)?.type }
}
type Use = { channels: number; rank?: 1 | 2 | 3; params?: Record<string, unknown> }

/** Counted by hand from the papers: weights, biases, two numbers a channel for each norm. */
test.each<[string, Use, number, number, number]>([
  ['convnext_block', { channels: 96 }, 96 * 49 + 96 + 2 * 96 + 2 * (96 * 384) + 384 + 96 + 96, 96, 32],
  ['sep_conv', { channels: 8, params: { out: 12 } }, 8 * 9 + 8 * 12 + 12 + 24, 12, 32],
  ['mbconv', { channels: 16, params: { out: 24, stride: 2 } }, 6004, 24, 16],
  ['mbconv', { channels: 32, params: { out: 16, expand: 1 } }, 1448, 16, 32],
  [
    'mbconv',
    { channels: 24, params: { out: 24 } },
    24 * 144 * 2 + 144 * 9 + 2 * (144 + 144 + 24) + 144 * 12 + 6 + 144,
    24,
    32,
  ],
  ['rcab', { channels: 64 }, 2 * (64 * 64 * 9 + 64) + 64 * 4 + 4 + 4 * 64 + 64, 64, 32],
  ['non_local', { channels: 64 }, 4 * (64 * 64 + 64) + 128, 64, 32],
  ['psp', { channels: 64 }, 4 * (64 * 16 + 32), 128, 32],
])('%s of %o learns %i numbers', (op, given, learn, c, side) => {
  expect(use(op, given)).toEqual({ learn, type: { k: 'map', c, s: [side, side] } })
})

test('convnext_block, mbconv, rcab, non_local and psp work on signals and volumes too', () => {
  for (const op of ['convnext_block', 'mbconv', 'rcab', 'non_local']) {
    for (const rank of [1, 3] as const) {
      expect(use(op, { channels: 16, rank }).type).toEqual({ k: 'map', c: 16, s: size[rank] })
    }
  }
})

const pyramid = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, k) => [
      `c${k + 3}`,
      { op: 'conv', in: k === 0 ? 'image' : `c${k + 2}`, out: 64, stride: 2 },
    ]),
  )

test.each([
  ['fpn', 3, { out: 32 }, 3 * (64 * 32 + 32) + 3 * (32 * 32 * 9 + 32), 32],
  ['bifpn', 5, {}, 8 * (64 * 9 + 64 * 64 + 64 + 128) + 5 * 2 + 3 * 3, 64],
])('%s joins %i levels and keeps their sizes', (op, count, params, learn, c) => {
  const levels = pyramid(count)
  const names = Object.keys(levels)
  const outlets = names.map((name) => ({ heat: `neck.${name.replace('c', 'p')}` }))
  const document = makeNetwork({
    inputs: { image: { kind: 'image', channels: 3, size: [75, 90] } },
    nodes: { ...levels, neck: { op, in: names, ...params } },
    heads: { main: { task: 'detection', from: outlets } },
  })
  const { plan, types, errors, warnings } = resolve(document, library)
  expect([errors, warnings]).toEqual([[], []])
  const before = (plan?.nodes ?? [])
    .filter(({ id }) => names.includes(id))
    .reduce((sum, node) => sum + node.learn, 0)
  expect((plan?.learn ?? 0) - before).toBe(learn)
  for (const name of names) {
    const level = types.get(name)
    expect(types.get(`neck.${name.replace('c', 'p')}`)).toEqual({ ...level, c })
  }
})

test('unetr_up doubles the size and joins the shortcut', () => {
  const document = makeNetwork({
    inputs: { image: { kind: 'volume', channels: 3, size: [8, 8, 8] } },
    nodes: {
      fine: { op: 'conv', out: 64, kernel: 1 },
      coarse: { op: 'conv', out: 128, kernel: 1, stride: 2 },
      up: { op: 'unetr_up', in: ['coarse', 'fine'], out: 64 },
    },
    heads: { main: { task: 'image-processing', from: 'up' } },
  })
  const { plan, errors } = resolve(document, library)
  expect(errors).toEqual([])
  const own = (plan?.nodes ?? []).filter(({ id }) => id.startsWith('up/'))
  const learn = own.reduce((sum, node) => sum + node.learn, 0)
  expect(learn).toBe(128 * 64 * 8 + 128 * 64 * 27 + 64 * 64 * 27 + 128 * 64)
  expect(own.at(-1)?.type).toEqual({ k: 'map', c: 64, s: [8, 8, 8] })
})

test.each([
  ['a number for every axis', [1, 3], null],
  ['one number', 3, null],
  ['too many of them', [3, 3, 3], 'axis_count'],
  ['none', [], 'param_type'],
  ['one out of range', [3, 99], 'param_range'],
  ['a word among them', [3, 'wide'], 'param_type'],
])('a number of a block may be given as a list: %s', (_name, kernel, error) => {
  const blocks = {
    wide: {
      params: { kernel: { type: 'int', default: 3, min: 1, max: 9 } },
      nodes: { c: { op: 'conv_bn_relu', kernel: '=kernel', out: 4 } },
    },
  }
  const document = makeNetwork({
    blocks,
    nodes: { a: { op: 'wide', kernel } },
    heads: { main: { task: 'x', from: 'a' } },
  })
  const { errors, nodes } = resolve(document, library)
  expect(errors.map(({ code }) => code)).toEqual(error === null ? [] : [error])
  const used = [kernel, kernel].flat().slice(0, 2)
  if (error === null) expect(nodes.find(({ op }) => op === 'conv')?.params.kernel).toEqual(used)
})
