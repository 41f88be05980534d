import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { files as limits } from '@neuroloom/contract/limits'
import { eq, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { askedBelow, isGivenBelow, requireEntry, requireFile } from './access.ts'
import { lockFolder } from './cloud-lock.ts'
import { contentUrl } from './links.ts'
import { entryOf } from './listing.ts'
import { cleanName, nameColumns } from './names.ts'
import { record } from './records/records.ts'
import { requireRoomAtTop } from './room-at-top.ts'
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
): Promise<{ files: (FileBelow & { id: string })[]; emptyFolders: string[] }> {
  const asked = await askedBelow(db, user, folderId)
  const { rows } = await db.execute<{
    id: string
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
    select id, path, sha256, size_bytes as bytes, kind = 'folder' and file_count = 0 as empty
    from down
    where kind = 'file' or file_count = 0
    order by path`)
  return {
    files: rows.flatMap(({ id, path, sha256, bytes }) =>
      sha256 === null ? [] : [{ id, path, sha256, sizeBytes: Number(bytes) }],
    ),
    emptyFolders: rows.filter(({ empty }) => empty).map(({ path }) => path),
  }
}

export type FileBelow = { path: string; sha256: string; sizeBytes: number }

// What features to the right may use besides.
export { textJobs } from './burned-in/told-jobs.ts'
export { checkBlobs, picturedBytes } from './check.ts'
export { queueCheck } from './check-queue.ts'
export { lockFolder } from './cloud-lock.ts'
export { freeName } from './convert/keep.ts'
export { conversionJobs } from './convert/told-jobs.ts'
export { openCursor, sealCursor } from './cursors.ts'
export { type Derived, deriveAll, type ToDerive } from './derive/derive.ts'
export { dicomHeads, mayBeDicom } from './derive/heads.ts'
export { patientTeller } from './derive/patient.ts'
export { type DicomPlan, type Headed, type Planned, planDicom } from './derive/plan.ts'
export { derivedFrom } from './derive/sources-sql.ts'
export { findEntries } from './find.ts'
export { requireGroup } from './groups/access.ts'
export { groupPasswordHash, takeNumber } from './groups/number.ts'
export type { KeepsFiles } from './keepers.ts'
export { thumbnailUrl } from './links.ts'
export { entriesOf } from './listing.ts'
export {
  addFiles,
  folderAt,
  type MadeFile,
  makeFolder,
  ownerOf,
  storeMade,
  type Target,
  targetOf,
} from './made.ts'
export { cleanName, numberedName } from './names.ts'
export { countDeidentified } from './patients/deidentified-count.ts'
export { bytesNamePatient } from './patients/patient-sql.ts'
export { requireWord } from './patients/patients.ts'
export { shownTypes } from './pictures.ts'
export { putFolder, type StoredFile } from './put-folder.ts'
export { record } from './records/records.ts'
export { requireRoomAtTop } from './room-at-top.ts'
export { accessChanged, sendWhile } from './sending.ts'
export { readCursor } from './sharing/entries.ts'
export { endGiven, giveForOrder, requireGiveable } from './sharing/for-order.ts'
export { tell } from './sharing/news.ts'
export { findRecipient, requireThere } from './sharing/recipient.ts'
export { shareWith } from './sharing/sharing.ts'
export { groupMembers, groups } from './sharing/tables.ts'
export { type Bound, guess, tryPassword } from './sharing/tries.ts'
export { toldJob } from './told-job.ts'
export { childrenOf, inFolder, lockCloud } from './tree.ts'
export type { FoundEntry } from './unpack/archive.ts'
export { filesInside } from './unpack/inside.ts'
export { openZip } from './unpack/zip.ts'
export {
  guessFile,
  partnersAmong,
  sendShownBytes,
  sendTile,
  shownBytes,
  shownLater,
  shownNow,
} from './view/bytes.ts'
export { readerFolder } from './view/folders.ts'
export type { ViewGrant } from './view/grants.ts'
export { refusalKind } from './view/kinds.ts'
export { type Mask, placesOf, readMasks } from './view/label-masks.ts'
export { readLabelWorkbook } from './view/label-workbook.ts'
export type { OverlaySource, ViewSource } from './view/make.ts'
export { isShowable, requireShowable, viewShown } from './view/shown.ts'
export type { ViewRow } from './view/tables.ts'
export { findTiles, isTiled, makeTiles } from './view/tiles.ts'
export { fileInZip } from './view/zipped.ts'
