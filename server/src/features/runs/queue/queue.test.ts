import { queue } from '@neuroloom/contract/limits'
import { eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { makeTrainingSet, startQuick, type TrainingSet } from '../../../../test/training.ts'
import { runDevices, runs } from '../tables.ts'
import {
  claim,
  giveBack,
  giveUp,
  type Hold,
  HoldLost,
  holdOf,
  makesWay,
  renew,
  takeBackExpired,
  writeAs,
} from './queue.ts'

let server: TestServer
let session: Session
let set: TrainingSet

beforeAll(async () => {
  server = await makeServer()
  session = await server.signUp({ vipSuper: 1 })
  set = await makeTrainingSet(server, session)
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.ctx.db.delete(runs)
})

const rowOf = async (id: string) => {
  const [row] = await server.ctx.db.select().from(runs).where(eq(runs.id, id))
  if (!row) throw new Error(`no run ${id}`)
  return row
}
const take = async (worker = 'w1') => {
  const run = await claim(server.ctx, worker)
  if (!run) throw new Error('the queue is empty')
  return holdOf(run)
}
const reach = (id: string, reached: number) =>
  server.ctx.db.update(runs).set({ reached }).where(eq(runs.id, id))
const letExpire = (id: string) =>
  server.ctx.db.update(runs).set({ leaseUntil: sql`now() - interval '1 second'` }).where(eq(runs.id, id))

/** Queued as a test that takes seconds. */
async function startShort(): Promise<string> {
  const { id } = await startQuick(server, session, { set })
  await server.ctx.db.update(runs).set({ kind: 'test', foreseenSeconds: 6 }).where(eq(runs.id, id))
  return id
}
/** As if it were a long one that had been under way for so long. */
const letCompute = ({ runId }: Hold, ms: number) =>
  server.ctx.db
    .update(runs)
    .set({
      claimedAt: sql`now() - ${ms} * interval '1 millisecond'`,
      queuedAt: sql`now() - interval '1 day'`,
      foreseenSeconds: 2 * queue.shortSeconds,
    })
    .where(eq(runs.id, runId))

/** A second member with the same data in an own project. */
async function makeOther(): Promise<{ session: Session; set: TrainingSet }> {
  const other = await server.signUp({ vipSuper: 1 })
  return { session: other, set: await makeTrainingSet(server, other, { items: 12 }) }
}

describe('claiming', () => {
  it('gives thirty runs to three claimers, each once', async () => {
    for (let count = 0; count < 30; count += 1) await startQuick(server, session, { set })
    const claimAll = async (worker: string): Promise<string[]> => {
      const taken: string[] = []
      for (let run = await claim(server.ctx, worker); run; run = await claim(server.ctx, worker))
        taken.push(run.id)
      return taken
    }
    const taken = await Promise.all(['a', 'b', 'c'].map(claimAll))
    expect(taken.flat()).toHaveLength(30)
    expect(new Set(taken.flat()).size).toBe(30)
    expect(await claim(server.ctx, 'd')).toBeNull()
  })

  it('shows positions that agree with the order in which runs are then claimed', async () => {
    const other = await makeOther()
    for (let count = 0; count < 3; count += 1) await startQuick(server, session, { set })
    for (let count = 0; count < 2; count += 1) await startQuick(server, other.session, { set: other.set })
    const listed = await Promise.all(
      [session, other.session].map((who) => server.call('runs/list', { projectId: null }, who)),
    )
    const byPosition = listed
      .flatMap(({ data }) => data.runs)
      .sort((a, b) => (a.position ?? 0) - (b.position ?? 0))
    expect(byPosition.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5])
    const order: string[] = []
    for (let run = await claim(server.ctx, 'w'); run; run = await claim(server.ctx, 'w')) order.push(run.id)
    expect(order).toEqual(byPosition.map(({ id }) => id))
  })

  it('lets nobody wait behind all the runs of one member', async () => {
    const other = await makeOther()
    for (let count = 0; count < 5; count += 1) await startQuick(server, session, { set })
    const late = await startQuick(server, other.session, { set: other.set })
    const order = [(await take()).runId, (await take()).runId]
    expect(order).toContain(late.id)
  })

  it('lets short tests go before trainings, but not so many that a training never begins', async () => {
    const training = await startQuick(server, session, { set })
    const count = queue.shortAhead + 2
    for (let started = 0; started < count; started += 1) await startShort()
    const order: string[] = []
    for (let run = await claim(server.ctx, 'w'); run; run = await claim(server.ctx, 'w')) order.push(run.id)
    expect(order.indexOf(training.id)).toBe(queue.shortAhead)
    expect(new Set(order).size).toBe(count + 1)
  })

  it('lets short tests go before a training that made way for them, and that one before all others', async () => {
    const training = await startQuick(server, session, { set })
    const hold = await take()
    const other = await startQuick(server, session, { set })
    const tests = [await startShort(), await startShort()]
    await giveBack(server.ctx, hold, { hasMadeWay: true })
    const order: string[] = []
    for (let run = await claim(server.ctx, 'w'); run; run = await claim(server.ctx, 'w')) order.push(run.id)
    expect(order).toEqual([...tests, training.id, other.id])
    // To make way is no interruption that a reader must know of.
    const { data } = await server.call('runs/detail', { id: training.id }, session)
    expect(data.run).toMatchObject({ state: 'running', resumed: 0 })
  })

  it('gives an interrupted run its place back before all others', async () => {
    const first = await startQuick(server, session, { set })
    const hold = await take()
    await startQuick(server, session, { set })
    await giveBack(server.ctx, hold)
    expect((await take('w2')).runId).toBe(first.id)
  })
})

