/** Messages of the end of a membership level. What ends it is the level itself (`level.ts`), wherever it is asked for. */
import { dayMs, membership as limits } from '@neuroloom/contract/limits'
import { and, eq, gt, isNull, lte, or } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import { addNotice } from '../../infra/notices.ts'
import { ORDINARY } from './level.ts'
import { users } from './tables.ts'

/**
 * Tells whose level ends in 14, 7 or 1 days, or has ended: each once for this end, and of several that are due (the server
 * was off) the nearest alone.
 */
export async function tellEnds(ctx: Context): Promise<void> {
  // On a hospital's own server there are no levels.
  if (ctx.config.deployment === 'private') return
  const now = ctx.now().getTime()
  const ending = await ctx.db
    .select({ id: users.id, vipValid: users.vipValid })
    .from(users)
    .where(
      and(
        isNull(users.cancelledAt),
        eq(users.vipSuper, 0),
        gt(users.vipLevel, ORDINARY),
        lte(users.vipValid, new Date(now + Math.max(...limits.reminderDays) * dayMs)),
        gt(users.vipValid, new Date(now - limits.endedNewsMs)),
      ),
    )
  for (const { id, vipValid } of ending) {
    if (vipValid === null) continue
    const daysLeft = (vipValid.getTime() - now) / dayMs
    const due = Math.min(...limits.reminderDays.filter((days) => daysLeft <= days))
    await ctx.db.transaction(async (tx) => {
      const isUntold = or(isNull(users.levelTold), gt(users.levelTold, due))
      const told = await tx
        .update(users)
        .set({ levelTold: due })
        .where(and(eq(users.id, id), eq(users.vipValid, vipValid), isUntold))
        .returning({ id: users.id })
      if (told.length === 0) return
      const params = { date: vipValid.toISOString().slice(0, 10) }
      await addNotice(ctx, tx, { userId: id, kind: due === 0 ? 'level_ended' : 'level_ends', params })
    })
  }
}
