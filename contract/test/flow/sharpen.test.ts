import {
  flowNetworks,
  flowPatch,
  flowTrainHyper,
  flowTrainSchema,
  flowTrainStart,
} from '@neuroloom/contract/flow/sharpen'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { hyperSchema } from '@neuroloom/contract/suggest/hyper'
import { expect, test } from 'vitest'
import { builtIn, library } from '../network/wire.ts'

test('what a training begins with may be asked for', () => {
  expect(flowTrainSchema.parse(flowTrainStart)).toEqual(flowTrainStart)
  expect(flowNetworks).toContain(flowTrainStart.network)
  for (const epochs of [1, 19, 300]) {
    const hyper = flowTrainHyper({ epochs, seed: 3 })
    expect(hyperSchema.parse(hyper)).toEqual(hyper)
    expect([hyper.epochs, hyper.seed]).toEqual([epochs, 3])
    expect(hyper.validationInterval).toBeLessThanOrEqual(epochs)
  }
})

test.each(flowNetworks)('%s answers twice as finely to velocity and magnitude', (id) => {
  const cube = { size: [flowPatch, flowPatch, flowPatch] }
  const { plan, errors } = resolve(builtIn(id), { ...library, inputs: { velocity: cube, magnitude: cube } })
  expect(errors).toEqual([])
  const own = { k: 'map', c: 3, s: cube.size }
  expect(plan?.inputs).toEqual({ velocity: own, magnitude: own })
  expect(plan?.nodes.find((node) => node.id === plan.heads.main?.from)?.type).toEqual({
    ...own,
    s: cube.size.map((side) => 2 * side),
  })
})
