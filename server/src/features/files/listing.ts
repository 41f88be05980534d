import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Entry } from '@neuroloom/contract/files'
import { files as limits } from '@neuroloom/contract/limits'
import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { blobs } from '../../infra/blobs.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import { requireFolder, wayTo } from './access.ts'
import { thumbnailUrl } from './links.ts'
import { links, shares } from './sharing-tables.ts'
import { files } from './tables.ts'

export async function list(
  ctx: Context,
  { folderId, after, search }: Parsed<'files/list'>,
  caller: Caller,
): Promise<Answer<'files/list'>> {
  if (folderId !== null) await requireFolder(ctx.db, caller.user, folderId)
  const { path, place } = await wayTo(ctx.db, caller.user, folderId)
  const inFolder = and(
    eq(files.ownerId, caller.user.id),
    sql`coalesce(${files.parentId}, '') = ${folderId ?? ''}`,
    isNull(files.recycledAt),
    search.trim() === '' ? undefined : sql`${files.searchName} like ${likePattern(search)}`,
  )
  const found = await selectEntries(ctx, {
    where: and(inFolder, after === null ? undefined : await afterEntry(ctx.db, caller, after)),
    limit: limits.pageSize + 1,
  })
  const page = found.slice(0, limits.pageSize)
  const [counted] = await ctx.db
    .select({ total: sql`count(*)`.mapWith(Number) })
    .from(files)
    .where(inFolder)
  return {
    folder: path.at(-1) ?? null,
    path,
    access: 'own',
    place,
    entries: page.map((row) => toEntry(ctx, caller, row)),
    next: found.length > page.length ? (page.at(-1)?.id ?? null) : null,
    total: counted?.total ?? 0,
  }
}

/** One entry as pages see it. */
export async function entryOf(ctx: Context, db: Db, caller: Caller, id: string): Promise<Entry> {
  const [row] = await selectEntries({ ...ctx, db }, { where: eq(files.id, id), limit: 1 })
  if (!row) throw fail('missing')
  return toEntry(ctx, caller, row)
}

/** Folders first, then by name with numbers as people count. */
const selectEntries = (
  { db }: Pick<Context, 'db'>,
  { where, limit }: { where: SQL | undefined; limit: number },
) =>
  db
    .select({
      id: files.id,
      kind: files.kind,
      name: files.name,
      type: files.type,
      sizeBytes: files.sizeBytes,
      fileCount: files.fileCount,
      modifiedAt: files.modifiedAt,
      modifiedBy: users.nickName,
      sha256: files.sha256,
      shared: sql<boolean>`(
        exists (select from ${shares} where ${shares.entryId} = ${files.id})
        or exists (select from ${links} where ${links.entryId} = ${files.id} and ${links.expiresAt} > now())
      )`,
      isPicture: sql<boolean>`${isNotNull(blobs.facts)}`,
    })
    .from(files)
    .leftJoin(users, eq(users.id, files.modifiedBy))
    .leftJoin(blobs, eq(blobs.sha256, files.sha256))
    .where(where)
    .orderBy(sql`${files.kind} desc, ${files.sortName}, ${files.id}`)
    .limit(limit)

type SelectedEntry = Awaited<ReturnType<typeof selectEntries>>[number]

/** A page begins after an entry, even when that was renamed or removed since. */
async function afterEntry(db: Db, { user }: Caller, id: string): Promise<SQL> {
  const [last] = await db
    .select({ kind: files.kind, sortName: files.sortName })
    .from(files)
    .where(and(eq(files.id, id), eq(files.ownerId, user.id)))
  if (!last) throw fail('missing')
  const later = sql`(${files.sortName}, ${files.id}) > (${last.sortName}, ${id})`
  return last.kind === 'file'
    ? sql`${files.kind} = 'file' and ${later}`
    : sql`(${files.kind} = 'file' or (${files.kind} = 'folder' and ${later}))`
}

function toEntry(ctx: Context, caller: Caller, row: SelectedEntry): Entry {
  const { id, kind, name, sizeBytes, modifiedAt, modifiedBy, sha256, isPicture } = row
  return {
    id,
    kind,
    name,
    type: row.type,
    sizeBytes,
    fileCount: kind === 'folder' ? row.fileCount : 0,
    modifiedAt: modifiedAt.toISOString(),
    modifiedBy: modifiedBy ?? '',
    shared: row.shared,
    thumbnail: sha256 !== null && isPicture ? thumbnailUrl(ctx, caller, sha256) : null,
  }
}

const likePattern = (search: string): string =>
  `%${search
    .trim()
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`
