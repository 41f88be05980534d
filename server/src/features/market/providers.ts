/** Pages of service providers: what they say of themselves, and what accepted orders say of them. */
import { roles } from '@neuroloom/contract/accounts/roles'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { market as limits } from '@neuroloom/contract/limits'
import type { ProviderCard } from '@neuroloom/contract/market/provider'
import { and, avg, count, desc, eq, ilike, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { containing, type Db } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import { cardsOfCases } from './cases.ts'
import { demandRatings, demands, marketCases, marketProviders, type ProviderRow } from './tables.ts'

export async function list(
  ctx: Context,
  { search, page }: Parsed<'provider/list'>,
): Promise<Answer<'provider/list'>> {
  const columns = [users.nickName, marketProviders.introduction, sql`${marketProviders.services}::text`]
  const where = and(
    isProvider,
    search === '' ? undefined : or(...columns.map((one) => ilike(one, containing(search)))),
  )
  const found = () =>
    ctx.db
      .select({ page: marketProviders, nickName: users.nickName })
      .from(marketProviders)
      .innerJoin(users, eq(users.id, marketProviders.userId))
      .where(where)
  const rows = await found()
    .orderBy(desc(marketProviders.changedAt), desc(marketProviders.userId))
    .limit(limits.page)
    .offset((page - 1) * limits.page)
  return {
    providers: await cardsOfProviders(
      ctx.db,
      rows.map((row) => ({ id: row.page.userId, nickName: row.nickName, page: row.page })),
    ),
    total: await ctx.db.$count(found().as('found')),
    pageSize: limits.page,
  }
}

const isProvider = and(eq(users.role, roles.provider), isNull(users.cancelledAt))

export async function detail(
  ctx: Context,
  { id }: Parsed<'provider/detail'>,
  caller: Caller,
): Promise<Answer<'provider/detail'>> {
  const member = await requireProvider(ctx.db, id)
  const [page] = await ctx.db.select().from(marketProviders).where(eq(marketProviders.userId, id))
  const [card] = await cardsOfProviders(ctx.db, [{ ...member, page: page ?? null }])
  if (!card) throw fail('provider_missing')
  const isOwn = caller.user.id === id
  const cases = await ctx.db
    .select()
    .from(marketCases)
    .where(and(eq(marketCases.providerId, id), isOwn ? undefined : eq(marketCases.isPublic, true)))
    .orderBy(desc(marketCases.createdAt), desc(marketCases.id))
    .limit(limits.cases)
  return { ...card, isOwn, cases: await cardsOfCases(ctx, cases, caller) }
}

async function requireProvider(db: Db, id: string): Promise<{ id: string; nickName: string }> {
  const [row] = await db
    .select({ id: users.id, nickName: users.nickName })
    .from(users)
    .where(and(eq(users.id, id), isProvider))
  if (!row) throw fail('provider_missing')
  return row
}

export async function ratings(
  ctx: Context,
  { id, page }: Parsed<'provider/ratings'>,
): Promise<Answer<'provider/ratings'>> {
  await requireProvider(ctx.db, id)
  const ofProvider = eq(demandRatings.providerId, id)
  const rows = await ctx.db
    .select({ rating: demandRatings, by: users.nickName, work: demands.title })
    .from(demandRatings)
    .innerJoin(demands, eq(demands.id, demandRatings.demandId))
    .innerJoin(users, eq(users.id, demandRatings.userId))
    .where(ofProvider)
    .orderBy(desc(demandRatings.at), desc(demandRatings.demandId))
    .limit(limits.ratingsPage)
    .offset((page - 1) * limits.ratingsPage)
  return {
    ratings: rows.map(({ rating: { stars, text, at }, by, work }) => ({
      ...{ stars, text, by, work, at: at.toISOString() },
    })),
    total: await ctx.db.$count(demandRatings, ofProvider),
    pageSize: limits.ratingsPage,
  }
}

export async function save(
  ctx: Context,
  said: Parsed<'provider/save'>,
  caller: Caller,
): Promise<Answer<'provider/save'>> {
  const { user } = caller
  if (user.role !== roles.provider) throw fail('not_allowed')
  const row = { ...said, changedAt: ctx.now() }
  await ctx.db
    .insert(marketProviders)
    .values({ ...row, userId: user.id })
    .onConflictDoUpdate({ target: marketProviders.userId, set: row })
  return detail(ctx, { id: user.id }, caller)
}

type Known = { id: string; nickName: string; page: ProviderRow | null }

/** In the order of the members; with what accepted orders brought. */
async function cardsOfProviders(db: Db, known: readonly Known[]): Promise<ProviderCard[]> {
  const ids = known.map(({ id }) => id)
  const rated = await db
    .select({ id: demandRatings.providerId, stars: avg(demandRatings.stars), count: count() })
    .from(demandRatings)
    .where(inArray(demandRatings.providerId, ids))
    .groupBy(demandRatings.providerId)
  const sold = await db
    .select({ id: demands.providerId, count: count() })
    .from(demands)
    .where(and(inArray(demands.providerId, ids), isNotNull(demands.acceptedAt)))
    .groupBy(demands.providerId)
  const ratingsOf = new Map(rated.map((one) => [one.id, { stars: Number(one.stars), count: one.count }]))
  const salesOf = new Map(sold.map((one) => [one.id, one.count]))
  return known.map(({ id, nickName, page }) => ({
    ...{ id, nickName, introduction: page?.introduction ?? '' },
    ...{ services: page?.services ?? [], regions: page?.regions ?? [], languages: page?.languages ?? [] },
    ...{ rating: ratingsOf.get(id) ?? null, sales: salesOf.get(id) ?? 0 },
  }))
}
