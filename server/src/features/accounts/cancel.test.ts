import { passwordTries } from '@neuroloom/contract/limits'
import { desc, eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeServer, PASSWORD, type Session, type TestServer } from '../../../test/harness.ts'
import { makeTrainingSet, startQuick } from '../../../test/training.ts'
import { upload } from '../../../test/uploads.ts'
import { makeWorker } from '../../../test/worker.ts'
import { auditEvents } from '../../infra/audit.ts'
import { liveEvents } from '../../infra/live/live.ts'
import { blobs, sweepOrphans } from '../../infra/storage/blobs.ts'
import { datasets } from '../datasets/tables.ts'
import { files, uploads } from '../files/tables.ts'
import { projects } from '../projects/tables.ts'
import { runs } from '../runs/tables.ts'
import { createUser } from './account.ts'
import { erase } from './cancel.ts'
import { sweep } from './jobs.ts'
import { users } from './tables.ts'

const MINUTE = 60_000
let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const cancel = (who: Session | null, password = PASSWORD) => server.call('user/cancel', { password }, who)
const codeOf = async (who: Session): Promise<number> => (await server.call('user/info', {}, who)).code
const login = async (account: string): Promise<number> =>
  (await server.call('user/login', { account, password: PASSWORD })).code

/** What the worker's job does, here and now. */
async function eraseNow(userId: string): Promise<void> {
  const worker = makeWorker(server)
  await erase(worker, userId)
  worker.engine.close()
}
const waitingJobs = async (): Promise<string[]> => {
  const { rows } = await server.ctx.pool.query<{ user: string }>(
    `select data->>'userId' as user from pgboss.job where name = 'accounts.erase' and state = 'created'`,
  )
  return rows.map(({ user }) => user)
}

describe('closing an account', () => {
  test('takes the password, ends the session and lets nobody in again', async () => {
    const { account, ...who } = await server.signUp()
    const { key } = (await server.call('user/key', { account, path: '/' }, await server.signUp({ role: 2 })))
      .data
    expect((await cancel(who)).code).toBe(10200)
    expect(await codeOf(who)).toBe(10401)
    expect(await login(account)).toBe(20001)
    expect((await server.call('user/login', { key })).code).toBe(20012)
    expect(await waitingJobs()).toContain(who.userId)
    const [last] = await server.ctx.db
      .select()
      .from(auditEvents)
      .orderBy(desc(auditEvents.id))
      .limit(2)
      .offset(1)
    expect(last).toMatchObject({ actor: who.userId, action: 'account.cancel', subject: `user:${who.userId}` })
  })

  test('frees the e-mail address for a new account at once', async () => {
    const { account, ...who } = await server.signUp()
    await cancel(who)
    const fresh = await createUser(server.ctx.db, { account, password: PASSWORD, nickName: 'New' })
    await eraseNow(who.userId)
    expect((await server.call('user/login', { account, password: PASSWORD })).data.id).toBe(fresh.id)
  })

  test('is refused to nobody, with a wrong password and after too many of them', async () => {
    const { account, ...who } = await server.signUp()
    expect((await cancel(null)).code).toBe(10401)
    expect((await cancel(who, '')).code).toBe(10422)
    await server.ctx.pool.query(
      `insert into sign_in_tries (account_mac, place, kind, at)
       select $1, '127.0.0.1', 'again', $2 from generate_series(1, $3)`,
      [server.ctx.links.mac('account', account), server.ctx.now(), passwordTries.again - 1],
    )
    expect((await cancel(who, 'a guess')).code).toBe(20013)
    expect((await cancel(who)).code).toBe(20003)
    expect(await codeOf(who)).toBe(10200)
    expect(await waitingJobs()).not.toContain(who.userId)
  })

  test('twice at once is done once', async () => {
    const { account: _, ...who } = await server.signUp()
    const codes = (await Promise.all([cancel(who), cancel(who)])).map(({ code }) => code)
    expect(codes).toContain(10200)
    expect((await waitingJobs()).filter((user) => user === who.userId)).toHaveLength(1)
  })
})

describe('the only administrator', () => {
  let alone: TestServer

  beforeAll(async () => {
    alone = await makeServer()
  })

  afterAll(() => alone.close())

  test('stays, and of two who leave at once one stays', async () => {
    const leave = async (who: Session) => (await alone.call('user/cancel', { password: PASSWORD }, who)).code
    const first = await alone.signUp({ role: 2 })
    expect(await leave(first)).toBe(20015)
    const second = await alone.signUp({ role: 2 })
    const codes = await Promise.all([leave(first), leave(second)])
    expect(codes.sort()).toEqual([10200, 20015])
  })
})

