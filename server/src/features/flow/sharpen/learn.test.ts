/** A tiny network that learns on known flows with the real engine. */
import type { ChildProcess } from 'node:child_process'
import { flowTrainedSchema } from '@neuroloom/contract/flow/sharpen'
import type { Run } from '@neuroloom/contract/runs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { flowSteps, makeFlowServer } from '../../../../test/flow-runs.ts'
import { flowText, trainAsked } from '../../../../test/flow-training.ts'
import type { Session, TestServer } from '../../../../test/harness.ts'
import { gone, spawnWorker } from '../../../../test/training.ts'
import { sha256 } from '../../../../test/uploads.ts'

let server: TestServer
let steps: ReturnType<typeof flowSteps>
let worker: ChildProcess
let me: Session
let projectId: string
let network: string
let unbroken: Run
beforeAll(async () => {
  server = await makeFlowServer()
  steps = flowSteps(server)
  worker = await spawnWorker(server)
  me = await server.signUp({ vipLevel: 4, vipSuper: 1 })
  projectId = await steps.project(me)
  network = (await server.call('networks/create', { name: 'Tiny', text: flowText() }, me)).data.id
  unbroken = await steps.ended(me, (await train(3)).id)
})
afterAll(async () => {
  worker.kill('SIGTERM')
  await gone(worker)
  await server.close()
})

async function train(epochs: number): Promise<Run> {
  const asked = { ...trainAsked, network, epochs }
  const { data, code, message } = await server.call('flow/train', { projectId, asked }, me)
  if (code !== 10200) throw new Error(`${message} ${JSON.stringify(data)}`)
  return data
}

it('ends with weights, curves and how it does beside interpolation', async () => {
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
