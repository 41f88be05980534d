/** Hashes stored bytes again: those of the installation, and those of a backup. Changes nothing. */
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { sideBySide } from '../side-by-side.ts'
import { blobs } from '../storage/blobs.ts'
import { isCode } from '../storage/files.ts'
import { digestOf, listFiles, type Manifest, storedPath } from './folder.ts'

const READ_AT_ONCE = 4

/** `missing`, or `damaged`: the bytes are others than their name says. */
type Damage = { sha256: string; state: 'missing' | 'damaged' }

async function damageOf(sha256: string, open: () => Readable): Promise<Damage | null> {
  try {
    return (await digestOf(open())) === sha256 ? null : { sha256, state: 'damaged' }
  } catch (error) {
    if (isCode(error, 'ENOENT')) return { sha256, state: 'missing' }
    throw error
  }
}

async function findDamage(digests: Iterable<string>, read: (sha256: string) => Readable): Promise<Damage[]> {
  const found: Damage[] = []
  await sideBySide(digests, READ_AT_ONCE, async (sha256) => {
    const damage = await damageOf(sha256, () => read(sha256))
    if (damage) found.push(damage)
  })
  return found.sort((one, other) => (one.sha256 < other.sha256 ? -1 : 1))
}

/** Names every file of a backup that is not as it was written. */
export async function verifyBackup(folder: string, manifest: Manifest): Promise<string[]> {
  const problems: string[] = []
  for (const { name, sha256 } of [manifest.rows, manifest.files, manifest.secret]) {
    const damage = await damageOf(sha256, () => createReadStream(join(folder, name)))
    if (damage) problems.push(`${damage.state}: ${name}`)
  }
  if (problems.length > 0) return problems
  const listed = new Set<string>()
  let count = 0
  for await (const { sha256, thumbnail } of listFiles(folder, manifest)) {
    count += 1
    listed.add(sha256)
    if (thumbnail !== null) listed.add(thumbnail)
  }
  for (const sha256 of manifest.missing) listed.delete(sha256)
  if (count !== manifest.fileCount)
    problems.push(`${count} files are listed instead of ${manifest.fileCount}`)
  const damages = await findDamage(listed, (sha256) => createReadStream(storedPath(folder, sha256)))
  return [
    ...problems,
    ...damages.map(({ sha256, state }) => `${state}: files/${sha256.slice(0, 2)}/${sha256}`),
  ]
}

type StorageReport = {
  count: number
  /** With the rows that need the bytes, by table and id, and their member's id. */
  damages: (Damage & { users: string[] })[]
}

/** All bytes that the database knows. Those that are removed meanwhile are no damage. */
export async function verifyStorage(ctx: Pick<Context, 'db' | 'storage' | 'told'>): Promise<StorageReport> {
  const rows = await ctx.db.select({ sha256: blobs.sha256 }).from(blobs).orderBy(blobs.sha256)
  const all = rows.map(({ sha256 }) => sha256)
  const damages = await findDamage(all, (sha256) => ctx.storage.read(sha256))
  const report: StorageReport = { count: all.length, damages: [] }
  for (const damage of damages) {
    const isKnown = (await ctx.db.$count(blobs, sql`${blobs.sha256} = ${damage.sha256}`)) > 0
    if (isKnown) report.damages.push({ ...damage, users: await usersOf(ctx, damage.sha256) })
  }
  return report
}

async function usersOf({ db, told }: Pick<Context, 'db' | 'told'>, sha256: string): Promise<string[]> {
  const found: string[] = []
  for (const { table, column } of told('bytesKept').flat()) {
    const { rows } = await db.execute<{ id: string | null; member: string | null }>(sql`
      select coalesce(r->>'id', r->>'run_id', r->>'listing_id', '') as id, coalesce(r->>'owner_id', r->>'user_id') as member
      from ${sql.identifier(table)} t, to_jsonb(t) r where t.${sql.identifier(column)} = ${sha256}`)
    for (const { id, member } of rows)
      found.push(member === null ? `${table} ${id}` : `${table} ${id} of member ${member}`)
  }
  return found
}
