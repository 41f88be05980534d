import { announcements as limits, operations } from '@neuroloom/contract/limits'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeTrainingSet, startQuick, type TrainingSet } from '../../../test/training.ts'
import { codeOf } from '../../http/fail.ts'
import { auditEvents } from '../../infra/audit.ts'
import { notices } from '../../infra/notices.ts'
import { runs } from '../runs/tables.ts'
import { takeSample } from './history.ts'
import { announcements } from './tables.ts'

let server: TestServer
let chief: Session
let who: Session
let set: TrainingSet

beforeAll(async () => {
  server = await makeServer()
  chief = await server.signUp({ role: 2 })
  who = await server.signUp({ vipSuper: 1 })
  set = await makeTrainingSet(server, who)
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.ctx.db.delete(runs)
  await server.ctx.db.delete(announcements)
})

const start = () => startQuick(server, who, { set })
const listed = async (state: 'open' | 'ended' = 'open') =>
  (await server.call('office/runs', { state }, chief)).data.runs
const deeds = async (action: string) =>
  server.ctx.db.select().from(auditEvents).where(eq(auditEvents.action, action))
const hour = 60 * 60 * 1000
const from = (ms: number) => new Date(server.ctx.now().getTime() + ms).toISOString()
const announce = (changes: object = {}) =>
  server.call(
    'office/announce',
    {
      kind: 'info',
      texts: { en: 'Maintenance tonight', zh: '', ru: '' },
      startsAt: from(-hour),
      endsAt: from(hour),
      ...changes,
    },
    chief,
  )
const shown = async () => (await server.call('announcements/current', {}, who)).data.announcements

describe('the overview', () => {
  it('counts members, bytes, waiting runs and what happened on each day', async () => {
    await start()
    const failed = await start()
    await server.ctx.db
      .update(runs)
      .set({ state: 'failed', error: { code: 'internal', params: {} }, endedAt: server.ctx.now() })
      .where(eq(runs.id, failed.id))
    const { data } = await server.call('office/overview', {}, chief)
    expect(data.members).toMatchObject({ total: 2, activeWeek: 2, blocked: 0 })
    expect(data.queue).toEqual({ waiting: 1, running: 0, paused: 0 })
    expect(data.storage.files).toBeGreaterThan(0)
    expect(data.days).toHaveLength(operations.days)
    const today = server.ctx.now().toISOString().slice(0, 10)
    expect(data.days.at(-1)).toMatchObject({
      day: today,
      newMembers: 2,
      endedRuns: 1,
      failedRuns: 1,
      paidFen: 0,
    })
    expect(data.days.slice(0, -1).every(({ newMembers, endedRuns }) => newMembers + endedRuns === 0)).toBe(
      true,
    )
  })
})

