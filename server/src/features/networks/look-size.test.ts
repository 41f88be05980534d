import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import { expect, it } from 'vitest'
import { makeText } from '../../../test/networks.ts'
import { lookBytes } from './look-size.ts'
import { read } from './reading.ts'

function planOf(text: string): Plan {
  const found = read(text, {})
  if ('unreadable' in found || found.plan === null) throw new Error(JSON.stringify(found))
  return found.plan
}
const MAP = 4 * 32 * 32 * 4
const beyond = (text: string): number => {
  const plan = planOf(text)
  return lookBytes(plan) - lookBytes({ ...plan, nodes: [], heads: {}, inputs: {} })
}

it('a look needs what is alive at its worst moment, with as much again for a layer at work', () => {
  // Two maps of four channels: the layer's input and its output.
  expect(beyond(makeText())).toBe(2 * 2 * MAP)
})

it('a map that is read again later stays alive until then', () => {
  const skip = makeText({ task: 'segmentation' }).replace(
    '  logits: {op: conv,',
    '  far: {op: conv, out: 4}\n  back: {op: add, in: [stem, far]}\n  logits: {op: conv,',
  )
  expect(beyond(skip)).toBe(2 * 3 * MAP)
})

it('weights count three times: as a file, as its tensors, in the network', () => {
  const plan = planOf(makeText())
  expect(lookBytes({ ...plan, learn: plan.learn + 1000 }) - lookBytes(plan)).toBe(3 * 4 * 1000)
})
