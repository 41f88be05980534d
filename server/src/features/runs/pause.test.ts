import { mkdir } from 'node:fs/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import {
  gone,
  hasEnded,
  makeTrainingSet,
  spawnWorker,
  startQuick,
  type TrainingSet,
  until,
} from '../../../test/training.ts'
import { folderOf, sweepFolders } from './queue/folder.ts'
import { claim, giveBack, giveUp, holdOf, renew, takeBackExpired } from './queue/queue.ts'
import { runs } from './tables.ts'

let server: TestServer
let session: Session
let set: TrainingSet

beforeAll(async () => {
  server = await makeServer()
  session = await server.signUp({ vipSuper: 1 })
  set = await makeTrainingSet(server, session, { items: 48 })
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.ctx.db.delete(runs)
})

const pause = (id: string, who = session) => server.call('runs/pause', { id }, who)
const resume = (id: string, who = session) => server.call('runs/resume', { id }, who)
const shown = async (id: string) => (await server.call('runs/detail', { id }, session)).data.run
const take = async (worker = 'w1') => {
  const run = await claim(server.ctx, worker)
  if (!run) throw new Error('the queue is empty')
  return holdOf(run)
}

describe('pausing a waiting run', () => {
  it('takes it out of the queue at once, and resuming puts it back behind the others', async () => {
    const first = await startQuick(server, session, { set })
    const second = await startQuick(server, session, { set })
    expect((await pause(first.id)).data).toMatchObject({ state: 'paused', position: null, resumed: 0 })
    expect((await shown(second.id)).position).toBe(1)
    expect((await resume(first.id)).data).toMatchObject({ state: 'queued', position: 2 })
    expect((await take()).runId).toBe(second.id)
  })

  it('is no failure when asked twice; resuming what is not paused is', async () => {
    const { id } = await startQuick(server, session, { set })
    expect((await resume(id)).data.error).toBe('run_not_paused')
    await pause(id)
    expect((await pause(id)).data.state).toBe('paused')
    await server.call('runs/stop', { id }, session)
    expect((await pause(id)).data.error).toBe('run_ended')
    expect((await resume(id)).data.error).toBe('run_not_paused')
  })

  it('lets the run be stopped without ever beginning', async () => {
    const { id } = await startQuick(server, session, { set })
    await pause(id)
    expect((await server.call('runs/stop', { id }, session)).data).toMatchObject({ state: 'stopped' })
    expect(await claim(server.ctx, 'w')).toBeNull()
  })
})

describe('pausing a running run', () => {
  it('is a wish that its worker fulfils', async () => {
    const { id } = await startQuick(server, session, { set })
    const hold = await take()
    expect((await pause(id)).data).toMatchObject({ state: 'running', pausing: true })
    expect(await renew(server.ctx.db, hold)).toEqual({ stopRequested: false, pauseRequested: true })
    await giveBack(server.ctx, hold)
    expect(await shown(id)).toMatchObject({ state: 'paused', pausing: false, resumed: 0 })
    expect(await claim(server.ctx, 'w')).toBeNull()
    await resume(id)
    await take('w2')
    // A pause is no interruption.
    expect(await shown(id)).toMatchObject({ state: 'running', resumed: 0 })
  })

  it('outlives the worker: a run whose lease expires becomes paused', async () => {
    const { id } = await startQuick(server, session, { set })
    await take()
    await pause(id)
    await server.ctx.db
      .update(runs)
      .set({ leaseUntil: sql`now() - interval '1 second'` })
      .where(eq(runs.id, id))
    expect(await takeBackExpired(server.ctx)).toBe(1)
    expect((await shown(id)).state).toBe('paused')
  })

  it('can be taken back before it has paused', async () => {
    const { id } = await startQuick(server, session, { set })
    const hold = await take()
    await pause(id)
    expect((await resume(id)).data).toMatchObject({ state: 'running', pausing: false })
    await giveBack(server.ctx, hold)
    expect((await shown(id)).state).toBe('queued')
  })

  it('gives way to a stop, which needs a worker to make weights of what was learned', async () => {
    const { id } = await startQuick(server, session, { set })
    const hold = await take()
    await pause(id)
    expect((await server.call('runs/stop', { id }, session)).data).toMatchObject({
      stopping: true,
      pausing: false,
    })
    await giveBack(server.ctx, hold)
    expect(await shown(id)).toMatchObject({ state: 'queued', stopping: true })
    expect(await renew(server.ctx.db, await take())).toMatchObject({ stopRequested: true })
  })

  it('wakes a paused run that is stopped', async () => {
    const { id } = await startQuick(server, session, { set })
    const hold = await take()
    await pause(id)
    await giveBack(server.ctx, hold)
    expect((await server.call('runs/stop', { id }, session)).data).toMatchObject({
      state: 'queued',
      stopping: true,
    })
    expect((await take()).runId).toBe(id)
  })

  it('fails a run that keeps breaking off, whatever is wished', async () => {
    const { id } = await startQuick(server, session, { set })
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const hold = await take()
      if (attempt === 3) await pause(id)
      await giveUp(server.ctx, hold)
    }
    expect(await shown(id)).toMatchObject({ state: 'failed', pausing: false })
  })
})

