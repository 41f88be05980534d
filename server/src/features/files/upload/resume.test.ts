import { randomBytes } from 'node:crypto'
import { readdir, rm, symlink, truncate } from 'node:fs/promises'
import { uploads as limits } from '@neuroloom/contract/limits'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { sha256, tusCreate, tusOffset, tusPatch, upload } from '../../../../test/uploads.ts'
import { stagedPath, stagingFolder } from './uploads.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const MEGABYTE = 1024 * 1024
const GIGABYTE = 1024 * MEGABYTE

const prepare = (
  session: Session,
  files: { path: string; sizeBytes: number }[],
  parentId: string | null = null,
) => server.call('files/prepare', { parentId, sameName: 'rename', files }, session)
const unfinished = async (session: Session) =>
  (await server.call('files/unfinished', {}, session)).data.batches
const names = async (session: Session, folderId: string | null = null) =>
  (await server.call('files/list', { folderId }, session)).data.entries.map(({ name }) => name)
const storage = async ({ userId }: Session) => {
  const { rows } = await server.ctx.db.execute<{ used: string; reserved: string }>(
    sql`select used_bytes as used, reserved_bytes as reserved from user_storage where user_id = ${userId}`,
  )
  return { used: Number(rows[0]?.used ?? 0), reserved: Number(rows[0]?.reserved ?? 0) }
}
const errorOf = async (response: Response): Promise<unknown> => {
  // The envelope of every failure.
  const body = (await response.json()) as { data: { error: string } }
  return body.data.error
}

describe('unfinished uploads', () => {
  it('are known with their paths and what has arrived, to their member alone, until all of it is there', async () => {
    const [session, stranger] = [await server.signUp(), await server.signUp()]
    const bytes = randomBytes(3000)
    const { data } = await prepare(session, [
      { path: 'scans/a.bin', sizeBytes: 3000 },
      { path: 'scans/sub/b.bin', sizeBytes: 10 },
    ])
    const [first = '', second = ''] = data.uploads.map((one) => one ?? '')
    await tusCreate(server, session, { upload: first, bytes: bytes.subarray(0, 1000), total: 3000 })
    await tusCreate(server, session, { upload: second, bytes: randomBytes(10) })
    expect(await unfinished(session)).toMatchObject([
      {
        batch: data.batch,
        parentId: null,
        totalFiles: 2,
        totalBytes: 3010,
        doneFiles: 1,
        doneBytes: 10,
        openBytes: 1000,
        openPath: 'scans/a.bin',
        packed: null,
      },
    ])
    const filesFor = async (who: Session) =>
      (await server.call('files/unfinishedFiles', { batch: data.batch ?? '' }, who)).data
    expect(await filesFor(session)).toEqual({
      files: [{ upload: first, path: 'scans/a.bin', sizeBytes: 3000, receivedBytes: 1000, unpack: 'no' }],
      next: null,
    })
    expect(await unfinished(stranger)).toEqual([])
    expect(await filesFor(stranger)).toEqual({ files: [], next: null })
    await tusPatch(server, session, { upload: first, bytes: bytes.subarray(1000), offset: 1000 })
    expect(await unfinished(session)).toEqual([])
  })

  it('are listed page by page, and given up together by their member alone', async () => {
    const [session, stranger] = [await server.signUp(), await server.signUp()]
    const count = limits.filesPage + 5
    const paths = Array.from({ length: count }, (_, n) => ({ path: `set/${n}.bin`, sizeBytes: 1 }))
    const { data } = await prepare(session, paths)
    const batch = data.batch ?? ''
    const first = (await server.call('files/unfinishedFiles', { batch }, session)).data
    const last = (await server.call('files/unfinishedFiles', { batch, after: first.next }, session)).data
    expect([first.files.length, last.files.length, last.next]).toEqual([limits.filesPage, 5, null])
    expect(new Set([...first.files, ...last.files].map(({ path }) => path)).size).toBe(count)
    expect((await server.call('files/cancelBatch', { batch }, stranger)).data.cancelled).toBe(0)
    expect((await server.call('files/cancelBatch', { batch }, session)).data.cancelled).toBe(count)
    expect(await unfinished(session)).toEqual([])
    expect(await storage(session)).toEqual({ used: 0, reserved: 0 })
  })

  it('tell what has arrived block by block, from the disk, so that the file is known again', async () => {
    const [session, stranger] = [await server.signUp(), await server.signUp()]
    const { blockBytes } = limits
    const bytes = randomBytes(blockBytes + 500)
    const { data } = await prepare(session, [{ path: 'a.bin', sizeBytes: blockBytes + 1000 }])
    const [number = ''] = data.uploads.map((one) => one ?? '')
    const received = async (fromBlock: number, who = session) =>
      (await server.call('files/received', { upload: number, fromBlock }, who)).data
    expect(await received(0)).toMatchObject({ receivedBytes: 0, sums: [], next: null })
    await tusCreate(server, session, {
      upload: number,
      bytes: bytes.subarray(0, blockBytes),
      total: blockBytes + 1000,
    })
    await tusPatch(server, session, { upload: number, bytes: bytes.subarray(blockBytes), offset: blockBytes })
    const sums = [sha256(bytes.subarray(0, blockBytes)), sha256(bytes.subarray(blockBytes))]
    expect(await received(0)).toEqual({ receivedBytes: bytes.length, blockBytes, sums, next: null })
    expect(await received(1)).toMatchObject({ sums: sums.slice(1) })
    expect((await received(0, stranger)).error).toBe('upload_gone')
    await truncate(stagedPath(server.ctx, number), 100)
    expect(await received(0)).toMatchObject({ receivedBytes: 0, sums: [] })
  })
})

