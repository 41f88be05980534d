/** What a seller sold, and when it is the seller's for good. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { shop as limits } from '@neuroloom/contract/limits'
import type { OwnListing, Sale } from '@neuroloom/contract/shop/seller'
import { and, count, desc, eq, inArray, lte, ne, notExists } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { whenDue } from '../../infra/due.ts'
import { users } from '../accounts/tables.ts'
import { bookRecorded, shareOf, tell } from '../payments/service.ts'
import { orders } from '../payments/tables.ts'
import { countShared } from '../plans/access.ts'
import { limitsOf } from '../plans/service.ts'
import { entryOf } from './goods.ts'
import { cardsOf, claimShown, stateOf } from './show.ts'
import { type ListingRow, listings, type SaleRow, sales, shopClaims } from './tables.ts'

export async function mine(ctx: Context, _body: unknown, { user }: Caller): Promise<Answer<'shop/mine'>> {
  const rows = await ctx.db
    .select()
    .from(listings)
    .where(eq(listings.sellerId, user.id))
    .orderBy(desc(listings.createdAt), desc(listings.id))
  const { models } = await countShared(ctx, user.id)
  return { listings: await ownShown(ctx, rows), limit: limitsOf(ctx, user).sharedModels, used: models }
}

/** Listings as their sellers and administrators see them. */
export async function ownShown(ctx: Context, rows: readonly ListingRow[]): Promise<OwnListing[]> {
  const cards = await cardsOf(ctx, rows, new Map())
  const ids = rows.map(({ id }) => id)
  const sums = await sumsOf(ctx.db, ids)
  const open = await openClaims(ctx.db, ids)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return cards.flatMap((card) => {
    const row = byId.get(card.id)
    if (!row) return []
    const { state, version, refusal, banReason } = row
    return [
      {
        ...{ ...card, state, version, refusal, banReason },
        sold: sums.get(card.id) ?? { count: 0, fen: 0, points: 0 },
        openClaims: open.get(card.id) ?? 0,
      },
    ]
  })
}

async function sumsOf(db: Db, ids: string[]): Promise<Map<string, OwnListing['sold']>> {
  const { listingId, unit, amount } = sales
  // The fee is rounded sale by sale: those of one price together.
  const rows = await db
    .select({ listingId, unit, amount, count: count() })
    .from(sales)
    .where(and(inArray(listingId, ids), ne(sales.state, 'refunded')))
    .groupBy(listingId, unit, amount)
  const sums = new Map<string, OwnListing['sold']>()
  for (const row of rows) {
    const sum = sums.get(row.listingId) ?? { count: 0, fen: 0, points: 0 }
    sum.count += row.count
    sum[row.unit === 'fen' ? 'fen' : 'points'] += row.count * shareOf(row.amount)
    sums.set(row.listingId, sum)
  }
  return sums
}

async function openClaims(db: Db, ids: string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ id: sales.listingId, count: count() })
    .from(shopClaims)
    .innerJoin(sales, eq(sales.orderNo, shopClaims.orderNo))
    .where(and(inArray(sales.listingId, ids), eq(shopClaims.state, 'open')))
    .groupBy(sales.listingId)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

export async function list(
  ctx: Context,
  { page }: Parsed<'shop/sales'>,
  { user }: Caller,
): Promise<Answer<'shop/sales'>> {
  const mineOnly = eq(sales.sellerId, user.id)
  const rows = await withAll(ctx.db)
    .where(mineOnly)
    .orderBy(desc(sales.at), desc(sales.orderNo))
    .limit(limits.page)
    .offset((page - 1) * limits.page)
  return {
    sales: rows.map((row) => saleShown(row)),
    total: await ctx.db.$count(sales, mineOnly),
    pageSize: limits.page,
  }
}

/** Sales with what hangs on each. */
export const withAll = (db: Db) =>
  db
    .select({
      sale: sales,
      claim: shopClaims,
      order: { state: orders.state },
      buyer: { nickName: users.nickName },
      listing: { name: listings.name },
    })
    .from(sales)
    .innerJoin(listings, eq(listings.id, sales.listingId))
    .leftJoin(shopClaims, eq(shopClaims.orderNo, sales.orderNo))
    .leftJoin(orders, eq(orders.orderNo, sales.orderNo))
    .leftJoin(users, eq(users.id, sales.buyerId))
    .$dynamic()

type Found = Awaited<ReturnType<typeof withAll>>[number]

export function saleShown({ sale, claim, order, buyer, listing }: Found): Sale {
  const { orderNo, listingId, unit, amount, at, recordAt } = sale
  return {
    ...{ orderNo, listingId, model: listing.name, buyer: buyer?.nickName ?? '', unit, amount },
    ...{ share: shareOf(amount), state: stateOf(sale, order) },
    ...{ at: at.toISOString(), recordAt: recordAt.toISOString() },
    claim: claim && claimShown(claim),
  }
}

/** Those that may be refunded no more; not while a claim is open, nor while the clock is in doubt. */
export const recordDue = (ctx: Context): Promise<void> =>
  whenDue(ctx, async (due) => {
    const rows = await due.db
      .select()
      .from(sales)
      .where(and(eq(sales.state, 'held'), lte(sales.recordAt, due.now()), hasNoClaim(due.db)))
      .orderBy(sales.recordAt)
      .limit(limits.recordsAtOnce)
    for (const sale of rows) await record(due, sale)
  })

async function record(ctx: Context, { orderNo }: SaleRow): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [sale] = await tx
      .update(sales)
      .set({ state: 'recorded' })
      .where(and(eq(sales.orderNo, orderNo), eq(sales.state, 'held'), hasNoClaim(tx)))
      .returning()
    if (!sale) return
    const entry = await entryOf(tx, sale)
    await bookRecorded(tx, entry, ctx.now())
    const { unit } = sale
    const params = { ...entry.note, orderNo, unit, amount: String(shareOf(sale.amount)) }
    await tell(ctx, tx, { userId: sale.sellerId, kind: 'sale_recorded', params })
  })
}

const hasNoClaim = (db: Db) =>
  notExists(
    db
      .select({ id: shopClaims.id })
      .from(shopClaims)
      .where(and(eq(shopClaims.orderNo, sales.orderNo), eq(shopClaims.state, 'open'))),
  )
