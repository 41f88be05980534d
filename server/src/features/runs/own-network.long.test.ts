/** Drawn networks that are trained, tested and looked into by a real engine. */
import type { Body } from '@neuroloom/contract/calls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeText } from '../../../test/networks.ts'
import { hasEnded, makeTrainingSet, startQuick, type TrainingSet, until } from '../../../test/training.ts'
import { makeWorker } from '../../../test/worker.ts'
import { startRunner } from './queue/jobs.ts'

let server: TestServer
let session: Session
let set: TrainingSet

beforeAll(async () => {
  server = await makeServer({ enginePython: process.env.ENGINE_PYTHON ?? '/usr/bin/python3' })
  session = await server.signUp({ vipLevel: 4 })
  set = await makeTrainingSet(server, session, { items: 30 })
})
afterAll(() => server.close())

const draw = async (text: string, who = session): Promise<string> =>
  (await server.call('networks/create', { name: 'Drawn', text }, who)).data.id
const save = (id: string, revision: number, text: string) =>
  server.call('networks/save', { id, revision, text, layout: { v: 1, pos: {}, open: [] } }, session)

it('that joins its maps at certain sizes alone still learns from pictures of any size', async () => {
  const odd = await makeTrainingSet(server, session, {
    ...{ task: 'segmentation', items: 16, size: 50, name: 'odd' },
  })
  const thirds = makeText({ task: 'segmentation' }).replace(
    '  logits: {',
    `  small: {op: maxpool, kernel: 3}
  back: {op: deconv, out: 4, kernel: 3, stride: 3}
  both: {op: concat, in: [act, back]}
  logits: {`,
  )
  const { projectId, datasetId } = odd
  const network = await draw(thirds)
  const { data } = await server.call('runs/suggest', { projectId, datasetId, network }, session)
  expect(data).toMatchObject({ blockers: [], hyper: { imageSize: [48, 48] } })
  const imageSize = data.hyper.imageSize
  const run = await startQuick(server, session, { set: odd, network, hyper: { imageSize } })
  const runner = startRunner(makeWorker(server))
  expect(await until(server, session, { id: run.id, is: hasEnded })).toMatchObject({
    state: 'done',
    error: null,
  })
  await runner.stop()
})

it('a training goes on, is shown, tested and looked into when its network is gone', async () => {
  const text = makeText({ width: 6 })
  const id = await draw(text)
  const run = await startQuick(server, session, { set, network: id })
  await save(id, 1, makeText({ width: 2 }))
  await server.call('networks/remove', { id }, session)

  const runner = startRunner(makeWorker(server))
  const done = await until(server, session, { id: run.id, is: hasEnded })
  expect(done).toMatchObject({
    state: 'done',
    error: null,
    ownNetwork: { name: 'Drawn', version: 1 },
    parameters: 81,
  })
  expect(done.artifacts.map(({ kind }) => kind).sort()).toEqual(['onnx', 'torchscript', 'weights'])

  const { data: test } = await server.call('runs/test', { id: run.id, datasets: [set.datasetId] }, session)
  expect(test).toMatchObject({ kind: 'test', network: id, ownNetwork: { name: 'Drawn', version: 1 } })
  expect((await until(server, session, { id: test.id, is: hasEnded })).state).toBe('done')
  await runner.stop()

  const look = async (change: Partial<Body<'networks/look'>> = {}, who = session) => {
    const image = { from: 'sample' } as const
    const body = { text, nodes: ['stem', 'logits'], image, runId: run.id, ...change }
    return (await server.call('networks/look', body, who)).data
  }
  const trained = await look()
  // What the network says of an image here is what its test said of it.
  const { datasetId } = set
  const { data: tested } = await server.call('runs/items', { id: test.id }, session)
  const item = tested.items[0]
  const seen = await look({ image: { from: 'dataset', datasetId, itemId: item?.id ?? '' } })
  const logits = seen.values[0]?.values ?? []
  const sum = logits.reduce((total, value) => total + Math.exp(value), 0)
  expect(logits).toHaveLength(3)
  for (const [index, value] of logits.entries())
    expect(Math.exp(value) / sum).toBeCloseTo(item?.probabilities[index] ?? -1, 4)
  expect(trained.seen[0]?.data).not.toBe((await look({ runId: null })).seen[0]?.data)
  expect((await look({ text: makeText({ width: 5 }) })).error).toBe('look_failed')
  expect((await look({ runId: test.id })).error).toBe('train_first')
  expect((await look({}, await server.signUp())).error).toBe('run_missing')
  expect(await look({ runId: 'unknown' })).toMatchObject({ error: 'run_missing' })
})

it('a training begins with the weights of layers that were renamed since', async () => {
  const id = await draw(makeText())
  const runner = startRunner(makeWorker(server))
  const first = await startQuick(server, session, { set, network: id })
  expect((await until(server, session, { id: first.id, is: hasEnded, timeout: 100_000 })).state).toBe('done')
  // As DRIPE writes a renamed layer.
  await save(id, 1, makeText({ name: 'entry' }).replace('entry: {', 'entry: {was: stem, '))
  const next = await startQuick(server, session, { set, network: id, startFrom: first.id })
  const done = await until(server, session, { id: next.id, is: hasEnded, timeout: 100_000 })
  expect(done).toMatchObject({ state: 'done', startFrom: { taken: { layers: 2, ofLayers: 2 } } })
  expect(done.startFrom).not.toHaveProperty('names')
  await runner.stop()
})
