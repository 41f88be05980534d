import { rm } from 'node:fs/promises'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Kept } from '@neuroloom/contract/files'
import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import * as plans from '../plans/service.ts'
import { isAnyOf } from './access.ts'
import { keptBy } from './keepers.ts'
import { record } from './records/records.ts'
import { type FileRow, files } from './tables.ts'
import { idsOf } from './transfer-plan.ts'
import { inFolder, lockCloud } from './tree.ts'
import { drop, stagedPath } from './upload/uploads.ts'

/** Things deleted in one transaction. */
const AT_ONCE = 1000
/** Of what stays, as many are named. */
const NAMED = 20

/** The member's own wish: for good, and the space is free at once. */
export async function purgeOwn(
  ctx: Context,
  { ids }: Parsed<'files/purge'>,
  { user }: Caller,
): Promise<Answer<'files/purge'>> {
  const chosen = ids === null ? undefined : isAnyOf(ids)
  const rows = await ctx.db
    .select({ id: files.id })
    .from(files)
    .where(and(eq(files.ownerId, user.id), isNotNull(files.recycledAt), chosen))
  if (ids !== null && rows.length < new Set(ids).size) throw fail('missing')
  const { purged, freedBytes, kept } = await purgeAll(ctx, {
    ownerId: user.id,
    actorId: user.id,
    ids: idsOf(rows),
  })
  return { purged, freedBytes, keptCount: kept.length, kept: kept.slice(0, NAMED) }
}

/** Deletes what has been in the recycle station for its time, and returns its space. */
export async function purge(ctx: Context): Promise<void> {
  const rows = await ctx.db
    .select({ id: files.id, recycledAt: files.recycledAt, clearsAt: files.clearsAt, owner: users })
    .from(files)
    .innerJoin(users, eq(users.id, files.ownerId))
    .where(lte(files.recycledAt, plans.soonestCleared(ctx)))
    .orderBy(asc(files.recycledAt))
  const due = rows.filter(({ owner, ...row }) => plans.clearingOf(ctx, row, owner) <= ctx.now())
  for (const ownerId of new Set(due.map(({ owner }) => owner.id))) {
    const ids = idsOf(due.filter(({ owner }) => owner.id === ownerId))
    await purgeAll(ctx, { ownerId, actorId: null, ids })
  }
}

type Purge = { ownerId: string; actorId: string | null; ids: string[] }
type Purged = { purged: number; freedBytes: number; kept: Kept[] }

async function purgeAll(ctx: Context, { ids, ...who }: Purge): Promise<Purged> {
  const sum: Purged = { purged: 0, freedBytes: 0, kept: [] }
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const part = await purgeSome(ctx, { ...who, ids: ids.slice(start, start + AT_ONCE) })
    sum.purged += part.purged
    sum.freedBytes += part.freedBytes
    sum.kept.push(...part.kept)
  }
  return sum
}

async function purgeSome(ctx: Context, { ownerId, actorId, ids }: Purge): Promise<Purged> {
  const { dropped, ...purged } = await ctx.db.transaction(async (tx) => {
    await lockCloud(tx, ownerId)
    // Brought back meanwhile: then it is nobody's to delete.
    const rows = await tx
      .select()
      .from(files)
      .where(and(eq(files.ownerId, ownerId), isAnyOf(ids), isNotNull(files.recycledAt)))
    const keepers = await keptBy(tx, rows)
    const going = rows.filter(({ id }) => !keepers.has(id))
    const kept = rows.flatMap(({ id, name }) => {
      const datasets = keepers.get(id)
      return datasets ? [{ id, name, datasets }] : []
    })
    const { all, bytes: freedBytes } = await contentOf(tx, idsOf(going))
    const cancelled = await drop(tx, sql`parent_id = any(${sql.param(all)})`)
    await plans.free(tx, ownerId, freedBytes)
    await record(
      ctx,
      tx,
      going.map((entry) => purgeDeed(entry, actorId)),
    )
    await tx.delete(files).where(isAnyOf(all))
    return { dropped: cancelled, purged: going.length, freedBytes, kept }
  })
  await Promise.all(dropped.map((uploadId) => rm(stagedPath(ctx, uploadId), { force: true })))
  return purged
}

/** Nobody's deed where the days were over. */
const purgeDeed = (entry: FileRow, actorId: string | null) => ({
  action: 'purge' as const,
  actorId,
  entry,
  detail: {
    ...(entry.kind === 'folder' ? { count: entry.fileCount } : {}),
    ...(actorId === null ? { automatic: 1 } : {}),
  },
})

/** The things themselves with everything in them, also what was removed before, which no folder counts any more. */
async function contentOf(tx: Tx, ids: readonly string[]): Promise<{ all: string[]; bytes: number }> {
  const { rows } = await tx.execute<{ all: string[] | null; bytes: string | null }>(sql`
    with recursive down as (
      select id, kind, size_bytes from ${files} where ${isAnyOf(ids)}
      union
      select f.id, f.kind, f.size_bytes
      from down
      cross join lateral (${inFolder(sql`down.id`)}) f
      where down.kind = 'folder'
    )
    select array_agg(id) as all, sum(size_bytes) filter (where kind = 'file') as bytes from down`)
  return { all: rows[0]?.all ?? [], bytes: Number(rows[0]?.bytes ?? 0) }
}
