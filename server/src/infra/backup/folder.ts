/**
 * A backup on the disk. `manifest.json` names all the rest with hashes; it is written last and replaced in one step, so
 * a folder holds the backup of before or the new one, whenever the program is killed.
 *
 *     manifest.json   rows-<id>.gz   files-<id>.txt   secret-<id>   files/<2 digits>/<SHA-256>
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'
import { canonicalJson, sha256Of } from '../canonical-json.ts'
import { Misuse } from '../command.ts'
import { checkDigest, isCode, sync } from '../storage/files.ts'
import { textLines } from '../text-lines.ts'

/** A program refuses manifests of another format. */
export const FORMAT = 1

const hashed = z.strictObject({ name: z.string().regex(/^[a-z]+-[\w-]+(\.\w+)?$/), sha256: z.string() })
const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  madeAt: z.string(),
  postgresVersion: z.string(),
  /** All that were applied to the database. */
  migrations: z.array(z.string()),
  /** Rows of each table. */
  tables: z.record(z.string(), z.int()),
  rows: hashed,
  /** One line a stored file: its SHA-256, its size, and the SHA-256 of its thumbnail. */
  files: hashed,
  fileCount: z.int(),
  /** Bytes that were damaged or missing in the installation already. */
  missing: z.array(z.string()),
  /** The server's key: without it, encrypted fields cannot be opened. */
  secret: hashed,
  /** The signed end of the audit chain; null where nothing was sealed yet. */
  auditHead: z.string().nullable(),
})
export type Manifest = z.infer<typeof manifestSchema>
/** Of all tables. */
export const rowCountOf = ({ tables }: Manifest): number =>
  Object.values(tables).reduce((sum, count) => sum + count, 0)

export type StoredFile = { sha256: string; sizeBytes: number }
/** Its thumbnail is stored like any file; null where it has none. */
export type ListedFile = StoredFile & { thumbnail: string | null }

const MANIFEST = 'manifest.json'
const ownNames = /^(manifest\.json|files|(rows|files|secret|manifest)-[\w-]+(\.\w+)?)$/

/** Made where it is missing. A folder that holds anything else is nobody's to clean up. */
export async function openFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const strange = (await readdir(folder)).find((name) => !ownNames.test(name))
  if (strange !== undefined)
    throw new Misuse(`${folder} holds “${strange}”, which is no part of a backup: name a folder of its own.`)
  await mkdir(join(folder, 'files'), { recursive: true, mode: 0o700 })
}

export const storedPath = (folder: string, sha256: string): string => {
  checkDigest(sha256)
  return join(folder, 'files', sha256.slice(0, 2), sha256)
}

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: unknown) => {
    if (isCode(error, 'ENOENT', 'ENOTDIR'))
      throw new Misuse(`There is no complete backup in ${folder}: its manifest.json is missing.`)
    throw error
  })
  const { format, manifest, sha256 } = outerOf(text, folder)
  if (format !== FORMAT)
    throw new Misuse(
      `The backup in ${folder} has format ${format}; this program knows ${FORMAT}: use a newer Neuroloom.`,
    )
  const parsed = manifestSchema.safeParse(manifest)
  if (!parsed.success || sha256 !== sha256Of(canonicalJson(parsed.data)))
    throw new Misuse(`${join(folder, MANIFEST)} is damaged: use another backup.`)
  return parsed.data
}

const outerSchema = z.object({ format: z.number(), manifest: z.unknown(), sha256: z.string() })

function outerOf(text: string, folder: string): z.infer<typeof outerSchema> {
  try {
    return outerSchema.parse(JSON.parse(text))
  } catch {
    throw new Misuse(`${join(folder, MANIFEST)} is damaged: use another backup.`)
  }
}

/** The moment from which the folder holds this backup. */
export async function writeManifest(folder: string, manifest: Manifest, id: string): Promise<void> {
  const outer = { format: FORMAT, manifest, sha256: sha256Of(canonicalJson(manifest)) }
  const draft = join(folder, `manifest-${id}`)
  await writeFlushed(draft, JSON.stringify(outer))
  await sync(folder)
  await rename(draft, join(folder, MANIFEST))
  await sync(folder)
}

/** For its owner alone. */
export async function writeFlushed(path: string, content: string | Buffer): Promise<void> {
  await writeFile(path, content, { mode: 0o600, flag: 'wx' })
  await sync(path)
}

/** Deletes what the manifest does not name: an earlier backup, or what a killed one left. */
export async function cleanFolder(
  folder: string,
  manifest: Manifest,
  kept: ReadonlySet<string>,
): Promise<void> {
  const named = [MANIFEST, 'files', manifest.rows.name, manifest.files.name, manifest.secret.name]
  for (const name of await readdir(folder)) if (!named.includes(name)) await rm(join(folder, name))
  for (const path of await readdir(join(folder, 'files'), { recursive: true })) {
    const [, sha256] = /^[0-9a-f]{2}\/([0-9a-f]{64})(\.[\w-]+)?$/.exec(path) ?? []
    if (sha256 !== undefined && !(kept.has(sha256) && path.endsWith(sha256)))
      await rm(join(folder, 'files', path))
  }
}

/** Copies a stream into a new file, flushes it, and answers what was copied. */
export async function copyHashed(openBytes: () => Readable, path: string): Promise<StoredFile> {
  const file = await open(path, 'w', 0o600)
  try {
    // Opened no earlier than it is read: until then nobody would hear that it cannot be opened, and the process would end.
    const bytes = openBytes()
    const hash = createHash('sha256')
    let sizeBytes = 0
    // A stream of bytes yields buffers.
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      hash.update(chunk)
      sizeBytes += chunk.length
      await file.writeFile(chunk)
    }
    await file.sync()
    return { sha256: hash.digest('hex'), sizeBytes }
  } finally {
    await file.close()
  }
}

export async function digestOf(bytes: Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(bytes, hash)
  return hash.digest('hex')
}

/** Null where there is nothing. */
export const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  )

export const lineOf = ({ sha256, sizeBytes, thumbnail }: ListedFile): string =>
  `${sha256} ${sizeBytes} ${thumbnail ?? '-'}\n`

export async function* listFiles(folder: string, { files }: Manifest): AsyncGenerator<ListedFile> {
  for await (const line of textLines(createReadStream(join(folder, files.name)))) {
    const [sha256 = '', sizeBytes, thumbnail = '-'] = line.split(' ')
    yield { sha256, sizeBytes: Number(sizeBytes), thumbnail: thumbnail === '-' ? null : thumbnail }
  }
}
