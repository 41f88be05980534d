import { rm } from 'node:fs/promises'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Kept } from '@neuroloom/contract/files'
import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { users } from '../../accounts/tables.ts'
import * as plans from '../../plans/service.ts'
import { isAnyOf } from '../access.ts'
import { keptBy } from '../keepers.ts'
import { record } from '../records/records.ts'
import { type FileRow, files } from '../tables.ts'
import { idsOf } from '../transfer/transfer-plan.ts'
import { inFolder, lockCloud } from '../tree.ts'
import { drop, stagedPath } from '../upload/uploads.ts'

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
    isDue: () => true,
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
  const owners = new Map(rows.map(({ owner }) => [owner.id, owner]))
  for (const [ownerId, owner] of owners) {
    const isDue = (row: Recycled): boolean => plans.clearingOf(ctx, row, owner) <= ctx.now()
    const ids = idsOf(rows.filter((row) => row.owner.id === ownerId && isDue(row)))
    await purgeAll(ctx, { ownerId, actorId: null, ids, isDue })
  }
}

type Recycled = Pick<FileRow, 'recycledAt' | 'clearsAt'>
type Purge = {
  ownerId: string
  actorId: string | null
  ids: string[]
  /** Asked again where it is deleted: things come back, and are removed anew. */
  isDue: (row: Recycled) => boolean
}
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

async function purgeSome(ctx: Context, { ownerId, actorId, ids, isDue }: Purge): Promise<Purged> {
  const { dropped, ...purged } = await ctx.db.transaction(async (tx) => {
    await lockCloud(tx, ownerId)
    // Brought back meanwhile: then it is nobody's to delete.
    const rows = await tx
      .select()
      .from(files)
      .where(and(eq(files.ownerId, ownerId), isAnyOf(ids), isNotNull(files.recycledAt)))
    const keepers = await keptBy(ctx, tx, rows)
    const promised = await holdingMore(tx, ids, isDue)
    const going = rows.filter((row) => isDue(row) && !keepers.has(row.id) && !promised.has(row.id))
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

/** Folders in which something lies that was removed by itself before, and that was promised for longer. */
async function holdingMore(tx: Tx, ids: readonly string[], isDue: Purge['isDue']): Promise<Set<string>> {
  const { rows } = await tx.execute<{ top: string; recycled_at: string; clears_at: string | null }>(sql`
    with recursive down as (
      select id as top, id, kind, null::timestamptz as recycled_at, null::timestamptz as clears_at
      from ${files}
      where ${isAnyOf([...ids])}
      union all
      select down.top, f.id, f.kind, f.recycled_at, f.clears_at
      from down
      cross join lateral (${inFolder(sql`down.id`)}) f
      where down.kind = 'folder'
    )
    select top, recycled_at, clears_at from down where recycled_at is not null`)
  const date = (text: string | null): Date | null => (text === null ? null : new Date(text))
  const kept = rows.filter(
    (row) => !isDue({ recycledAt: date(row.recycled_at), clearsAt: date(row.clears_at) }),
  )
  return new Set(kept.map(({ top }) => top))
}

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
