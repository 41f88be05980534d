import { planLimits } from '@neuroloom/contract/limits'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { idAt, pathsIn, wrongSums } from '../../../../test/cloud.ts'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { makeFolder } from '../../../../test/sharing.ts'
import { upload } from '../../../../test/uploads.ts'
import { open } from '../../accounts/sign-in/session.ts'
import { purge } from './purge.ts'

const SECOND_MS = 1000
const DAY_MS = 24 * 60 * 60 * SECOND_MS

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterEach(async () => {
  expect(await wrongSums(server)).toEqual([])
})
afterAll(() => server.close())

const put = (session: Session, paths: string[]) =>
  upload(server, session, { files: paths.map((path) => ({ path, bytes: Buffer.from(path) })) })
const at = (session: Session, path: string) => idAt(server, session, path)
const remove = (session: Session, ...ids: string[]) => server.call('files/remove', { ids }, session)
const station = async (session: Session) => (await server.call('files/recycled', {}, session)).data
const used = async (session: Session) => (await server.call('user/size', {}, session)).data.storageSize
/** Sessions end long before files do: a later look needs a new one. */
async function later(account: Session, ms: number): Promise<Session> {
  server.forward(ms)
  const from = { address: '127.0.0.1', agent: '', browser: false }
  const { token } = await server.ctx.db.transaction((tx) =>
    open(server.ctx, tx, { userId: account.userId, from }),
  )
  return { userId: account.userId, token }
}
const setLevel = (session: Session, level: number) =>
  server.ctx.pool.query('update users set vip_level = $2 where id = $1', [session.userId, level])

it('lists what was removed, last first, with its former place and the day it is cleared', async () => {
  const me = await server.signUp({ vipLevel: 3 })
  await put(me, ['a/b/1.txt', 'a/2.txt'])
  await remove(me, await at(me, 'a/b'))
  server.forward(SECOND_MS)
  await remove(me, await at(me, 'a/2.txt'))
  const { entries, total, sizeBytes, recycleDays } = await station(me)
  expect(entries.map(({ name, kind, place, fileCount }) => ({ name, kind, place, fileCount }))).toEqual([
    { name: '2.txt', kind: 'file', place: ['a'], fileCount: 0 },
    { name: 'b', kind: 'folder', place: ['a'], fileCount: 1 },
  ])
  expect({ total, sizeBytes, recycleDays }).toEqual({
    total: 2,
    sizeBytes: 'a/2.txta/b/1.txt'.length,
    recycleDays: 30,
  })
  const [last] = entries
  expect(Date.parse(last?.clearsAt ?? '') - Date.parse(last?.recycledAt ?? '')).toBe(30 * DAY_MS)
  const found = await server.call('files/recycled', { search: 'B' }, me)
  expect(found.data.entries.map(({ name }) => name)).toEqual(['b'])
})

it('goes on page after page', async () => {
  const me = await server.signUp()
  const top = await makeFolder(server, me, 'top')
  const ids = []
  for (let n = 0; n < 120; n += 1) ids.push(await makeFolder(server, me, `f${n}`, top))
  await remove(me, ...ids)
  const first = await station(me)
  const second = (await server.call('files/recycled', { after: first.next }, me)).data
  expect(second.next).toBeNull()
  expect(new Set([...first.entries, ...second.entries].map(({ id }) => id)).size).toBe(120)
})

it('brings a thing to the top when its folder is in the station itself, with a free name', async () => {
  const me = await server.signUp()
  await put(me, ['a/b/1.txt', 'a/b/c/2.txt'])
  const [one, c, a] = [await at(me, 'a/b/1.txt'), await at(me, 'a/b/c'), await at(me, 'a')]
  await remove(me, one)
  await remove(me, c)
  await remove(me, a)
  await put(me, ['1.txt'])
  await server.call('files/restore', { ids: [one] }, me)
  expect(await pathsIn(server, me)).toEqual(['1 (2).txt', '1.txt'])
  // Together they come back to where they were.
  await server.call('files/restore', { ids: [c, a] }, me)
  expect(await pathsIn(server, me)).toEqual(['1 (2).txt', '1.txt', 'a/', 'a/b/', 'a/b/c/', 'a/b/c/2.txt'])
})

