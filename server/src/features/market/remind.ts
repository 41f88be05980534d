/** Nothing is paid by silence: a customer with a delivery that waits is reminded instead. */
import { market as limits } from '@neuroloom/contract/limits'
import { and, eq, isNull, lte, or } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import { whenDue } from '../../infra/due.ts'
import { tell } from '../payments/service.ts'
import { demandDeliveries, demands } from './tables.ts'

/** Of deliveries without answer for a week, and again after each further week. Not while the clock is in doubt. */
export const remindDue = (ctx: Context): Promise<void> =>
  whenDue(ctx, async (due) => {
    const before = new Date(due.now().getTime() - limits.reminderMs)
    const isDue = and(
      eq(demands.state, 'delivered'),
      or(isNull(demands.remindedAt), lte(demands.remindedAt, before)),
    )
    const rows = await due.db
      .select({ id: demands.id })
      .from(demands)
      .innerJoin(
        demandDeliveries,
        and(eq(demandDeliveries.demandId, demands.id), eq(demandDeliveries.state, 'waiting')),
      )
      .where(and(isDue, lte(demandDeliveries.at, before)))
      .limit(limits.remindersAtOnce)
    for (const { id } of rows)
      await due.db.transaction(async (tx) => {
        const [row] = await tx
          .update(demands)
          .set({ remindedAt: due.now() })
          .where(and(eq(demands.id, id), isDue))
          .returning()
        if (!row) return
        const params = { title: row.title, demandId: id }
        await tell(due, tx, { userId: row.ownerId, kind: 'work_reminder', params })
      })
  })
