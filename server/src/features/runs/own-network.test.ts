import type { Body } from '@neuroloom/contract/calls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
const suggest = async (network: string) =>
  (await server.call('runs/suggest', { ...set, network }, session)).data
const start = async (network: string) => {
  const { projectId, parts } = set
  return (await server.call('runs/start', { projectId, parts, network, force: true }, session)).data
}
const save = (id: string, revision: number, text: string) =>
  server.call('networks/save', { id, revision, text, layout: { v: 1, pos: {}, open: [] } }, session)

describe('a drawn network', () => {
  it('is bound to the classes and channels of the data', async () => {
    const id = await draw(makeText())
    const suggestion = await suggest(id)
    expect(suggestion).toMatchObject({
      network: id,
      blockers: [],
      hyper: { numClass: 3, imageSize: [32, 32] },
    })
    // 3·3·1·4+4 of the convolution and 4·3+3 of the decision between three classes.
    expect(suggestion.parameters).toBe(55)
    expect(suggestion.memoryBytes).toBeGreaterThan(300_000_000)
  })

  it('is given images of the nearest size that it works with', async () => {
    const large = makeText().replace('out: 4', 'out: 4, kernel: 41, pad: 0')
    const { hyper, reasons, blockers } = await suggest(await draw(large))
    expect(hyper.imageSize).toEqual([48, 48])
    expect(reasons).toContainEqual({
      ...{ field: 'imageSize', reason: 'size_network', params: { width: 48, height: 48 } },
    })
    expect(blockers).toEqual([])
  })

  it.each([
    ['takes other channels', makeText().replace('=channels', '3'), 'data_channels'],
    ['tells other classes apart', makeText().replace('out: =classes', 'out: 7'), 'head_classes'],
    ['has mistakes', makeText({ from: 'nowhere' }), 'unknown_ref'],
    [
      'has two inputs',
      makeText().replace('inputs: {', 'inputs: {age: {kind: vec, channels: 1}, '),
      'several_inputs',
    ],
    [
      'takes volumes',
      makeText().replace(
        'image, channels: =channels, size: [32, 32]',
        'volume, channels: =channels, size: [8, 8, 8]',
      ),
      'data_rank',
    ],
    [
      'answers another question',
      makeText().replace('main: {task: classification', 'main: {task: regression'),
      'other_head',
    ],
    [
      'has nothing to learn',
      `dripe: 1
name: idle
task: classification
inputs: {image: {kind: image, channels: 1, size: [32, 32]}}
nodes: {shrink: {op: adaptavg, size: [1, 3]}, out: flatten}
heads: {main: {task: classification, from: out}}
`,
      'nothing_to_learn',
    ],
  ])('that %s does not fit, and the reason is told', async (_what, text, reason) => {
    const id = await draw(text)
    const { blockers } = await suggest(id)
    expect(blockers).toMatchObject([{ name: 'network_unfit', params: { network: 'Drawn', reason } }])
    expect(await start(id)).toMatchObject({ error: 'network_unfit', params: { network: 'Drawn', reason } })
  })

  it('of another task or another member is refused', async () => {
    const other = await draw(makeText({ task: 'segmentation' }))
    expect(await suggest(other)).toMatchObject({ error: 'network_unfit', params: { reason: 'other_task' } })
    const stranger = await server.signUp()
    const foreign = await draw(makeText(), stranger)
    expect(await suggest(foreign)).toMatchObject({ error: 'network_unfit', params: { reason: 'unknown' } })
    expect(await start(foreign)).toMatchObject({ error: 'network_unfit' })
  })

  it('is kept as a version at each start, the same state once', async () => {
    const id = await draw(makeText())
    const first = await startQuick(server, session, { set, network: id })
    await startQuick(server, session, { set, network: id })
    await save(id, 1, makeText({ width: 6 }))
    const third = await startQuick(server, session, { set, network: id })
    expect(first).toMatchObject({ network: id, ownNetwork: { name: 'Drawn', version: 1 } })
    expect(third.ownNetwork).toEqual({ name: 'Drawn', version: 2 })
    const { data } = await server.call('networks/versions', { id }, session)
    expect(data.versions).toMatchObject([
      { number: 2, note: '', runs: 1, parameters: 74 },
      { number: 1, note: '', runs: 2 },
    ])
    for (const { id: run } of (await server.call('runs/list', { projectId: null }, session)).data.runs)
      await server.call('runs/remove', { id: run }, session)
  })
})

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
  expect((await until(server, session, { id: first.id, is: hasEnded })).state).toBe('done')
  // As DRIPE writes a renamed layer.
  await save(id, 1, makeText({ name: 'entry' }).replace('entry: {', 'entry: {was: stem, '))
  const next = await startQuick(server, session, { set, network: id, startFrom: first.id })
  const done = await until(server, session, { id: next.id, is: hasEnded })
  expect(done).toMatchObject({ state: 'done', startFrom: { taken: { layers: 2, ofLayers: 2 } } })
  expect(done.startFrom).not.toHaveProperty('names')
  await runner.stop()
})
