import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { market as limits } from '@neuroloom/contract/limits'
import { and, asc, desc, eq, exists, ilike, or, type SQL } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import { containing, type Db } from '../../infra/db.ts'
import { requireModule } from '../../infra/modules/modules.ts'
import { cardsOf } from './show.ts'
import { demandOffers, demands } from './tables.ts'

export async function list(
  ctx: Context,
  { list: which, search, task, order, page }: Parsed<'demand/list'>,
  { user }: Caller,
): Promise<Answer<'demand/list'>> {
  if (which === 'open') requireModule(ctx, 'market')
  const where = and(
    isIn(ctx.db, which, user.id),
    task === null ? undefined : eq(demands.task, task),
    search === ''
      ? undefined
      : or(ilike(demands.title, containing(search)), ilike(demands.description, containing(search))),
  )
  const rows = await ctx.db
    .select()
    .from(demands)
    .where(where)
    .orderBy(...orders[order], desc(demands.id))
    .limit(limits.page)
    .offset((page - 1) * limits.page)
  return {
    demands: await cardsOf(ctx.db, rows, user),
    total: await ctx.db.$count(demands, where),
    pageSize: limits.page,
  }
}

const orders = {
  newest: [desc(demands.createdAt)],
  deadline: [asc(demands.deadline), desc(demands.createdAt)],
  budget: [desc(demands.budgetFen), desc(demands.createdAt)],
} as const

function isIn(db: Db, which: Parsed<'demand/list'>['list'], userId: string): SQL {
  switch (which) {
    case 'open':
      return eq(demands.state, 'open')
    case 'own':
      return eq(demands.ownerId, userId)
    case 'work':
      return eq(demands.providerId, userId)
    case 'offered': {
      const mine = and(eq(demandOffers.demandId, demands.id), eq(demandOffers.providerId, userId))
      return exists(db.select({ id: demandOffers.id }).from(demandOffers).where(mine))
    }
  }
}
