/** What providers are asked, because callbacks get lost: every order that is open there, and money that goes back. */
import { membership as limits } from '@neuroloom/contract/limits'
import { and, asc, eq, gt, inArray, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import { providerOf } from './methods.ts'
import type { Provider } from './provider.ts'
import { sendRefund } from './refund.ts'
import { settle } from './settle.ts'
import { type OrderRow, orders, refunds } from './tables.ts'

export async function reconcile(ctx: Context): Promise<void> {
  const now = ctx.now()
  for (const order of await openAtProviders(ctx)) {
    await ctx.db.update(orders).set({ askedAt: now }).where(eq(orders.orderNo, order.orderNo))
    await lookAt(ctx, order, 'reconciliation')
  }
  const isOver = and(eq(orders.state, 'waiting'), eq(orders.method, 'transfer'), lte(orders.expiresAt, now))
  await ctx.db.update(orders).set({ state: 'expired' }).where(isOver)
  const unsent = await ctx.db
    .select({ refundNo: refunds.refundNo })
    .from(refunds)
    .where(isNull(refunds.sentAt))
    .orderBy(asc(refunds.askedAt))
    .limit(limits.roundSize)
  for (const { refundNo } of unsent) await sendRefund(ctx, refundNo)
}

/** Those that were not asked for longest first. */
const openAtProviders = (ctx: Context): Promise<OrderRow[]> => {
  const ago = (ms: number): Date => new Date(ctx.now().getTime() - ms)
  return ctx.db
    .select()
    .from(orders)
    .where(
      and(
        isNull(orders.closedAt),
        ne(orders.method, 'transfer'),
        inArray(orders.state, ['waiting', 'expired', 'cancelled']),
        gt(orders.createdAt, ago(limits.askedMs)),
        or(isNull(orders.askedAt), lt(orders.askedAt, ago(limits.roundMs))),
      ),
    )
    .orderBy(sql`${orders.askedAt} nulls first`, asc(orders.createdAt))
    .limit(limits.roundSize)
}

/** How one order stands at its provider, made true here; a provider that cannot be asked changes nothing. */
export async function lookAt(ctx: Context, order: OrderRow, address: string): Promise<void> {
  const { orderNo, method } = order
  if (method === 'transfer') return
  try {
    const provider = await providerOf(ctx, method)
    if (provider) await compare(ctx, provider, { order, address })
  } catch (error) {
    ctx.log.warn({ err: error, orderNo }, 'a provider of payments could not be asked')
  }
}

async function compare(
  ctx: Context,
  provider: Provider,
  { order, address }: { order: OrderRow; address: string },
): Promise<void> {
  const { orderNo, method, state, expiresAt } = order
  const reported = await provider.ask(orderNo)
  if (reported?.state === 'paid') {
    await settle(ctx, reported, { method, raw: JSON.stringify(reported), address })
    return
  }
  const isPast = expiresAt <= ctx.now()
  if (!isPast && state === 'waiting') return
  if (reported?.state === 'waiting') await provider.close(orderNo)
  // One that nobody has scanned is unknown there, and can still be scanned until its time is over.
  if (!isPast && reported === null) return
  const isOpen = eq(orders.state, 'waiting')
  await ctx.db
    .update(orders)
    .set({ state: 'expired' })
    .where(and(eq(orders.orderNo, orderNo), isOpen))
  await ctx.db.update(orders).set({ closedAt: ctx.now() }).where(eq(orders.orderNo, orderNo))
}
