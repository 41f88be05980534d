import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import * as plans from '../plans/service.ts'
import { isAnyOf, requireEntries, requireEntry, requireFile, requireFolder } from './access.ts'
import { contentUrl } from './links.ts'
import { entryOf } from './listing.ts'
import { cleanName, nameColumns, numberedName } from './names.ts'
import { type FileRow, files } from './tables.ts'
import { ancestorsOf, childrenOf, findChild, type Growth, grow, lockCloud } from './tree.ts'

export async function createFolder(
  ctx: Context,
  { parentId, name }: Parsed<'files/createFolder'>,
  caller: Caller,
): Promise<Answer<'files/createFolder'>> {
  const { user } = caller
  return ctx.db.transaction(async (tx) => {
    await lockCloud(tx, user.id)
    if (parentId === null) await requireRoomAtTop(ctx, tx, { caller, folders: 1 })
    else await requireFolder(tx, user, parentId)
    const id = newId()
    const wanted = cleanOrFail(name)
    await refuseTaken(tx, { ownerId: user.id, parentId, name: wanted })
    await tx.insert(files).values({
      id,
      ownerId: user.id,
      parentId,
      kind: 'folder',
      ...nameColumns(wanted, 'folder'),
      modifiedAt: ctx.now(),
      modifiedBy: user.id,
    })
    return entryOf(ctx, tx, caller, id)
  })
}

export async function rename(
  ctx: Context,
  { id, name }: Parsed<'files/rename'>,
  caller: Caller,
): Promise<Answer<'files/rename'>> {
  return ctx.db.transaction(async (tx) => {
    await lockCloud(tx, caller.user.id)
    const { ownerId, parentId, kind } = await requireEntry(tx, caller.user, id)
    const wanted = cleanOrFail(name)
    await refuseTaken(tx, { ownerId, parentId, name: wanted }, id)
    await tx
      .update(files)
      .set({ ...nameColumns(wanted, kind), modifiedAt: ctx.now(), modifiedBy: caller.user.id })
      .where(eq(files.id, id))
    return entryOf(ctx, tx, caller, id)
  })
}

/** The topmost ones carry the mark; what lies below goes and comes back with them. Space stays in use. */
export async function remove(
  ctx: Context,
  { ids }: Parsed<'files/remove'>,
  { user }: Caller,
): Promise<Answer<'files/remove'>> {
  await ctx.db.transaction(async (tx) => {
    await lockCloud(tx, user.id)
    const entries = topmost(await requireEntries(tx, user, ids), await ancestorsOf(tx, ids))
    for (const [parentId, { bytes, files: count }] of sumByParent(entries)) {
      await grow(tx, parentId, { bytes: -bytes, files: -count })
    }
    const marked = entries.map(({ id }) => id)
    await tx.update(files).set({ recycledAt: ctx.now() }).where(isAnyOf(marked))
  })
  const removed = new Set(ids).size
  return { removed, recycleDays: plans.limitsOf(ctx, user).recycleDays }
}

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
      .select({ id: files.id, parentId: files.parentId, kind: files.kind })
      .from(files)
      .where(and(eq(files.ownerId, user.id), isAnyOf(wanted), isNotNull(files.recycledAt)))
    if (rows.length < wanted.length) throw fail('missing')
    const atTop = rows.filter((row) => row.parentId === null && row.kind === 'folder').length
    if (atTop > 0) await requireRoomAtTop(ctx, tx, { caller, folders: atTop })
    for (const { id } of rows) await bringBack(tx, id)
  })
  return { restored: wanted.length }
}

export async function open(
  ctx: Context,
  { id, download }: Parsed<'files/open'>,
  caller: Caller,
): Promise<Answer<'files/open'>> {
  const { name, sha256, sizeBytes } = await requireFile(ctx.db, caller.user, id)
  const mode = download ? 'download' : 'show'
  return { url: contentUrl(ctx, caller, { id, sha256, mode }), name, sizeBytes }
}

