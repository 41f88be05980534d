import { eq, sql } from 'drizzle-orm'
import { Failure } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { addBlob } from '../../../infra/storage/blobs.ts'
import { users } from '../../accounts/tables.ts'
import * as plans from '../../plans/service.ts'
import { requireFile, requireFolder } from '../access.ts'
import { nameColumns, numberedName } from '../names.ts'
import { record } from '../records/records.ts'
import { requireRoomAtTop } from '../service.ts'
import { type FileRow, files } from '../tables.ts'
import { childrenOf, grow, lockCloud } from '../tree.ts'
import { update } from './lease.ts'
import { type PlannedFile, Unpackable, type UnpackPlan } from './plan.ts'
import type { UnpackReport, UnpackRow } from './tables.ts'

export type TakenFile = { file: PlannedFile; sha256: string; sizeBytes: number }
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

type Folders = { row: UnpackRow; folderId: string; folders: readonly string[][] }

/** Those that are there already are used: an earlier attempt made them. */
async function makeFolders(
  ctx: Context,
  tx: Tx,
  { row, folderId, folders }: Folders,
): Promise<Map<string, string>> {
  const known = new Map([['', folderId]])
  const deepest = Math.max(0, ...folders.map(({ length }) => length))
  // Level by level: one question and one writing for all of it.
  for (let depth = 1; depth <= deepest; depth += 1) {
    const level = new Map(
      folders
        .filter(({ length }) => length >= depth)
        .map((parts): [string, FolderPlace] => {
          const parentId = known.get(parts.slice(0, depth - 1).join('/')) ?? folderId
          return [parts.slice(0, depth).join('/'), { parentId, name: parts[depth - 1] ?? '' }]
        }),
    )
    const there = await foldersAt(tx, row.ownerId, [...level.values()])
    const missing: (FolderPlace & { id: string })[] = []
    for (const [key, place] of level) {
      const id = there.get(keyOf(place)) ?? newId()
      known.set(key, id)
      if (!there.has(keyOf(place))) missing.push({ ...place, id })
    }
    await insertFolders(ctx, tx, row, missing)
  }
  return known
}

type FolderPlace = { parentId: string | null; name: string }
const keyOf = ({ parentId, name }: FolderPlace): string => `${parentId ?? ''}/${name}`

async function foldersAt(
  tx: Tx,
  ownerId: string,
  places: readonly FolderPlace[],
): Promise<Map<string, string>> {
  const parents = [...new Set(places.map(({ parentId }) => parentId ?? ''))]
  const names = [...new Set(places.map(({ name }) => name))]
  const rows = await tx
    .select({ id: files.id, parentId: files.parentId, name: files.name })
    .from(files)
    .where(
      sql`${eq(files.ownerId, ownerId)} and coalesce(${files.parentId}, '') = any(${sql.param(parents)})
        and ${files.name} = any(${sql.param(names)}) and ${files.kind} = 'folder' and ${files.recycledAt} is null`,
    )
  return new Map(rows.map((one) => [keyOf(one), one.id]))
}

/** Rows of one statement: a database takes so many values at once. */
const ROWS = 1000

async function insertFolders(
  ctx: Context,
  tx: Tx,
  row: UnpackRow,
  folders: readonly (FolderPlace & { id: string })[],
): Promise<void> {
  const values = folders.map(({ id, parentId, name }) => ({
    id,
    ownerId: row.ownerId,
    parentId,
    kind: 'folder' as const,
    ...nameColumns(name, 'folder'),
    modifiedAt: ctx.now(),
    modifiedBy: row.memberId,
  }))
  for (let start = 0; start < values.length; start += ROWS) {
    await tx.insert(files).values(values.slice(start, start + ROWS))
  }
}

type NewFiles = { row: UnpackRow; taken: readonly TakenFile[]; folders: Map<string, string> }

/** Answers with the bytes that they take. */
async function insertFiles(ctx: Context, tx: Tx, { row, taken, folders }: NewFiles): Promise<number> {
  const growth = new Map<string, { bytes: number; files: number }>()
  for (const { file, sha256, sizeBytes } of taken) {
    const parentId = folders.get(file.folders.join('/'))
    if (parentId === undefined) throw new Error('A folder of an archive was not made')
    await addBlob(tx, { sha256, sizeBytes })
    await insertFile(ctx, tx, {
      row,
      parentId,
      name: file.name,
      sha256,
      sizeBytes,
      modifiedAt: file.modifiedAt,
    })
    const sum = growth.get(parentId) ?? { bytes: 0, files: 0 }
    growth.set(parentId, { bytes: sum.bytes + sizeBytes, files: sum.files + 1 })
  }
  for (const [parentId, sum] of growth) await grow(tx, parentId, sum)
  return taken.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

type NewFile = {
  row: UnpackRow
  parentId: string
  name: string
  sha256: string
  sizeBytes: number
  modifiedAt: Date | null
}

async function insertFile(ctx: Context, tx: Tx, { row, parentId, name, ...file }: NewFile): Promise<void> {
  const { sha256, sizeBytes, modifiedAt } = file
  const { ownerId, memberId } = row
  const values = (chosen: string) => ({
    id: newId(),
    ownerId,
    parentId,
    kind: 'file' as const,
    ...nameColumns(chosen, 'file'),
    sha256,
    sizeBytes,
    fileCount: 1,
    modifiedAt: isSensible(modifiedAt, ctx.now()) ? modifiedAt : ctx.now(),
    modifiedBy: memberId,
  })
  const inserted = await tx
    .insert(files)
    .values(values(name))
    .onConflictDoNothing()
    .returning({ id: files.id })
  if (inserted.length > 0) return
  // Somebody put a file of this name there meanwhile.
  const names = new Set((await childrenOf(tx, ownerId, [parentId])).map((child) => child.name))
  await tx.insert(files).values(values(numberedName({ name, kind: 'file' }, (one) => names.has(one))))
}

/** Archives hold dates of any century. */
const isSensible = (date: Date | null, now: Date): date is Date =>
  date !== null && date.getFullYear() >= 1980 && date <= now

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
