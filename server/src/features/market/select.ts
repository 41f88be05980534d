/** The owner orders what one provider offers: an order as any other, and its payment assigns the demand. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { market as limits } from '@neuroloom/contract/limits'
import { nextState } from '@neuroloom/contract/market/states'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { sayer } from '../../infra/texts.ts'
import { users } from '../accounts/tables.ts'
import {
  askInvoice,
  lockMember,
  methodOf,
  methodsOf,
  placeOrder,
  requireCalm,
  requireTime,
  withQr,
} from '../payments/service.ts'
import { type OrderRow, orders, type WorkItem, workOf } from '../payments/tables.ts'
import { reaches } from '../shop/access.ts'
import { requireDataGiveable } from './data.ts'
import { type DemandRow, demandOffers, demands, type OfferRow } from './tables.ts'

export async function select(
  ctx: Context,
  body: Parsed<'offer/select'>,
  caller: Caller,
): Promise<Answer<'offer/select'>> {
  await requireTime(ctx)
  const order = await ctx.db.transaction((tx) => selectIn(ctx, tx, body, caller))
  const say = sayer('letters', order.language)
  const { orderNo, qr, expiresAt } =
    order.qr === '' ? await withQr(ctx, order, say('receipt.whatWork', { work: workOf(order).title })) : order
  return { orderNo, qrCodeUrl: qr, expiresAt: expiresAt.toISOString() }
}

/** The member before the demand, as everywhere. The same wish again is the same order, as long as it can be paid. */
async function selectIn(
  ctx: Context,
  tx: Tx,
  body: Parsed<'offer/select'>,
  caller: Caller,
): Promise<OrderRow> {
  const { user, address } = caller
  const member = await lockMember(tx, user.id)
  if (!member || !reaches(ctx, member, limits.posterLevel)) throw fail('level_too_low')
  const { demand, offer } = await requireOffer(tx, { offerId: body.offerId, ownerId: user.id })
  if (nextState(demand.state, 'assign', 'payment') === null) throw fail('demand_state')
  if (offer.revision !== body.revision) throw fail('offer_changed')
  const isThere = and(eq(users.id, offer.providerId), isNull(users.cancelledAt))
  const [provider] = await tx.select().from(users).where(isThere)
  if (!provider) throw fail('provider_gone')
  await requireDataGiveable(ctx, tx, { demandId: demand.id, owner: member, provider })
  const method = methodOf(body.payMethod)
  if (!methodsOf(ctx).includes(method)) throw fail('method_closed')
  const { id: offerId, revision, providerId, priceFen: amountFen } = offer
  const item: WorkItem = { demandId: demand.id, offerId, revision, providerId, title: demand.title }
  const waiting = and(
    eq(orders.userId, user.id),
    eq(orders.kind, 'work'),
    eq(orders.state, 'waiting'),
    sql`${orders.item} ->> 'demandId' = ${demand.id}`,
  )
  const [before] = await tx.select().from(orders).where(waiting).for('update')
  const isSame =
    before?.amountFen === amountFen &&
    before.method === method &&
    before.expiresAt > ctx.now() &&
    isSameOffer(workOf(before), item)
  if (before && isSame) {
    await askInvoice(ctx, tx, { form: body, order: before })
    return before
  }
  await requireCalm(ctx, tx, user.id)
  if (before) await tx.update(orders).set({ state: 'cancelled' }).where(waiting)
  const order = await placeOrder(ctx, tx, { kind: 'work', item, amountFen, method, caller })
  await askInvoice(ctx, tx, { form: body, order })
  await audit(tx, {
    actor: user.id,
    action: 'offer.select',
    subject: `demand:${demand.id}`,
    address,
    after: { orderNo: order.orderNo, amountFen },
  })
  return order
}

const isSameOffer = (one: WorkItem, other: WorkItem): boolean =>
  one.offerId === other.offerId && one.revision === other.revision

async function requireOffer(
  tx: Tx,
  { offerId, ownerId }: { offerId: string; ownerId: string },
): Promise<{ demand: DemandRow; offer: OfferRow }> {
  const [row] = await tx
    .select({ demand: demands, offer: demandOffers })
    .from(demandOffers)
    .innerJoin(demands, eq(demands.id, demandOffers.demandId))
    .where(and(eq(demandOffers.id, offerId), eq(demands.ownerId, ownerId)))
    .for('share')
  if (!row) throw fail('offer_missing')
  return row
}
