import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { files as limits } from '@neuroloom/contract/limits'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import * as plans from '../plans/service.ts'
import { askedBelow, isGivenBelow, requireEntry, requireFile } from './access.ts'
import { lockFolder } from './cloud-lock.ts'
import { contentUrl } from './links.ts'
import { entryOf } from './listing.ts'
import { cleanName, nameColumns } from './names.ts'
import { record } from './records/records.ts'
import { files } from './tables.ts'
import { depthOf, findChild, lockCloud } from './tree.ts'

export async function createFolder(
  ctx: Context,
  { parentId, name }: Parsed<'files/createFolder'>,
  caller: Caller,
): Promise<Answer<'files/createFolder'>> {
  const { user } = caller
  return ctx.db.transaction(async (tx) => {
    const owner = await lockFolder(tx, user, parentId)
    if (parentId === null) await requireRoomAtTop(ctx, tx, { caller, folders: 1 })
    if ((await depthOf(tx, parentId)) >= limits.depth) throw fail('too_deep', { limit: limits.depth })
    const id = newId()
    const wanted = cleanOrFail(name)
    await refuseTaken(tx, { ownerId: owner.id, parentId, name: wanted })
    await tx.insert(files).values({
      id,
      ownerId: owner.id,
      parentId,
      kind: 'folder',
      ...nameColumns(wanted, 'folder'),
      modifiedAt: ctx.now(),
      modifiedBy: user.id,
    })
    const entry = { id, ownerId: owner.id, name: wanted }
    await record(ctx, tx, [{ action: 'createFolder', actorId: user.id, entry }])
    return entryOf(ctx, tx, caller, id)
  })
}

/** Also by those who may edit it: a shared folder may get another name, though not another place. */
export async function rename(
  ctx: Context,
  { id, name }: Parsed<'files/rename'>,
  caller: Caller,
): Promise<Answer<'files/rename'>> {
  const { user } = caller
  return ctx.db.transaction(async (tx) => {
    const { ownerId } = await requireEntry(tx, user, id, 'edit')
    await lockCloud(tx, ownerId)
    const before = await requireEntry(tx, user, id, 'edit')
    const wanted = cleanOrFail(name)
    await refuseTaken(tx, { ownerId, parentId: before.parentId, name: wanted }, id)
    await tx
      .update(files)
      .set({ ...nameColumns(wanted, before.kind), modifiedAt: ctx.now(), modifiedBy: user.id })
      .where(eq(files.id, id))
    await record(ctx, tx, [
      { action: 'rename', actorId: user.id, entry: before, detail: { from: before.name, to: wanted } },
    ])
    return entryOf(ctx, tx, caller, id)
  })
}

export async function open(
  ctx: Context,
  { id, download }: Parsed<'files/open'>,
  caller: Caller,
): Promise<Answer<'files/open'>> {
  const file = await requireFile(ctx.db, caller.user, id, 'view')
  const { name, sha256, sizeBytes } = file
  const mode = download ? 'download' : 'show'
  if (download) {
    await record(ctx, ctx.db, [{ action: 'download', actorId: caller.user.id, entry: file }])
  }
  return { url: contentUrl(ctx, caller, { id, sha256, mode }), name, sizeBytes }
}

/** How many further folders fit at the top; one call may bring several. */
export async function requireRoomAtTop(
  ctx: Context,
  tx: Tx,
  {
    caller,
    folders,
  }: { caller: { user: Pick<SessionUser, 'id' | 'vipLevel' | 'vipSuper'> }; folders: number },
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

/** All files below a folder that the member gets, by path, and the folders below it in which nothing lies. */
export async function walk(
  db: Db,
  user: Pick<SessionUser, 'id'>,
  folderId: string,
): Promise<{ files: FileBelow[]; emptyFolders: string[] }> {
  const asked = await askedBelow(db, user, folderId)
  const { rows } = await db.execute<{
    path: string
    sha256: string | null
    bytes: string
    empty: boolean
  }>(sql`
    with recursive down as (
      select id, name as path, kind, sha256, size_bytes, file_count
      from ${files}
      where parent_id = ${folderId} and recycled_at is null and (kind = 'folder' or ${isGivenBelow(sql`files`, asked)})
      union all
      select f.id, down.path || '/' || f.name, f.kind, f.sha256, f.size_bytes, f.file_count
      from ${files} f
      join down on f.parent_id = down.id
      where f.recycled_at is null and (f.kind = 'folder' or ${isGivenBelow(sql`f`, asked)})
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
export { type Derived, deriveAll, type ToDerive } from './derive/derive.ts'
export { dicomHeads, isNamedDicom, mayBeDicom } from './derive/heads.ts'
export { patientTeller } from './derive/patient.ts'
export { derivedFrom } from './derive/sources-sql.ts'
export { findEntries } from './find.ts'
export type { KeepsFiles } from './keepers.ts'
export { thumbnailUrl } from './links.ts'
export { countDeidentified } from './patients/deidentified-count.ts'
export { bytesNamePatient } from './patients/patient-sql.ts'
export { accessChanged, sendWhile } from './sending.ts'
export { readCursor } from './sharing/entries.ts'
export { tell } from './sharing/news.ts'
export { findRecipient, requireThere } from './sharing/recipient.ts'
export { inFolder } from './tree.ts'
export { readLabelWorkbook } from './view/label-workbook.ts'
