import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { archives as limits } from '@neuroloom/contract/limits'
import type { LeftOutReason } from '@neuroloom/contract/uploads'
import type { Context } from '../../../infra/context.ts'
import { sqlState } from '../../../infra/db.ts'
import { isDiskFull } from '../../../infra/room.ts'
import { queueCheck } from '../check-queue.ts'
import { isWorthALook } from '../pictures.ts'
import { depthOf } from '../tree.ts'
import type { Archive } from './archive.ts'
import { DamagedEntry } from './checked.ts'
import { openArchive } from './inside.ts'
import { begin, end, keep, refuse, requireSource, type TakenFile } from './keep.ts'
import { attemptFolder, claim, keepLease, LostLease } from './lease.ts'
import { leaveOut, type PlannedFile, planUnpack, Unpackable, type UnpackPlan } from './plan.ts'
import type { UnpackReport, UnpackRow } from './tables.ts'
import { takeOut } from './take.ts'

/** Gives up after so many workers died over it. */
const MAX_ATTEMPTS = 3

/** The whole work of one archive; picks up where a killed worker left it. */
export async function work(ctx: Context, unpackId: string): Promise<void> {
  const row = await claim(ctx, unpackId)
  if (!row) return
  const letGo = keepLease(ctx, row)
  const folder = attemptFolder(ctx, row)
  try {
    if (row.attempts > MAX_ATTEMPTS) throw new Unpackable('internal')
    await mkdir(folder, { recursive: true })
    await unpack(ctx, row, folder)
  } catch (error) {
    if (error instanceof LostLease) return
    const failure = failureOf(error)
    ctx.log.warn({ err: error, unpack: row.id }, 'an archive was not unpacked')
    await refuse(ctx, row, failure)
  } finally {
    letGo()
    await rm(folder, { recursive: true, force: true })
  }
}

async function unpack(ctx: Context, claimed: UnpackRow, folder: string): Promise<void> {
  const source = await requireSource(ctx.db, claimed)
  const path = join(folder, 'archive')
  await ctx.storage.linkInto(source.sha256, path)
  const archive = await openArchive(path, claimed.name)
  try {
    const plan = await planUnpack(archive.list(), {
      archiveName: claimed.name,
      archiveBytes: (await stat(path)).size,
      depth: await depthOf(ctx.db, source.parentId),
      encoding: claimed.encoding,
    })
    if (plan.files.length === 0) throw new Unpackable('empty')
    const row = claimed.folderId === null ? await begin(ctx, claimed, plan) : claimed
    // What earlier attempts met stands in the row already.
    const report = claimed.folderId === null ? plan.report : row.report
    await bringOut(ctx, row, { archive, plan, report, folder })
  } finally {
    await archive.close()
  }
}

type Outing = { archive: Archive; plan: UnpackPlan; report: UnpackReport; folder: string }

/** File by file onto the disk; many at a time become visible, in one step each. */
async function bringOut(
  ctx: Context,
  begun: UnpackRow,
  { archive, plan, report, folder }: Outing,
): Promise<void> {
  let row = begun
  const startedMs = performance.now()
  const rest = plan.files.slice(row.doneEntries)
  const byIndex = new Map(rest.map((file) => [file.index, file]))
  let taken: TakenFile[] = []
  let passed: PlannedFile[] = []
  const keepTaken = async (): Promise<void> => {
    const workedMs = begun.workedMs + Math.round(performance.now() - startedMs)
    row = await keep(ctx, row, { plan, taken, passed, report, workedMs })
    if (taken.some(({ file, patientHint }) => isWorthALook(file.name, patientHint)))
      queueCheck(ctx, row.ownerId)
    taken = []
    passed = []
  }
  let stopped: LeftOutReason | null = null
  for await (const { index, open } of archive.read(new Set(byIndex.keys()))) {
    const file = byIndex.get(index)
    if (!file) continue
    byIndex.delete(index)
    passed.push(file)
    try {
      await ctx.room.require()
      taken.push(await takeOut(ctx, file, { open, path: join(folder, String(index)) }))
    } catch (error) {
      const reason = reasonOf(error)
      leaveOut(report, file.path, reason)
      if (reason === 'disk_full') stopped = reason
    }
    if (isFull(taken, passed) || stopped) await keepTaken()
    if (row.stopAsked) stopped = 'stopped'
    if (row.workedMs > limits.workMs) stopped = 'time'
    if (stopped) break
  }
  for (const file of byIndex.values()) {
    leaveOut(report, file.path, stopped ?? 'damaged')
    passed.push(file)
  }
  await keepTaken()
  await end(ctx, row, stopped === 'stopped' ? 'stopped' : null)
}

const isFull = (taken: TakenFile[], passed: PlannedFile[]): boolean =>
  passed.length >= limits.batch ||
  taken.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) >= limits.batchBytes

function reasonOf(error: unknown): LeftOutReason {
  if (error instanceof DamagedEntry) return 'damaged'
  if (isWithoutRoom(error)) return 'disk_full'
  if (error instanceof Error && 'syscall' in error) throw error
  return 'damaged'
}

const isWithoutRoom = (error: unknown): boolean =>
  isDiskFull(error) || (error instanceof Error && 'code' in error && error.code === 'EFBIG')

function failureOf(error: unknown): Unpackable {
  if (error instanceof Unpackable) return error
  if (isWithoutRoom(error)) return new Unpackable('disk_full')
  // A reader's own errors are about the archive; the database's and the system's are not.
  if (sqlState(error) !== null || (error instanceof Error && 'syscall' in error))
    return new Unpackable('internal')
  return new Unpackable('unreadable')
}