/** How many further folders fit at the top; one call may bring several. */
export async function requireRoomAtTop(
  ctx: Context,
  tx: Tx,
  { caller, folders }: { caller: { user: Pick<SessionUser, 'id' | 'vipLevel' | 'vipSuper'> }; folders: number },
): Promise<void> {
  const limit = plans.limitsOf(ctx, caller.user).topFolders
  if (limit === null) return
  const [counted] = await tx
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(files)
    .where(
      and(
        eq(files.ownerId, caller.user.id),
        isNull(files.parentId),
        eq(files.kind, 'folder'),
        isNull(files.recycledAt),
      ),
    )
  if ((counted?.count ?? 0) + folders > limit) throw fail('plan_limit', { limit })
}

/** What lies inside another one of the list goes with that. */
function topmost(entries: FileRow[], ancestors: Map<string, string[]>): FileRow[] {
  const chosen = new Set(entries.map(({ id }) => id))
  return entries.filter(({ id }) => !ancestors.get(id)?.some((above) => chosen.has(above)))
}

function sumByParent(entries: FileRow[]): Map<string | null, Growth> {
  const sums = new Map<string | null, Growth>()
  for (const { parentId, sizeBytes, fileCount } of entries) {
    const sum = sums.get(parentId) ?? { bytes: 0, files: 0 }
    sums.set(parentId, { bytes: sum.bytes + sizeBytes, files: sum.files + fileCount })
  }
  return sums
}

/** Where its own folder is in the recycle station too, it is to be seen again once that comes back. */
async function bringBack(tx: Tx, id: string): Promise<void> {
  // Read anew: something inside may have come back just before.
  const [row] = await tx.select().from(files).where(eq(files.id, id))
  if (!row) return
  const siblings = await childrenOf(tx, row.ownerId, [row.parentId])
  const names = new Set(siblings.map(({ name }) => name))
  const name = names.has(row.name) ? numberedName(row, (one) => names.has(one)) : row.name
  await tx
    .update(files)
    .set({ ...nameColumns(name, row.kind), recycledAt: null })
    .where(eq(files.id, id))
  await grow(tx, row.parentId, { bytes: row.sizeBytes, files: row.fileCount })
}

async function refuseTaken(
  tx: Tx,
  place: { ownerId: string; parentId: string | null; name: string },
  exceptId?: string,
): Promise<void> {
  const found = await findChild(tx, place)
  if (found && found.id !== exceptId) throw fail('name_taken', { name: place.name })
}

function cleanOrFail(name: string): string {
  const clean = cleanName(name)
  if (clean === null) throw fail('name_invalid', { name: name.slice(0, 80) })
  return clean
}

/** All files below a folder, by path, and the folders below it in which nothing lies. */
export async function walk(
  db: Db,
  folderId: string,
): Promise<{ files: FileBelow[]; emptyFolders: string[] }> {
  const { rows } = await db.execute<{
    path: string
    sha256: string | null
    bytes: string
    empty: boolean
  }>(sql`
    with recursive down as (
      select id, name as path, kind, sha256, size_bytes, file_count
      from ${files}
      where parent_id = ${folderId} and recycled_at is null
      union all
      select f.id, down.path || '/' || f.name, f.kind, f.sha256, f.size_bytes, f.file_count
      from ${files} f
      join down on f.parent_id = down.id
      where f.recycled_at is null
    )
    select path, sha256, size_bytes as bytes, kind = 'folder' and file_count = 0 as empty
    from down
    where kind = 'file' or file_count = 0
    order by path`)
  return {
    files: rows.flatMap(({ path, sha256, bytes }) =>
      sha256 === null ? [] : [{ path, sha256, sizeBytes: Number(bytes) }],
    ),
    emptyFolders: rows.filter(({ empty }) => empty).map(({ path }) => path),
  }
}

export type FileBelow = { path: string; sha256: string; sizeBytes: number }

// What features to the right may use besides.
export { checkBlobs } from './check.ts'
export { thumbnailUrl } from './links.ts'
export { registerKeeper } from './purge.ts'
