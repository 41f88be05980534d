import { planSchema } from '@neuroloom/contract/network/plan'
import { resolve } from '@neuroloom/contract/network/resolve'
import { builtInNetworks } from '@neuroloom/contract/networks'
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

  test('all twenty-two are here', () => expect(exampleIds).toEqual(Object.keys(expected).sort()))
})

describe('built-in networks', () => {
  test.each([
    ['small_resnet', 695_586, 52],
    ['resnet18', 11_689_512, 68],
    ['mobilenetv2', 3_504_872, 152],
    ['unet_small', 482_754, 55],
    ['unet', 31_037_698, 71],
    ['attention_unet', 8_722_686, 119],
  ])('%s has %i parameters', (id, parameters, ops) => {
    const { plan } = resolve(builtIn(id), library)
    expect(planSchema.parse(plan)).toEqual(plan)
    expect([plan?.learn, plan?.nodes.length]).toEqual([parameters, ops])
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

  test.each(builtInIds)('%s takes the classes, channels and size of the data', (id) => {
    const data = { classes: 6, channels: 1, size: [75, 90] }
    const { plan, errors, warnings } = resolve(builtIn(id), { ...library, data })
    expect([errors, warnings]).toEqual([[], []])
    expect(plan?.inputs).toEqual({ image: { k: 'map', c: 1, s: [75, 90] } })
    const last = plan?.nodes.find((node) => node.id === plan.heads.main?.from)
    const isPicture = builtIn(id).task === 'segmentation'
    expect(last?.type).toEqual(isPicture ? { k: 'map', c: 6, s: [75, 90] } : { k: 'vec', c: 6 })
  })

  test('are those that are offered, each with its texts and paper', () => {
    const offered: string[] = Object.values(builtInNetworks).flat()
    expect([...builtInIds].sort()).toEqual(offered.sort())
    for (const [task, ids] of Object.entries(builtInNetworks)) {
      for (const id of ids) {
        const { name, title, about, source, ...document } = builtIn(id)
        expect([name, title, about]).toEqual([id, `networks:${id}.title`, `networks:${id}.about`])
        expect(source).toMatch(/arxiv\.org/)
        expect(document.task).toBe(task)
        expect([...document.heads.values()].map((head) => head.task)).toEqual([task])
      }
    }
  })
})
