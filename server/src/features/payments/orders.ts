/** A member's own orders: how they stand, and giving one up. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { membership as limits } from '@neuroloom/contract/limits'
import { type OrderState, payStates } from '@neuroloom/contract/membership/orders'
import { and, desc, eq, isNull, lt, or } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { bankOf, isTrial, type ProviderMethod } from './methods.ts'
import { lookAt } from './reconcile.ts'
import {
  type InvoiceRow,
  invoices,
  isOfCustom,
  isOfModel,
  isOfWork,
  type OrderRow,
  orders,
  type RefundRow,
  refunds,
  type TermRow,
  terms,
} from './tables.ts'

/** What a page asks every few seconds; the provider is asked less often, so that no callback has to reach this server. */
export const payState =
  (method: ProviderMethod) =>
  async (
    ctx: Context,
    { orderNo }: { orderNo: string },
    { user, address }: Caller,
  ): Promise<Answer<'payment/alipay/payState'>> => {
    const one = and(eq(orders.orderNo, orderNo), eq(orders.userId, user.id), eq(orders.method, method))
    const [order] = await ctx.db.select().from(orders).where(one)
    if (!order) throw fail('order_missing')
    if (order.state !== 'waiting') return payStates[order.state]
    const before = new Date(ctx.now().getTime() - limits.askAgainMs)
    const isDue = or(isNull(orders.askedAt), lt(orders.askedAt, before))
    const [taken] = await ctx.db.update(orders).set({ askedAt: ctx.now() }).where(and(one, isDue)).returning()
    if (taken) await lookAt(ctx, taken, address)
    const [now] = await ctx.db.select().from(orders).where(one)
    return payStates[stateAt(now ?? order, ctx.now())]
  }

/** An order past its time is over, also before anybody has written that down. */
export const stateAt = ({ state, expiresAt }: OrderRow, now: Date): OrderState =>
  state === 'waiting' && expiresAt <= now ? 'expired' : state

export async function own(
  ctx: Context,
  { page }: Parsed<'payment/orders'>,
  { user }: Caller,
): Promise<Answer<'payment/orders'>> {
  const mine = eq(orders.userId, user.id)
  const found = await withAll(ctx.db)
    .where(mine)
    .orderBy(desc(orders.createdAt), desc(orders.orderNo))
    .limit(limits.page)
    .offset((page - 1) * limits.page)
  return {
    orders: found.map((all) => shown(all, ctx.now())),
    total: await ctx.db.$count(orders, mine),
    pageSize: limits.page,
    bank: bankOf(ctx),
    isTrial: isTrial(ctx.config),
  }
}

export type OrderWithAll = {
  orders: OrderRow
  invoices: InvoiceRow | null
  refunds: RefundRow | null
  terms: TermRow | null
}

/** Orders with what hangs on each. */
export const withAll = (db: Db) =>
  db
    .select({ orders, invoices, refunds, terms })
    .from(orders)
    .leftJoin(invoices, eq(invoices.orderNo, orders.orderNo))
    .leftJoin(refunds, eq(refunds.orderNo, orders.orderNo))
    .leftJoin(terms, eq(terms.orderNo, orders.orderNo))
    .$dynamic()

export function shown(
  { orders: order, invoices: invoice, refunds: refund, terms: term }: OrderWithAll,
  now: Date,
) {
  const state = stateAt(order, now)
  return {
    orderNo: order.orderNo,
    kind: order.kind,
    ...goodsShown(order),
    amountFen: order.amountFen,
    method: order.method,
    state,
    createdAt: order.createdAt.toISOString(),
    expiresAt: order.expiresAt.toISOString(),
    paidAt: order.paidAt?.toISOString() ?? null,
    from: term?.from.toISOString() ?? null,
    until: term?.until?.toISOString() ?? null,
    refundedFen: refund?.amountFen ?? 0,
    qrCodeUrl: state === 'waiting' ? order.qr : '',
    invoice: invoice && shownInvoice(invoice, order.amountFen),
  }
}

function goodsShown({ item }: OrderRow) {
  const none = { level: 0, years: 0, creditFen: 0, model: null, work: null, custom: null }
  if (isOfModel(item)) return { ...none, model: { id: item.listingId, name: item.name } }
  if (isOfWork(item)) return { ...none, work: { id: item.demandId, name: item.title } }
  if (isOfCustom(item)) return { ...none, custom: { id: item.taskId, kind: item.kind, title: item.title } }
  const { level, years, creditFen } = item
  return { ...none, level, years, creditFen }
}

export function shownInvoice({ userId: _, askedAt, decidedAt, ...invoice }: InvoiceRow, amountFen: number) {
  return {
    ...invoice,
    amountFen,
    askedAt: askedAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  }
}

/** The provider is asked first: what is paid already stays paid. Money that comes afterwards goes back. */
export async function cancel(
  ctx: Context,
  { orderNo }: Parsed<'payment/cancel'>,
  { user, address }: Caller,
): Promise<Answer<'payment/cancel'>> {
  const one = and(eq(orders.orderNo, orderNo), eq(orders.userId, user.id))
  const [order] = await ctx.db.select().from(orders).where(one)
  if (!order) throw fail('order_missing')
  if (order.state === 'waiting') await lookAt(ctx, order, address)
  const [cancelled] = await ctx.db
    .update(orders)
    .set({ state: 'cancelled' })
    .where(and(one, eq(orders.state, 'waiting')))
    .returning()
  const [now] = await withAll(ctx.db).where(one)
  if (!now) throw fail('order_missing')
  if (!cancelled) throw fail(now.orders.state === 'paid' ? 'order_paid' : 'order_over')
  await lookAt(ctx, cancelled, address)
  return shown(now, ctx.now())
}
