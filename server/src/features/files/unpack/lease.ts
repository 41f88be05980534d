import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { archives as limits } from '@neuroloom/contract/limits'
import { and, eq, lt, sql } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { type UnpackRow, unpacks } from './tables.ts'

/** Where archives lie open while they are unpacked, one folder an attempt. */
export const unpackFolder = (ctx: Context): string => join(ctx.storage.stagingFolder, 'unpacks')
export const attemptFolder = (ctx: Context, { id, attempts }: UnpackRow): string =>
  join(unpackFolder(ctx), `${id}.${attempts}`)

/** Somebody else has taken the work over. */
export class LostLease extends Error {}

/** The work, if nobody else is at it: then nobody else gets it while the lease is renewed. */
export async function claim(ctx: Context, id: string): Promise<UnpackRow | null> {
  const now = ctx.now()
  const [row] = await ctx.db
    .update(unpacks)
    .set({ state: 'working', leaseUntil: leaseFrom(now), attempts: sql`${unpacks.attempts} + 1` })
    .where(and(eq(unpacks.id, id), isFree(now)))
    .returning()
  return row ?? null
}

/** Writes to the row only while the attempt is still the one that holds it. */
export async function update(db: Db, row: UnpackRow, changes: Partial<UnpackRow>): Promise<UnpackRow> {
  const [changed] = await db
    .update(unpacks)
    .set(changes)
    .where(and(eq(unpacks.id, row.id), eq(unpacks.attempts, row.attempts), eq(unpacks.state, 'working')))
    .returning()
  if (!changed) throw new LostLease(row.id)
  return changed
}

/** Renews the lease until it is called off. */
export function keepLease(ctx: Context, row: UnpackRow): () => void {
  const timer = setInterval(() => {
    update(ctx.db, row, { leaseUntil: leaseFrom(ctx.now()) }).catch((error: unknown) => {
      if (!(error instanceof LostLease)) ctx.log.warn({ err: error }, 'an unpacking was not renewed')
    })
  }, limits.heartbeatMs)
  return () => clearInterval(timer)
}

/** Queues what nobody works at any more, and clears folders of attempts that ended. */
export async function recover(ctx: Context): Promise<void> {
  const now = ctx.now()
  const open = await ctx.db.select().from(unpacks).where(isFree(now))
  for (const { id } of open) await ctx.jobs.send(null, 'files.unpack', { unpackId: id }, { singletonKey: id })
  // Before the rows are read: an attempt that begins in between is not seen as a leftover.
  const folders = await readdir(unpackFolder(ctx)).catch(() => [])
  const working = await ctx.db.select().from(unpacks).where(eq(unpacks.state, 'working'))
  const inUse = new Set(working.map((row) => attemptFolder(ctx, row)))
  for (const path of folders.map((name) => join(unpackFolder(ctx), name))) {
    if (!inUse.has(path)) await rm(path, { recursive: true, force: true })
  }
}

export const forgetReports = (ctx: Context) =>
  ctx.db.delete(unpacks).where(lt(unpacks.endedAt, new Date(ctx.now().getTime() - limits.keepMs)))

const leaseFrom = (now: Date): Date => new Date(now.getTime() + limits.leaseMs)

const isFree = (now: Date) =>
  sql`(${unpacks.state} = 'waiting' or (${unpacks.state} = 'working' and ${unpacks.leaseUntil} < ${now}))`
