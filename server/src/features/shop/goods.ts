/** Models among what is sold. */
import { shop as limits } from '@neuroloom/contract/limits'
import { and, eq } from 'drizzle-orm'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import type { Unit } from '../ledger/tables.ts'
import { bookRefunded, bookSale, type Goods, type Sale, shareOf, tell } from '../payments/service.ts'
import { type ModelItem, modelOf } from '../payments/tables.ts'
import { holdings, listings, type SaleRow, sales, shopClaims } from './tables.ts'

export const modelGoods: Goods = {
  kind: 'model',

  /** Nobody pays twice for one model, nor for one that was taken out meanwhile. */
  async fulfil(ctx, tx, { order, member }) {
    const item = modelOf(order)
    const { listingId } = item
    const [row] = await tx.select().from(listings).where(eq(listings.id, listingId)).for('share')
    if (!row || (row.state !== 'listed' && row.state !== 'hidden')) return false
    const { orderNo, amountFen: amount } = order
    if (!(await hold(ctx, tx, { listingId, userId: member.id, way: 'money', orderNo }))) return false
    await addSale(ctx, tx, { item, orderNo, buyerId: member.id, unit: 'fen', amount })
    return true
  },

  async book(ctx, tx, { order, provider }) {
    const sale = await requireSale(tx, order.orderNo)
    await bookSale(tx, await entryOf(tx, sale), { provider, at: ctx.now() })
    const { orderNo } = order
    await ctx.jobs.send(tx, 'payments.letter', { orderNo, kind: 'paid' }, { singletonKey: `paid ${orderNo}` })
  },

  /** All of it or nothing, and only until the seller's part is recorded. */
  async takeBack(ctx, tx, { order, amountFen }) {
    if (amountFen !== order.amountFen) throw fail('amount_differs')
    await undo(ctx, tx, await requireSale(tx, order.orderNo))
  },
}

type Sold = Pick<SaleRow, 'orderNo' | 'buyerId' | 'unit' | 'amount'> & { item: ModelItem }

export async function addSale(ctx: Context, tx: Tx, { item, ...sold }: Sold): Promise<SaleRow> {
  const { name: model, ...of } = item
  const at = ctx.now()
  const recordAt = new Date(at.getTime() + limits.refundMs)
  const [sale] = await tx
    .insert(sales)
    .values({ ...of, ...sold, state: 'held', at, recordAt })
    .returning()
  if (!sale) throw new Error('The sale was not written')
  const { listingId, sellerId, orderNo, unit, amount } = sale
  const params = { model, listingId, orderNo, unit, amount: String(shareOf(amount)) }
  await tell(ctx, tx, { userId: sellerId, kind: 'model_sold', params })
  return sale
}

type Held = {
  listingId: string
  userId: string
  way: 'money' | 'points' | 'free' | 'given'
  orderNo?: string
}

/** What is bought takes the place of a free one; false where the member has it for good. */
export async function hold(ctx: Context, tx: Tx, held: Held): Promise<boolean> {
  const { listingId, userId } = held
  await tx
    .delete(holdings)
    .where(and(eq(holdings.listingId, listingId), eq(holdings.userId, userId), eq(holdings.way, 'place')))
  const rows = await tx
    .insert(holdings)
    .values({ ...held, since: ctx.now() })
    .onConflictDoNothing()
    .returning()
  return rows.length > 0
}

/** The sale is as if it had not been: its money or points go back, and the model with them. */
export async function undo(ctx: Context, tx: Tx, { orderNo }: SaleRow): Promise<void> {
  const [sale] = await tx
    .update(sales)
    .set({ state: 'refunded' })
    .where(and(eq(sales.orderNo, orderNo), eq(sales.state, 'held')))
    .returning()
  if (!sale) throw fail('order_over')
  await tx.delete(holdings).where(eq(holdings.orderNo, orderNo))
  // Where an administrator gave the money back by the order, an open claim has what it asked for.
  await tx
    .update(shopClaims)
    .set({ state: 'granted', decidedAt: ctx.now() })
    .where(and(eq(shopClaims.orderNo, orderNo), eq(shopClaims.state, 'open')))
  const entry = await entryOf(tx, sale)
  await bookRefunded(tx, entry, ctx.now())
  const params = { ...entry.note, orderNo }
  await tell(ctx, tx, { userId: sale.sellerId, kind: 'sale_refunded', params })
}

async function requireSale(db: Db, orderNo: string): Promise<SaleRow> {
  const [sale] = await db.select().from(sales).where(eq(sales.orderNo, orderNo))
  if (!sale) throw new Error(`The order ${orderNo} has no sale`)
  return sale
}

/** What the books need of a sale. */
export async function entryOf(db: Db, sale: SaleRow): Promise<Sale> {
  const { orderNo, buyerId, sellerId, amount, listingId } = sale
  const [row] = await db.select({ name: listings.name }).from(listings).where(eq(listings.id, listingId))
  const unit: Unit = sale.unit
  return { orderNo, buyerId, sellerId, unit, amount, note: { model: row?.name ?? '', listingId } }
}
