import { extname, join } from 'node:path'
import { viewing } from '@neuroloom/contract/limits'
import type { ViewReason } from '@neuroloom/contract/viewing'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { read } from '../../../infra/reader/reader.ts'
import type { Blackened } from '../../../infra/reader/texts/perform.ts'
import * as plans from '../../plans/service.ts'
import { requireFolder, type SeenEntry } from '../access.ts'
import { queueCheck } from '../check-queue.ts'
import { freeName, stemOf } from '../convert/keep.ts'
import { addFiles, makeFolder, ownerOf, storeMade, type Target, targetOf } from '../made.ts'
import { record } from '../records/records.ts'
import { requireRoomAtTop } from '../service.ts'
import { childrenOf, lockCloud } from '../tree.ts'
import { layOut, patienceOf } from '../view/make.ts'
import { leases } from './lease.ts'
import { type PictureRow, type ScanRow, textPictures, textScans } from './tables.ts'
import type { PictureTask } from './task.ts'

/** Writes one copy and puts it into the search's folder. Null when it is done. */
export async function copyOne(
  ctx: Context,
  row: ScanRow,
  { picture, folder, file, signal }: PictureTask,
): Promise<ViewReason | null> {
  const laidOut = await layOut(ctx, { files: [file], siblings: [] }, folder)
  const regions = picture.regions.map(({ x, y, w, h, first, last }) => ({ x, y, w, h, first, last }))
  const answer = await read(
    { task: 'blacken', ...laidOut, out: folder, limitBytes: viewing.pixelBytes, regions },
    { log: ctx.log, folder, signal, ...patienceOf('job') },
  )
  if ('refused' in answer) return answer.refused
  await keepCopy(ctx, row, { picture, file, answer, path: join(folder, answer.made) })
  return null
}

type Made = { picture: PictureRow; file: SeenEntry; answer: Blackened; path: string }

/** Stored first; then, in one step, seen, counted and written down. */
async function keepCopy(ctx: Context, row: ScanRow, { picture, file, answer, path }: Made): Promise<void> {
  const stored = await storeMade(ctx, path)
  const beside = await targetOf(ctx, row.ownerId, file)
  const ownerId = await ctx.db.transaction(async (tx) => {
    const target = await folderFor(ctx, tx, row, { beside, file })
    const { sizeBytes } = stored
    await plans.reserve(ctx, tx, await ownerOf(tx, target), sizeBytes)
    const taken = await namesIn(tx, target)
    const name = freeName(stemOf(file.name), endingFor(file.name, path), taken)
    const [id = ''] = await addFiles(ctx, tx, { memberId: row.ownerId, target, made: [{ ...stored, name }] })
    await plans.commit(tx, target.ownerId, { reservedBytes: sizeBytes, usedBytes: sizeBytes })
    const detail = { from: file.name, count: picture.regions.length }
    const entry = { id, ownerId: target.ownerId, name }
    await record(ctx, tx, [{ action: 'blackTexts', actorId: row.ownerId, entry, detail }])
    await tx
      .update(textPictures)
      .set({
        state: 'done',
        reason: null,
        copyId: id,
        copyName: name,
        copySha256: stored.sha256,
        copyLeft: answer.left,
        copyNamesPatient: answer.namesPatient,
      })
      .where(and(eq(textPictures.scanId, row.id), eq(textPictures.position, picture.position)))
    return target.ownerId
  })
  queueCheck(ctx, ownerId)
}

const namesIn = async (tx: Tx, { ownerId, parentId }: Target): Promise<ReadonlySet<string>> =>
  new Set((await childrenOf(tx, ownerId, [parentId])).map(({ name }) => name))

/** The ending that the file had, where it says the same. */
function endingFor(name: string, path: string): string {
  const [own, made] = [extname(name), extname(path)]
  return alike.some((group) => group.includes(own.toLowerCase()) && group.includes(made)) ? own : made
}

const alike = [
  ['.jpg', '.jpeg', '.jfif'],
  ['.tif', '.tiff'],
  ['.dcm', '.dicom', '.ima', ''],
]

type Place = { beside: Target; file: SeenEntry }

/** Inside the folder that is there, if it may still be written to; else inside a new one. The clouds are locked. */
async function folderFor(
  ctx: Context,
  tx: Tx,
  row: ScanRow,
  { beside, file }: Place,
): Promise<Target & { parentId: string }> {
  await lockCloud(tx, beside.ownerId)
  await leases.hold(tx, row)
  const memberId = row.ownerId
  const [scan] = await tx.select().from(textScans).where(eq(textScans.id, row.id))
  if (scan?.folderId) {
    const { id, ownerId } = await requireFolder(tx, { id: memberId }, scan.folderId, 'edit')
    // Begun beside another picture, in another cloud.
    if (ownerId !== beside.ownerId) await lockCloud(tx, ownerId)
    return { ownerId, parentId: id }
  }
  const { ownerId, parentId } = beside
  // It may have gone, or the right to it, while the work went on.
  if (parentId !== null) await requireFolder(tx, { id: memberId }, parentId, 'edit')
  else await requireRoomAtTop(ctx, tx, { caller: { user: await ownerOf(tx, beside) }, folders: 1 })
  const made = await makeFolder(ctx, tx, {
    memberId,
    target: beside,
    name: `${stemOf(file.name)} (blacked out)`,
  })
  await tx.update(textScans).set({ folderId: made.id }).where(eq(textScans.id, row.id))
  return { ownerId, parentId: made.id }
}
