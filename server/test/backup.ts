/** Two installations side by side: what one holds, and an empty one for a backup to go into. */
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { createDiskStorage } from '../src/infra/storage/storage.ts'
import { makeDatabase, makePool } from './harness.ts'

export type EmptyInstallation = {
  dataDir: string
  databaseUrl: string
  pool: pg.Pool
  /** What `restore` takes. */
  target: {
    dataDir: string
    openDatabase: () => Promise<string>
    openStorage: () => ReturnType<typeof createDiskStorage>
  }
  close(): Promise<void>
}

export async function makeEmptyInstallation(): Promise<EmptyInstallation> {
  const database = await makeDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'neuroloom-restored-'))
  const pool = makePool(database.url, 2)
  return {
    dataDir,
    databaseUrl: database.url,
    pool,
    target: {
      dataDir,
      openDatabase: async () => database.url,
      openStorage: () => createDiskStorage(dataDir),
    },
    async close() {
      await pool.end()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** All rows of all tables as text, in one order, by table. */
export async function rowsOf(pool: pg.Pool): Promise<Record<string, string[]>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> 'migrations'`,
  )
  const found: Record<string, string[]> = {}
  for (const { name } of tables) {
    const { rows } = await pool.query<{ line: string }>(`select t::text as line from ${name} t order by 1`)
    found[name] = rows.map(({ line }) => line)
  }
  return found
}

/** SHA-256 of the stored bytes by the name that they are stored under. */
export async function bytesOf(dataDir: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  const root = join(dataDir, 'blobs')
  for (const prefix of await readdir(root))
    for (const name of await readdir(join(root, prefix)))
      found[name] = createHash('sha256')
        .update(await readFile(join(root, prefix, name)))
        .digest('hex')
  return found
}
