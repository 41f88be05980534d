/** A tiny network that learns on known flows with the real engine. */
import { flowTrainedSchema } from '@neuroloom/contract/flow/sharpen'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { learnFlow } from '../../../../test/flow-learning.ts'
import { makeFlowServer } from '../../../../test/flow-runs.ts'
import { trainAsked } from '../../../../test/flow-training.ts'
import type { TestServer } from '../../../../test/harness.ts'
import { sha256 } from '../../../../test/uploads.ts'
import { startWorker, type TestWorker } from '../../../../test/worker.ts'

let server: TestServer
let worker: TestWorker
let learned: Awaited<ReturnType<typeof learnFlow>>
beforeAll(async () => {
  server = await makeFlowServer()
  worker = await startWorker(server)
  learned = await learnFlow(server)
})
afterAll(async () => {
  await worker.stop()
  await server.close()
})

it('ends with weights, curves and how it does beside interpolation', async () => {
  const { me, network, projectId, unbroken } = learned
  expect(unbroken).toMatchObject({ state: 'done', error: null, score: null, ownNetwork: { name: 'Tiny' } })
  expect(unbroken.artifacts.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['weights', 'onnx', 'flow_training']),
  )
  const { data } = await server.call('flow/training', { id: unbroken.id }, me)
  expect(flowTrainedSchema.parse(data.results)).toMatchObject({
    ...{ asked: { ...trainAsked, network, epochs: 3 }, factor: 2 },
    parts: { train: 12, validation: 4, test: 4 },
  })
  const validated = data.curves.filter(({ split }) => split === 'validation')
  expect(validated.map(({ epoch }) => epoch)).toEqual([1, 2, 3])
  for (const { values } of validated) expect(values.rmse).toBeGreaterThan(0)
  expect(validated[0]?.values).toMatchObject({
    rmseLinear: expect.any(Number),
    rmseWeighted: expect.any(Number),
    rmseCubic: expect.any(Number),
  })
  const { data: shown } = await server.call('runs/detail', { id: unbroken.id }, me)
  expect(shown).toMatchObject({ curves: data.curves, preview: null })
  const { data: listed } = await server.call('flow/sharpeners', { projectId }, me)
  expect(listed.sharpeners).toMatchObject([
    { trainingId: unbroken.id, ownNetwork: { name: 'Tiny', version: 1 } },
  ])
  const { data: project } = await server.call('projects/detail', { id: projectId }, me)
  expect(project.counts).toMatchObject({ models: 1, runs: 1, reports: 0 })
  for (const kind of ['weights', 'onnx', 'flow_training'] as const) {
    const { data: file } = await server.call('runs/download', { id: unbroken.id, kind }, me)
    const bytes = Buffer.from(await (await fetch(server.url + file.url)).arrayBuffer())
    const stored = unbroken.artifacts.find((one) => one.kind === kind)
    expect([file.name, sha256(bytes, 'hex')]).toEqual([
      expect.stringContaining('-flow-training-1'),
      stored?.sha256,
    ])
  }
})
