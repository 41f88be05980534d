/** Work among what is sold: paying for a selected offer assigns its demand, and holds the money. */
import { nextState } from '@neuroloom/contract/market/states'
import { yuanText } from '@neuroloom/contract/membership/money'
import { and, eq, isNull, ne } from 'drizzle-orm'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import { type Goods, tell } from '../payments/service.ts'
import { type OrderRow, type WorkItem, workOf } from '../payments/tables.ts'
import { bookPaid, bookWorkRefunded } from './book.ts'
import { giveData } from './data.ts'
import { entryOf, requireOrdered } from './order.ts'
import { type DemandRow, demandOffers, demands, type OfferRow } from './tables.ts'

export const workGoods: Goods = {
  kind: 'work',

  /** Not where the demand is over, its offer was changed, or its provider is gone: then the money goes back by itself. */
  async fulfil(ctx, tx, { order, member, at }) {
    const item = workOf(order)
    // Before the demand: whoever closes an account has its row, and looks at demands then.
    const isThere = await keepProvider(tx, item.providerId)
    const [demand] = await tx.select().from(demands).where(eq(demands.id, item.demandId)).for('update')
    const [offer] = await tx.select().from(demandOffers).where(eq(demandOffers.id, item.offerId))
    if (!isThere || !demand || !offer || !isStill({ demand, offer, item, ownerId: member.id })) return false
    const state = nextState(demand.state, 'assign', 'payment')
    if (state === null) return false
    const { providerId } = offer
    await tx
      .update(demands)
      .set({ state, offerId: offer.id, providerId, orderNo: order.orderNo, assignedAt: at })
      .where(eq(demands.id, demand.id))
    await giveData(ctx, tx, { demandId: demand.id, owner: member, providerId })
    await tellBidders(ctx, tx, { demand, offer })
    return true
  },

  async book(ctx, tx, { order, provider }) {
    await bookPaid(tx, await entryOfOrder(tx, order, order.amountFen), { method: provider, at: ctx.now() })
    const { orderNo } = order
    await ctx.jobs.send(tx, 'payments.letter', { orderNo, kind: 'paid' }, { singletonKey: `paid ${orderNo}` })
  },

  /** What a decision, or a provider who gave up, left to the customer: never by the order alone. */
  async takeBack(ctx, tx, { order, amountFen }) {
    const [demand] = await tx.select().from(demands).where(eq(demands.orderNo, order.orderNo)).for('update')
    const isDecided = demand?.ended === 'decided' || demand?.ended === 'given_up'
    if (!isDecided) throw fail('work_refund')
    await bookWorkRefunded(tx, await entryOfOrder(tx, order, amountFen), ctx.now())
  },
}

async function keepProvider(tx: Tx, providerId: string): Promise<boolean> {
  const [found] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, providerId), isNull(users.cancelledAt)))
    .for('key share')
  return found !== undefined
}

type Selected = { demand: DemandRow; offer: OfferRow; item: WorkItem; ownerId: string }

const isStill = ({ demand, offer, item, ownerId }: Selected): boolean =>
  demand.ownerId === ownerId && offer.demandId === demand.id && offer.revision === item.revision

async function tellBidders(
  ctx: Context,
  tx: Tx,
  { demand, offer }: { demand: DemandRow; offer: OfferRow },
): Promise<void> {
  const { id: demandId, title } = demand
  const params = { title, demandId, amount: yuanText(offer.priceFen) }
  await tell(ctx, tx, { userId: offer.providerId, kind: 'offer_selected', params })
  const others = await tx
    .select({ userId: demandOffers.providerId })
    .from(demandOffers)
    .where(and(eq(demandOffers.demandId, demandId), ne(demandOffers.id, offer.id)))
  for (const { userId } of others)
    await tell(ctx, tx, { userId, kind: 'offer_declined', params: { title, demandId } })
}

async function entryOfOrder(tx: Tx, order: OrderRow, amountFen: number) {
  const [demand] = await tx.select().from(demands).where(eq(demands.orderNo, order.orderNo))
  if (!demand) throw new Error(`The order ${order.orderNo} has no demand`)
  return entryOf(await requireOrdered(tx, demand), amountFen)
}
