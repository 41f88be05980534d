import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { files as limits } from '@neuroloom/contract/limits'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf, type EmptyInstallation, makeEmptyInstallation, rowsOf } from '../../../test/backup.ts'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { sha256, upload } from '../../../test/uploads.ts'
import { post } from '../../features/ledger/service.ts'
import { sealEvents } from '../audit/seal.ts'
import { verifyRows } from '../audit/verify.ts'
import { audit } from '../audit.ts'
import { openDb } from '../db.ts'
import { newId } from '../ids.ts'
import { createSeals } from '../seals.ts'
import { blobs, sweepOrphans, thumbnailPath } from '../storage/blobs.ts'
import type { Storage } from '../storage/storage.ts'
import { makeBackup } from './backup.ts'
import { backupCommands, verifyFolder } from './commands.ts'
import { readManifest, storedPath, writeManifest } from './folder.ts'
import { restore } from './restore.ts'
import { verifyBackup, verifyStorage } from './verify.ts'

let server: TestServer
let member: Session
let folder: string
beforeAll(async () => {
  server = await makeServer()
  member = await server.signUp({ vipSuper: 1 })
  folder = await mkdtemp(join(tmpdir(), 'neuroloom-backup-'))
  // One row in each kind of table that a restore has trouble with: books that are only added to, folders in folders, jobs.
  await server.ctx.db.transaction(async (tx) => {
    const [one, other] = [
      { owner: 'alipay', kind: 'outside', unit: 'fen', amount: -5 },
      { owner: member.userId, kind: 'wallet', unit: 'fen', amount: 5 },
    ] as const
    await post(tx, { kind: 'plan_paid', source: 'one', at: new Date(), postings: [one, other] })
    await server.ctx.jobs.send(tx, 'files.purge', {})
  })
  await put('first', 5)
  await audit(server.ctx.db, {
    actor: null,
    action: 'member.create',
    subject: 'user:one',
    address: 'console',
  })
  await sealEvents(server.ctx)
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Uploads files below a folder of its own, and answers the digests that were acknowledged. */
async function put(name: string, count: number): Promise<string[]> {
  const list = Array.from({ length: count }, (_, index) => ({
    path: `${name}/deep/${index}.bin`,
    bytes: randomBytes(100 + index),
  }))
  await upload(server, member, { files: list })
  return list.map(({ bytes }) => sha256(bytes, 'hex'))
}

const backUp = () => makeBackup(server.ctx, folder)
const stored = (sha: string): string => join(server.ctx.config.dataDir, 'blobs', sha.slice(0, 2), sha)
const isEmpty = async ({ pool, dataDir }: EmptyInstallation): Promise<boolean> => {
  const { rows } = await pool.query('select id from users union all select id from files')
  return rows.length === 0 && !(await readdir(dataDir)).includes('secret')
}

/** Sequences go on, the rules of tables hold, and the audit chain is whole. */
async function expectWorking({ dataDir, pool }: EmptyInstallation): Promise<void> {
  const db = openDb(pool)
  const anchor = JSON.parse(await readFile(join(dataDir, 'audit-head.json'), 'utf8'))
  expect(await verifyRows(db, server.ctx.signer.publicKey, anchor)).toMatchObject({ problem: null })
  await expect(pool.query('delete from ledger_entries')).rejects.toThrow('only ever added to')
  await expect(pool.query(`update files set owner_id = 'nobody'`)).rejects.toThrow('foreign key')
  const next = await pool.query(
    `insert into audit_events (action, subject, address) values ('a', 'b', 'c') returning id`,
  )
  const { rows } = await pool.query('select max(id) as id from audit_events')
  expect(next.rows).toEqual(rows)
}

describe('a backup', () => {
  it('holds every row and every byte, and its restored copy opens what was encrypted', async () => {
    const { ctx } = server
    const [sha = ''] = await put('with thumbnail', 1)
    const thumbnail = thumbnailPath(ctx.config.dataDir, sha)
    await mkdir(dirname(thumbnail), { recursive: true })
    await writeFile(thumbnail, 'small picture')
    await backUp()
    const copy = await makeEmptyInstallation()
    await restore(copy.target, folder)
    expect(await rowsOf(copy.pool)).toEqual(await rowsOf(ctx.pool))
    expect(await bytesOf(copy.dataDir)).toEqual(await bytesOf(ctx.config.dataDir))
    expect(await readFile(thumbnailPath(copy.dataDir, sha), 'utf8')).toBe('small picture')
    const secret = await readFile(join(copy.dataDir, 'secret'))
    expect((await stat(join(copy.dataDir, 'secret'))).mode & 0o777).toBe(0o600)
    const sealed = ctx.seals.seal('123', member.userId)
    expect(createSeals(secret, 'document number').open(sealed, member.userId)).toBe('123')
    const jobs = await copy.pool.query(`select name from pgboss.job where name = 'files.purge'`)
    expect(jobs.rows).toHaveLength(1)
    await expectWorking(copy)
    await copy.close()
  })

  it('copies nothing twice, and drops what is gone', async () => {
    const [gone = ''] = await put('to go', 1)
    await backUp()
    expect((await stat(storedPath(folder, gone))).size).toBe(100)
    const again = await backUp()
    expect(again).toMatchObject({ copied: 0, known: again.manifest.fileCount })
    await server.ctx.pool.query('delete from files where sha256 = $1', [gone])
    await server.ctx.pool.query('delete from blobs where sha256 = $1', [gone])
    await put('to come', 2)
    expect(await backUp()).toMatchObject({ copied: 2 })
    await expect(stat(storedPath(folder, gone))).rejects.toThrow('ENOENT')
    const names = (await readdir(folder)).map((name) => name.replace(/-.*/, ''))
    expect(names.sort()).toEqual(['files', 'files', 'manifest.json', 'rows', 'secret'])
  })

  it('that breaks off leaves the one before it', async () => {
    const { manifest } = await backUp()
    await put('unlucky', 3)
    const storage: Storage = {
      ...server.ctx.storage,
      read() {
        throw new Error('cut')
      },
    }
    await expect(makeBackup({ ...server.ctx, storage }, folder)).rejects.toThrow('cut')
    expect(await readManifest(folder)).toEqual(manifest)
    expect(await verifyBackup(folder, manifest)).toEqual([])
    await backUp()
    expect((await readdir(folder)).filter((name) => name.startsWith('rows-'))).toHaveLength(1)
  })

  it('keeps bytes whose rows are removed meanwhile', async () => {
    const [sha = ''] = await put('swept', 1)
    await server.ctx.pool.query('delete from files where sha256 = $1', [sha])
    const old = new Date(server.ctx.now().getTime() - limits.orphanMs - 60_000)
    await server.ctx.db.update(blobs).set({ createdAt: old }).where(eq(blobs.sha256, sha))
    await utimes(stored(sha), old, old)
    let swept: Promise<unknown> | null = null
    const storage: Storage = {
      ...server.ctx.storage,
      // A sweep comes by after the snapshot and before the bytes are read.
      read(one) {
        swept ??= sweepOrphans(server.ctx)
        return server.ctx.storage.read(one)
      },
    }
    await put('to be read', 1)
    expect((await makeBackup({ ...server.ctx, storage }, folder)).manifest.missing).toEqual([])
    await swept
    expect(await verifyBackup(folder, await readManifest(folder))).toEqual([])
    await sweepOrphans(server.ctx)
    await expect(stat(stored(sha))).rejects.toThrow('ENOENT')
  })

  it('names what is damaged on the server, and holds all the rest', async () => {
    const [damaged = '', missing = ''] = await put('bad', 2)
    const good = await readFile(stored(damaged))
    await writeFile(stored(damaged), Buffer.concat([good.subarray(1), Buffer.from('x')]))
    const lost = await readFile(stored(missing))
    await rm(stored(missing))
    const { rows } = await server.ctx.pool.query<{ id: string; sha256: string }>(
      'select id, sha256 from files where sha256 = any($1)',
      [[damaged, missing]],
    )
    const users = (sha: string) => [
      `files ${rows.find((row) => row.sha256 === sha)?.id} of member ${member.userId}`,
    ]
    const expected = [
      { sha256: damaged, state: 'damaged', users: users(damaged) },
      { sha256: missing, state: 'missing', users: users(missing) },
    ].sort((one, other) => (one.sha256 < other.sha256 ? -1 : 1))
    expect((await verifyStorage(server.ctx)).damages).toEqual(expected)
    const { manifest } = await backUp()
    expect([...manifest.missing].sort()).toEqual([damaged, missing].sort())
    expect(await verifyBackup(folder, manifest)).toEqual([])
    await writeFile(stored(damaged), good)
    await writeFile(stored(missing), lost)
    expect((await verifyStorage(server.ctx)).damages).toEqual([])
  })
})

describe('a restore', () => {
  let empty: EmptyInstallation
  beforeAll(async () => {
    empty = await makeEmptyInstallation()
  })
  afterAll(() => empty.close())

  it('refuses a damaged backup by the name of the file, and changes nothing', async () => {
    const [sha = ''] = await put('to damage', 1)
    await backUp()
    const path = storedPath(folder, sha)
    const bytes = await readFile(path)
    await writeFile(path, Buffer.from(bytes.map((byte, index) => (index === 3 ? byte ^ 1 : byte))))
    await expect(restore(empty.target, folder)).rejects.toThrow(`damaged: files/${sha.slice(0, 2)}/${sha}`)
    expect(await isEmpty(empty)).toBe(true)
    await rm(path)
    await expect(restore(empty.target, folder)).rejects.toThrow(`missing: files/${sha.slice(0, 2)}/${sha}`)
    const { rows } = await readManifest(folder)
    await writeFile(join(folder, rows.name), 'no rows')
    await expect(restore(empty.target, folder)).rejects.toThrow(`damaged: ${rows.name}`)
    const manifest = join(folder, 'manifest.json')
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('"fileCount":', '"fileCount":1'))
    await expect(restore(empty.target, folder)).rejects.toThrow('manifest.json is damaged')
    expect(await isEmpty(empty)).toBe(true)
    await rm(manifest)
    await expect(restore(empty.target, folder)).rejects.toThrow('no complete backup')
    await backUp()
  })

  it('refuses a backup of a newer version, and one into another installation', async () => {
    const { manifest } = await backUp()
    const newer = { ...manifest, migrations: [...manifest.migrations, '999_later.sql'] }
    await writeManifest(folder, newer, newId())
    await expect(restore(empty.target, folder)).rejects.toThrow('newer Neuroloom (999_later.sql)')
    await writeManifest(folder, manifest, newId())
    const openDatabase = async () => server.ctx.config.databaseUrl ?? ''
    await expect(restore({ ...empty.target, openDatabase }, folder)).rejects.toThrow(
      /not empty: it has \d+ accounts.*Set DATA_DIR/,
    )
    expect(await isEmpty(empty)).toBe(true)
    await writeFile(join(empty.dataDir, 'secret'), randomBytes(32))
    await expect(restore(empty.target, folder)).rejects.toThrow('belongs to another installation')
    await rm(join(empty.dataDir, 'secret'))
  })

  it('that breaks off leaves an empty installation, and the next try brings everything', async () => {
    await backUp()
    const { target } = empty
    let adopted = 0
    const openStorage = async (): Promise<Storage> => {
      const storage = await target.openStorage()
      return {
        ...storage,
        adopt: (path, sha) => {
          adopted += 1
          return adopted > 5 ? Promise.reject(new Error('cut')) : storage.adopt(path, sha)
        },
      }
    }
    await expect(restore({ ...target, openStorage }, folder)).rejects.toThrow('cut')
    expect(await isEmpty(empty)).toBe(true)
    // The last step of all: one row too few is no restore.
    const manifest = await readManifest(folder)
    const tables = { ...manifest.tables, 'public.users': (manifest.tables['public.users'] ?? 0) + 1 }
    await writeManifest(folder, { ...manifest, tables }, newId())
    await expect(restore(target, folder)).rejects.toThrow('public.users would have')
    expect((await empty.pool.query('select from users')).rowCount).toBe(0)
    // Names from the file become part of statements: only those that the database has.
    const lines = gunzipSync(await readFile(join(folder, manifest.rows.name)))
    const strange = JSON.stringify({ table: 'public.users; drop table users', columns: [] })
    const forged = gzipSync(Buffer.concat([lines, Buffer.from(`${strange}\n`)]))
    const name = `rows-${newId()}.gz`
    await writeFile(join(folder, name), forged)
    await writeManifest(folder, { ...manifest, rows: { name, sha256: sha256(forged, 'hex') } }, newId())
    await expect(restore(target, folder)).rejects.toThrow('does not know')
    expect((await empty.pool.query('select from users')).rowCount).toBe(0)
    await rm(join(folder, name))
    await writeManifest(folder, manifest, newId())
    await restore(target, folder)
    expect(await rowsOf(empty.pool)).toEqual(await rowsOf(server.ctx.pool))
  })
})

describe('at the console', () => {
  it('an operator makes and checks a backup, and is told what a folder lacks', async () => {
    const own = join(folder, '..', `by-command-${newId()}`)
    const said = (name: 'backup' | 'verify', ...words: string[]) =>
      backupCommands[name]?.run(server.ctx, words)
    expect(await said('backup', own)).toMatch(/^\d+ rows and \d+ files stand in .*secret key/)
    expect(await verifyFolder(own)).toMatch(/ is whole: \d+ rows/)
    expect(await said('verify')).toMatch(/^All \d+ stored files are as they were stored\.$/)
    await writeFile(join(own, 'holiday.jpg'), '')
    await expect(said('backup', own)).rejects.toThrow('“holiday.jpg”, which is no part of a backup')
    await rm(own, { recursive: true })
  })
})
