/**
 * Brings a backup into an empty installation. Everything is compared with its hash before anything is written; rows
 * appear in one transaction at the end. Killed before that, the installation is as empty as it was, and a second try begins
 * anew; bytes that the first one left are the same bytes.
 */
import { createReadStream } from 'node:fs'
import { link, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import { anchorPath } from '../audit/seal.ts'
import { Misuse } from '../command.ts'
import { newId } from '../ids.ts'
import { prepareJobs } from '../jobs.ts'
import { knownMigrations, migrate } from '../postgres/migrate.ts'
import { sideBySide } from '../side-by-side.ts'
import { thumbnailPath } from '../storage/blobs.ts'
import { isCode, sync } from '../storage/files.ts'
import type { Storage } from '../storage/storage.ts'
import { copyHashed, listFiles, type Manifest, readManifest, storedPath, writeFlushed } from './folder.ts'
import { connect, readRows } from './rows.ts'
import { verifyBackup } from './verify.ts'

export type Target = {
  dataDir: string
  /** Asked for the address once the backup was found whole. */
  openDatabase: () => Promise<string>
  openStorage: () => Promise<Pick<Storage, 'adopt' | 'stagingFolder'>>
}

const COPIED_AT_ONCE = 4

export async function restore(
  { dataDir, openDatabase, openStorage }: Target,
  folder: string,
): Promise<Manifest> {
  const manifest = await readCompleteBackup(folder)
  await mkdir(dataDir, { recursive: true })
  const secret = await readFile(join(folder, manifest.secret.name))
  await refuseOtherSecret(dataDir, secret)
  const databaseUrl = await openDatabase()
  const client = await connect(databaseUrl)
  try {
    await refuseRows(client)
    await migrate(databaseUrl, undefined, manifest.migrations)
    await refuseOtherMigrations(client, manifest)
    await prepareJobs(databaseUrl)
    await copyBack(await openStorage(), folder, dataDir, manifest)
    // Before the rows: without the key they could not be opened. Without rows the key opens nothing.
    await placeSecret(dataDir, secret)
    await placeAuditHead(dataDir, manifest)
    await loadRows(client, folder, manifest)
    return manifest
  } finally {
    await client.end()
  }
}

/** Refuses what this program cannot read, and what is damaged, by name. */
async function readCompleteBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const known = await knownMigrations()
  const newer = manifest.migrations.filter((name) => !known.includes(name))
  if (newer.length > 0)
    throw new Misuse(
      `The backup was made by a newer Neuroloom (${newer.join(', ')}): restore it with that version or one after it.`,
    )
  const problems = await verifyBackup(folder, manifest)
  if (problems.length === 0) return manifest
  throw new Misuse(
    ['The backup is damaged; nothing was changed. Use another backup.', ...problems].join('\n'),
  )
}

async function refuseOtherSecret(dataDir: string, secret: Buffer): Promise<void> {
  const own = await readFile(join(dataDir, 'secret')).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return null
    throw error
  })
  if (own === null || own.equals(secret)) return
  throw new Misuse(
    `${dataDir} belongs to another installation: its key would be lost. Set DATA_DIR to a new folder and restore there.`,
  )
}

/** Migrations alone make no member: a start does, and so does a restore that came to its end. */
async function refuseRows(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ tables: number; own: boolean }>(`
    select count(*)::int as tables, to_regclass('public.migrations') is not null as own
    from pg_tables where schemaname = 'public'`)
  const [{ tables, own } = { tables: 0, own: false }] = rows
  if (tables === 0) return
  if (!own)
    throw new Misuse('The database holds tables of another program. Set DATABASE_URL to a new database.')
  const { rows: found } = await client.query<{ table: string | null }>(
    `select to_regclass('public.users')::text as table`,
  )
  if (found[0]?.table) await refuseMembers(client)
}

async function refuseMembers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from users')
  const count = rows[0]?.count ?? 0
  if (count === 0) return
  throw new Misuse(
    `The installation is not empty: it has ${count} accounts. Nothing was changed. Set DATA_DIR to a new folder (and DATABASE_URL to a new database) and restore there.`,
  )
}

async function refuseOtherMigrations(client: pg.Client, { migrations }: Manifest): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  if (rows.length === migrations.length) return
  throw new Misuse(
    'The database was prepared for another version than the backup has. Restore into a new one.',
  )
}

async function copyBack(
  storage: Pick<Storage, 'adopt' | 'stagingFolder'>,
  folder: string,
  dataDir: string,
  manifest: Manifest,
): Promise<void> {
  const missing = new Set(manifest.missing)
  const copy = async (sha256: string, take: (staged: string) => Promise<void>): Promise<void> => {
    const staged = join(storage.stagingFolder, `restore-${newId()}`)
    try {
      const copied = await copyHashed(() => createReadStream(storedPath(folder, sha256)), staged)
      if (copied.sha256 !== sha256) throw new Error(`The backup changed while it was restored: ${sha256}`)
      await take(staged)
    } finally {
      await rm(staged, { force: true })
    }
  }
  await sideBySide(listFiles(folder, manifest), COPIED_AT_ONCE, async ({ sha256, thumbnail }) => {
    if (!missing.has(sha256)) await copy(sha256, (staged) => storage.adopt(staged, sha256))
    if (thumbnail === null) return
    const target = thumbnailPath(dataDir, sha256)
    await mkdir(dirname(target), { recursive: true })
    await copy(thumbnail, (staged) => rename(staged, target))
  })
}

/** One that is there is the same. */
async function placeSecret(dataDir: string, secret: Buffer): Promise<void> {
  const draft = join(dataDir, `secret.${newId()}`)
  await writeFlushed(draft, secret)
  await link(draft, join(dataDir, 'secret')).catch((error: unknown) => {
    if (isCode(error, 'EEXIST')) return undefined
    // Some network drives know no links.
    return rename(draft, join(dataDir, 'secret'))
  })
  await rm(draft, { force: true })
  await sync(dataDir)
}

async function placeAuditHead(dataDir: string, { auditHead }: Manifest): Promise<void> {
  if (auditHead === null) return
  const draft = `${anchorPath(dataDir)}.${newId()}`
  await writeFlushed(draft, auditHead)
  await rename(draft, anchorPath(dataDir))
  await sync(dataDir)
}

async function loadRows(client: pg.Client, folder: string, manifest: Manifest): Promise<void> {
  await client.query('begin')
  // Nobody makes a first account meanwhile.
  await client.query('lock table users in access exclusive mode')
  await refuseMembers(client)
  const counts = await readRows(client, join(folder, manifest.rows.name))
  for (const [table, count] of Object.entries(manifest.tables))
    if ((counts[table] ?? 0) !== count)
      throw new Error(
        `${table} would have ${counts[table] ?? 0} rows instead of ${count}; nothing was changed`,
      )
  await client.query('commit')
}
