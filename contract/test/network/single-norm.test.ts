import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { singleNorm } from '@neuroloom/contract/network/resolve/single-norm'
import { expect, test } from 'vitest'
import { library, makeNetwork } from './wire.ts'

test.each([
  ['the global branch of aspp', { t: 'aspp' }, 't/gc/bn'],
  ['the coarsest grid of psp', { t: 'psp' }, 't/p0/conv/bn'],
  ['a norm behind a vector', { a: 'globalavg', b: { op: 'linear', bias: false }, t: 'bn' }, 't'],
  ['nothing where another norm stands', { a: { op: 'globalavg', keep: true }, t: 'ln' }, undefined],
  ['nothing in plain convolutions', { t: 'double_conv' }, undefined],
])('of a batch of one, %s cannot be trained', (_what, nodes, found) => {
  const { plan, errors } = resolve(makeNetwork({ nodes, heads: { main: { task: 'x', from: 't' } } }), library)
  expect(errors).toEqual([])
  expect(plan && singleNorm(plan)?.id).toBe(found)
})
