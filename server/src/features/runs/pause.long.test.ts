/** A training with a real engine that is paused and resumed. */
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import {
  freeze,
  gone,
  hasEnded,
  makeTrainingSet,
  spawnWorker,
  startQuick,
  type TrainingSet,
  until,
} from '../../../test/training.ts'
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

/** Long enough to be met in the middle of an epoch, short enough for a test. */
const hyper = { epochs: 40, batchSize: 8, validationInterval: 4 }
const timeout = 120_000
type Run = Awaited<ReturnType<typeof until>>
const weightsOf = ({ artifacts }: Run) => artifacts.find(({ kind }) => kind === 'weights')?.sha256 ?? 'none'
const isPast = (epoch: number) => (run: Run) => (run.progress?.epoch ?? 0) >= epoch || hasEnded(run)

describe('a training with a real engine', () => {
  it('that is paused and resumed ends with the weights of an unbroken one, even when its worker is killed meanwhile', async () => {
    const first = await spawnWorker(server)
    const unbroken = await startQuick(server, session, { set, hyper })
    const wanted = weightsOf(await until(server, session, { id: unbroken.id, is: hasEnded, timeout }))

    const { id } = await startQuick(server, session, { set, hyper })
    await until(server, session, { id, is: isPast(2), timeout })
    await pause(id)
    const paused = await until(server, session, { id, is: ({ state }) => state === 'paused', timeout })
    expect(paused).toMatchObject({ resumed: 0, endedAt: null })
    expect(paused.busySeconds).toBeGreaterThan(0)
    await resume(id)
    await until(server, session, { id, is: (run) => run.state === 'running' && isPast(4)(run), timeout })
    await freeze(server, first)
    await pause(id)
    first.kill('SIGKILL')
    await gone(first)

    const second = await spawnWorker(server)
    await until(server, session, { id, is: ({ state }) => state === 'paused', timeout })
    await resume(id)
    const done = await until(server, session, { id, is: hasEnded, timeout })
    expect(done).toMatchObject({ state: 'done', error: null })
    expect(weightsOf(done)).toBe(wanted)
    second.kill('SIGTERM')
    await gone(second)
  })

  it('that makes way for a short test ends with the weights of an unbroken one, after the test', async () => {
    const worker = await spawnWorker(server)
    const unbroken = await startQuick(server, session, { set, hyper })
    const wanted = weightsOf(await until(server, session, { id: unbroken.id, is: hasEnded, timeout }))

    const { id } = await startQuick(server, session, { set, hyper })
    await until(server, session, { id, is: isPast(2), timeout })
    const asked = { id: unbroken.id, datasets: [set.datasetId] }
    const test = (await server.call('runs/test', asked, session)).data
    // As if it had been under way for an hour, with another one before it.
    const long = {
      foreseenSeconds: 7200,
      claimedAt: sql`now() - interval '1 hour'`,
      queuedAt: sql`now() - interval '2 hours'`,
    }
    await server.ctx.db.update(runs).set(long).where(eq(runs.id, id))
    const tested = await until(server, session, { id: test.id, is: hasEnded, timeout })
    const done = await until(server, session, { id, is: hasEnded, timeout })
    expect(tested.state).toBe('done')
    expect(done).toMatchObject({ state: 'done', resumed: 0, error: null })
    expect(weightsOf(done)).toBe(wanted)
    expect(tested.endedAt && done.endedAt && tested.endedAt < done.endedAt).toBe(true)
    worker.kill('SIGTERM')
    await gone(worker)
  })
})
