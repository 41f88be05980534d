import type { PlanNode } from '@neuroloom/contract/network/resolve/plan'
import { receptiveFields } from '@neuroloom/contract/network/resolve/receptive-field'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { expect, test } from 'vitest'
import { exampleText, library, makeDocument, makeNetwork } from './wire.ts'

function fieldsOf(parts: Record<string, unknown> | string) {
  const document = typeof parts === 'string' ? makeDocument(exampleText(parts)) : makeNetwork(parts)
  const { plan, errors } = resolve(document, library)
  if (plan === null) throw new Error(JSON.stringify(errors))
  return { plan, fields: receptiveFields(plan, library.catalogue) }
}

/** The last picture before the layers that see everything. */
function lastPicture({ plan, fields }: ReturnType<typeof fieldsOf>): PlanNode | undefined {
  return plan.nodes.findLast(({ id }) => fields.get(id) !== 'global')
}

/** Araujo, Norris, Sim: Computing Receptive Fields of Convolutional Neural Networks, 2019; ResNet-50 strides in its 3×3. */
test.each([
  ['vgg16', 212, 32],
  ['resnet18', 435, 32],
  ['resnet50', 427, 32],
  ['mobilenetv2', 491, 32],
])('%s sees %i pixels in steps of %i', (id, size, stride) => {
  const made = fieldsOf(id)
  const field = made.fields.get(lastPicture(made)?.id ?? '')
  expect(field).toMatchObject({ size: [size, size], stride: [stride, stride] })
})

const heads = { main: { task: 'x', from: 't' } }
test.each<[string, Record<string, unknown>, object | 'global']>([
  [
    'a convolution',
    { t: { op: 'conv', kernel: [3, 5] } },
    { size: [3, 5], stride: [1, 1], offset: [-1, -2] },
  ],
  ['a dilated one', { t: { op: 'conv', dilation: 4 } }, { size: [9, 9], stride: [1, 1], offset: [-4, -4] }],
  [
    'two that shrink',
    { a: { op: 'conv', stride: 2 }, t: { op: 'maxpool' } },
    { size: [5, 5], stride: [4, 4], offset: [-1, -1] },
  ],
  [
    'the way back up',
    { a: { op: 'maxpool', kernel: 4 }, t: { op: 'upsample', factor: 4 } },
    { size: [4, 4], stride: [1, 1], offset: [0, 0] },
  ],
  [
    'a transposed convolution',
    { a: { op: 'maxpool' }, t: { op: 'deconv', out: 4 } },
    { size: [2, 2], stride: [1, 1], offset: [0, 0] },
  ],
  [
    'a sum of two ways',
    {
      a: { op: 'conv', out: 3, kernel: 7 },
      b: { op: 'conv', in: 'image', out: 3, kernel: 3, pad: 1 },
      t: { op: 'add', in: ['a', 'b'] },
    },
    { size: [7, 7], stride: [1, 1], offset: [-3, -3] },
  ],
  [
    'a size that is only lent',
    { a: { op: 'conv', kernel: 9 }, t: { op: 'resize_like', in: ['image', 'a'], mode: 'nearest' } },
    { size: [1, 1], stride: [1, 1], offset: [0, 0] },
  ],
  [
    'edges',
    { a: { op: 'crop', amount: 2 }, t: { op: 'pad', amount: 5 } },
    { size: [1, 1], offset: [-3, -3] },
  ],
  ['patches', { t: { op: 'patches', size: 8 } }, { size: [8, 8], stride: [8, 8], offset: [0, 0] }],
  ['a global average', { t: 'globalavg' }, 'global'],
  ['attention', { a: { op: 'patches', size: 8 }, t: 'attention' }, 'global'],
  ['what is gated by the whole', { t: { op: 'se', ratio: 1 } }, 'global'],
])('%s', (_, nodes, expected) => {
  const { plan, fields } = fieldsOf({ nodes, heads })
  const field = fields.get(plan.heads.main?.from ?? '')
  if (expected === 'global') expect(field).toBe('global')
  else expect(field).toMatchObject(expected)
})

test('every node of every kind of network has a field', () => {
  for (const id of ['unet', 'unet3d', 'swin_tiny', 'flow4d', 'mlp']) {
    const { plan, fields } = fieldsOf(id)
    expect([...fields.keys()]).toEqual(plan.nodes.map((node) => node.id))
    for (const field of fields.values()) {
      if (field === 'global') continue
      expect([...field.size, ...field.stride, ...field.offset].every(Number.isFinite)).toBe(true)
    }
  }
})
