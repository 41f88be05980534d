/** What was paid, made true: the order, the books, the points and what was bought, in one transaction and once. */
import { yuanText } from '@neuroloom/contract/membership/money'
import type { PayMethod } from '@neuroloom/contract/membership/orders'
import { and, eq } from 'drizzle-orm'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { post } from '../ledger/service.ts'
import { goodsOf } from './goods.ts'
import { lockMember } from './lock.ts'
import { newNumber } from './number.ts'
import type { Reported } from './provider.ts'
import { type OrderRow, orders, payments, refunds } from './tables.ts'
import { tell } from './tell.ts'

type Told = { method: PayMethod; raw: string; address: string }

/**
 * However often, late or in whichever order it is told. Null = nothing of it is believed: no such order of this provider,
 * another amount, another currency, or a second payment for the same order.
 */
export async function settle(ctx: Context, reported: Reported, told: Told): Promise<OrderRow | null> {
  const { orderNo } = reported
  const [known] = await ctx.db.select().from(orders).where(eq(orders.orderNo, orderNo))
  const why = known ? whyNot(known, reported, told) : 'unknown'
  if (!known || why) return refuse(ctx, orderNo, { why: why ?? 'unknown', address: told.address })
  const outcome = await ctx.db.transaction((tx) => settleIn(ctx, tx, { known, reported, told }))
  return outcome ?? refuse(ctx, orderNo, { why: 'second', address: told.address })
}

function whyNot(order: OrderRow, reported: Reported, { method }: Told): string | null {
  if (order.method !== method) return 'method'
  if (reported.transactionId === '') return 'transaction'
  return reported.amountFen === order.amountFen && reported.currency === 'CNY' ? null : 'amount'
}

async function refuse(
  ctx: Context,
  orderNo: string,
  { why, address }: { why: string; address: string },
): Promise<null> {
  ctx.log.warn({ orderNo, why }, 'what was told of a payment is not believed')
  await audit(ctx.db, { actor: null, action: `payment.${why}`, subject: `order:${orderNo}`, address })
  return null
}

/** The member before the order, as everywhere: so nobody waits for each other. */
async function settleIn(
  ctx: Context,
  tx: Tx,
  { known, reported, told }: { known: OrderRow; reported: Reported; told: Told },
): Promise<OrderRow | null> {
  const member = await lockMember(tx, known.userId)
  const one = eq(orders.orderNo, known.orderNo)
  const [order] = await tx.select().from(orders).where(one).for('update')
  if (!order) return null
  const { transactionId, amountFen } = reported
  const at = reported.paidAt ?? ctx.now()
  const [isNew] = await tx
    .insert(payments)
    .values({ provider: told.method, transactionId, orderNo: order.orderNo, amountFen, raw: told.raw, at })
    .onConflictDoNothing()
    .returning()
  if (!isNew) return (await isPaidBy(tx, { order, transactionId })) ? order : null
  const goods = goodsOf(ctx, order)
  const isOpen = order.state === 'waiting' || order.state === 'expired'
  const isDone = isOpen && member !== null && (await goods.fulfil(ctx, tx, { order, member, at }))
  const state = isDone ? 'paid' : 'returning'
  const [settled] = await tx
    .update(orders)
    .set({ state, paidAt: at, closedAt: order.closedAt ?? ctx.now() })
    .where(one)
    .returning()
  if (!settled) return null
  if (isDone) await goods.book(ctx, tx, { order: settled, provider: told.method })
  else await giveBack(ctx, tx, { order: settled, provider: told.method })
  const { address } = told
  await audit(tx, { actor: null, action: `order.${state}`, subject: `order:${order.orderNo}`, address })
  return settled
}

async function isPaidBy(
  tx: Tx,
  { order, transactionId }: { order: OrderRow; transactionId: string },
): Promise<boolean> {
  const same = and(eq(payments.orderNo, order.orderNo), eq(payments.transactionId, transactionId))
  return (await tx.$count(payments, same)) > 0
}

/** The order was over, or what it was reckoned from has changed: the money goes back by itself. */
async function giveBack(
  ctx: Context,
  tx: Tx,
  { order, provider }: { order: OrderRow; provider: PayMethod },
): Promise<void> {
  const { orderNo, userId, amountFen } = order
  await post(tx, {
    ...{ kind: 'payment_over', source: orderNo, at: ctx.now() },
    postings: [
      { owner: provider, kind: 'outside', unit: 'fen', amount: -amountFen },
      { owner: userId, kind: 'returning', unit: 'fen', amount: amountFen },
    ],
  })
  const refundNo = newNumber(ctx.now())
  await tx.insert(refunds).values({ refundNo, orderNo, amountFen, reason: '', askedAt: ctx.now() })
  await ctx.jobs.send(tx, 'payments.refund', { refundNo }, { singletonKey: refundNo })
  const params = { orderNo, amount: yuanText(amountFen) }
  await tell(ctx, tx, { userId, kind: 'payment_returning', params })
  await ctx.jobs.send(tx, 'payments.letter', { orderNo, kind: 'over' }, { singletonKey: `over ${orderNo}` })
}