describe('a training under way makes way', () => {
  const begin = async () => {
    await startQuick(server, session, { set })
    const hold = await take()
    await letCompute(hold, 2 * queue.makesWayAfterMs)
    return hold
  }
  const asks = (hold: Hold) => makesWay(server.ctx.db, hold)

  it('for a short test, and for no other training', async () => {
    const hold = await begin()
    expect(await asks(hold)).toBe(false)
    await startQuick(server, session, { set })
    expect(await asks(hold)).toBe(false)
    await startShort()
    expect(await asks(hold)).toBe(true)
  })

  it('only after it has computed for a while', async () => {
    const hold = await begin()
    await startShort()
    await letCompute(hold, queue.makesWayAfterMs / 2)
    expect(await asks(hold)).toBe(false)
  })

  it('not when it is over soon itself, or to end in any case', async () => {
    const hold = await begin()
    await startShort()
    const set = (values: PgUpdateSetSource<typeof runs>) =>
      server.ctx.db.update(runs).set(values).where(eq(runs.id, hold.runId))
    await set({ foreseenSeconds: queue.shortSeconds / 2 })
    expect(await asks(hold)).toBe(false)
    await set({ foreseenSeconds: null, pauseRequested: true })
    expect(await asks(hold)).toBe(false)
  })

  it('one of two, the one that began last', async () => {
    const [first, second] = [await begin(), await begin()]
    await letCompute(first, 3 * queue.makesWayAfterMs)
    await startShort()
    expect([await asks(first), await asks(second)]).toEqual([false, true])
  })

  it('so that the test may expect to begin soon, and the next training when both are done', async () => {
    const hold = await begin()
    const test = await startShort()
    await server.ctx.db.delete(runDevices)
    const progress = {
      fold: 1,
      folds: 1,
      epoch: 2,
      epochs: 100,
      step: 1,
      steps: 1,
      loss: null,
      learningRate: null,
    }
    await server.ctx.db
      .update(runs)
      .set({ progress: { ...progress, itemsPerSecond: 1, etaSeconds: 3600 } })
      .where(eq(runs.id, hold.runId))
    const next = await startQuick(server, session, { set })
    const starts = async (id: string) =>
      (await server.call('runs/detail', { id }, session)).data.run.startsInSeconds
    expect(await starts(test)).toBeLessThan(queue.shortSeconds)
    expect(await starts(next.id)).toBeGreaterThan(queue.shortSeconds)
  })
})

describe('the fencing number', () => {
  it('refuses every write of a worker that stalled past its lease', async () => {
    const { id } = await startQuick(server, session, { set })
    const stalled = await take('slow')
    await letExpire(id)
    expect(await takeBackExpired(server.ctx)).toBe(1)
    const second = await take('fast')
    expect(second).toMatchObject({ runId: id, attempt: 2 })

    const write = () => server.ctx.db.transaction((tx) => writeAs(tx, stalled, { phase: 'stale' }))
    await expect(write()).rejects.toBeInstanceOf(HoldLost)
    await expect(renew(server.ctx.db, stalled)).rejects.toBeInstanceOf(HoldLost)
    await expect(giveBack(server.ctx, stalled)).rejects.toBeInstanceOf(HoldLost)
    await expect(giveUp(server.ctx, stalled)).rejects.toBeInstanceOf(HoldLost)
    expect(await rowOf(id)).toMatchObject({ state: 'running', worker: 'fast', attempt: 2, phase: null })
  })

  it('refuses the same worker under its earlier number', async () => {
    const { id } = await startQuick(server, session, { set })
    const first = await take('w1')
    await giveBack(server.ctx, first)
    await take('w1')
    await expect(renew(server.ctx.db, first)).rejects.toBeInstanceOf(HoldLost)
    expect((await rowOf(id)).attempt).toBe(2)
  })

  it('leaves a run alone whose worker renews in time', async () => {
    const { id } = await startQuick(server, session, { set })
    const hold = await take()
    await letExpire(id)
    await renew(server.ctx.db, hold)
    expect(await takeBackExpired(server.ctx)).toBe(0)
  })
})

