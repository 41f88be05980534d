import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { files as limits } from '@neuroloom/contract/limits'
import { and, eq, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import * as plans from '../../plans/service.ts'
import { uploads } from '../tables.ts'

/** Where the bytes of unfinished uploads lie, one file an upload. */
export const stagingFolder = (ctx: Context): string => join(ctx.storage.stagingFolder, 'uploads')
export const stagedPath = (ctx: Context, uploadId: string): string => join(stagingFolder(ctx), uploadId)

/** Only the own unfinished ones; others, and those that are done, are passed over. */
export async function cancel(
  ctx: Context,
  { uploads: ids }: Parsed<'files/cancel'>,
  { user }: Caller,
): Promise<Answer<'files/cancel'>> {
  return giveUp(ctx, sql`${uploads.id} = any(${sql.param(ids)}) and ${uploads.memberId} = ${user.id}`)
}

export async function cancelBatch(
  ctx: Context,
  { batch }: Parsed<'files/cancelBatch'>,
  { user }: Caller,
): Promise<Answer<'files/cancelBatch'>> {
  return giveUp(ctx, sql`${uploads.batch} = ${batch} and ${uploads.memberId} = ${user.id}`)
}

async function giveUp(ctx: Context, where: SQL): Promise<{ cancelled: number }> {
  const dropped = await ctx.db.transaction((tx) => drop(tx, where))
  const staged = await stagedOf(ctx, dropped)
  // All at once, thousands of deletions would hold everybody.
  for (let start = 0; start < staged.length; start += DELETED_AT_ONCE) {
    const some = staged.slice(start, start + DELETED_AT_ONCE)
    await Promise.all(some.map((id) => rm(stagedPath(ctx, id), { force: true })))
  }
  return { cancelled: dropped.length }
}

/** Those that have bytes: of many most have none yet, and to look once costs less than to ask for each. */
async function stagedOf(ctx: Context, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length <= DELETED_AT_ONCE) return ids
  // Before the first upload of all there is no such folder.
  const there = new Set(await readdir(stagingFolder(ctx)).catch(() => []))
  return ids.filter((id) => there.has(id))
}

const DELETED_AT_ONCE = 50

/** Unfinished uploads that match, gone with their reserved space. Their bytes are the caller's to delete. */
export async function drop(tx: Tx, where: SQL | undefined): Promise<string[]> {
  const dropped = await tx
    .delete(uploads)
    .where(and(where, isNull(uploads.doneAt)))
    .returning({ id: uploads.id, ownerId: uploads.ownerId, sizeBytes: uploads.sizeBytes })
  const reserved = new Map<string, number>()
  for (const { ownerId, sizeBytes } of dropped) {
    reserved.set(ownerId, (reserved.get(ownerId) ?? 0) + sizeBytes)
  }
  // In one order for everybody, so that two sweeps never wait for each other.
  for (const [ownerId, bytes] of [...reserved].sort()) await plans.release(tx, ownerId, bytes)
  return dropped.map(({ id }) => id)
}

/** Gives up what nobody continued for a day, forgets what is long done, and deletes staged bytes of neither. */
export async function sweep(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - limits.uploadIdleMs)
  await ctx.db.transaction((tx) => drop(tx, lt(uploads.touchedAt, before)))
  await ctx.db.delete(uploads).where(lt(uploads.touchedAt, before))
  await mkdir(stagingFolder(ctx), { recursive: true })
  for (const name of await readdir(stagingFolder(ctx))) await sweepStaged(ctx, name)
}

async function sweepStaged(ctx: Context, name: string): Promise<void> {
  const path = join(stagingFolder(ctx), name)
  const entry = await stat(path).catch(() => null)
  if (!entry || entry.mtimeMs > ctx.now().getTime() - limits.orphanMs) return
  const [id = ''] = name.split('.')
  const [open] = await ctx.db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(eq(uploads.id, id), isNull(uploads.doneAt)))
  if (!open) await rm(path, { force: true })
}