describe('into a folder shared for editing', () => {
  const shared = async (permission: 'view' | 'edit') => {
    const [owner, member] = [await server.signUp({ vipLevel: 4 }), await server.signUp({ vipLevel: 4 })]
    const { data: folder } = await server.call('files/createFolder', { parentId: null, name: 'set' }, owner)
    const { data: share } = await server.call(
      'files/share',
      { id: folder.id, account: member.account, permission },
      owner,
    )
    return { owner, member, folderId: folder.id, shareId: share.id }
  }

  it('takes the owner’s space, and is the sender’s to go on with', async () => {
    const { owner, member, folderId } = await shared('edit')
    const { data } = await prepare(member, [{ path: 'a.bin', sizeBytes: 10 }], folderId)
    expect(await storage(owner)).toEqual({ used: 0, reserved: 10 })
    expect(await unfinished(member)).toHaveLength(1)
    expect(await unfinished(owner)).toEqual([])
    const [number = ''] = data.uploads.map((one) => one ?? '')
    expect((await tusCreate(server, owner, { upload: number, bytes: randomBytes(10) })).status).toBe(410)
    expect((await tusCreate(server, member, { upload: number, bytes: randomBytes(10) })).status).toBe(201)
    expect(await storage(owner)).toEqual({ used: 10, reserved: 0 })
    expect(await names(owner, folderId)).toEqual(['a.bin'])
  })

  it('ends with the next chunk once the share is withdrawn; a share to look at takes nothing', async () => {
    const { owner, member, folderId, shareId } = await shared('edit')
    const { data } = await prepare(member, [{ path: 'a.bin', sizeBytes: 20 }], folderId)
    const [number = ''] = data.uploads.map((one) => one ?? '')
    await tusCreate(server, member, { upload: number, bytes: randomBytes(10), total: 20 })
    await server.call('files/unshare', { shareIds: [shareId] }, owner)
    const last = await tusPatch(server, member, { upload: number, bytes: randomBytes(10), offset: 10 })
    expect([last.status, await errorOf(last)]).toEqual([403, 'missing'])
    expect(await names(owner, folderId)).toEqual([])
    const looking = await shared('view')
    const refused = await prepare(looking.member, [{ path: 'a.bin', sizeBytes: 1 }], looking.folderId)
    expect(refused.data.error).toBe('not_allowed')
  })
})

