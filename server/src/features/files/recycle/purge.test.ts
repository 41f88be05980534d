import { randomBytes } from 'node:crypto'
import { files as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { sha256, tusCreate, tusOffset, upload } from '../../../../test/uploads.ts'
import { sweepOrphans } from '../../../infra/storage/blobs.ts'
import { open } from '../../accounts/sign-in/session.ts'
import { purge } from './purge.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const used = async (session: Session) => (await server.call('user/size', {}, session)).data.storageSize
/** Sessions end long before files do: a later look needs a new one. */
const inDays = async (account: Session, days: number): Promise<Session> => {
  server.forward(days * DAY_MS)
  const { token } = await server.ctx.db.transaction((tx) =>
    open(server.ctx, tx, {
      userId: account.userId,
      from: { address: '127.0.0.1', agent: '', browser: false },
    }),
  )
  return { userId: account.userId, token }
}

it('deletes for good after the days of the level, never earlier, and returns the space exactly then', async () => {
  const ordinary = await server.signUp({ vipLevel: 1 })
  const silver = await server.signUp({ vipLevel: 3 })
  const bytes = randomBytes(600)
  for (const session of [ordinary, silver]) {
    const set = await upload(server, session, { files: [{ path: 'set/a/1.bin', bytes }] })
    await server.call('files/remove', { ids: [set ?? ''] }, session)
  }
  let later = await inDays(ordinary, 6.99)
  await purge(server.ctx)
  expect(await used(later)).toBe(600)
  later = await inDays(ordinary, 0.02)
  await purge(server.ctx)
  expect(await used(later)).toBe(0)
  expect(await used(await inDays(silver, 0))).toBe(600)
  // Somebody else still has these bytes.
  await sweepOrphans(server.ctx)
  expect(await server.ctx.storage.size(sha256(bytes, 'hex'))).toBe(600)
  await inDays(silver, 30)
  await purge(server.ctx)
  server.forward(2 * limits.orphanMs)
  await sweepOrphans(server.ctx)
  await expect(server.ctx.storage.size(sha256(bytes, 'hex'))).rejects.toThrow('ENOENT')
})

it('also frees what was removed inside the folder before, once, and ends uploads into it', async () => {
  const session = await server.signUp()
  const files = ['set/a/1.bin', 'set/2.bin'].map((path) => ({ path, bytes: randomBytes(100) }))
  const set = (await upload(server, session, { files })) ?? ''
  const { data } = await server.call('files/list', { folderId: set }, session)
  await server.call('files/remove', { ids: [data.entries[0]?.id ?? ''] }, session)
  const prepared = await server.call(
    'files/prepare',
    { parentId: set, sameName: 'rename', files: [{ path: '3.bin', sizeBytes: 200 }] },
    session,
  )
  const number = prepared.data.uploads[0] ?? ''
  await tusCreate(server, session, { upload: number, bytes: randomBytes(100), total: 200 })
  await server.call('files/remove', { ids: [set] }, session)
  const later = await inDays(session, 8)
  await purge(server.ctx)
  await purge(server.ctx)
  expect(await used(later)).toBe(0)
  expect(await tusOffset(server, later, number)).toBeNull()
})

it('takes a file that arrives in a removed folder into the recycle station with it', async () => {
  const session = await server.signUp()
  const set =
    (await upload(server, session, { files: [{ path: 'set/1.bin', bytes: randomBytes(10) }] })) ?? ''
  const { data } = await server.call(
    'files/prepare',
    { parentId: set, sameName: 'rename', files: [{ path: '2.bin', sizeBytes: 5 }] },
    session,
  )
  await server.call('files/remove', { ids: [set] }, session)
  const arrived = await tusCreate(server, session, { upload: data.uploads[0] ?? '', bytes: randomBytes(5) })
  expect(arrived.status).toBe(201)
  expect((await server.call('files/list', { folderId: null }, session)).data.total).toBe(0)
  await server.call('files/restore', { ids: [set] }, session)
  const top = await server.call('files/list', { folderId: null }, session)
  expect(top.data.entries[0]).toMatchObject({ sizeBytes: 15, fileCount: 2 })
})
