/** Writes a backup while the product goes on: one snapshot of all rows, and the stored files that they name. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { anchorPath } from '../audit/seal.ts'
import type { Context } from '../context.ts'
import { newId } from '../ids.ts'
import { sideBySide } from '../side-by-side.ts'
import { REMOVAL_LOCK, thumbnailPath } from '../storage/blobs.ts'
import { isCode, sync } from '../storage/files.ts'
import {
  cleanFolder,
  copyHashed,
  digestOf,
  FORMAT,
  type ListedFile,
  lineOf,
  type Manifest,
  openFolder,
  type StoredFile,
  sizeOf,
  storedPath,
  writeFlushed,
  writeManifest,
} from './folder.ts'
import { connect, type RowCounts, writeRows } from './rows.ts'

type Source = Pick<Context, 'config' | 'storage' | 'now'>

type BackupResult = { manifest: Manifest; copied: number; known: number }

const COPIED_AT_ONCE = 4

export async function makeBackup({ config, storage, now }: Source, folder: string): Promise<BackupResult> {
  await openFolder(folder)
  const id = newId()
  // Before the rows: the chain in the snapshot contains this event.
  const auditHead = await readOptional(anchorPath(config.dataDir))
  const client = await connect(config.databaseUrl ?? '')
  try {
    // Until the connection ends, no row about stored bytes is removed, and so none of the bytes.
    await client.query('select pg_advisory_lock($1)', [REMOVAL_LOCK])
    const snapshot = await writeSnapshot(client, folder, id)
    const { listed, copied, known, missing } = await copyFiles({ config, storage }, folder, snapshot.files)
    const filesName = `files-${id}.txt`
    await writeFlushed(join(folder, filesName), listed.map(lineOf).join(''))
    const secret = await readFile(join(config.dataDir, 'secret'))
    const secretName = `secret-${id}`
    await writeFlushed(join(folder, secretName), secret)
    // Fails where the connection, and with it the lock, was lost.
    await client.query('select 1')
    const manifest: Manifest = {
      format: FORMAT,
      madeAt: now().toISOString(),
      postgresVersion: snapshot.postgresVersion,
      migrations: snapshot.migrations,
      tables: snapshot.tables,
      rows: await hashedFile(folder, snapshot.rowsName),
      files: await hashedFile(folder, filesName),
      fileCount: listed.length,
      missing,
      secret: await hashedFile(folder, secretName),
      auditHead: auditHead?.toString() ?? null,
    }
    await writeManifest(folder, manifest, id)
    await cleanFolder(
      folder,
      manifest,
      new Set(listed.flatMap(({ sha256, thumbnail }) => [sha256, thumbnail ?? ''])),
    )
    return { manifest, copied, known }
  } finally {
    await client.end()
  }
}

type Snapshot = {
  rowsName: string
  tables: RowCounts
  files: StoredFile[]
  migrations: string[]
  postgresVersion: string
}

/** Ends its transaction before files are copied, which may take hours. */
async function writeSnapshot(client: pg.Client, folder: string, id: string): Promise<Snapshot> {
  await client.query('begin isolation level repeatable read, read only')
  const { rows: applied } = await client.query<{ name: string }>('select name from migrations order by name')
  const { rows: version } = await client.query<{ server_version: string }>('show server_version')
  const { rows } = await client.query<{ sha256: string; size: string }>(
    'select sha256, size_bytes as size from blobs order by sha256',
  )
  const files = rows.map(({ sha256, size }) => ({ sha256, sizeBytes: Number(size) }))
  const rowsName = `rows-${id}.gz`
  const tables = await writeRows(client, join(folder, rowsName))
  await client.query('commit')
  return {
    rowsName,
    tables,
    files,
    migrations: applied.map(({ name }) => name),
    postgresVersion: version[0]?.server_version ?? '',
  }
}

type Copied = { listed: ListedFile[]; copied: number; known: number; missing: string[] }

/** What an earlier backup left in the folder is not copied again. */
async function copyFiles(
  { config, storage }: Pick<Source, 'config' | 'storage'>,
  folder: string,
  files: readonly StoredFile[],
): Promise<Copied> {
  const result: Copied = { listed: [], copied: 0, known: 0, missing: [] }
  const { add, flush } = writeInto(folder)
  await sideBySide(files, COPIED_AT_ONCE, async (file) => {
    const outcome = await add(file, () => storage.read(file.sha256))
    if (outcome === 'missing') result.missing.push(file.sha256)
    else result[outcome] += 1
    // Thumbnails are small, and would be made anew only with their file's next upload.
    const bytes = await readOptional(thumbnailPath(config.dataDir, file.sha256))
    const thumbnail = bytes && createHash('sha256').update(bytes).digest('hex')
    if (bytes && thumbnail)
      await add({ sha256: thumbnail, sizeBytes: bytes.length }, () => Readable.from([bytes]))
    result.listed.push({ ...file, thumbnail })
  })
  await flush()
  return result
}

/** Files under their SHA-256. Their names are on the disk after `flush`. */
function writeInto(folder: string) {
  const prefixes = new Set<string>()
  return {
    async add(
      { sha256, sizeBytes }: StoredFile,
      open: () => Readable,
    ): Promise<'copied' | 'known' | 'missing'> {
      const target = storedPath(folder, sha256)
      if ((await sizeOf(target)) === sizeBytes) return 'known'
      const prefix = dirname(target)
      await mkdir(prefix, { recursive: true, mode: 0o700 })
      prefixes.add(prefix)
      const draft = `${target}.${newId()}`
      try {
        const written = await copyHashed(open, draft)
        if (written.sha256 !== sha256) return 'missing'
        await rename(draft, target)
        return 'copied'
      } catch (error) {
        if (isCode(error, 'ENOENT')) return 'missing'
        throw error
      } finally {
        await rm(draft, { force: true })
      }
    },
    async flush(): Promise<void> {
      for (const prefix of prefixes) await sync(prefix)
      await sync(join(folder, 'files'))
    },
  }
}

const hashedFile = async (folder: string, name: string): Promise<Manifest['rows']> => ({
  name,
  sha256: await digestOf(createReadStream(join(folder, name))),
})

const readOptional = (path: string): Promise<Buffer | null> =>
  readFile(path).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return null
    throw error
  })