it('deletes for good at once when asked, and the space is free', async () => {
  const [me, other] = [await server.signUp(), await server.signUp()]
  await put(me, ['a/1.txt', 'b/2.txt'])
  await put(other, ['o/3.txt'])
  const [a, b, o] = [await at(me, 'a'), await at(me, 'b'), await at(other, 'o')]
  await remove(me, a, b)
  await remove(other, o)
  const refused = [
    await server.call('files/purge', { ids: [a, o] }, me),
    await server.call('files/purge', { ids: [a, 'unknown'] }, me),
    await server.call('files/restore', { ids: [o] }, me),
  ]
  expect(refused.map(({ data }) => data.error)).toEqual(['missing', 'missing', 'missing'])
  const purged = await server.call('files/purge', { ids: [a] }, me)
  expect(purged.data).toEqual({ purged: 1, freedBytes: 'a/1.txt'.length, keptCount: 0, kept: [] })
  expect(await used(me)).toBe('b/2.txt'.length)
  await server.call('files/purge', { ids: null }, me)
  expect([await used(me), (await station(me)).total]).toEqual([0, 0])
  expect((await station(other)).total).toBe(1)
})

it('does not purge what still lies in the cloud', async () => {
  const me = await server.signUp()
  await put(me, ['a/1.txt'])
  expect((await server.call('files/purge', { ids: [await at(me, 'a')] }, me)).data.error).toBe('missing')
  expect((await server.call('files/purge', { ids: null }, me)).data.purged).toBe(0)
  expect(await pathsIn(server, me)).toEqual(['a/', 'a/1.txt'])
})

it.each([1, 2, 3, 4])('clears at level %i a second after its days, not a second before', async (vipLevel) => {
  const me = await server.signUp({ vipLevel })
  await put(me, ['a/1.txt'])
  await remove(me, await at(me, 'a'))
  const days = planLimits({ vipLevel, vipSuper: 0 }).recycleDays
  let session = await later(me, days * DAY_MS - 5 * SECOND_MS)
  await purge(server.ctx)
  expect((await station(session)).total).toBe(1)
  session = await later(me, 6 * SECOND_MS)
  await purge(server.ctx)
  expect([(await station(session)).total, await used(session)]).toEqual([0, 0])
})

it('keeps what was promised at removal after a lower level, and gives what a higher one gives', async () => {
  const [falls, rises] = [await server.signUp({ vipLevel: 3 }), await server.signUp({ vipLevel: 1 })]
  for (const session of [falls, rises]) {
    await put(session, ['a/1.txt'])
    await remove(session, await at(session, 'a'))
  }
  await setLevel(falls, 1)
  await setLevel(rises, 2)
  await later(falls, 13.9 * DAY_MS)
  await purge(server.ctx)
  expect((await station(await later(falls, 0))).total).toBe(1)
  expect((await station(await later(rises, 0))).total).toBe(1)
  await later(rises, 0.2 * DAY_MS)
  await purge(server.ctx)
  expect((await station(await later(rises, 0))).total).toBe(0)
  expect((await station(await later(falls, 0))).total).toBe(1)
  await later(falls, 16 * DAY_MS)
  await purge(server.ctx)
  expect((await station(await later(falls, 0))).total).toBe(0)
})

it('ends one way when a thing is restored and cleared at the same moment', async () => {
  const me = await server.signUp({ vipLevel: 4 })
  for (let round = 0; round < 10; round += 1) {
    await put(me, [`a${round}/1.txt`])
    const id = await at(me, `a${round}`)
    await remove(me, id)
    const [restored, purged] = await Promise.all([
      server.call('files/restore', { ids: [id] }, me),
      server.call('files/purge', { ids: [id] }, me),
    ])
    const isBack = restored.code === 10200
    expect(purged.code === 10200 && purged.data.purged === 1).toBe(!isBack)
    expect((await pathsIn(server, me)).includes(`a${round}/1.txt`)).toBe(isBack)
  }
})
