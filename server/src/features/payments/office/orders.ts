/** Orders as administrators see them, and what they decide. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { membership as limits } from '@neuroloom/contract/limits'
import { worthOf } from '@neuroloom/contract/membership/offer'
import type { OfficeOrder, OrderState } from '@neuroloom/contract/membership/orders'
import { and, count, desc, eq, gt, ilike, lte, or, type SQL } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { containing } from '../../../infra/db.ts'
import { users } from '../../accounts/tables.ts'
import { type OrderWithAll, shown } from '../orders.ts'
import { requireTime } from '../place.ts'
import type { Reported } from '../provider.ts'
import { askRefund, returned as markReturned } from '../refund.ts'
import { settle } from '../settle.ts'
import { invoices, isOfPlan, orders, payments, refunds, terms } from '../tables.ts'

export async function list(
  ctx: Context,
  { search, state, method, page }: Parsed<'office/orders'>,
  { user }: Caller,
): Promise<Answer<'office/orders'>> {
  const wanted = and(
    search === '' ? undefined : matches(search),
    state === null ? undefined : isIn(state, ctx.now()),
    method === null ? undefined : eq(orders.method, method),
  )
  const found = await withMembers(ctx, wanted)
    .orderBy(desc(orders.createdAt), desc(orders.orderNo))
    .limit(limits.page)
    .offset((page - 1) * limits.page)
  return {
    orders: found.map((one) => shownToOffice(one, { viewer: user, now: ctx.now() })),
    total: await countOf(ctx, wanted),
    pageSize: limits.page,
  }
}

async function one(ctx: Context, orderNo: string, { user }: Caller): Promise<Answer<'office/refund'>> {
  const [found] = await withMembers(ctx, eq(orders.orderNo, orderNo))
  if (!found) throw fail('order_missing')
  return shownToOffice(found, { viewer: user, now: ctx.now() })
}

/** The amount is typed from the statement: a transfer of another amount is no payment of this order. */
export async function confirmTransfer(
  ctx: Context,
  { orderNo, reference, amountFen }: Parsed<'office/confirmTransfer'>,
  caller: Caller,
): Promise<Answer<'office/confirmTransfer'>> {
  const { user, address } = caller
  const [order] = await ctx.db.select().from(orders).where(eq(orders.orderNo, orderNo))
  if (order?.method !== 'transfer') throw fail('order_missing')
  // Nobody is the judge of an own case.
  if (order.userId === user.id) throw fail('not_allowed')
  if (order.state === 'paid') throw fail('order_paid')
  if (order.state === 'returning' || order.state === 'refunded') throw fail('order_over')
  if (amountFen !== order.amountFen) throw fail('amount_differs')
  await requireTime(ctx)
  const reported: Reported = {
    orderNo,
    state: 'paid',
    transactionId: reference,
    amountFen,
    currency: 'CNY',
    paidAt: ctx.now(),
  }
  const raw = JSON.stringify({ reference, amountFen, confirmedBy: user.id })
  if (!(await settle(ctx, reported, { method: 'transfer', raw, address }))) throw fail('transfer_known')
  return one(ctx, orderNo, caller)
}

export async function refund(
  ctx: Context,
  body: Parsed<'office/refund'>,
  caller: Caller,
): Promise<Answer<'office/refund'>> {
  await askRefund(ctx, body, caller)
  return one(ctx, body.orderNo, caller)
}

export async function returned(
  ctx: Context,
  body: Parsed<'office/returned'>,
  caller: Caller,
): Promise<Answer<'office/returned'>> {
  await markReturned(ctx, body, caller)
  return one(ctx, body.orderNo, caller)
}

type Found = OrderWithAll & {
  payments: typeof payments.$inferSelect | null
  users: typeof users.$inferSelect | null
}

const withMembers = (ctx: Context, wanted: SQL | undefined) =>
  ctx.db
    .select({ orders, invoices, refunds, terms, payments, users })
    .from(orders)
    .leftJoin(invoices, eq(invoices.orderNo, orders.orderNo))
    .leftJoin(refunds, eq(refunds.orderNo, orders.orderNo))
    .leftJoin(terms, eq(terms.orderNo, orders.orderNo))
    .leftJoin(payments, eq(payments.orderNo, orders.orderNo))
    .leftJoin(users, eq(users.id, orders.userId))
    .where(wanted)
    .$dynamic()

async function countOf(ctx: Context, wanted: SQL | undefined): Promise<number> {
  const [row] = await ctx.db
    .select({ total: count() })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.userId))
    .where(wanted)
  return row?.total ?? 0
}

const matches = (search: string): SQL | undefined => {
  const columns = [users.emailKey, users.phoneKey, users.nickName, users.name]
  return or(eq(orders.orderNo, search), ...columns.map((column) => ilike(column, containing(search))))
}

/** As members see it: past its time an order is over, also before that is written down. */
function isIn(state: OrderState, now: Date): SQL | undefined {
  const isWaiting = eq(orders.state, 'waiting')
  if (state === 'waiting') return and(isWaiting, gt(orders.expiresAt, now))
  if (state === 'expired') return or(eq(orders.state, state), and(isWaiting, lte(orders.expiresAt, now)))
  return eq(orders.state, state)
}

function shownToOffice(
  { payments: payment, users: member, ...all }: Found,
  { viewer, now }: { viewer: { id: string }; now: Date },
): OfficeOrder {
  const term = all.terms?.endedAt === null ? all.terms : null
  const unused = term ? worthOf(term, now) : 0
  return {
    ...shown(all, now),
    account: member?.emailKey ?? member?.phoneKey ?? '',
    nickName: member?.nickName ?? '',
    isOwn: all.orders.userId === viewer.id,
    transactions: payment
      ? [{ id: payment.transactionId, amountFen: payment.amountFen, at: payment.at.toISOString() }]
      : [],
    // All but a plan goes back as a whole.
    unusedFen: isOfPlan(all.orders.item) ? Math.min(unused, all.orders.amountFen) : all.orders.amountFen,
    refundReason: all.refunds?.reason ?? '',
    refundProblem: all.refunds?.problem ?? '',
  }
}
