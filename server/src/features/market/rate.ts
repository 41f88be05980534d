import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { eq } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import { tell } from '../payments/service.ts'
import { lockDemand, stepOf } from './access.ts'
import { shownById } from './show.ts'
import { demandRatings, demands } from './tables.ts'

/** Once, by the customer of accepted work: with it the demand is closed. */
export async function rate(
  ctx: Context,
  { id, stars, text }: Parsed<'demand/rate'>,
  { user }: Caller,
): Promise<Answer<'demand/rate'>> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockDemand(tx, id)
    const state = stepOf(row, { action: 'rate', user })
    const providerId = row.providerId ?? ''
    await tx
      .insert(demandRatings)
      .values({ demandId: id, providerId, userId: user.id, stars, text, at: ctx.now() })
    await tx.update(demands).set({ state, ended: 'rated' }).where(eq(demands.id, id))
    const params = { title: row.title, demandId: id, member: user.nickName, stars: String(stars) }
    await tell(ctx, tx, { userId: providerId, kind: 'work_rated', params })
  })
  return shownById(ctx, user, id)
}
