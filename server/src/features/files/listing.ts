import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Access, Entry } from '@neuroloom/contract/files'
import { files as limits } from '@neuroloom/contract/limits'
import { eq, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { blobs } from '../../infra/storage/blobs.ts'
import { users } from '../accounts/tables.ts'
import { askedBelow, isAnyOf, requireFolder, wayTo } from './access.ts'
import { picturedBytes } from './check.ts'
import { openCursor, sealCursor } from './cursors.ts'
import { thumbnailUrl } from './links.ts'
import { countOf, type Place, pageOf, type Question } from './listing-question.ts'
import { asEntry, isSearched, seriesIn } from './series/in-folder.ts'
import type { FolderSeries } from './series/order.ts'
import { links, shares } from './sharing/tables.ts'
import { files } from './tables.ts'

export async function list(
  ctx: Context,
  { folderId, after, series: wanted, ...asked }: Parsed<'files/list'>,
  caller: Caller,
): Promise<Answer<'files/list'>> {
  const { user } = caller
  const folder = folderId === null ? null : await requireFolder(ctx.db, user, folderId, 'view')
  const access: Access = folder?.access ?? 'own'
  const question: Question = {
    ...asked,
    folderId,
    ownerId: folder?.ownerId ?? user.id,
    asked: folder === null || access === 'own' ? null : await askedBelow(ctx.db, user, folder.id),
  }
  // A place among series is none among their files.
  const sealed = wanted === 'rows' ? { ...question, wanted } : question
  // Sealed by ourselves, so it is what we put in.
  const last = after === null ? null : (openCursor(ctx, sealed, after) as Place)
  const all = wanted === 'files' ? [] : await seriesIn(ctx.db, question)
  const series = wanted === 'rows' ? all.filter((one) => isSearched(one, question.search)) : []
  const [{ path, place }, page, total, withheld] = await Promise.all([
    wayTo(ctx.db, user, folderId),
    pageOf(ctx.db, question, { after: last, limit: limits.pageSize, series }),
    countOf(ctx.db, question, series),
    withheldOf(ctx, question),
  ])
  const entries = await entriesOf(ctx, ctx.db, { caller, ids: page.ids, access })
  const whole = new Map<string, FolderSeries>(series.map((one) => [one.id, one]))
  return {
    folder: path.at(-1) ?? null,
    path,
    access,
    place,
    entries: entries.map((entry) => {
      const own = whole.get(entry.id)
      return own ? asEntry(entry, own) : entry
    }),
    next: page.next === null ? null : sealCursor(ctx, sealed, page.next),
    total,
    withheld,
    ...(wanted === 'files' ? {} : { series: all.length }),
  }
}

async function withheldOf({ db }: Context, question: Question): Promise<number> {
  if (question.asked === null) return 0
  const [all, given] = await Promise.all([countOf(db, { ...question, asked: null }), countOf(db, question)])
  return all - given
}

/** One entry as pages see it. */
export async function entryOf(ctx: Context, db: Db, caller: Caller, id: string): Promise<Entry> {
  const [row] = await db.select({ ownerId: files.ownerId }).from(files).where(eq(files.id, id))
  const access = row?.ownerId === caller.user.id ? 'own' : 'view'
  const [entry] = await entriesOf(ctx, db, { caller, ids: [id], access })
  if (!entry) throw fail('missing')
  return entry
}

/** Entries in the order of their ids; those that are gone by now are left out. Whoever asks has looked at the rights. */
export async function entriesOf(
  ctx: Context,
  db: Db,
  { caller, ids, access }: { caller: Caller; ids: readonly string[]; access: Access },
): Promise<Entry[]> {
  if (ids.length === 0) return []
  const rows = await selectEntries(db, ids)
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = found.get(id)
    return row ? [toEntry(ctx, row, { caller, access })] : []
  })
}

const selectEntries = (db: Db, ids: readonly string[]) =>
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
      shared: sql<boolean>`(
        exists (select from ${shares} where ${shares.entryId} = ${files.id})
        or exists (select from ${links} where ${links.entryId} = ${files.id} and ${links.expiresAt} > now())
      )`,
      /** The bytes of a picture, else null. */
      picture: picturedBytes,
    })
    .from(files)
    .leftJoin(users, eq(users.id, files.modifiedBy))
    .leftJoin(blobs, eq(blobs.sha256, files.sha256))
    .where(isAnyOf(ids))

type SelectedEntry = Awaited<ReturnType<typeof selectEntries>>[number]

function toEntry(
  ctx: Context,
  { picture, ...row }: SelectedEntry,
  { caller, access }: { caller: Caller; access: Access },
): Entry {
  const isOwn = access === 'own'
  return {
    ...row,
    fileCount: row.kind === 'folder' ? row.fileCount : 0,
    modifiedAt: row.modifiedAt.toISOString(),
    modifiedBy: row.modifiedBy ?? '',
    // To whom else somebody's entry is shared is that member's affair.
    shared: isOwn && row.shared,
    // Of others' data with the file, so that the picture goes when the right does.
    thumbnail:
      picture === null
        ? null
        : thumbnailUrl(ctx, caller, picture, isOwn ? undefined : { as: 'file', id: row.id }),
  }
}
