import { createHash, randomBytes } from 'node:crypto'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { files } from '@neuroloom/contract/limits'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeServer, type TestServer } from '../../../test/harness.ts'
import { features } from '../../features.ts'
import type { Feature } from '../feature.ts'
import { addBlob, blobs, sweepOrphans, thumbnailPath } from './blobs.ts'

let server: TestServer
beforeAll(async () => {
  const keepsakes: Feature = {
    name: 'keepsakes',
    tells: { bytesKept: [{ table: 'keepsakes', column: 'sha256' }] },
  }
  server = await makeServer({}, { features: [...features, keepsakes] })
  await server.ctx.pool.query('create table keepsakes (sha256 text references blobs)')
})
afterAll(() => server.close())

/** Adopted bytes with a row, as old as asked. */
async function makeBlob({ ageMs, hasRow = true }: { ageMs: number; hasRow?: boolean }): Promise<string> {
  const { storage, db, config } = server.ctx
  const bytes = randomBytes(20)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const staged = join(storage.stagingFolder, sha256)
  await writeFile(staged, bytes)
  await storage.adopt(staged, sha256)
  const at = new Date(server.ctx.now().getTime() - ageMs)
  await utimes(join(config.dataDir, 'blobs', sha256.slice(0, 2), sha256), at, at)
  if (!hasRow) return sha256
  await addBlob(db, { sha256, sizeBytes: 20 })
  await db.update(blobs).set({ createdAt: at }).where(eq(blobs.sha256, sha256))
  return sha256
}

const isStored = async (sha256: string): Promise<boolean> =>
  server.ctx.storage.size(sha256).then(
    () => true,
    () => false,
  )
const hasRow = async (sha256: string): Promise<boolean> =>
  (await server.ctx.db.$count(blobs, eq(blobs.sha256, sha256))) === 1

const OLD = files.orphanMs + 60_000

test('the sweep takes what is old and used nowhere, with its thumbnail, and spares the rest', async () => {
  const [orphan, fresh, used] = [
    await makeBlob({ ageMs: OLD }),
    await makeBlob({ ageMs: 1000 }),
    await makeBlob({ ageMs: OLD }),
  ]
  const [stray, freshStray] = [
    await makeBlob({ ageMs: OLD, hasRow: false }),
    await makeBlob({ ageMs: 1000, hasRow: false }),
  ]
  await server.ctx.pool.query('insert into keepsakes values ($1)', [used])
  const thumbnail = thumbnailPath(server.ctx.config.dataDir, orphan)
  await mkdir(dirname(thumbnail), { recursive: true })
  await writeFile(thumbnail, 'picture')

  expect(await sweepOrphans(server.ctx)).toEqual({ rows: 1, bytes: 2 })
  expect(await Promise.all([orphan, stray, fresh, used, freshStray].map(isStored))).toEqual([
    false,
    false,
    true,
    true,
    true,
  ])
  expect(await Promise.all([orphan, fresh, used].map(hasRow))).toEqual([false, true, true])
  await expect(writeFile(thumbnail, '', { flag: 'r+' })).rejects.toThrow('ENOENT')
})

test('announcing bytes again makes them young again', async () => {
  const sha256 = await makeBlob({ ageMs: OLD })
  await addBlob(server.ctx.db, { sha256, sizeBytes: 20 })
  await sweepOrphans(server.ctx)
  expect(await hasRow(sha256)).toBe(true)
})

test('a use that is being written while the sweep runs wins', async () => {
  const sha256 = await makeBlob({ ageMs: OLD })
  const writer = await server.ctx.pool.connect()
  await writer.query('begin')
  await writer.query('insert into keepsakes values ($1)', [sha256])
  const sweeping = sweepOrphans(server.ctx)
  await waitUntilBlocked()
  await writer.query('commit')
  writer.release()
  await sweeping
  expect([await hasRow(sha256), await isStored(sha256)]).toEqual([true, true])
})

async function waitUntilBlocked(): Promise<void> {
  const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  await vi.waitUntil(async () => (await server.ctx.pool.query(waiting)).rowCount === 1, {
    timeout: 60_000,
    interval: 20,
  })
}
