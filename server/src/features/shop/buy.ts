/** Getting a model: for nothing, by points, by money, or in a free place of the membership. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { shop as limits } from '@neuroloom/contract/limits'
import { fenOf } from '@neuroloom/contract/membership/money'
import { shopRules } from '@neuroloom/contract/shop/words'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { Failure, fail } from '../../http/fail.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { sayer } from '../../infra/texts.ts'
import type { UserRow } from '../accounts/tables.ts'
import { balanceOf } from '../ledger/service.ts'
import {
  askInvoice,
  bookSale,
  isTrial,
  lockMember,
  methodOf,
  methodsOf,
  newNumber,
  placeOrder,
  requireCalm,
  requireTime,
  withQr,
} from '../payments/service.ts'
import { type ModelItem, modelOf, type OrderRow, orders } from '../payments/tables.ts'
import { requireRoomToShare } from '../plans/access.ts'
import { placesOf, reaches, requireListing } from './access.ts'
import { addSale, entryOf, hold } from './goods.ts'
import { shownById } from './show.ts'
import { holdings, type ListingRow, listings } from './tables.ts'

export async function methods(ctx: Context): Promise<Answer<'shop/methods'>> {
  return { methods: methodsOf(ctx), isTrial: isTrial(ctx.config) }
}

export async function buy(
  ctx: Context,
  body: Parsed<'shop/buy'>,
  caller: Caller,
): Promise<Answer<'shop/buy'>> {
  await requireOffered(ctx, await requireListing(ctx, caller.user, body.id))
  await requireTime(ctx)
  const order = await ctx.db.transaction((tx) => buyIn(ctx, tx, body, caller))
  if (!order) return {}
  const say = sayer('letters', order.language)
  const { orderNo, qr, expiresAt } = order.qr
    ? order
    : await withQr(ctx, order, say('receipt.whatModel', { model: modelOf(order).name }))
  return { orderNo, qrCodeUrl: qr, expiresAt: expiresAt.toISOString() }
}

/** Null where it is done at once. */
async function buyIn(
  ctx: Context,
  tx: Tx,
  body: Parsed<'shop/buy'>,
  caller: Caller,
): Promise<OrderRow | null> {
  const { member, row } = await requireBuyer(ctx, tx, { id: body.id, caller })
  if (body.priceYuan !== row.priceYuan) throw fail('price_changed')
  if (body.acceptRules !== shopRules) throw fail('rules_changed')
  const item = {
    listingId: row.id,
    version: row.version,
    name: row.name,
    sellerId: row.sellerId,
    rules: shopRules,
  }
  const { address } = caller
  await audit(tx, { actor: member.id, action: 'listing.buy', subject: `listing:${row.id}`, address })
  if (row.priceYuan === 0) {
    await hold(ctx, tx, { listingId: row.id, userId: member.id, way: 'free' })
    return null
  }
  if (body.by === 'points') {
    await byPoints(ctx, tx, { member, row, item })
    return null
  }
  return byMoney(ctx, tx, { body, row, item, caller })
}

type Bought = { row: ListingRow; item: ModelItem }

async function byPoints(
  ctx: Context,
  tx: Tx,
  { member, row, item }: Bought & { member: UserRow },
): Promise<void> {
  const have = await balanceOf(tx, { owner: member.id, kind: 'points', unit: 'point' })
  const need = row.priceYuan
  if (have < need) throw fail('points_too_few', { have, need })
  const orderNo = newNumber(ctx.now())
  const sale = await addSale(ctx, tx, { item, orderNo, buyerId: member.id, unit: 'point', amount: need })
  await bookSale(tx, await entryOf(tx, sale), { provider: member.id, at: ctx.now() })
  await hold(ctx, tx, { listingId: row.id, userId: member.id, way: 'points', orderNo })
}