describe('what the overview says of queues and of the machine', () => {
  const overview = async () => (await server.call('office/overview', {}, chief)).data

  it('counts runs by their kind', async () => {
    await start()
    const second = await start()
    await server.ctx.db.update(runs).set({ state: 'paused' }).where(eq(runs.id, second.id))
    const { kinds, queue } = await overview()
    expect(kinds).toEqual([{ kind: 'train', waiting: 1, running: 0, paused: 1 }])
    expect(queue).toEqual({ waiting: 1, running: 0, paused: 1 })
  })

  it('names work behind the pages that waits, and the last that failed, without what it said', async () => {
    const before = (await overview()).jobs.find(({ name }) => name === 'accounts.erase')?.waiting ?? 0
    await server.ctx.jobs.send(null, 'accounts.erase', { userId: 'nobody' })
    const { jobs } = await overview()
    expect(jobs.find(({ name }) => name === 'accounts.erase')).toMatchObject({
      waiting: before + 1,
      running: 0,
    })
    await server.ctx.db.execute(sql`
      update pgboss.job
      set state = 'failed', completed_on = now(), output = '{"message": "of somebody"}'
      where name = 'accounts.erase'`)
    const answer = await overview()
    expect(answer.failures.jobs[0]).toMatchObject({ name: 'accounts.erase' })
    expect(JSON.stringify(answer)).not.toContain('of somebody')
  })

  it('names the last runs that failed, the newest first', async () => {
    const failed = [await start(), await start()]
    for (const [place, { id }] of failed.entries())
      await server.ctx.db
        .update(runs)
        .set({ state: 'failed', error: { code: 'internal', params: {} }, endedAt: new Date(1000 * place) })
        .where(eq(runs.id, id))
    const { failures } = await overview()
    expect(failures.runs.map(({ id }) => id)).toEqual(failed.map(({ id }) => id).reverse())
    expect(failures.runs[0]).toMatchObject({ kind: 'train', error: { code: 'internal' } })
  })

  it('has samples of the machine since the server began, of one hour at most', async () => {
    const began = (await overview()).history
    expect(Date.parse(began.since)).toBeLessThanOrEqual(server.ctx.now().getTime())
    await start()
    for (let taken = 0; taken < operations.samples + 5; taken += 1) {
      server.forward(operations.sampleMs)
      await takeSample(server.ctx)
    }
    const { since, samples } = (await overview()).history
    expect(since).toBe(began.since)
    expect(samples).toHaveLength(operations.samples)
    expect(samples.at(-1)).toMatchObject({ waiting: 1, running: 0 })
    const [first, last] = [samples[0], samples.at(-1)].map((sample) => Date.parse(sample?.at ?? ''))
    expect((last ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual((operations.samples - 1) * operations.sampleMs)
    for (const { processor, memory } of samples) {
      expect(processor).toBeGreaterThanOrEqual(0)
      expect(processor).toBeLessThanOrEqual(1)
      expect(memory).toBeGreaterThan(0)
      expect(memory).toBeLessThan(1)
    }
  })
})

describe('the runs of everybody', () => {
  it('are listed in the order of the queue, without their projects', async () => {
    const [first, second] = [await start(), await start()]
    const all = await listed()
    expect(all.map(({ id, position }) => [id, position])).toEqual([
      [first.id, 1],
      [second.id, 2],
    ])
    expect(JSON.stringify(all)).not.toContain(set.projectId)
  })

  it('wait behind one that was moved to the front, until it is put back', async () => {
    const [first, second] = [await start(), await start()]
    await server.call('office/preferRun', { id: second.id, isPreferred: true }, chief)
    expect((await listed()).map(({ id, isPreferred }) => [id, isPreferred])).toEqual([
      [second.id, true],
      [first.id, false],
    ])
    await server.call('office/preferRun', { id: second.id, isPreferred: false }, chief)
    expect((await listed()).map(({ id }) => id)).toEqual([first.id, second.id])
    expect((await deeds('run.prefer')).at(-1)).toMatchObject({ subject: `run:${second.id}` })
  })

  it('are stopped by an administrator, which their member is told and the audit log keeps', async () => {
    const { id } = await start()
    await server.call('office/stopRun', { id }, chief)
    const [run] = await server.ctx.db.select().from(runs).where(eq(runs.id, id))
    expect(run).toMatchObject({ state: 'stopped', stoppedBy: chief.userId })
    const told = await server.ctx.db.select().from(notices).where(eq(notices.userId, who.userId))
    expect(told.map(({ kind }) => kind)).toContain('run_stopped')
    expect(await deeds('run.stop')).toHaveLength(1)
    expect((await listed('ended')).map((one) => one.id)).toEqual([id])
    const again = await server.call('office/stopRun', { id }, chief)
    expect(codeOf('run_ended')).toBe(again.code)
    expect((await server.call('office/preferRun', { id, isPreferred: true }, chief)).code).toBe(
      codeOf('run_ended'),
    )
    expect((await server.call('office/stopRun', { id: 'nobody' }, chief)).code).toBe(codeOf('missing'))
  })
})

describe('announcements', () => {
  it('are shown to everybody from their start to their end', async () => {
    const { data: now } = await announce()
    await announce({ startsAt: from(hour), endsAt: from(2 * hour) })
    await announce({ startsAt: from(-2 * hour), endsAt: from(-hour) })
    expect((await shown()).map(({ id }) => id)).toEqual([now.id])
    await server.call('office/endAnnouncement', { id: now.id }, chief)
    expect(await shown()).toEqual([])
    expect((await server.call('office/announcements', {}, chief)).data.announcements).toHaveLength(3)
  })

  it('never start when they are ended before', async () => {
    const { data } = await announce({ startsAt: from(hour), endsAt: from(2 * hour) })
    await server.call('office/endAnnouncement', { id: data.id }, chief)
    const [row] = await server.ctx.db.select().from(announcements)
    expect(row?.endsAt.getTime()).toBeLessThanOrEqual(server.ctx.now().getTime())
  })

  it('need a text, an end after the start, and end within a year', async () => {
    expect((await announce({ texts: { en: ' ', zh: '', ru: '' } })).code).not.toBe(10200)
    expect((await announce({ startsAt: from(hour), endsAt: from(hour) })).code).not.toBe(10200)
    const { data } = await announce({ endsAt: from(9000 * 24 * hour) })
    expect(Date.parse(data.endsAt) - Date.parse(data.startsAt)).toBe(limits.longestMs)
  })

  it('are at most so many at one time', async () => {
    const made = await Promise.all(Array.from({ length: limits.most + 3 }, () => announce()))
    expect(made.filter(({ code }) => code === 10200)).toHaveLength(limits.most)
    expect(made.find(({ code }) => code !== 10200)?.code).toBe(codeOf('too_many_announcements'))
  })
})

it('members who are no administrators get none of the back-office', async () => {
  for (const path of ['office/overview', 'office/runs', 'office/announcements'] as const) {
    expect((await server.call(path, {}, who)).code).not.toBe(10200)
  }
  const { id } = await start()
  expect((await server.call('office/stopRun', { id }, who)).code).not.toBe(10200)
})
