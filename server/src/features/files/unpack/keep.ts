import { eq } from 'drizzle-orm'
import { Failure } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import type { PatientHint } from '../../../infra/reader/patient-hint.ts'
import { users } from '../../accounts/tables.ts'
import * as plans from '../../plans/service.ts'
import { requireFile, requireFolder } from '../access.ts'
import { numberedName } from '../names.ts'
import { insertFiles, insertFolders, makeFolders } from '../put-files.ts'
import { record } from '../records/records.ts'
import { requireRoomAtTop } from '../room-at-top.ts'
import { type FileRow, files } from '../tables.ts'
import { childrenOf, grow, lockCloud } from '../tree.ts'
import { update } from './lease.ts'
import { type PlannedFile, Unpackable, type UnpackPlan } from './plan.ts'
import type { UnpackReport, UnpackRow } from './tables.ts'

export type TakenFile = { file: PlannedFile; sha256: string; sizeBytes: number; patientHint: PatientHint }
type Source = FileRow & { sha256: string }

/** The archive, as it was when it was asked for, while whoever asked may still change things there. */
export async function requireSource(db: Db, { fileId, memberId, sha256 }: UnpackRow): Promise<Source> {
  if (fileId === null || sha256 === null) throw new Unpackable('removed')
  const file = await orRemoved(requireFile(db, { id: memberId }, fileId, 'edit'))
  // Replaced since: these are other bytes.
  if (file.sha256 !== sha256) throw new Unpackable('removed')
  return file
}

/** Space for all of it and a folder to put it into: before a byte comes out. */
export async function begin(ctx: Context, row: UnpackRow, plan: UnpackPlan): Promise<UnpackRow> {
  return ctx.db.transaction(async (tx) => {
    await lockCloud(tx, row.ownerId)
    const { parentId } = await requireSource(tx, row)
    const [owner] = await tx.select().from(users).where(eq(users.id, row.ownerId))
    if (!owner) throw new Unpackable('removed')
    await reserve(ctx, tx, { owner, parentId, bytes: plan.totalBytes })
    const taken = new Set((await childrenOf(tx, row.ownerId, [parentId])).map(({ name }) => name))
    const name = taken.has(plan.top)
      ? numberedName({ name: plan.top, kind: 'folder' }, (one) => taken.has(one))
      : plan.top
    const folderId = newId()
    await insertFolders(ctx, tx, row, [{ id: folderId, parentId, name }])
    await makeFolders(ctx, tx, { row, folderId, folders: plan.folders })
    return update(tx, row, {
      folderId,
      reservedBytes: plan.totalBytes,
      totalBytes: plan.totalBytes,
      totalFiles: plan.files.length,
      report: plan.report,
    })
  })
}

type Round = {
  plan: UnpackPlan
  taken: readonly TakenFile[]
  /** Of the plan, in its order: those taken, and those that were left out. */
  passed: readonly PlannedFile[]
  report: UnpackReport
  workedMs: number
}

/** What has come out becomes visible together with the count of how far the work is. */
export async function keep(ctx: Context, row: UnpackRow, round: Round): Promise<UnpackRow> {
  const { taken, passed, report, workedMs } = round
  return ctx.db.transaction(async (tx) => {
    await lockCloud(tx, row.ownerId)
    const folderId = await requireTarget(tx, row)
    const folders = await makeFolders(ctx, tx, {
      row,
      folderId,
      folders: taken.map(({ file }) => file.folders),
    })
    const usedBytes = await insertFiles(ctx, tx, { row, taken, folders })
    const reservedBytes = passed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    await plans.commit(tx, row.ownerId, { reservedBytes, usedBytes })
    return update(tx, row, {
      doneEntries: row.doneEntries + passed.length,
      doneFiles: row.doneFiles + taken.length,
      doneBytes: row.doneBytes + usedBytes,
      reservedBytes: row.reservedBytes - reservedBytes,
      report,
      workedMs,
    })
  })
}

