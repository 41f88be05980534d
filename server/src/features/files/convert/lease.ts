import { conversions as limits } from '@neuroloom/contract/limits'
import { and, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import * as plans from '../../plans/service.ts'
import { type ConversionRow, conversionItems, conversions } from './tables.ts'

/** Given up, or taken over by somebody else. */
export class LostConversion extends Error {}

/** The work, if nobody else is at it. What an attempt that died had begun is to be done again. */
export async function claim(ctx: Context, id: string): Promise<ConversionRow | null> {
  const now = ctx.now()
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(conversions)
      .set({ state: 'converting', leaseUntil: leaseFrom(now), attempts: sql`${conversions.attempts} + 1` })
      .where(and(eq(conversions.id, id), isFree(now)))
      .returning()
    if (!row) return null
    await returnSpace(tx, eq(conversionItems.conversionId, id))
    await tx
      .update(conversionItems)
      .set({ state: 'waiting' })
      .where(and(eq(conversionItems.conversionId, id), eq(conversionItems.state, 'converting')))
    return row
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

/** Fails when the work is no longer this attempt's; holds the row, so that nobody takes it before the transaction ends. */
export async function hold(db: Db, { id, attempts }: ConversionRow): Promise<void> {
  const [held] = await db
    .select({ id: conversions.id })
    .from(conversions)
    .where(
      and(eq(conversions.id, id), eq(conversions.attempts, attempts), eq(conversions.state, 'converting')),
    )
    .for('update')
  if (!held) throw new LostConversion(id)
}

/** Renews the lease, and says when the work was given up. */
export function keepLease(ctx: Context, row: ConversionRow): { signal: AbortSignal; letGo: () => void } {
  const given = new AbortController()
  const mine = and(
    eq(conversions.id, row.id),
    eq(conversions.attempts, row.attempts),
    eq(conversions.state, 'converting'),
  )
  const look = async (): Promise<void> => {
    const renewed = await ctx.db
      .update(conversions)
      .set({ leaseUntil: leaseFrom(ctx.now()) })
      .where(mine)
      .returning({ id: conversions.id })
    if (renewed.length === 0) given.abort(new LostConversion(row.id))
  }
  const timer = setInterval(() => {
    look().catch((error: unknown) => ctx.log.warn({ err: error }, 'a conversion was not renewed'))
  }, limits.watchMs)
  return { signal: given.signal, letGo: () => clearInterval(timer) }
}

/** Queues what nobody works at any more. */
export async function recover(ctx: Context): Promise<void> {
  const now = ctx.now()
  const open = await ctx.db.select({ id: conversions.id }).from(conversions).where(isFree(now))
  for (const { id } of open) {
    await ctx.jobs.send(null, 'files.convert', { conversionId: id }, { singletonKey: id })
  }
}

/** What ended long ago. */
export const forgetEnded = (ctx: Context) =>
  ctx.db.delete(conversions).where(lt(conversions.endedAt, new Date(ctx.now().getTime() - limits.keepMs)))

const leaseFrom = (now: Date): Date => new Date(now.getTime() + limits.leaseMs)

const isFree = (now: Date) =>
  sql`(${conversions.state} = 'waiting' or (${conversions.state} = 'converting' and ${conversions.leaseUntil} < ${now}))`
