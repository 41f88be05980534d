import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { burnedIn as limits, viewing } from '@neuroloom/contract/limits'
import type { ViewReason } from '@neuroloom/contract/viewing'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { Failure } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import { LostLease } from '../../../infra/lease.ts'
import { ReaderFailure } from '../../../infra/reader/reader.ts'
import { isDiskFull } from '../../../infra/room.ts'
import { missingPackages } from '../../../infra/tesseract.ts'
import { requireEntries, requireFile } from '../access.ts'
import { candidatesOf } from '../convert/plan.ts'
import { readerFolder } from '../view/folders.ts'
import { guessKind, HEAD_BYTES } from '../view/kinds.ts'
import { headOf } from '../view/sources.ts'
import { copyOne } from './copy.ts'
import { claim, leases } from './lease.ts'
import { tellScan } from './news.ts'
import { seekOne } from './seek.ts'
import { type PictureRow, type ScanRow, type TextFailure, textPictures, textScans } from './tables.ts'
import type { PictureTask } from './task.ts'

/** The whole work of one step; picks up where a killed worker left it. */
export async function work(ctx: Context, scanId: string): Promise<void> {
  const row = await claim(ctx, scanId)
  if (!row) return
  const { signal, letGo } = leases.keep(ctx, row)
  try {
    if (row.attempts > limits.tries) throw new Whole('internal')
    if (row.step === 'seek' && (await missingPackages()).length > 0) throw new Whole('ocr_missing')
    await tellScan(ctx, row.id)
    const pictures = (await picturesOf(ctx, row)) ?? (await plan(ctx, row))
    for (const picture of pictures.filter(({ state }) => state === 'waiting')) {
      await ctx.room.require()
      await doOne(ctx, row, { picture, signal })
    }
    await end(ctx, row, null)
  } catch (error) {
    if (error instanceof LostLease || signal.aborted) return
    // A failed query names its values, and these may be what was read.
    const name = error instanceof Error ? error.name : 'unknown'
    ctx.log.warn({ name, scan: row.id }, 'a search for texts failed')
    await end(ctx, row, wholeFailure(error))
  } finally {
    letGo()
    await tellScan(ctx, row.id)
  }
}

/** Stands in the way of all that is left. */
class Whole extends Error {
  readonly failure: TextFailure

  constructor(failure: TextFailure) {
    super(failure)
    this.failure = failure
  }
}

function wholeFailure(error: unknown): TextFailure {
  if (error instanceof Whole) return error.failure
  if (isDiskFull(error)) return 'disk_full'
  if (!(error instanceof Failure)) return 'internal'
  const known = (['storage_full', 'plan_limit', 'missing'] as const).find((name) => name === error.failure)
  return known ?? (error.failure === 'not_allowed' ? 'missing' : 'internal')
}

async function picturesOf(ctx: Context, { id }: ScanRow): Promise<PictureRow[] | null> {
  const rows = await ctx.db
    .select()
    .from(textPictures)
    .where(eq(textPictures.scanId, id))
    .orderBy(asc(textPictures.position))
  return rows.length > 0 ? rows : null
}

async function plan(ctx: Context, row: ScanRow): Promise<PictureRow[]> {
  const member = { id: row.ownerId }
  const entries = await requireEntries(ctx.db, member, row.sourceIds, 'view')
  const planned: { sourceId: string; sourceName: string; sourceSha256: string }[] = []
  for (const candidate of await candidatesOf(ctx.db, member, entries)) {
    const { id, name, sha256, isChosen } = candidate
    // What only lay in a folder and is no image is passed over.
    const isImage = isChosen || guessKind(await headOf(ctx, candidate, HEAD_BYTES), name).isImage
    if (isImage) planned.push({ sourceId: id, sourceName: name, sourceSha256: sha256 })
  }
  if (planned.length === 0) throw new Whole('missing')
  return ctx.db.transaction(async (tx) => {
    await leases.hold(tx, row)
    const values = planned.map((one, position) => ({
      scanId: row.id,
      position,
      ...one,
      state: 'waiting' as const,
    }))
    return tx.insert(textPictures).values(values).returning()
  })
}

type One = Pick<PictureTask, 'picture' | 'signal'>

/** A failure of one picture leaves the others their turn. */
async function doOne(ctx: Context, row: ScanRow, { picture, signal }: One): Promise<void> {
  await setPicture(ctx, row, picture, { state: 'running' })
  const folder = join(readerFolder(ctx), newId())
  await mkdir(folder, { recursive: true })
  try {
    const file = await sourceFor(ctx, row, picture)
    const reason = await (file ? doFile(ctx, row, { picture, signal, folder, file }) : gone)
    if (reason) await setPicture(ctx, row, picture, { state: 'failed', reason })
  } catch (error) {
    if (signal.aborted) throw new LostLease(row.id)
    if (!(error instanceof ReaderFailure)) throw error
    await setPicture(ctx, row, picture, { state: 'failed', reason: error.reason })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  await tellScan(ctx, row.id)
}

const gone: ViewReason = { name: 'source_gone', params: {} }

/** Null when it is done. */
async function doFile(ctx: Context, row: ScanRow, task: PictureTask): Promise<ViewReason | null> {
  if (task.file.sizeBytes > viewing.fileBytes)
    return { name: 'too_large', params: { limit: Math.round(viewing.fileBytes / 1024 ** 2) } }
  if (row.step === 'copy') return copyOne(ctx, row, task)
  const found = await seekOne(ctx, task)
  if ('refused' in found) return found.refused
  await setPicture(ctx, row, task.picture, { ...found, state: 'done', reason: null })
  return null
}

/** Null when it is gone, not to be seen any more, or other bytes by now. */
async function sourceFor(ctx: Context, row: ScanRow, { sourceId, sourceSha256 }: PictureRow) {
  if (sourceId === null) return null
  try {
    const file = await requireFile(ctx.db, { id: row.ownerId }, sourceId, 'view')
    return file.sha256 === sourceSha256 ? file : null
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

async function setPicture(
  ctx: Context,
  row: ScanRow,
  { scanId, position }: PictureRow,
  changes: Partial<PictureRow>,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await leases.hold(tx, row)
    await tx
      .update(textPictures)
      .set(changes)
      .where(and(eq(textPictures.scanId, scanId), eq(textPictures.position, position)))
  })
}

/** With a failure of the whole, nothing that still waits will be done. */
async function end(ctx: Context, row: ScanRow, failure: TextFailure | null): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await leases.hold(tx, row)
    const own = eq(textPictures.scanId, row.id)
    const open = inArray(textPictures.state, ['waiting', 'running'])
    await tx.update(textPictures).set({ state: 'failed' }).where(and(own, open))
    const [counted] = await tx
      .select({
        failed: sql`count(*) filter (where state = 'failed')`.mapWith(Number),
        all: sql`count(*)`.mapWith(Number),
      })
      .from(textPictures)
      .where(own)
    // Some that cannot be read leave the others to be gone on with.
    const isFailed = failure !== null || (counted?.failed ?? 0) === (counted?.all ?? 0)
    await tx
      .update(textScans)
      .set({ state: isFailed ? 'failed' : 'done', failure, leaseUntil: null, endedAt: ctx.now() })
      .where(eq(textScans.id, row.id))
  })
}
