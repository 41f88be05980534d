import { recipes as limits } from '@neuroloom/contract/limits'
import { and, eq, gt, isNull, lt, type SQL } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { leasesOf } from '../../infra/lease.ts'
import * as plans from '../plans/service.ts'
import { type PreparationRow, preparations } from './tables.ts'

export const leases = leasesOf({ table: 'preparations', working: 'running', ...limits })

export async function claim(ctx: Context, id: string): Promise<PreparationRow | null> {
  return ctx.db.transaction(async (tx) => {
    if (!(await leases.claim(tx, id, ctx.now()))) return null
    await returnSpace(tx, eq(preparations.id, id))
    const [row] = await tx.select().from(preparations).where(eq(preparations.id, id))
    return row ?? null
  })
}

/** Gives back what works have set aside. */
export async function returnSpace(tx: Tx, which: SQL | undefined): Promise<void> {
  const held = await tx
    .select()
    .from(preparations)
    .where(and(which, gt(preparations.reservedBytes, 0)))
    .orderBy(preparations.reservedFor)
    .for('update')
  for (const { id, reservedFor, reservedBytes } of held) {
    if (reservedFor !== null) await plans.release(tx, reservedFor, reservedBytes)
    await tx.update(preparations).set({ reservedFor: null, reservedBytes: 0 }).where(eq(preparations.id, id))
  }
}

/** Queues what nobody works at any more. */
export async function recover(ctx: Context): Promise<void> {
  for (const id of await leases.free(ctx.db, ctx.now())) {
    await ctx.jobs.send(null, 'recipes.work', { workId: id }, { singletonKey: id })
  }
}

/** What ended long ago and left nothing: a folder that is there tells by it how it was made. */
export const forgetEnded = (ctx: Context) =>
  ctx.db
    .delete(preparations)
    .where(
      and(
        lt(preparations.endedAt, new Date(ctx.now().getTime() - limits.keepMs)),
        isNull(preparations.resultId),
      ),
    )