describe('a run whose attempts break off', () => {
  it('fails after three in a row that got no further, in words that the member is told', async () => {
    const { id } = await startQuick(server, session, { set })
    for (const expected of ['queued', 'queued', 'failed']) {
      const run = await giveUp(server.ctx, await take())
      expect(run.state).toBe(expected)
    }
    const { data } = await server.call('runs/detail', { id }, session)
    expect(data.run.error).toEqual({ code: 'program_terminated', params: {} })
    expect(await claim(server.ctx, 'w')).toBeNull()
  })

  it('goes on as long as each attempt gets further', async () => {
    const { id } = await startQuick(server, session, { set })
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      const hold = await take()
      await reach(id, attempt * 1000)
      expect((await giveUp(server.ctx, hold)).state).toBe('queued')
    }
  })

  it('fails when it always breaks off at the same step', async () => {
    const { id } = await startQuick(server, session, { set })
    const states: string[] = []
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const hold = await take()
      await reach(id, 5000)
      states.push((await giveUp(server.ctx, hold)).state)
    }
    expect(states).toEqual(['queued', 'queued', 'failed'])
  })
})

describe('stopping and removing', () => {
  it('ends a queued run at once and refuses a second stop', async () => {
    const { id } = await startQuick(server, session, { set })
    const { data } = await server.call('runs/stop', { id }, session)
    expect(data).toMatchObject({ state: 'stopped', position: null, stopping: false })
    expect((await server.call('runs/stop', { id }, session)).data.error).toBe('run_ended')
    expect(await claim(server.ctx, 'w')).toBeNull()
  })

  it('asks the worker of a running one', async () => {
    const { id } = await startQuick(server, session, { set })
    const hold = await take()
    const { data } = await server.call('runs/stop', { id }, session)
    expect(data).toMatchObject({ state: 'running', stopping: true })
    expect(await renew(server.ctx.db, hold)).toMatchObject({ stopRequested: true })
  })

  it('stops a running one that is removed, and takes it away from its worker when it is deleted for good', async () => {
    const { id } = await startQuick(server, session, { set })
    const hold = await take()
    expect((await server.call('runs/remove', { id }, session)).code).toBe(10200)
    // Its worker has it until it has saved what the run learned.
    expect(await renew(server.ctx.db, hold)).toMatchObject({ stopRequested: true })
    expect((await server.call('runs/detail', { id }, session)).data.error).toBe('run_missing')
    expect((await server.call('runs/purge', { ids: [id] }, session)).data).toEqual({ purged: 1 })
    await expect(renew(server.ctx.db, hold)).rejects.toBeInstanceOf(HoldLost)
    const next = await startQuick(server, session, { set })
    expect(next.number).toBeGreaterThan(1)
  })

  it('stops the runs of a removed project', async () => {
    const other = await makeOther()
    const { id } = await startQuick(server, other.session, { set: other.set })
    await server.call('projects/remove', { id: other.set.projectId }, other.session)
    expect((await rowOf(id)).state).toBe('stopped')
    expect((await server.call('runs/detail', { id }, other.session)).data.error).toBe('run_missing')
  })

  it('keeps a data set that a waiting run needs', async () => {
    const { id } = await startQuick(server, session, { set })
    const forget = () => server.call('datasets/remove', { id: set.datasetId, projectId: null }, session)
    expect((await forget()).data.error).toBe('dataset_in_use')
    await server.call('runs/stop', { id }, session)
    const spare = await makeTrainingSet(server, session, { items: 12, name: 'spare' })
    expect(
      (await server.call('datasets/remove', { id: spare.datasetId, projectId: null }, session)).code,
    ).toBe(10200)
  })
})
