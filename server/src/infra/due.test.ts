import { roles } from '@neuroloom/contract/accounts/roles'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it, test } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../test/harness.ts'
import { tusCreate } from '../../test/uploads.ts'
import { open } from '../features/accounts/sign-in/session.ts'
import { users } from '../features/accounts/tables.ts'
import { purge as purgeFiles } from '../features/files/recycle/purge.ts'
import { files, uploads } from '../features/files/tables.ts'
import { sweep as sweepUploads } from '../features/files/upload/uploads.ts'
import { purge as purgeProjects } from '../features/projects/recycle.ts'
import { projects } from '../features/projects/tables.ts'
import { databaseClock, databaseNow, whenDue } from './due.ts'
import { clock } from './due-tables.ts'
import { notices } from './notices.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

let server: TestServer
let userId: string
let administratorId: string
/** Milliseconds by which the clock was moved. */
let moved = 0
beforeAll(async () => {
  server = await makeServer()
  userId = (await server.signUp()).userId
  administratorId = (await server.signUp()).userId
  await server.ctx.db.update(users).set({ role: roles.administrator }).where(eq(users.id, administratorId))
})
afterAll(() => server.close())
beforeEach(async () => {
  forward(-moved)
  await server.ctx.db.update(clock).set({ newest: server.ctx.now(), jumpedTo: null })
  for (const table of [uploads, files, projects, notices]) await server.ctx.db.delete(table)
})

function forward(ms: number): void {
  server.forward(ms)
  moved += ms
}

/** Sessions end long before what lies in a recycle station. */
async function session(id = userId): Promise<Session> {
  const from = { address: '127.0.0.1', agent: '', browser: false }
  const { token } = await server.ctx.db.transaction((tx) => open(server.ctx, tx, { userId: id, from }))
  return { userId: id, token }
}

/** A folder and a project in their recycle stations, and an upload that has begun. */
async function leaveThings(): Promise<void> {
  const who = await session()
  const folder = await server.call('files/createFolder', { parentId: null, name: 'Ward' }, who)
  await server.call('files/remove', { ids: [folder.data.id] }, who)
  const project = await server.call(
    'projects/create',
    { name: 'Ward', description: '', task: 'classification' },
    who,
  )
  await server.call('projects/remove', { id: project.data.id }, who)
  const wish = { parentId: null, sameName: 'rename', files: [{ path: '1.bin', sizeBytes: 200 }] } as const
  const { data } = await server.call('files/prepare', { ...wish, files: [...wish.files] }, who)
  await tusCreate(server, who, { upload: data.uploads[0] ?? '', bytes: Buffer.alloc(100), total: 200 })
}

const left = async () => ({
  files: await server.ctx.db.$count(files),
  projects: await server.ctx.db.$count(projects),
  uploads: await server.ctx.db.$count(uploads),
})
const all = { files: 1, projects: 1, uploads: 1 }
const none = { files: 0, projects: 0, uploads: 0 }

/** The jobs that delete by age, as they come by. */
async function jobs(): Promise<void> {
  for (const work of [purgeFiles, purgeProjects, sweepUploads]) await whenDue(server.ctx, work)
}

/** Time that passed while nobody doubted it. */
async function believe(ms: number): Promise<void> {
  forward(ms)
  await server.ctx.db.update(clock).set({ newest: server.ctx.now() })
  await jobs()
}

/** Time that passes while the jobs come by. */
async function pass(ms: number): Promise<void> {
  for (let rest = ms; rest > 0; rest -= DAY / 2) {
    forward(Math.min(rest, DAY / 2))
    await jobs()
  }
}

it('what is due goes as the days pass, and not a minute before', async () => {
  await leaveThings()
  await pass(DAY + MINUTE)
  expect(await left()).toEqual({ ...all, uploads: 0 })
  await pass(6 * DAY - 2 * MINUTE)
  expect(await left()).toMatchObject({ files: 1, projects: 1 })
  await pass(2 * MINUTE)
  expect(await left()).toEqual(none)
})

