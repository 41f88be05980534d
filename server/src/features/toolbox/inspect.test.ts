import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { hasEnded, makeTrainingSet, startQuick, until } from '../../../test/training.ts'
import { putBelow } from '../../../test/uploads.ts'
import { startWorker, type TestWorker } from '../../../test/worker.ts'

let server: TestServer
let session: Session
let worker: TestWorker
let training: { id: string; projectId: string }
beforeAll(async () => {
  server = await makeServer({ enginePython: process.env.ENGINE_PYTHON ?? '/usr/bin/python3' })
  session = await server.signUp({ vipLevel: 4 })
  const set = await makeTrainingSet(server, session, { items: 12 })
  worker = await startWorker(server)
  const run = await startQuick(server, session, { set, hyper: { epochs: 1 } })
  const ended = await until(server, session, { id: run.id, is: hasEnded })
  expect(ended.state).toBe('done')
  training = { id: run.id, projectId: set.projectId }
  // habit: more than the room's limit, for its training
}, 300_000)
afterAll(async () => {
  await worker.stop()
  await server.close()
})

type Source = { from: 'run' | 'file'; id: string }
const inspect = (source: Source, other: Source | null = null, who: Session | null = session) =>
  server.call('toolbox/inspect', { source, other }, who)

async function put(name: string, bytes: Buffer): Promise<Source> {
  const { idOf } = await putBelow(server, session, { [name]: bytes })
  return { from: 'file', id: idOf(name) }
}

function container(header: object, body: Buffer): Buffer {
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  return Buffer.concat([length, text, body])
}
const floats = (...values: number[]): Buffer => Buffer.from(new Float32Array(values).buffer)

test('a training shows its layers with cost and field, and the figures of its weights', async () => {
  const { data } = await inspect({ from: 'run', id: training.id })
  expect(data.refused).toBeNull()
  const { data: detail } = await server.call('runs/detail', { id: training.id }, session)
  expect(data.network?.learn).toBe(detail.run.parameters)
  expect(data.network?.macs).toBeGreaterThan(0)
  expect(data.network?.layers.some(({ field }) => field !== null)).toBe(true)
  const names = new Set(data.network?.layers.map(({ name }) => name))
  const tensors = data.found?.tensors ?? []
  expect(tensors.length).toBeGreaterThan(3)
  for (const { layer, figures } of tensors) {
    expect(names).toContain(layer)
    expect(figures?.notFinite).toBe(0)
  }
  const same = await inspect({ from: 'run', id: training.id }, { from: 'run', id: training.id })
  expect(same.data.found?.tensors.every(({ compared }) => compared?.change === 0)).toBe(true)
})

test('files of the cloud are compared, and what is wrong in them is counted', async () => {
  const header = { 'stem.weight': { dtype: 'F32', shape: [2, 2], data_offsets: [0, 16] } }
  const before = await put('before.safetensors', container(header, floats(1, 1, 1, 1)))
  const after = await put('after.safetensors', container(header, floats(1, 1, Number.NaN, 2)))
  const { data } = await inspect(before, after)
  expect(data.network).toBeNull()
  expect(data.found).toMatchObject({ kind: 'safetensors', parameters: 4, bytes: 16, external: 0 })
  expect(data.found?.tensors[0]?.compared?.change).toBeCloseTo(Math.SQRT1_2)
  expect((await inspect(after)).data.found?.tensors[0]?.figures?.notFinite).toBe(1)
})

test('hostile files are refused with a reason, and the next one is answered', async () => {
  const claim = (shape: number[], offsets: number[]) => ({
    a: { dtype: 'F32', shape, data_offsets: offsets },
  })
  const huge = container({}, Buffer.alloc(0))
  huge.writeBigUInt64LE(2n ** 60n)
  const files = {
    'model.pt': ['pickle', Buffer.from('\x80\x02}q\x00.', 'latin1')],
    'huge.safetensors': ['header', huge],
    'short.safetensors': ['truncated', container(claim([1 << 28], [0, 2 ** 30]), floats(1))],
    'twice.safetensors': ['sizes', container(claim([4], [0, 4]), floats(1))],
    'text.onnx': ['unknown', Buffer.from('a letter')],
  } as const
  for (const [name, [reason, bytes]] of Object.entries(files)) {
    const { data } = await inspect(await put(name, bytes))
    expect(data).toMatchObject({ refused: reason, found: null })
  }
  expect((await inspect({ from: 'run', id: training.id })).data.refused).toBeNull()
})

test('whoever may see a training or a file may look into it, nobody else', async () => {
  const file = await put('mine.safetensors', container({}, Buffer.alloc(0)))
  const viewer = await server.signUp({ vipLevel: 1 })
  const run: Source = { from: 'run', id: training.id }
  expect((await inspect(run, null, viewer)).data.error).toBe('run_missing')
  expect((await inspect(file, null, viewer)).data.error).toBe('missing')
  expect((await inspect(file, run, viewer)).data.error).toBe('missing')
  const shared = { id: training.projectId, account: viewer.account, permission: 'view' as const }
  expect((await server.call('projects/share', shared, session)).code).toBe(10200)
  expect((await inspect(run, null, viewer)).data.refused).toBeNull()
  expect((await inspect(run, null, null)).data.error).toBe('not_signed_in')
})
