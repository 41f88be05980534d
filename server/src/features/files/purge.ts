import { rm } from 'node:fs/promises'
import { eq, isNotNull, sql } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import * as plans from '../plans/service.ts'
import { type FileRow, files } from './tables.ts'
import { lockCloud } from './tree.ts'
import { drop, stagedPath } from './uploads.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Whether a removed thing must stay, because something made of it still stands. */
type Keeper = (tx: Tx, file: FileRow) => Promise<boolean>
const keepers = new Map<string, Keeper>()

/** Features to the right may hold on to removed files; `name` tells them apart. */
export function registerKeeper(name: string, keeper: Keeper): void {
  keepers.set(name, keeper)
}

/** Deletes for good what has been in the recycle station for its owner's days, and returns its space. */
export async function purge(ctx: Context): Promise<void> {
  const due = await ctx.db
    .select({ id: files.id, recycledAt: files.recycledAt, owner: users })
    .from(files)
    .innerJoin(users, eq(users.id, files.ownerId))
    .where(isNotNull(files.recycledAt))
  for (const { id, recycledAt, owner } of due) {
    const keptMs = plans.limitsOf(ctx, owner).recycleDays * DAY_MS
    if (recycledAt && ctx.now().getTime() - recycledAt.getTime() >= keptMs) await purgeOne(ctx, id, owner.id)
  }
}

async function purgeOne(ctx: Context, id: string, ownerId: string): Promise<void> {
  const dropped = await ctx.db.transaction(async (tx) => {
    await lockCloud(tx, ownerId)
    // Brought back meanwhile: then it is nobody's to delete.
    const [file] = await tx
      .select()
      .from(files)
      .where(sql`${files.id} = ${id} and ${files.recycledAt} is not null`)
    if (!file || (await isKept(tx, file))) return []
    const cancelled = await drop(tx, sql`parent_id in ${below(id)}`)
    await plans.free(tx, ownerId, await bytesBelow(tx, id))
    await tx.delete(files).where(eq(files.id, id))
    return cancelled
  })
  await Promise.all(dropped.map((uploadId) => rm(stagedPath(ctx, uploadId), { force: true })))
}

async function isKept(tx: Tx, file: FileRow): Promise<boolean> {
  for (const keeper of keepers.values()) if (await keeper(tx, file)) return true
  return false
}

/** With what was removed inside it before: that has not been counted as its folder's for a while. */
async function bytesBelow(tx: Tx, id: string): Promise<number> {
  const { rows } = await tx.execute<{ bytes: string }>(sql`
    select coalesce(sum(size_bytes), 0) as bytes from ${files} where kind = 'file' and id in ${below(id)}`)
  return Number(rows[0]?.bytes ?? 0)
}

/** The thing itself and everything in it, as a subquery of ids. */
const below = (id: string) => sql`(
  with recursive down as (
    select id from ${files} where id = ${id}
    union all
    select f.id from ${files} f join down on f.parent_id = down.id
  )
  select id from down
)`