/** All of it is out, or as much as could be. An archive that was only a means goes, if nothing of it was left out. */
export async function end(ctx: Context, row: UnpackRow, failure: 'stopped' | null): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockCloud(tx, row.ownerId)
    await plans.release(tx, row.ownerId, row.reservedBytes)
    const isNothing = row.doneFiles === 0
    if (isNothing) await dropFolder(tx, row)
    else await writeDown(ctx, tx, row)
    const left = row.report.leftOut.filter(({ reason }) => reason !== 'system')
    const isWhole = left.length === 0 && row.report.leftOut.length === row.report.leftOutCount
    if (!isNothing && isWhole && row.mode !== 'asked') await removeArchive(tx, row)
    await update(tx, row, {
      state: isNothing || failure ? 'failed' : 'done',
      failure: failure ?? (isNothing ? nothingBecause(row.report) : null),
      ...ended(ctx),
    })
  })
}

/** Nothing more comes out. Files that are out already stay; a folder without any goes. */
export async function refuse(
  ctx: Context,
  claimed: UnpackRow,
  { failure, params }: Unpackable,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockCloud(tx, claimed.ownerId)
    // Read anew: the attempt may have gone on since it was claimed.
    const row = await update(tx, claimed, { failure, params })
    await plans.release(tx, row.ownerId, row.reservedBytes)
    if (row.doneFiles === 0) await dropFolder(tx, row)
    await update(tx, row, { state: 'failed', ...ended(ctx) })
  })
}

const ended = (ctx: Context) => ({ reservedBytes: 0, sha256: null, leaseUntil: null, endedAt: ctx.now() })

const nothingBecause = ({ leftOut }: UnpackReport): UnpackRow['failure'] =>
  leftOut.some(({ reason }) => reason === 'disk_full') ? 'disk_full' : 'empty'

type Reserve = { owner: typeof users.$inferSelect; parentId: string | null; bytes: number }

async function reserve(ctx: Context, tx: Tx, { owner, parentId, bytes }: Reserve): Promise<void> {
  try {
    if (parentId === null) await requireRoomAtTop(ctx, tx, { caller: { user: owner }, folders: 1 })
    await plans.reserve(ctx, tx, owner, bytes)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const isFull = error.failure === 'storage_full'
    const params = Object.entries(error.params).map(([name, value]) => [name, Number(value)])
    throw new Unpackable(isFull ? 'storage_full' : 'plan_limit', Object.fromEntries(params))
  }
}

async function requireTarget(tx: Tx, { folderId, memberId }: UnpackRow): Promise<string> {
  const folder = await orRemoved(requireFolder(tx, { id: memberId }, folderId ?? '', 'edit'))
  return folder.id
}

async function orRemoved<T>(found: Promise<T>): Promise<T> {
  try {
    return await found
  } catch (error) {
    if (error instanceof Failure) throw new Unpackable('removed')
    throw error
  }
}

/** The folder that was made for nothing; with anything in it, it stays. */
async function dropFolder(tx: Tx, { folderId, ownerId }: UnpackRow): Promise<void> {
  if (folderId === null) return
  const [folder] = await tx.select().from(files).where(eq(files.id, folderId))
  if (!folder || folder.fileCount > 0) return
  const inside = await childrenOf(tx, ownerId, [folderId])
  if (inside.some(({ kind }) => kind === 'file')) return
  await tx.delete(files).where(eq(files.id, folderId))
}

async function removeArchive(tx: Tx, { fileId, sha256, ownerId }: UnpackRow): Promise<void> {
  if (fileId === null) return
  const [file] = await tx.select().from(files).where(eq(files.id, fileId))
  if (!file || file.sha256 !== sha256 || file.recycledAt !== null) return
  await tx.delete(files).where(eq(files.id, fileId))
  await plans.free(tx, ownerId, file.sizeBytes)
  await grow(tx, file.parentId, { bytes: -file.sizeBytes, files: -1 })
}

async function writeDown(ctx: Context, tx: Tx, row: UnpackRow): Promise<void> {
  const [folder] =
    row.folderId === null ? [] : await tx.select().from(files).where(eq(files.id, row.folderId))
  if (!folder) return
  const detail = { from: row.name, count: row.doneFiles }
  await record(ctx, tx, [{ action: 'unpack', actorId: row.memberId, entry: folder, detail }])
}
