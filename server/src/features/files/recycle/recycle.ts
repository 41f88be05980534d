import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { latestTime } from '../../../infra/due.ts'
import * as plans from '../../plans/service.ts'
import { isAnyOf } from '../access.ts'
import { lockEntries, type Owner, ownerOf } from '../cloud-lock.ts'
import { type Coming, numbered, place, placeKey, twinsOf } from '../free-names.ts'
import { record } from '../records/records.ts'
import { requireRoomAtTop } from '../room-at-top.ts'
import { accessChanged } from '../sending.ts'
import { type FileRow, files } from '../tables.ts'
import { Growths, lockCloud, topmost } from '../tree.ts'

/** To the recycle station of whose cloud it is, also when somebody removes it who may only edit there. */
export async function remove(
  ctx: Context,
  { ids }: Parsed<'files/remove'>,
  { user }: Caller,
): Promise<Answer<'files/remove'>> {
  const recycleDays = await ctx.db.transaction(async (tx) => {
    const entries = await topmost(tx, await lockEntries(tx, user, ids))
    const ownerIds = [...new Set(entries.map(({ ownerId }) => ownerId))]
    const days: number[] = []
    for (const ownerId of ownerIds) {
      const owner = ownerId === user.id ? user : await ownerOf(tx, ownerId)
      days.push(plans.limitsOf(ctx, owner).recycleDays)
      const own = entries.filter((entry) => entry.ownerId === ownerId)
      await recycle(ctx, tx, { owner, entries: own })
    }
    await record(
      ctx,
      tx,
      entries.map((entry) => ({ action: 'remove', actorId: user.id, entry, detail: countOf(entry) })),
    )
    await accessChanged(tx, ownerIds)
    return Math.min(...days)
  })
  return { removed: new Set(ids).size, recycleDays }
}

/** The topmost ones carry the mark; what lies below goes and comes back with them. Space stays in use. */
export async function recycle(
  ctx: Context,
  tx: Tx,
  {
    owner,
    entries,
  }: { owner: Owner; entries: readonly Pick<FileRow, 'id' | 'parentId' | 'sizeBytes' | 'fileCount'>[] },
): Promise<void> {
  if (entries.length === 0) return
  const growths = new Growths()
  for (const { parentId, sizeBytes, fileCount } of entries) {
    growths.add(parentId, { bytes: sizeBytes, files: fileCount }, -1)
  }
  await growths.apply(tx)
  const recycledAt = await latestTime(ctx, tx)
  const clearsAt = plans.clearingOf(ctx, { recycledAt, clearsAt: null }, owner)
  await tx
    .update(files)
    .set({ recycledAt, clearsAt })
    .where(isAnyOf(entries.map(({ id }) => id)))
}

/** To where it was; where that is in the recycle station itself and does not come along, to the top. */
export async function restore(
  ctx: Context,
  { ids }: Parsed<'files/restore'>,
  caller: Caller,
): Promise<Answer<'files/restore'>> {
  const { user } = caller
  const wanted = [...new Set(ids)]
  await ctx.db.transaction(async (tx) => {
    await lockCloud(tx, user.id)
    const rows = await tx
      .select()
      .from(files)
      .where(and(eq(files.ownerId, user.id), isAnyOf(wanted), isNotNull(files.recycledAt)))
    if (rows.length < wanted.length) throw fail('missing')
    const coming = await withPlaces(tx, rows)
    const atTop = coming.filter(({ folderId, kind }) => folderId === null && kind === 'folder').length
    if (atTop > 0) await requireRoomAtTop(ctx, tx, { caller, folders: atTop })
    const placed = await freelyNamed(tx, user.id, coming)
    await place(tx, placed)
    const growths = new Growths()
    for (const { folderId, sizeBytes, fileCount } of placed) {
      growths.add(folderId, { bytes: sizeBytes, files: fileCount })
    }
    await growths.apply(tx)
    await record(
      ctx,
      tx,
      placed.map((entry) => ({ action: 'restore', actorId: user.id, entry, detail: countOf(entry) })),
    )
  })
  return { restored: wanted.length }
}

type Returning = Coming & FileRow

async function withPlaces(tx: Tx, rows: FileRow[]): Promise<Returning[]> {
  const chosen = new Set(rows.map(({ id }) => id))
  const { rows: nearest } = await tx.execute<{ start: string; removed: string }>(sql`
    with recursive up as (
      select id as start, parent_id, null::text as removed from ${files} where ${isAnyOf([...chosen])}
      union all
      select up.start, f.parent_id, case when f.recycled_at is not null then f.id end
      from ${files} f
      join up on f.id = up.parent_id
      where up.removed is null
    )
    select start, removed from up where removed is not null`)
  const removedAbove = new Map(nearest.map(({ start, removed }) => [start, removed]))
  return rows.map((row) => {
    const removed = removedAbove.get(row.id)
    const comesAlong = removed === undefined || chosen.has(removed)
    return { ...row, folderId: comesAlong ? row.parentId : null }
  })
}

async function freelyNamed(tx: Tx, ownerId: string, coming: Returning[]): Promise<Returning[]> {
  const taken = new Set((await twinsOf(tx, ownerId, coming)).keys())
  const free: Returning[] = []
  const clashing: Returning[] = []
  for (const one of coming) {
    const key = placeKey(one.folderId, one.name)
    const list = taken.has(key) ? clashing : free
    list.push(one)
    taken.add(key)
  }
  return [...free, ...(await numbered(tx, { ownerId, coming: clashing, alongside: free }))]
}

/** Of a folder: how many files went with it. */
export const countOf = ({
  kind,
  fileCount,
}: Pick<FileRow, 'kind' | 'fileCount'>): Record<string, string | number> =>
  kind === 'folder' ? { count: fileCount } : {}
