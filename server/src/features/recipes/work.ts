import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { recipes as limits } from '@neuroloom/contract/limits'
import { and, asc, eq } from 'drizzle-orm'
import { Failure } from '../../http/fail.ts'
import type { WorkerContext } from '../../infra/context.ts'
import { newId } from '../../infra/ids.ts'
import { LostLease } from '../../infra/lease.ts'
import { isDiskFull } from '../../infra/room.ts'
import { requireEntry } from '../files/access.ts'
import { record } from '../files/service.ts'
import { batchesOf, sourcesOf, workOn } from './batch.ts'
import { claim, leases, returnSpace } from './lease.ts'
import { withDicom } from './plan.ts'
import { tellWork } from './show.ts'
import { type ItemRow, type PreparationRow, preparationItems, preparations } from './tables.ts'

type Whole = PreparationRow['failure']

/** The whole of one work; picks up where a killed worker left it. */
export async function work(ctx: WorkerContext, id: string): Promise<void> {
  const row = await claim(ctx, id)
  if (!row) return
  const { signal, letGo } = leases.keep(ctx, row)
  const folder = join(ctx.storage.stagingFolder, 'preparing', newId())
  try {
    if (row.attempts > limits.tries) return await end(ctx, row, 'internal')
    await tellWork(ctx, row.id)
    const items = (await itemsOf(ctx, row)) ?? (await plan(ctx, row))
    const waiting = items.filter(({ state }) => state === 'waiting')
    const sources = await sourcesOf(ctx, row, waiting)
    for (const batch of batchesOf(waiting, sources)) {
      signal.throwIfAborted()
      await ctx.room.require()
      await mkdir(folder, { recursive: true })
      await workOn(ctx, row, { batch, items, sources, folder, signal })
      await rm(folder, { recursive: true, force: true })
    }
    await end(ctx, row, null)
  } catch (error) {
    if (error instanceof LostLease || signal.aborted) return
    ctx.log.warn({ err: error, preparation: row.id }, 'a preparation failed')
    await end(ctx, row, wholeFailure(error))
  } finally {
    letGo()
    await rm(folder, { recursive: true, force: true })
    await tellWork(ctx, row.id)
  }
}

function wholeFailure(error: unknown): Whole {
  if (isDiskFull(error)) return 'disk_full'
  if (!(error instanceof Failure)) return 'internal'
  const known = (['storage_full', 'plan_limit', 'missing'] as const).find((name) => name === error.failure)
  return known ?? (error.failure === 'internal' ? 'internal' : 'missing')
}

async function itemsOf(ctx: WorkerContext, { id }: PreparationRow): Promise<ItemRow[] | null> {
  const items = await ctx.db
    .select()
    .from(preparationItems)
    .where(eq(preparationItems.preparationId, id))
    .orderBy(asc(preparationItems.position))
  return items.length > 0 ? items : null
}

/** Rows written by one statement. */
const AT_ONCE = 1000

async function plan(ctx: WorkerContext, row: PreparationRow): Promise<ItemRow[]> {
  const items = await withDicom(ctx, { id: row.ownerId }, row.work)
  const values = items.map((item, position) => ({
    preparationId: row.id,
    position,
    ...item,
    state: item.reason === null ? ('waiting' as const) : ('failed' as const),
  }))
  return ctx.db.transaction(async (tx) => {
    await leases.hold(tx, row)
    const rows: ItemRow[] = []
    for (let start = 0; start < values.length; start += AT_ONCE)
      rows.push(
        ...(await tx
          .insert(preparationItems)
          .values(values.slice(start, start + AT_ONCE))
          .returning()),
      )
    return rows
  })
}

/** With a failure of the whole, nothing that still waits will be done. */
async function end(ctx: WorkerContext, row: PreparationRow, failure: Whole): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await leases.hold(tx, row)
    await returnSpace(tx, eq(preparations.id, row.id))
    const own = eq(preparationItems.preparationId, row.id)
    await tx
      .update(preparationItems)
      .set({ state: 'failed' })
      .where(and(own, eq(preparationItems.state, 'waiting')))
    const failed = await tx.$count(preparationItems, and(own, eq(preparationItems.state, 'failed')))
    const done = await tx.$count(preparationItems, and(own, eq(preparationItems.state, 'done')))
    const [ended] = await tx
      .update(preparations)
      .set({
        state: failure !== null || failed > 0 ? 'failed' : 'done',
        ...{ failure, leaseUntil: null, endedAt: ctx.now() },
      })
      .where(eq(preparations.id, row.id))
      .returning()
    if (ended?.resultId == null) return
    const entry = await requireEntry(tx, { id: row.ownerId }, ended.resultId, 'view').catch(() => null)
    if (!entry) return
    const detail = { from: row.sourceName, count: done }
    await record(ctx, tx, [{ action: 'prepare', actorId: row.ownerId, entry, detail }])
  })
}
