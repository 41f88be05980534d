/** Workers and engines that stop, sleep, or are killed again and again, and a member who stops a training: with real trainings. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hyper, isPast, weightsOf } from '../../../../test/crash-runs.ts'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import {
  endAtOnce,
  freeze,
  gone,
  hasEnded,
  makeTrainingSet,
  spawnWorker,
  startQuick,
  type TrainingSet,
  until,
} from '../../../../test/training.ts'
import { runs } from '../tables.ts'
import { folderOf } from './folder.ts'

let server: TestServer
let session: Session
let set: TrainingSet
/** SHA-256 of the weights that nobody disturbed. */
let unbroken: string

beforeAll(async () => {
  server = await makeServer()
  session = await server.signUp({ vipSuper: 1 })
  set = await makeTrainingSet(server, session, { items: 48 })
  const worker = await spawnWorker(server)
  const run = await startQuick(server, session, { set, hyper })
  unbroken = weightsOf(await until(server, session, { id: run.id, is: hasEnded }))
  worker.kill('SIGTERM')
  await gone(worker)
})
afterAll(() => server.close())
const enginePid = (id: string): Promise<number> =>
  vi.waitFor(
    async () => {
      const pid = Number(await readFile(join(folderOf(server.ctx, id), 'engine.pid'), 'utf8'))
      if (!pid) throw new Error('no engine yet')
      return pid
    },
    { timeout: 120_000 },
  )

describe('a worker', () => {
  it('that is stopped in good order puts its run back, which then goes on', async () => {
    const first = await spawnWorker(server)
    const { id } = await startQuick(server, session, { set, hyper })
    await until(server, session, { id, is: isPast(2) })
    first.kill('SIGTERM')
    await gone(first)
    expect(first.exitCode).toBe(0)
    const [row] = await server.ctx.db.select().from(runs).where(eq(runs.id, id))
    expect(row).toMatchObject({ state: 'queued', losses: 0, worker: null })

    const second = await spawnWorker(server)
    const done = await until(server, session, { id, is: hasEnded })
    expect(weightsOf(done)).toBe(unbroken)
    second.kill('SIGTERM')
    await gone(second)
  })

  it('that slept past its lease cannot write any more', async () => {
    const first = await spawnWorker(server)
    const { id } = await startQuick(server, session, { set, hyper })
    await until(server, session, { id, is: isPast(2) })
    await freeze(server, first)
    await server.ctx.db
      .update(runs)
      .set({ leaseUntil: new Date(0) })
      .where(eq(runs.id, id))

    const second = await spawnWorker(server)
    await until(server, session, { id, is: (run) => run.resumed === 1 })
    first.kill('SIGCONT')
    const done = await until(server, session, { id, is: hasEnded })
    expect(done).toMatchObject({ state: 'done', resumed: 1 })
    expect(weightsOf(done)).toBe(unbroken)
    expect(await eventsOf(id, 'end')).toHaveLength(1)
    for (const worker of [first, second]) {
      worker.kill('SIGTERM')
      await gone(worker)
    }
  })
})

describe('an engine', () => {
  it('that is killed three times without getting further fails its run, and the queue goes on', async () => {
    const worker = await spawnWorker(server)
    const poisoned = await startQuick(server, session, { set, hyper: { ...hyper, epochs: 500 } })
    const next = await startQuick(server, session, { set, hyper: { epochs: 1 } })
    let last = 0
    for (let kill = 0; kill < 3; kill += 1) {
      const pid = await vi.waitFor(
        async () => {
          const found = await enginePid(poisoned.id)
          if (found === last) throw new Error('still the one before')
          return found
        },
        { timeout: 120_000 },
      )
      endAtOnce(pid)
      last = pid
    }
    const failed = await until(server, session, { id: poisoned.id, is: hasEnded })
    expect(failed).toMatchObject({ state: 'failed', error: { code: 'program_terminated', params: {} } })
    const done = await until(server, session, { id: next.id, is: hasEnded })
    expect(done.state).toBe('done')
    worker.kill('SIGTERM')
    await gone(worker)
  })
})

describe('a member', () => {
  it('who stops a run in the middle of an epoch keeps what it learned', async () => {
    const worker = await spawnWorker(server)
    const { id } = await startQuick(server, session, { set, hyper: { ...hyper, epochs: 500 } })
    await until(server, session, { id, is: isPast(6) })
    await server.call('runs/stop', { id }, session)
    const stopped = await until(server, session, { id, is: hasEnded })
    expect(stopped).toMatchObject({ state: 'stopped', error: null, stopping: false })
    expect(stopped.artifacts.map(({ kind }) => kind)).toContain('weights')
    expect(stopped.score).not.toBeNull()

    const { data: test } = await server.call('runs/test', { id, datasets: [set.datasetId] }, session)
    expect(await until(server, session, { id: test.id, is: hasEnded })).toMatchObject({ state: 'done' })
    worker.kill('SIGTERM')
    await gone(worker)
  })
})

const eventsOf = async (id: string, type: string) =>
  (await server.ctx.live.after(`run:${id}`, 0)).filter((event) => event.type === type)