/** The same wish again is the same order, as long as it can be paid. */
async function byMoney(
  ctx: Context,
  tx: Tx,
  { body, row, item, caller }: Bought & { body: Parsed<'shop/buy'>; caller: Caller },
): Promise<OrderRow> {
  const method = methodOf(body.payMethod)
  if (!methodsOf(ctx).includes(method)) throw fail('method_closed')
  const amountFen = fenOf(row.priceYuan)
  const waiting = and(
    eq(orders.userId, caller.user.id),
    eq(orders.kind, 'model'),
    eq(orders.state, 'waiting'),
    sql`${orders.item} ->> 'listingId' = ${row.id}`,
  )
  const [before] = await tx.select().from(orders).where(waiting).for('update')
  const isSame = before?.amountFen === amountFen && before.method === method && before.expiresAt > ctx.now()
  if (before && isSame) {
    await askInvoice(ctx, tx, { form: body, order: before })
    return before
  }
  await requireCalm(ctx, tx, caller.user.id)
  if (before) await tx.update(orders).set({ state: 'cancelled' }).where(waiting)
  const order = await placeOrder(ctx, tx, { kind: 'model', item, amountFen, method, caller })
  await askInvoice(ctx, tx, { form: body, order })
  return order
}

/** The member before the listing, as everywhere. Visitors neither share nor buy (design 4.2). */
async function requireBuyer(
  ctx: Context,
  tx: Tx,
  { id, caller }: { id: string; caller: Caller },
): Promise<{ member: UserRow; row: ListingRow }> {
  const member = await lockMember(tx, caller.user.id)
  if (!member) throw fail('not_allowed')
  const [row] = await tx.select().from(listings).where(eq(listings.id, id)).for('share')
  if (!row) throw fail('listing_missing')
  if (row.sellerId === member.id) throw fail('own_listing')
  if (row.state !== 'listed') throw fail('listing_closed')
  if (!reaches(ctx, member, limits.buyerLevel)) throw fail('level_too_low')
  const [held] = await tx
    .select()
    .from(holdings)
    .where(and(eq(holdings.listingId, id), eq(holdings.userId, member.id)))
  if (held && held.way !== 'place') throw fail('model_held')
  return { member, row }
}

/**
 * What a seller's level does not share any more nobody gets (design 4.19). In a transaction of its own: it locks the seller,
 * and two who buy from each other must not wait for each other.
 */
async function requireOffered(ctx: Context, { id, sellerId }: ListingRow): Promise<void> {
  const ask = (tx: Tx) => requireRoomToShare(ctx, tx, { ownerId: sellerId, id })
  await ctx.db.transaction(ask).catch((error: unknown) => {
    throw error instanceof Failure ? fail('listing_closed') : error
  })
}

/** A place is given to another model at the earliest thirty days after it was given to this one (design 4.21). */
export async function place(
  ctx: Context,
  { id, instead }: Parsed<'shop/place'>,
  caller: Caller,
): Promise<Answer<'shop/place'>> {
  await requireOffered(ctx, await requireListing(ctx, caller.user, id))
  await ctx.db.transaction(async (tx) => {
    const { member } = await requireBuyer(ctx, tx, { id, caller })
    const most = placesOf(ctx, member)
    if (most === 0) throw fail('place_none')
    const mine = and(eq(holdings.userId, member.id), eq(holdings.way, 'place'))
    const taken = await tx.select().from(holdings).where(mine).orderBy(asc(holdings.since))
    if (taken.some(({ listingId }) => listingId === id)) throw fail('model_held')
    if (most !== null && taken.length >= most) await giveUp(ctx, tx, { taken, instead, most })
    await tx.insert(holdings).values({ listingId: id, userId: member.id, way: 'place', since: ctx.now() })
    const { address } = caller
    await audit(tx, { actor: member.id, action: 'listing.place', subject: `listing:${id}`, address })
  })
  return shownById(ctx, caller.user, id)
}

type Given = { taken: (typeof holdings.$inferSelect)[]; instead: string | null; most: number }

async function giveUp(ctx: Context, tx: Tx, { taken, instead, most }: Given): Promise<void> {
  const other = taken.find(({ listingId }) => listingId === instead)
  // More are taken than the level has where it fell: those beyond it may go at any time.
  const isBeyond = other !== undefined && taken.indexOf(other) >= most
  if (!other || (taken.length > most && !isBeyond)) throw fail('place_taken', { most })
  const freeFrom = new Date(other.since.getTime() + limits.placeMs)
  if (!isBeyond && freeFrom > ctx.now())
    throw fail('place_too_soon', { date: freeFrom.toISOString().slice(0, 10) })
  await tx
    .delete(holdings)
    .where(and(eq(holdings.userId, other.userId), eq(holdings.listingId, other.listingId)))
}
