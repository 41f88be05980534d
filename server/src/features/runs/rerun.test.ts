import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import {
  addDataset,
  hasEnded,
  makeTrainingSet,
  quick,
  startQuick,
  type TrainingSet,
  until,
} from '../../../test/training.ts'
import { startWorker, type TestWorker } from '../../../test/worker.ts'
import { addBlob } from '../../infra/storage/blobs.ts'
import { readStored } from './manifests.ts'
import { storeManifest } from './start.ts'
import { allRuns, runInputs } from './tables.ts'

let server: TestServer
let session: Session
let stranger: Session
let set: TrainingSet
let worker: TestWorker
/** An ended training that the others begin with or repeat. */
let first: Run

type Run = Awaited<ReturnType<typeof until>>
const ended = (id: string) => until(server, session, { id, is: hasEnded })
const weightsOf = ({ artifacts }: Run) => artifacts.find(({ kind }) => kind === 'weights')?.sha256 ?? 'none'
const rerun = (id: string, who = session) => server.call('runs/rerun', { id }, who)

beforeAll(async () => {
  server = await makeServer()
  session = await server.signUp({ vipSuper: 1 })
  stranger = await server.signUp({ vipSuper: 1 })
  set = await makeTrainingSet(server, session, { items: 48 })
  worker = await startWorker(server)
  first = await ended((await startQuick(server, session, { set })).id)
})
afterAll(async () => {
  await worker.stop()
  await server.close()
})

describe('runs/rerun', () => {
  it('gives the same weights under a new number', async () => {
    const { data } = await rerun(first.id)
    expect(data).toMatchObject({ number: first.number + 1, kind: 'train', hyper: first.hyper, artifacts: [] })
    const again = await ended(data.id)
    expect(again.state).toBe('done')
    expect(weightsOf(again)).toBe(weightsOf(first))
  })

  it('repeats a test, but not without its training', async () => {
    const made = await server.call('runs/test', { id: first.id, datasets: [set.datasetId] }, session)
    expect((await rerun(made.data.id)).data.error).toBe('run_not_ended')
    const test = await ended(made.data.id)
    const again = await ended((await rerun(test.id)).data.id)
    expect(again).toMatchObject({ state: 'done', parentId: first.id, metrics: test.metrics })
    await server.ctx.db.update(allRuns).set({ parentId: null }).where(eq(allRuns.id, test.id))
    expect((await rerun(test.id)).data.error).toBe('weights_gone')
  })

  it('refuses strangers and data that are gone', async () => {
    expect((await rerun(first.id, stranger)).data.error).toBe('run_missing')
    const other = await makeTrainingSet(server, session, { items: 12, name: 'other' })
    const { id } = await startQuick(server, session, { set: other })
    await server.call('runs/stop', { id }, session)
    await ended(id)
    const [inputs] = await server.ctx.db.select().from(runInputs).where(eq(runInputs.runId, id))
    const manifest = await readStored(server.ctx, inputs?.manifestSha256 ?? '')
    const items = manifest.items.map((item) => ({ ...item, image: 'f'.repeat(64) }))
    const stored = await storeManifest(server.ctx, { ...manifest, items })
    await server.ctx.db.transaction((tx) => addBlob(tx, stored))
    await server.ctx.db
      .update(runInputs)
      .set({ manifestSha256: stored.sha256 })
      .where(eq(runInputs.runId, id))
    expect((await rerun(id)).data.error).toBe('data_gone')
  })
})

describe('a training that begins with an earlier one', () => {
  const start = (body: object, who = session, of = set) =>
    server.call(
      'runs/start',
      {
        projectId: of.projectId,
        parts: of.parts,
        network: 'small_resnet',
        hyper: quick,
        force: true,
        ...body,
      },
      who,
    )

  it('takes its weights over and tells how many', async () => {
    const { data } = await start({ startFrom: first.id })
    expect(data.startFrom).toEqual({
      id: first.id,
      number: first.number,
      isSameProject: true,
      hasSeenTest: false,
      model: null,
      taken: null,
    })
    const done = await ended(data.id)
    expect(done.state).toBe('done')
    expect(done.startFrom?.taken).toMatchObject({
      parameters: first.parameters,
      ofParameters: first.parameters,
    })
    expect(weightsOf(done)).not.toBe(weightsOf(first))
  })

  it('says when it has seen pictures that are kept aside now', async () => {
    const validation = { method: 'holdout', train: 4, test: 1, seed: 99 } as const
    const { data } = await start({ startFrom: first.id, validation })
    expect(data.startFrom?.hasSeenTest).toBe(true)
    await server.call('runs/stop', { id: data.id }, session)
    const more = { projectId: set.projectId, task: set.task, items: 24, size: 32, name: 'more', seed: 5 }
    const fresh = await addDataset(server, session, more)
    const other = await start({ startFrom: first.id, parts: fresh.parts })
    expect(other.data.startFrom?.hasSeenTest).toBe(false)
    await server.call('runs/stop', { id: other.data.id }, session)
  })

  it('refuses what is foreign, no training, or does not fit', async () => {
    const theirs = await makeTrainingSet(server, stranger, { items: 24 })
    expect((await start({ startFrom: first.id }, stranger, theirs)).data.error).toBe('run_missing')
    expect((await start({ startFrom: first.id, network: 'mobilenetv2' })).data.error).toBe('weights_unfit')
    const { id } = await startQuick(server, session, { set })
    expect((await start({ startFrom: id })).data.error).toBe('train_first')
    await server.call('runs/stop', { id }, session)
  })
})

describe('forecasts', () => {
  it('come from what ended on this device', async () => {
    const suggest = (network: string | null) =>
      server.call('runs/suggest', { projectId: set.projectId, datasetId: set.datasetId, network }, session)
    const known = await suggest('small_resnet')
    expect(known.data).toMatchObject({ forecastIsSure: true })
    expect(known.data.forecastSeconds).toBeGreaterThan(0)
    expect((await suggest('resnet18')).data.forecastIsSure).toBe(false)
    const [kept] = await server.ctx.db.select().from(allRuns).where(eq(allRuns.id, first.id))
    expect(kept?.quietSeconds).toBeGreaterThan(0)
    expect(kept?.quietSeconds).toBeLessThan(kept?.busySeconds ?? 0)
  })

  it('tell a waiting run when it begins', async () => {
    await server.ctx.db.update(allRuns).set({ state: 'paused' }).where(eq(allRuns.state, 'queued'))
    const going = await startQuick(server, session, { set, hyper: { epochs: 300 } })
    await until(server, session, { id: going.id, is: ({ progress }) => progress !== null })
    const next = await startQuick(server, session, { set })
    const last = await startQuick(server, session, { set })
    const shown = async (id: string) => (await server.call('runs/detail', { id }, session)).data.run
    const wait = (await shown(next.id)).startsInSeconds ?? 0
    expect(wait).toBeGreaterThan(1)
    expect((await shown(last.id)).startsInSeconds).toBeGreaterThan(wait)
    expect((await shown(going.id)).startsInSeconds).toBeNull()
    for (const { id } of [last, next, going]) await server.call('runs/stop', { id }, session)
    await ended(going.id)
  })
})
