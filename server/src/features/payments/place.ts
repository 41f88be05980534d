/** Making an order, whatever of. */
import { due, membership as limits } from '@neuroloom/contract/limits'
import { type PayMethod, payMethodNames, payMethods } from '@neuroloom/contract/membership/orders'
import { and, eq, gt } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { clockState } from '../../infra/due.ts'
import { notifyUrl, providerOf } from './methods.ts'
import { newNumber } from './number.ts'
import { type OrderRow, orders } from './tables.ts'

/** Nothing is promised by a clock that nobody believes: what is bought ends at a date. */
export async function requireTime(ctx: Context): Promise<void> {
  const { newest, now, isInDoubt } = await clockState(ctx)
  const isBehind = newest.getTime() - now.getTime() > due.jumpMs
  if (isInDoubt || isBehind) throw fail('clock_doubtful')
}

export async function requireCalm(ctx: Context, tx: Tx, userId: string): Promise<void> {
  const since = new Date(ctx.now().getTime() - limits.ordersMs)
  const recent = await tx.$count(orders, and(eq(orders.userId, userId), gt(orders.createdAt, since)))
  if (recent >= limits.orders) throw fail('rate_limited')
}

type Placed = Pick<OrderRow, 'kind' | 'item' | 'amountFen' | 'method'> & { caller: Caller }

/** What costs nothing is paid. */
export async function placeOrder(ctx: Context, tx: Tx, { caller, ...placed }: Placed): Promise<OrderRow> {
  const now = ctx.now()
  const livesMs = placed.method === 'transfer' ? limits.transferMs : limits.orderMs
  const [order] = await tx
    .insert(orders)
    .values({
      ...placed,
      ...{ orderNo: newNumber(now), userId: caller.user.id, language: caller.language },
      ...{ createdAt: now, expiresAt: new Date(now.getTime() + livesMs) },
      ...(placed.amountFen === 0 ? { state: 'paid', paidAt: now, closedAt: now } : { state: 'waiting' }),
    })
    .returning()
  if (!order) throw new Error('The order was not written')
  return order
}

export function methodOf(number: number): PayMethod {
  const method = payMethodNames.find((name) => payMethods[name] === number)
  // The schema lets no other number through.
  if (!method) throw fail('method_closed')
  return method
}

/** Asked outside of the transaction: a provider may take its time. What it refuses is no order. */
export async function withQr(ctx: Context, order: OrderRow, subject: string): Promise<OrderRow> {
  const { orderNo, amountFen, expiresAt, method } = order
  if (method === 'transfer') return order
  const one = and(eq(orders.orderNo, orderNo), eq(orders.state, 'waiting'))
  try {
    const provider = await providerOf(ctx, method)
    if (!provider) throw fail('method_closed')
    const asked = { orderNo, amountFen, subject, expiresAt, notifyUrl: notifyUrl(ctx, method) }
    const qr = await provider.request(asked)
    await ctx.db.update(orders).set({ qr }).where(one)
    return { ...order, qr }
  } catch (error) {
    ctx.log.warn({ err: error, orderNo }, 'a provider of payments refused an order')
    await ctx.db.update(orders).set({ state: 'cancelled' }).where(one)
    throw fail('payment_unreachable')
  }
}