describe('names', () => {
  it.each([
    ['a way up', '../up.txt'],
    ['a way up inside', 'set/../../up.txt'],
    ['NUL', 'nul\0byte.txt'],
    ['a line break', 'two\nlines.txt'],
    ['a backslash', 'a\\b.txt'],
    ['only dots', 'set/..'],
    ['an empty part', 'set//a.txt'],
    ['more than 200 signs', `${'x'.repeat(201)}.txt`],
  ])('with %s are refused by name, and nothing is reserved', async (_what, path) => {
    const session = await server.signUp()
    const { code, data } = await prepare(session, [{ path, sizeBytes: 5 }])
    expect(code).toBe(10200)
    expect(data).toMatchObject({ uploads: [null], refused: [{ path, reason: 'name_invalid' }], batch: null })
    expect(await storage(session)).toEqual({ used: 0, reserved: 0 })
    expect(await names(session)).toEqual([])
  })

  it('of 300 bytes and look-alikes are kept exactly, each for itself; those that turn the direction are refused', async () => {
    const session = await server.signUp()
    const long = `${'\u5f71'.repeat(98)}.txt`
    const kept = [long, 'scan.txt', 'sc\u0430n.txt', 'SCAN.txt', '\u{1f9e0}.txt', '-rf', 'CON']
    expect(Buffer.byteLength(long)).toBeGreaterThan(290)
    await upload(server, session, { files: kept.map((path) => ({ path, bytes: Buffer.from(path) })) })
    expect((await names(session)).sort()).toEqual([...kept].sort())
    const turned = await prepare(session, [{ path: 'scan\u202etxt.exe', sizeBytes: 1 }])
    expect(turned.data.refused).toMatchObject([{ reason: 'name_invalid' }])
  })
})

describe('a full disk', () => {
  it('is told as such, leaves nothing half-written, and the upload goes on when there is room', async () => {
    const session = await server.signUp()
    const bytes = randomBytes(3 * MEGABYTE)
    const { data } = await prepare(session, [{ path: 'a.bin', sizeBytes: bytes.length }])
    const [number = ''] = data.uploads.map((one) => one ?? '')
    const first = { upload: number, bytes: bytes.subarray(0, MEGABYTE), total: bytes.length }
    await tusCreate(server, session, first)
    // Every write to it fails as on a disk without room.
    const staged = stagedPath(server.ctx, number)
    await rm(staged)
    await symlink('/dev/full', staged)
    await server.ctx.db.execute(sql`update uploads set received_bytes = 0 where id = ${number}`)
    const full = await tusCreate(server, session, { upload: number, bytes })
    expect([full.status, await errorOf(full)]).toEqual([507, 'disk_full'])
    expect(await tusOffset(server, session, number)).toBe(0)
    expect(await names(session)).toEqual([])
    expect(await storage(session)).toEqual({ used: 0, reserved: bytes.length })
    await rm(staged)
    expect((await tusCreate(server, session, { upload: number, bytes })).status).toBe(201)
    expect(await names(session)).toEqual(['a.bin'])
    expect(await storage(session)).toEqual({ used: bytes.length, reserved: 0 })
    expect(await readdir(stagingFolder(server.ctx))).not.toContain(number)
  })
})

describe('a full cloud', () => {
  it('refuses before a byte flows, and what was promised room arrives whole all the same', async () => {
    const session = await server.signUp({ vipLevel: 2 })
    const bytes = randomBytes(2000)
    const { data } = await prepare(session, [
      { path: 'a.bin', sizeBytes: 2000 },
      { path: 'b.bin', sizeBytes: 2 * GIGABYTE },
    ])
    const [first = '', second = ''] = data.uploads.map((one) => one ?? '')
    await tusCreate(server, session, { upload: first, bytes: bytes.subarray(0, 1000), total: 2000 })
    // The membership ends in the middle: now far more is reserved than there is room for.
    await server.ctx.db.execute(sql`update users set vip_level = 1 where id = ${session.userId}`)
    const refused = await prepare(session, [{ path: 'c.bin', sizeBytes: 1 }])
    expect(refused.data).toMatchObject({
      error: 'storage_full',
      params: { limitBytes: GIGABYTE, neededBytes: 1 },
    })
    expect(await names(session)).toEqual([])
    await tusPatch(server, session, { upload: first, bytes: bytes.subarray(1000), offset: 1000 })
    expect(await names(session)).toEqual(['a.bin'])
    await server.call('files/cancel', { uploads: [second] }, session)
    expect((await prepare(session, [{ path: 'c.bin', sizeBytes: 1 }])).code).toBe(10200)
    expect(await storage(session)).toEqual({ used: 2000, reserved: 1 })
  })
})
