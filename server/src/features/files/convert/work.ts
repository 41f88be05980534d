import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { conversions as limits, viewing } from '@neuroloom/contract/limits'
import type { ViewReason } from '@neuroloom/contract/viewing'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { Failure } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import { LostLease } from '../../../infra/lease.ts'
import { ReaderFailure, read } from '../../../infra/reader/reader.ts'
import { isDiskFull } from '../../../infra/room.ts'
import { requireEntries, type SeenEntry } from '../access.ts'
import { type Target, targetOf } from '../made.ts'
import { memberEyes } from '../view/eyes.ts'
import { readerFolder } from '../view/folders.ts'
import { bytesOfSource, layOut, patienceOf, type ViewSource } from '../view/make.ts'
import { sourceOf } from '../view/sources.ts'
import { isItem, keepResults, reserveFor, stemOf } from './keep.ts'
import { claim, leases, returnSpace } from './lease.ts'
import { tellConversion } from './news.ts'
import { candidatesOf, planItems, withoutReady } from './plan.ts'
import {
  type ConversionFailure,
  type ConversionRow,
  conversionItems,
  conversions,
  type ItemRow,
} from './tables.ts'

/** The whole work of one conversion; picks up where a killed worker left it. */
export async function work(ctx: Context, conversionId: string): Promise<void> {
  const row = await claim(ctx, conversionId)
  if (!row) return
  const { signal, letGo } = leases.keep(ctx, row)
  try {
    if (row.attempts > limits.tries) throw new Whole('internal')
    await tellConversion(ctx, row.id)
    const items = (await itemsOf(ctx, row)) ?? (await plan(ctx, row))
    for (const item of items.filter(({ state }) => state === 'waiting')) {
      await ctx.room.require()
      await convertOne(ctx, row, { item, signal })
    }
    await end(ctx, row, null)
  } catch (error) {
    if (error instanceof LostLease || signal.aborted) return
    ctx.log.warn({ err: error, conversion: row.id }, 'a conversion failed')
    await end(ctx, row, wholeFailure(error))
  } finally {
    letGo()
    await tellConversion(ctx, row.id)
  }
}

/** Stands in the way of all that is left. */
class Whole extends Error {
  readonly failure: ConversionFailure

  constructor(failure: ConversionFailure) {
    super(failure)
    this.failure = failure
  }
}

function wholeFailure(error: unknown): ConversionFailure {
  if (error instanceof Whole) return error.failure
  if (isDiskFull(error)) return 'disk_full'
  if (!(error instanceof Failure)) return 'internal'
  const known = (['storage_full', 'plan_limit', 'missing'] as const).find((name) => name === error.failure)
  return known ?? (error.failure === 'not_allowed' ? 'missing' : 'internal')
}

async function itemsOf(ctx: Context, { id }: ConversionRow): Promise<ItemRow[] | null> {
  const items = await ctx.db
    .select()
    .from(conversionItems)
    .where(eq(conversionItems.conversionId, id))
    .orderBy(asc(conversionItems.position))
  return items.length > 0 ? items : null
}

async function plan(ctx: Context, row: ConversionRow): Promise<ItemRow[]> {
  const member = { id: row.ownerId }
  const entries = await requireEntries(ctx.db, member, row.sourceIds, 'view')
  const candidates = withoutReady(await candidatesOf(ctx.db, member, entries), row.format)
  const planned = await planItems(ctx, candidates, row.options.joinSeries)
  if (planned.length === 0) throw new Whole('missing')
  return ctx.db.transaction(async (tx) => {
    await leases.hold(tx, row)
    const values = planned.map((item, position) => ({
      conversionId: row.id,
      position,
      ...item,
      state: 'waiting' as const,
    }))
    return tx.insert(conversionItems).values(values).returning()
  })
}

type One = { item: ItemRow; signal: AbortSignal }

