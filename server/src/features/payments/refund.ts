/** Money that goes back: asked for by an administrator, or by itself where it came for an order that was over. */
import type { Parsed } from '@neuroloom/contract/calls'
import { yuanText } from '@neuroloom/contract/membership/money'
import { and, eq, isNull } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { post } from '../ledger/service.ts'
import { goodsOf } from './goods.ts'
import { lockMember } from './lock.ts'
import { providerOf } from './methods.ts'
import { newNumber } from './number.ts'
import { invoices, type OrderRow, orders, payments, type RefundRow, refunds } from './tables.ts'
import { tell } from './tell.ts'

/** By an administrator. What the order gave ends at once; the money follows, however often that has to be tried. */
export async function askRefund(
  ctx: Context,
  { orderNo, amountFen, reason }: Parsed<'office/refund'>,
  { user, address }: Caller,
): Promise<void> {
  const [known] = await ctx.db.select().from(orders).where(eq(orders.orderNo, orderNo))
  if (!known) throw fail('order_missing')
  // Nobody is the judge of an own case.
  if (known.userId === user.id) throw fail('not_allowed')
  await ctx.db.transaction(async (tx) => {
    await refundIn(ctx, tx, { userId: known.userId, orderNo, amountFen, reason, askedBy: user.id })
    await audit(tx, {
      actor: user.id,
      action: 'order.refund',
      subject: `order:${orderNo}`,
      address,
      before: { state: 'paid' },
      after: { state: 'returning', amountFen: amountFen ?? known.amountFen },
    })
  })
}

type Asked = {
  userId: string
  orderNo: string
  /** Null = all of it. */
  amountFen: number | null
  reason: string
  /** Null = by the rules. */
  askedBy: string | null
}

export async function refundIn(
  ctx: Context,
  tx: Tx,
  { userId, orderNo, amountFen: part, reason, askedBy }: Asked,
): Promise<void> {
  const member = await lockMember(tx, userId)
  const one = eq(orders.orderNo, orderNo)
  const [order] = await tx.select().from(orders).where(one).for('update')
  if (order?.state !== 'paid') throw fail('order_over')
  const amountFen = part ?? order.amountFen
  if (amountFen > order.amountFen) throw fail('refund_too_much')
  await goodsOf(ctx, order).takeBack(ctx, tx, { order, member, amountFen, reason })
  await tx.update(orders).set({ state: 'returning' }).where(one)
  const refundNo = newNumber(ctx.now())
  await tx.insert(refunds).values({ refundNo, orderNo, amountFen, reason, askedBy, askedAt: ctx.now() })
  await tx
    .update(invoices)
    .set({ state: 'void', decidedAt: ctx.now() })
    .where(and(eq(invoices.orderNo, orderNo), eq(invoices.state, 'asked')))
  await ctx.jobs.send(tx, 'payments.refund', { refundNo }, { singletonKey: refundNo })
}

/** Asks the provider, by a number that makes it the same refund however often; one that failed is tried again later. */
export async function sendRefund(ctx: Context, refundNo: string): Promise<void> {
  const [row] = await ctx.db
    .select({ refund: refunds, order: orders, payment: payments })
    .from(refunds)
    .innerJoin(orders, eq(orders.orderNo, refunds.orderNo))
    .innerJoin(payments, eq(payments.orderNo, refunds.orderNo))
    .where(and(eq(refunds.refundNo, refundNo), isNull(refunds.sentAt)))
  if (!row || row.order.method === 'transfer') return
  const { refund, order, payment } = row
  try {
    const provider = await providerOf(ctx, row.order.method)
    if (!provider) throw new Error('this way of paying is not set up any more')
    const { orderNo, amountFen, reason } = refund
    // Providers take no empty reason.
    const why = reason === '' ? orderNo : reason
    const asked = { orderNo, refundNo, amountFen, totalFen: payment.amountFen, reason: why }
    if ((await provider.refund(asked)) === 'pending') return
    await ctx.db.transaction((tx) => markSent(ctx, tx, { refund, order, reference: '' }))
  } catch (error) {
    ctx.log.warn({ err: error, refundNo }, 'a refund failed; it is tried again')
    const problem = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
    await ctx.db.update(refunds).set({ problem }).where(eq(refunds.refundNo, refundNo))
  }
}

/** By the administrator who sent a bank transfer back. */
export async function returned(
  ctx: Context,
  { orderNo, reference }: Parsed<'office/returned'>,
  { user, address }: Caller,
): Promise<void> {
  const [row] = await ctx.db
    .select({ refund: refunds, order: orders })
    .from(refunds)
    .innerJoin(orders, eq(orders.orderNo, refunds.orderNo))
    .where(eq(refunds.orderNo, orderNo))
  if (!row) throw fail('order_missing')
  if (row.order.userId === user.id) throw fail('not_allowed')
  if (row.order.method !== 'transfer') throw fail('order_over')
  await ctx.db.transaction(async (tx) => {
    if (!(await markSent(ctx, tx, { ...row, reference }))) throw fail('order_over')
    await audit(tx, { actor: user.id, action: 'order.returned', subject: `order:${orderNo}`, address })
  })
}

/** Once: false when it was sent before. */
async function markSent(
  ctx: Context,
  tx: Tx,
  { refund, order, reference }: { refund: RefundRow; order: OrderRow; reference: string },
): Promise<boolean> {
  const { refundNo, amountFen, orderNo } = refund
  const { userId } = order
  const [sent] = await tx
    .update(refunds)
    .set({ sentAt: ctx.now(), reference, problem: '' })
    .where(and(eq(refunds.refundNo, refundNo), isNull(refunds.sentAt)))
    .returning()
  if (!sent) return false
  await tx.update(orders).set({ state: 'refunded' }).where(eq(orders.orderNo, orderNo))
  await post(tx, {
    ...{ kind: 'refund_sent', source: orderNo, at: ctx.now() },
    postings: [
      { owner: userId, kind: 'returning', unit: 'fen', amount: -amountFen },
      { owner: order.method, kind: 'outside', unit: 'fen', amount: amountFen },
    ],
  })
  const params = { orderNo, amount: yuanText(amountFen) }
  await tell(ctx, tx, { userId, kind: 'order_refunded', params })
  const key = `refunded ${orderNo}`
  await ctx.jobs.send(tx, 'payments.letter', { orderNo, kind: 'refunded' }, { singletonKey: key })
  return true
}