it('a clock that jumps 400 days ahead deletes nothing, and administrators are told once', async () => {
  await leaveThings()
  forward(400 * DAY)
  await jobs()
  await pass(2 * DAY)
  expect(await left()).toEqual(all)
  const told = await server.ctx.db.select().from(notices).where(eq(notices.kind, 'clock_jumped'))
  expect(told.map((notice) => notice.userId)).toEqual([administratorId])
  const { data } = await server.call('site/server', {}, await session(administratorId))
  expect(data.clock.isInDoubt).toBe(true)
})

it('an administrator confirms the time, nobody else may, and then what is due goes', async () => {
  await leaveThings()
  forward(400 * DAY)
  await jobs()
  expect((await server.call('site/confirmClock', {}, await session())).data.error).toBe('not_allowed')
  await jobs()
  expect(await left()).toEqual(all)
  expect((await server.call('site/confirmClock', {}, await session(administratorId))).code).toBe(10200)
  await jobs()
  expect(await left()).toEqual(none)
  const { data } = await server.call('site/server', {}, await session(administratorId))
  expect(data.clock.isInDoubt).toBe(false)
})

it('a jump that is put right is over by itself, and what was removed meanwhile has all its days', async () => {
  forward(400 * DAY)
  await jobs()
  await leaveThings()
  forward(-400 * DAY)
  await pass(8 * DAY)
  expect(await left()).toMatchObject({ files: 1, projects: 1 })
  const { data } = await server.call('site/server', {}, await session(administratorId))
  expect(data.clock.isInDoubt).toBe(false)
})

it('a clock that goes 400 days back deletes nothing early, nor when it is right again', async () => {
  await leaveThings()
  forward(-400 * DAY)
  await jobs()
  // Removed while the clock was wrong: counted from the newest time that was seen.
  const who = await session()
  const folder = await server.call('files/createFolder', { parentId: null, name: 'Later' }, who)
  await server.call('files/remove', { ids: [folder.data.id] }, who)
  await pass(2 * DAY)
  expect(await left()).toMatchObject({ files: 2, projects: 1 })
  forward(398 * DAY)
  await jobs()
  expect(await left()).toMatchObject({ files: 2, projects: 1 })
  await pass(7 * DAY + MINUTE)
  expect(await left()).toMatchObject({ files: 0, projects: 0 })
})

test.each([
  ['begins', '2027-03-25T12:00:00Z'],
  ['ends', '2027-10-28T12:00:00Z'],
])('a week is a week of hours while summer time %s', async (_, start) => {
  const zone = process.env.TZ
  process.env.TZ = 'Europe/Berlin'
  try {
    forward(Date.parse(start) - server.ctx.now().getTime())
    await server.ctx.db.update(clock).set({ newest: server.ctx.now() })
    await leaveThings()
    await pass(7 * DAY - MINUTE)
    expect(await left()).toMatchObject({ files: 1, projects: 1 })
    await pass(2 * MINUTE)
    expect(await left()).toEqual(none)
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
})

it('the database’s clock is the same in every zone', async () => {
  const found = await server.ctx.db.transaction(async (tx) => {
    await tx.execute(sql`set local timezone to 'Asia/Shanghai'`)
    const before = Number((await tx.execute(sql`select extract(epoch from now()) * 1000 as ms`)).rows[0]?.ms)
    return (await databaseNow({ databaseClock }, tx)).getTime() - before
  })
  expect(found).toBeGreaterThanOrEqual(0)
  expect(found).toBeLessThan(DAY / 24)
})

it('a folder stays as long as anything in it was promised, however its own days are counted', async () => {
  const who = await session()
  const folder = await server.call('files/createFolder', { parentId: null, name: 'Ward' }, who)
  const inner = await server.call('files/createFolder', { parentId: folder.data.id, name: 'Old' }, who)
  await server.ctx.db.update(users).set({ vipLevel: 4 }).where(eq(users.id, userId))
  await server.call('files/remove', { ids: [inner.data.id] }, who)
  await server.ctx.db.update(users).set({ vipLevel: 1 }).where(eq(users.id, userId))
  await server.call('files/remove', { ids: [folder.data.id] }, who)
  await believe(89 * DAY)
  expect(await left()).toMatchObject({ files: 2 })
  await believe(DAY + MINUTE)
  expect(await left()).toMatchObject({ files: 0 })
})
