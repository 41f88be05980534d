/** Offers of service providers to open demands; changeable until one is ordered. */
import { roles } from '@neuroloom/contract/accounts/roles'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { market as limits } from '@neuroloom/contract/limits'
import { nextState } from '@neuroloom/contract/market/states'
import { yuanText } from '@neuroloom/contract/membership/money'
import { and, eq } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { tell } from '../payments/service.ts'
import { lockDemand } from './access.ts'
import { shownById } from './show.ts'
import { type DemandRow, demandOffers, demands, type OfferRow } from './tables.ts'

export async function save(
  ctx: Context,
  { demandId, ...said }: Parsed<'offer/save'>,
  { user }: Caller,
): Promise<Answer<'offer/save'>> {
  if (user.role !== roles.provider) throw fail('not_allowed')
  await ctx.db.transaction(async (tx) => {
    const demand = await lockDemand(tx, demandId)
    if (demand.ownerId === user.id) throw fail('own_demand')
    if (nextState(demand.state, 'offer', 'bidder') === null) throw fail('demand_state')
    const before = await ownOffer(tx, demandId, user.id)
    if (before) await change(ctx, tx, { before, said })
    else await add(ctx, tx, { demandId, providerId: user.id, said })
    const kind = before ? 'offer_changed' : 'offer_received'
    const { ownerId, title } = demand
    const params = { member: user.nickName, title, demandId, amount: yuanText(said.priceFen) }
    await tell(ctx, tx, { userId: ownerId, kind, params })
  })
  return shownById(ctx, user, demandId)
}

type Said = Omit<Parsed<'offer/save'>, 'demandId'>

async function change(
  ctx: Context,
  tx: Tx,
  { before, said }: { before: OfferRow; said: Said },
): Promise<void> {
  await tx
    .update(demandOffers)
    .set({ ...said, revision: before.revision + 1, at: ctx.now() })
    .where(eq(demandOffers.id, before.id))
}

async function add(
  ctx: Context,
  tx: Tx,
  { demandId, providerId, said }: { demandId: string; providerId: string; said: Said },
): Promise<void> {
  const open = tx
    .select({ id: demandOffers.id })
    .from(demandOffers)
    .innerJoin(demands, eq(demands.id, demandOffers.demandId))
    .where(and(eq(demandOffers.providerId, providerId), eq(demands.state, 'open')))
  const limit = limits.openOffers
  if ((await tx.$count(open.as('open'))) >= limit) throw fail('offer_limit', { limit })
  await tx
    .insert(demandOffers)
    .values({ ...said, id: newId(), demandId, providerId, revision: 1, at: ctx.now() })
}

export async function remove(
  ctx: Context,
  { demandId }: Parsed<'offer/remove'>,
  { user }: Caller,
): Promise<Answer<'offer/remove'>> {
  await ctx.db.transaction(async (tx) => {
    const demand = await lockDemand(tx, demandId)
    const offer = await ownOffer(tx, demandId, user.id)
    if (!offer) throw fail('offer_missing')
    if (nextState(demand.state, 'offer', 'bidder') === null) throw fail('demand_state')
    await tx.delete(demandOffers).where(eq(demandOffers.id, offer.id))
    await tellOwner(ctx, tx, { demand, member: user.nickName })
  })
  return shownById(ctx, user, demandId)
}

async function ownOffer(tx: Tx, demandId: string, providerId: string): Promise<OfferRow | null> {
  const [row] = await tx
    .select()
    .from(demandOffers)
    .where(and(eq(demandOffers.demandId, demandId), eq(demandOffers.providerId, providerId)))
  return row ?? null
}

async function tellOwner(
  ctx: Context,
  tx: Tx,
  { demand, member }: { demand: DemandRow; member: string },
): Promise<void> {
  const { ownerId, title, id: demandId } = demand
  await tell(ctx, tx, { userId: ownerId, kind: 'offer_removed', params: { member, title, demandId } })
}
