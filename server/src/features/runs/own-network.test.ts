import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeText } from '../../../test/networks.ts'
import { makeTrainingSet, startQuick, type TrainingSet } from '../../../test/training.ts'

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
