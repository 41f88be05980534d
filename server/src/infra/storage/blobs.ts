/** The rows about stored bytes, and the sweep that keeps rows and bytes the same set. Knows no files or folders. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { files } from '@neuroloom/contract/limits'
import { and, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { bigint, index, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import type { Context } from '../context.ts'
import { type Db, sqlState } from '../db.ts'
import type { PatientHint } from '../reader/patient-hint.ts'

export const blobs = pgTable(
  'blobs',
  {
    sha256: text('sha256').primaryKey(),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    /** What the engine found out about an image; null until checked or when it is none. */
    facts: jsonb('facts'),
    /** Why the bytes cannot be used as an image. */
    reason: text('reason'),
    /** Whether the first bytes can be of a file that names its patient; null = nobody has looked at them. */
    patientHint: text('patient_hint').$type<PatientHint>(),
    checkedAt: timestamp('checked_at', { withTimezone: true }),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('blobs_created_at').on(table.createdAt)],
)

type Announced = { sha256: string; sizeBytes: number; patientHint?: PatientHint }

/** Announces adopted bytes; afterwards a row that keeps them must point at them in the same transaction. */
export const addBlob = (db: Db, blob: Announced): Promise<void> => addBlobs(db, [blob])

export async function addBlobs(db: Db, announced: readonly Announced[]): Promise<void> {
  if (announced.length === 0) return
  await db.execute(sql`
    insert into ${blobs} (sha256, size_bytes, patient_hint)
    select distinct on (sha256) *
    from unnest(
      ${sql.param(announced.map(({ sha256 }) => sha256))}::text[],
      ${sql.param(announced.map(({ sizeBytes }) => sizeBytes))}::bigint[],
      ${sql.param(announced.map(({ patientHint }) => patientHint ?? null))}::text[]
    ) as announced (sha256, size_bytes, patient_hint)
    -- In one order for everybody, so that two that announce the same bytes never wait in a circle.
    order by sha256
    -- Touching the row makes the sweep wait for this transaction and count the age anew.
    on conflict (sha256) do update
    set created_at = now(), patient_hint = coalesce(${blobs}.patient_hint, excluded.patient_hint)`)
}

export const thumbnailPath = (dataDir: string, sha256: string): string =>
  join(dataDir, 'thumbnails', sha256.slice(0, 2), `${sha256}.webp`)

/** Told to every machine with the digest of bytes that are gone. */
export const REMOVED = 'blobs_removed'
const LOOKED_UP_AT_ONCE = 1000
/** A column that keeps bytes alive; it must be a foreign key to `blobs`, which guards the sweep against races. */
export type BytesUse = { table: string; column: string }

/** Removes rows that nothing uses and bytes without a row, both older than ten minutes. Answers how many. */
export async function sweepOrphans(ctx: Context): Promise<{ rows: number; bytes: number }> {
  const before = new Date(ctx.now().getTime() - files.orphanMs)
  const unused = ctx
    .told('bytesKept')
    .flat()
    .map(
      ({ table, column }): SQL =>
        sql`not exists (select 1 from ${sql.identifier(table)} where ${sql.identifier(column)} = ${blobs.sha256})`,
    )
  const candidates = await ctx.db
    .select({ sha256: blobs.sha256 })
    .from(blobs)
    .where(and(lt(blobs.createdAt, before), ...unused))
  let rows = 0
  for (const { sha256 } of candidates) {
    if (await dropRow(ctx.db, and(eq(blobs.sha256, sha256), lt(blobs.createdAt, before), ...unused)))
      rows += 1
  }
  return { rows, bytes: await sweepBytes(ctx, before) }
}

/** Held by a backup: while it copies, no row about stored bytes is removed, and bytes with a row are never removed. */
export const REMOVAL_LOCK = 4_830_023

async function dropRow(db: Db, where: SQL | undefined): Promise<boolean> {
  // Evaluated once and before any row; held until the statement has committed.
  const mayRemove = sql`(select pg_try_advisory_xact_lock_shared(${REMOVAL_LOCK}))`
  try {
    const dropped = await db.delete(blobs).where(and(where, mayRemove)).returning({ sha256: blobs.sha256 })
    return dropped.length > 0
  } catch (error) {
    // A use appeared meanwhile: the foreign key keeps the row.
    if (sqlState(error) === '23503') return false
    throw error
  }
}

async function sweepBytes(ctx: Context, before: Date): Promise<number> {
  let removed = 0
  let old: string[] = []
  for await (const { sha256, modifiedAt } of ctx.storage.all()) {
    if (modifiedAt < before) old.push(sha256)
    if (old.length < LOOKED_UP_AT_ONCE) continue
    removed += await dropStrays(ctx, old, before)
    old = []
  }
  return removed + (await dropStrays(ctx, old, before))
}

/** Deletes those bytes that have no row. */
async function dropStrays(ctx: Context, stored: string[], before: Date): Promise<number> {
  const rows = await ctx.db.select({ sha256: blobs.sha256 }).from(blobs).where(inArray(blobs.sha256, stored))
  const known = new Set(rows.map((row) => row.sha256))
  const removed: string[] = []
  for (const sha256 of stored.filter((one) => !known.has(one))) {
    if (!(await ctx.storage.remove(sha256, before))) continue
    await rm(thumbnailPath(ctx.config.dataDir, sha256), { force: true })
    removed.push(sha256)
  }
  await ctx.db.execute(
    sql`select pg_notify(${REMOVED}, sha256) from unnest(${sql.param(removed)}::text[]) as sha256`,
  )
  return removed.length
}