describe('a paused run is open', () => {
  it('keeps its folder and its data, and goes with its project', async () => {
    const other = await makeTrainingSet(server, session, { items: 12, name: 'other' })
    const { id } = await startQuick(server, session, { set: other })
    await pause(id)
    await mkdir(folderOf(server.ctx, id), { recursive: true })
    expect(await sweepFolders(server.ctx)).not.toContain(id)
    const forget = await server.call('datasets/remove', { id: other.datasetId, projectId: null }, session)
    expect(forget.data.error).toBe('dataset_in_use')
    await server.call('projects/remove', { id: other.projectId }, session)
    const [row] = await server.ctx.db.select().from(runs).where(eq(runs.id, id))
    expect(row?.state).toBe('stopped')
  })

  it('counts among the models that a plan keeps', async () => {
    const ordinary = await server.signUp({ vipLevel: 1 })
    const theirs = await makeTrainingSet(server, ordinary, { items: 60 })
    const start = () =>
      server.call(
        'runs/start',
        { projectId: theirs.projectId, parts: theirs.parts, network: 'small_resnet', force: true },
        ordinary,
      )
    for (let reply = await start(); reply.data.error !== 'plan_limit'; reply = await start()) {
      await pause(reply.data.id, ordinary)
    }
    const { data } = await server.call('runs/list', { projectId: theirs.projectId }, ordinary)
    expect(new Set(data.runs.map(({ state }) => state))).toEqual(new Set(['paused']))
  })
})

/** Long enough to be met in the middle of an epoch, short enough for a test. */
const hyper = { epochs: 40, batchSize: 8, validationInterval: 4 }
type Run = Awaited<ReturnType<typeof until>>
const weightsOf = ({ artifacts }: Run) => artifacts.find(({ kind }) => kind === 'weights')?.sha256 ?? 'none'
const isPast = (epoch: number) => (run: Run) => (run.progress?.epoch ?? 0) >= epoch || hasEnded(run)

describe('a training with a real engine', () => {
  it('that is paused and resumed ends with the weights of an unbroken one, even when its worker is killed meanwhile', {
    timeout: 600_000,
  }, async () => {
    const first = await spawnWorker(server)
    const unbroken = await startQuick(server, session, { set, hyper })
    const wanted = weightsOf(await until(server, session, { id: unbroken.id, is: hasEnded }))

    const { id } = await startQuick(server, session, { set, hyper })
    await until(server, session, { id, is: isPast(2) })
    await pause(id)
    const paused = await until(server, session, { id, is: ({ state }) => state === 'paused' })
    expect(paused).toMatchObject({ resumed: 0, endedAt: null })
    expect(paused.busySeconds).toBeGreaterThan(0)
    await resume(id)
    await until(server, session, { id, is: (run) => run.state === 'running' && isPast(4)(run) })
    first.kill('SIGSTOP')
    await pause(id)
    first.kill('SIGKILL')
    await gone(first)

    const second = await spawnWorker(server)
    await until(server, session, { id, is: ({ state }) => state === 'paused' })
    await resume(id)
    const done = await until(server, session, { id, is: hasEnded })
    expect(done).toMatchObject({ state: 'done', error: null })
    expect(weightsOf(done)).toBe(wanted)
    second.kill('SIGTERM')
    await gone(second)
  })
})
