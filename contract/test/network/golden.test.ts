import { builtInNetworks } from '@neuroloom/contract/built-in-networks'
import { planSchema } from '@neuroloom/contract/network/resolve/plan'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { networkTask } from '@neuroloom/contract/task'
import { taskSchema } from '@neuroloom/contract/task-schema'
import { describe, expect, test } from 'vitest'
import { builtIn, builtInIds, exampleIds, exampleText, expectedText, library, makeDocument } from './wire.ts'

/** Counts compared with PyTorch node by node, and with the published ones where a paper names them. */
const expected: Record<string, { ops: number; parameters: number; macs: number; outputs: object }> =
  JSON.parse(expectedText())

describe('networks of the literature', () => {
  test.each(exampleIds)('%s has the published counts', (id) => {
    const { plan, errors } = resolve(makeDocument(exampleText(id)), library)
    expect(errors).toEqual([])
    expect({
      ops: plan?.nodes.length,
      parameters: plan?.learn,
      macs: plan?.macs,
      outputs: Object.fromEntries(Object.entries(plan?.heads ?? {}).map(([name, { from }]) => [name, from])),
    }).toEqual({
      ops: expected[id]?.ops,
      parameters: expected[id]?.parameters,
      macs: expected[id]?.macs,
      outputs: expected[id]?.outputs,
    })
  })

  test('all are here', () => expect([...exampleIds].sort()).toEqual(Object.keys(expected).sort()))
})

describe('built-in networks', () => {
  test.each(builtInIds)('%s has a plan that crosses as it is', (id) => {
    const { plan } = resolve(builtIn(id), library)
    expect(planSchema.parse(plan)).toEqual(plan)
  })

  /** Read off PyTorch's autograd (saved tensors of a training step, one sample more in the batch). */
  test.each([
    ['small_resnet', 3_424_768],
    ['resnet18', 22_179_840],
    ['mobilenetv2', 78_460_416],
    ['unet_small', 20_447_232],
    ['unet', 343_146_496],
    ['attention_unet', 259_170_304],
  ])('%s keeps what autograd keeps', (id, bytes) => {
    const { plan } = resolve(builtIn(id), library)
    expect(Math.abs((plan?.keptBytes ?? 0) / bytes - 1)).toBeLessThan(0.001)
  })

  test.each(builtInIds)('%s takes the classes, channels, factor and size of the data', (id) => {
    const { inputs, task } = builtIn(id)
    const s = [...inputs.values()][0]?.size?.length === 3 ? [24, 75, 90] : [75, 90]
    const isRestored = task === 'super-resolution' || task === 'denoising'
    const data = { channels: 1, size: s, ...(isRestored ? {} : { classes: 6 }) }
    const factor = task === 'super-resolution' ? { factor: 3 } : {}
    const { plan, errors, warnings } = resolve(builtIn(id), { ...library, data: { ...data, ...factor } })
    expect([errors, warnings]).toEqual([[], []])
    expect(plan?.inputs).toEqual({ image: { k: 'map', c: 1, s } })
    const last = plan?.nodes.find((node) => node.id === plan.heads.main?.from)
    const answers: Record<string, unknown> = {
      classification: { k: 'vec', c: 6 },
      segmentation: { k: 'map', c: 6, s },
      'super-resolution': { k: 'map', c: 1, s: s.map((side) => side * 3) },
      denoising: { k: 'map', c: 1, s },
    }
    // Networks that find things have several outputs.
    if (task !== 'detection') expect(last?.type).toEqual(answers[task])
  })

  test('have the task that they are offered for', () => {
    for (const [task, ids] of Object.entries(builtInNetworks)) {
      for (const id of ids) {
        const { heads, ...document } = builtIn(id)
        const own = networkTask[taskSchema.parse(task)]
        expect([document.task, ...[...heads.values()].map((head) => head.task)]).toEqual([own, own])
      }
    }
  })
})