describe('afterwards', () => {
  test('nothing of the member is left, and everything of everybody else', async () => {
    const [me, other] = [await server.signUp({ vipLevel: 4 }), await server.signUp({ vipLevel: 4 })]
    for (const [who, seed] of [
      [me, 'mine'],
      [other, 'theirs'],
    ] as const) {
      const set = await makeTrainingSet(server, who, { items: 12, name: seed })
      await startQuick(server, who, { set })
      await upload(server, who, { files: [{ path: `${seed}.txt`, bytes: Buffer.from(seed) }] })
    }
    // The same bytes twice are kept as long as one of both is there.
    for (const who of [me, other]) {
      await upload(server, who, { files: [{ path: 'shared.txt', bytes: Buffer.from('shared') }] })
    }
    await server.call(
      'files/prepare',
      { parentId: null, sameName: 'rename', files: [{ path: 'half', sizeBytes: 9 }] },
      me,
    )
    const theirs = await countsOf(other.userId)
    const things = await thingsOf(me.userId)
    expect(await newsOf(things)).not.toBe(0)
    await cancel(me)
    await eraseNow(me.userId)
    await eraseNow(me.userId)

    expect(await countsOf(me.userId)).toEqual({
      users: 0,
      files: 0,
      uploads: 0,
      projects: 0,
      datasets: 0,
      runs: 0,
    })
    expect(await countsOf(other.userId)).toEqual(theirs)
    expect(theirs).toMatchObject({ users: 1, projects: 1, datasets: 1, runs: 1 })
    const before = await server.ctx.db.$count(blobs)
    server.forward(11 * MINUTE)
    await sweepOrphans(server.ctx)
    const after = await server.ctx.db.$count(blobs)
    // Of twelve pictures, a text and a manifest each only the other member's are left, and what both had.
    expect(before - after).toBeGreaterThanOrEqual(2)
    const later = { userId: other.userId, token: other.token }
    const { entries } = (await server.call('files/list', { folderId: null }, later)).data
    for (const { id, kind } of entries) {
      if (kind === 'folder') continue
      const { url } = (await server.call('files/open', { id }, later)).data
      expect((await fetch(server.url + url)).status).toBe(200)
    }
    expect(await newsOf(things)).toBe(0)
  })

  test('the record of deeds says what was done, and no longer from where', async () => {
    const who = await server.signUp()
    await cancel(who, 'wrong')
    await cancel(who)
    await eraseNow(who.userId)
    const deeds = await server.ctx.db.select().from(auditEvents).where(eq(auditEvents.actor, who.userId))
    expect(deeds.map(({ action, address }) => [action, address])).toEqual([
      ['account.wrong_password', ''],
      ['account.cancel', ''],
    ])
  })

  test('an account that is not closed is never deleted, whoever asks for it', async () => {
    const who = await server.signUp()
    await eraseNow(who.userId)
    expect(await codeOf(who)).toBe(10200)
  })

  test('a job that was lost is given again by the hourly sweep', async () => {
    const who = await server.signUp()
    await cancel(who)
    await server.ctx.pool.query(`delete from pgboss.job where name = 'accounts.erase'`)
    await sweep(server.ctx)
    expect(await waitingJobs()).toContain(who.userId)
  })
})

/** Topics of everything that has news of its own. */
async function thingsOf(userId: string): Promise<string[]> {
  const { db } = server.ctx
  const own = {
    project: await db.select({ id: projects.id }).from(projects).where(eq(projects.ownerId, userId)),
    dataset: await db.select({ id: datasets.id }).from(datasets).where(eq(datasets.ownerId, userId)),
    run: await db.select({ id: runs.id }).from(runs).where(eq(runs.userId, userId)),
    user: [{ id: userId }],
  }
  return Object.entries(own).flatMap(([kind, list]) => list.map(({ id }) => `${kind}:${id}`))
}
const newsOf = (topics: string[]): Promise<number> =>
  server.ctx.db.$count(liveEvents, inArray(liveEvents.topic, topics))

async function countsOf(userId: string): Promise<Record<string, number>> {
  const { db } = server.ctx
  return {
    users: await db.$count(users, eq(users.id, userId)),
    files: await db.$count(files, eq(files.ownerId, userId)),
    uploads: await db.$count(uploads, eq(uploads.ownerId, userId)),
    projects: await db.$count(projects, eq(projects.ownerId, userId)),
    datasets: await db.$count(datasets, eq(datasets.ownerId, userId)),
    runs: await db.$count(runs, eq(runs.userId, userId)),
  }
}
