import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { files as limits } from '@neuroloom/contract/limits'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { linkedThumbnailUrl, linkedUrl, linkedZipUrl } from '../links.ts'
import { namesPatient } from '../patients/patient-sql.ts'
import { record } from '../records/records.ts'
import { countOf } from '../recycle/recycle.ts'
import { selectShown, shownEntry } from '../sharing/entries.ts'
import { files } from '../tables.ts'
import { requireLinked, requirePass } from './pass.ts'

/** One page of a folder at or below what the link shows; nothing beside or above it. */
export async function listLinked(
  ctx: Context,
  { pass, folderId, after }: Parsed<'files/listLinked'>,
): Promise<Answer<'files/listLinked'>> {
  const open = await requirePass(ctx, pass)
  const { entry: folder, path } = await requireLinked(ctx, open, folderId ?? open.entry.id)
  if (folder.kind !== 'folder') throw fail('missing')
  const all = and(eq(files.parentId, folder.id), isNull(files.recycledAt))
  const inFolder = open.link.withPatients ? all : and(all, sql`not ${namesPatient(sql`files`)}`)
  const found = await selectShown(ctx.db, {
    where: and(inFolder, after === null ? undefined : await afterEntry(ctx, folder.id, after)),
    limit: limits.pageSize + 1,
  })
  const page = found.slice(0, limits.pageSize)
  const total = await ctx.db.$count(files, inFolder)
  return {
    path,
    entries: page.map((row) =>
      shownEntry(row, row.picture && linkedThumbnailUrl(ctx, open.link.id, row.picture, row.id)),
    ),
    next: found.length > page.length ? (page.at(-1)?.id ?? null) : null,
    total,
    withheld: open.link.withPatients ? 0 : (await ctx.db.$count(files, all)) - total,
  }
}

/** A folder comes as a zip. */
export async function openLinked(
  ctx: Context,
  { pass, id, download }: Parsed<'files/openLinked'>,
): Promise<Answer<'files/openLinked'>> {
  const open = await requirePass(ctx, pass)
  const { entry } = await requireLinked(ctx, open, id)
  const { name, sizeBytes, sha256 } = entry
  if (download || sha256 === null) {
    await record(ctx, ctx.db, [{ action: 'download', actorId: null, entry, detail: countOf(entry) }])
  }
  if (sha256 === null) return { url: linkedZipUrl(ctx, open.link.id, id), name: `${name}.zip`, sizeBytes }
  const mode = download ? 'download' : 'show'
  return { url: linkedUrl(ctx, open.link.id, { id, sha256, mode }), name, sizeBytes }
}

/** A page begins after an entry, even when that was renamed or removed since. */
async function afterEntry({ db }: Context, folderId: string, id: string): Promise<SQL> {
  const [last] = await db
    .select({ kind: files.kind, sortName: files.sortName })
    .from(files)
    .where(and(eq(files.id, id), eq(files.parentId, folderId)))
  if (!last) throw fail('missing')
  const later = sql`(${files.sortName}, ${files.id}) > (${last.sortName}, ${id})`
  return last.kind === 'file'
    ? sql`${files.kind} = 'file' and ${later}`
    : sql`(${files.kind} = 'file' or (${files.kind} = 'folder' and ${later}))`
}