/** A failure of one source leaves the others their turn. */
async function convertOne(ctx: Context, row: ConversionRow, { item, signal }: One): Promise<void> {
  await setItem(ctx, row, item, { state: 'converting' })
  const folder = join(readerFolder(ctx), newId())
  await mkdir(folder, { recursive: true })
  try {
    const reason = await convertInto(ctx, row, { item, signal, folder })
    if (reason) await failItem(ctx, row, item, reason)
  } catch (error) {
    if (signal.aborted) throw new LostLease(row.id)
    if (!(error instanceof ReaderFailure)) throw error
    await failItem(ctx, row, item, error.reason)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  await tellConversion(ctx, row.id)
}

/** Null when it is done. */
async function convertInto(
  ctx: Context,
  row: ConversionRow,
  { item, signal, folder }: One & { folder: string },
): Promise<ViewReason | null> {
  const found = await sourceFor(ctx, row, item)
  if (!found) return { name: 'source_gone', params: {} }
  const { source, first } = found
  const bytes = bytesOfSource(source)
  if (bytes > viewing.fileBytes)
    return { name: 'too_large', params: { limit: Math.round(viewing.fileBytes / 1024 ** 2) } }
  const folderOfSource = await chosenFolderOf(ctx, row, first)
  const target = await placeOf(ctx, row.ownerId, folderOfSource ?? first)
  await reserveFor(ctx, row, { item, target, bytes })
  const stem = stemOf(item.sourceName)
  const answer = await read(
    {
      task: 'convert',
      ...(await layOut(ctx, source, folder)),
      out: folder,
      limitBytes: viewing.pixelBytes,
      format: row.format,
      options: row.options,
      title: stem,
      at: ctx.now().toISOString(),
    },
    { log: ctx.log, folder, signal, ...patienceOf('job') },
  )
  if ('refused' in answer) return answer.refused
  const paths = answer.made.map((name) => join(folder, name))
  await keepResults(ctx, row, {
    item,
    target,
    folderOfSource,
    made: { format: row.format, paths, checks: answer.checks, notes: answer.notes, stem },
  })
  return null
}

/** The folder that was chosen in the place of this file; null where the file itself was. */
async function chosenFolderOf(
  ctx: Context,
  row: ConversionRow,
  { id, parentId }: SeenEntry,
): Promise<SeenEntry | null> {
  if (parentId === null || row.sourceIds.includes(id) || !row.sourceIds.includes(parentId)) return null
  const [folder] = await requireEntries(ctx.db, { id: row.ownerId }, [parentId], 'view')
  return folder ?? null
}

/** Beside the source; of a shared folder whose surroundings are not the member's, in the folder itself. */
async function placeOf(ctx: Context, memberId: string, source: SeenEntry): Promise<Target> {
  const beside = await targetOf(ctx, memberId, source)
  if (source.kind === 'file' || beside.ownerId === source.ownerId) return beside
  return targetOf(ctx, memberId, { ownerId: source.ownerId, parentId: source.id })
}

type Found = { source: ViewSource; first: SeenEntry }

/** Null when something of it is gone, or not to be seen any more. */
async function sourceFor(ctx: Context, row: ConversionRow, { fileIds }: ItemRow): Promise<Found | null> {
  const member = { id: row.ownerId }
  try {
    const entries = await requireEntries(ctx.db, member, fileIds, 'view')
    const order = new Map(fileIds.map((id, index) => [id, index]))
    const files = entries
      .sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0))
      .flatMap(({ sha256, ...file }) => (sha256 === null ? [] : [{ ...file, sha256 }]))
    const [first] = files
    if (!first) return null
    const source =
      files.length === 1 ? await sourceOf(ctx, memberEyes(ctx.db, member.id), first) : { files, siblings: [] }
    return { source, first }
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

async function setItem(
  ctx: Context,
  row: ConversionRow,
  item: ItemRow,
  changes: Partial<ItemRow>,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await leases.hold(tx, row)
    await tx.update(conversionItems).set(changes).where(isItem(item))
  })
}

async function failItem(ctx: Context, row: ConversionRow, item: ItemRow, reason: ViewReason): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await leases.hold(tx, row)
    await returnSpace(tx, isItem(item))
    await tx.update(conversionItems).set({ state: 'failed', reason }).where(isItem(item))
  })
}

/** With a failure of the whole, nothing that still waits will be done. */
async function end(ctx: Context, row: ConversionRow, failure: ConversionFailure | null): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await leases.hold(tx, row)
    const own = eq(conversionItems.conversionId, row.id)
    await returnSpace(tx, own)
    const open = inArray(conversionItems.state, ['waiting', 'converting'])
    await tx.update(conversionItems).set({ state: 'failed' }).where(and(own, open))
    const [failed] = await tx
      .select({ count: sql`count(*)`.mapWith(Number) })
      .from(conversionItems)
      .where(and(own, eq(conversionItems.state, 'failed')))
    const isFailed = failure !== null || (failed?.count ?? 0) > 0
    await tx
      .update(conversions)
      .set({ state: isFailed ? 'failed' : 'done', failure, leaseUntil: null, endedAt: ctx.now() })
      .where(eq(conversions.id, row.id))
  })
}
