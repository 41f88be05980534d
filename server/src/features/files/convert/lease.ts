import { conversions as limits } from '@neuroloom/contract/limits'
import { and, eq, gt, lt, type SQL } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { leasesOf } from '../../../infra/lease.ts'
import * as plans from '../../plans/service.ts'
import { type ConversionRow, conversionItems, conversions } from './tables.ts'

export const leases = leasesOf({ table: 'conversions', working: 'converting', ...limits })

/** The work, if nobody else is at it. What an attempt that died had begun is to be done again. */
export async function claim(ctx: Context, id: string): Promise<ConversionRow | null> {
  return ctx.db.transaction(async (tx) => {
    if (!(await leases.claim(tx, id, ctx.now()))) return null
    await returnSpace(tx, eq(conversionItems.conversionId, id))
    await tx
      .update(conversionItems)
      .set({ state: 'waiting' })
      .where(and(eq(conversionItems.conversionId, id), eq(conversionItems.state, 'converting')))
    const [row] = await tx.select().from(conversions).where(eq(conversions.id, id))
    return row ?? null
  })
}

/** Gives back what items have set aside. */
export async function returnSpace(tx: Tx, which: SQL | undefined): Promise<void> {
  const held = await tx
    .select()
    .from(conversionItems)
    .where(and(which, gt(conversionItems.reservedBytes, 0)))
    .orderBy(conversionItems.reservedFor)
    .for('update')
  for (const { conversionId, position, reservedFor, reservedBytes } of held) {
    if (reservedFor !== null) await plans.release(tx, reservedFor, reservedBytes)
    await tx
      .update(conversionItems)
      .set({ reservedFor: null, reservedBytes: 0 })
      .where(and(eq(conversionItems.conversionId, conversionId), eq(conversionItems.position, position)))
  }
}

/** Queues what nobody works at any more. */
export async function recover(ctx: Context): Promise<void> {
  for (const id of await leases.free(ctx.db, ctx.now())) {
    await ctx.jobs.send(null, 'files.convert', { conversionId: id }, { singletonKey: id })
  }
}

/** What ended long ago. */
export const forgetEnded = (ctx: Context) =>
  ctx.db.delete(conversions).where(lt(conversions.endedAt, new Date(ctx.now().getTime() - limits.keepMs)))
