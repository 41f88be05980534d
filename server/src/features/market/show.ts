/** Demands as their readers see them. */
import { roles } from '@neuroloom/contract/accounts/roles'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Delivery, Demand, DemandCard, Dispute, Offer } from '@neuroloom/contract/market/demand'
import { demandActions, isUnderWay, nextState } from '@neuroloom/contract/market/states'
import { asc, count, eq, inArray } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { requireModule } from '../../infra/modules/modules.ts'
import { users } from '../accounts/tables.ts'
import { actorsOf, type Member, partOf, requireDemand } from './access.ts'
import { dataOf } from './data.ts'
import { describeFile, filesOf } from './files.ts'
import { disputeOf, heldOf, requireOrdered } from './order.ts'
import {
  type DeliveryRow,
  type DemandRow,
  type DisputeRow,
  demandDeliveries,
  demandOffers,
  demandRatings,
  demands,
  type MarketFileRow,
  type OfferRow,
} from './tables.ts'

export async function detail(
  ctx: Context,
  { id }: Parsed<'demand/detail'>,
  { user }: Caller,
): Promise<Answer<'demand/detail'>> {
  const row = await requireDemand(ctx.db, user, id)
  if (partOf(row, user) === null && user.role !== roles.administrator) requireModule(ctx, 'market')
  return shownById(ctx, user, id)
}

/** After a deed, whose right was checked by it. */
export async function shownById(ctx: Context, user: Member, id: string): Promise<Demand> {
  const [row] = await ctx.db.select().from(demands).where(eq(demands.id, id))
  if (!row) throw fail('demand_missing')
  const [card] = await cardsOf(ctx.db, [row], user)
  if (!card) throw fail('demand_missing')
  // Whoever may decide a dispute sees what was delivered.
  const isJudge = user.role === roles.administrator && row.state === 'disputed'
  return { ...card, ...(await contentOf(ctx.db, row, user, isJudge)), may: mayOf(row, user) }
}

/** What stands on the page of a demand: all of it for those who take part and for `isJudge`. */
export async function contentOf(
  db: Db,
  row: DemandRow,
  reader: Member,
  isJudge = false,
): Promise<Pick<Demand, 'description' | 'attachments' | 'folders' | 'data' | 'offerList' | 'work'>> {
  const files = await filesOf(db, [row.id])
  const offers = await db
    .select()
    .from(demandOffers)
    .where(eq(demandOffers.demandId, row.id))
    .orderBy(asc(demandOffers.priceFen), asc(demandOffers.at))
  const seen = offers.filter(
    ({ providerId }) => row.ownerId === reader.id || providerId === reader.id || isJudge,
  )
  const names = await namesOf(
    db,
    seen.map(({ providerId }) => providerId),
  )
  const part = partOf(row, reader)
  const takesPart = part !== null || isJudge
  const data = await dataOf(db, row.id)
  const hasData = part === 'owner' || (part === 'provider' && isUnderWay(row.state))
  return {
    description: row.description,
    attachments: files.filter(({ deliveryId }) => deliveryId === null).map(describeFile),
    ...{ folders: data.length, data: hasData ? data : [] },
    offerList: seen.map((offer) => describeOffer(offer, names)),
    work: takesPart && row.orderNo !== null ? await workOf(db, { row, reader, files }) : null,
  }
}

type Read = { row: DemandRow; reader: Member; files: readonly MarketFileRow[] }

async function workOf(db: Db, { row, reader, files }: Read): Promise<Demand['work']> {
  const ordered = await requireOrdered(db, row)
  const names = await namesOf(db, [ordered.providerId])
  const deliveries = await db
    .select()
    .from(demandDeliveries)
    .where(eq(demandDeliveries.demandId, row.id))
    .orderBy(asc(demandDeliveries.at), asc(demandDeliveries.id))
  const [rating] = await db.select().from(demandRatings).where(eq(demandRatings.demandId, row.id))
  const dispute = await disputeOf(db, row.id)
  return {
    offer: describeOffer(ordered.offer, names),
    isProvider: row.providerId === reader.id,
    accepted: row.acceptedParts,
    heldFen: heldOf(ordered),
    releasedFen: ordered.releasedFen,
    assignedAt: (row.assignedAt ?? row.createdAt).toISOString(),
    deliveries: deliveries.map((one) => describeDelivery(one, files)),
    dispute: dispute && describeDispute(dispute),
    rating: rating ? { stars: rating.stars, text: rating.text, at: rating.at.toISOString() } : null,
    end: row.ended,
  }
}

const describeOffer = (
  { id, providerId, priceFen, days, text, milestones, revision, at }: OfferRow,
  names: ReadonlyMap<string, string>,
): Offer => ({
  ...{ id, priceFen, days, text, milestones, revision },
  provider: { id: providerId, nickName: names.get(providerId) ?? '' },
  at: at.toISOString(),
})

const describeDelivery = (
  { id, part, text, state, answer, at }: DeliveryRow,
  files: readonly MarketFileRow[],
): Delivery => ({
  ...{ id, part, text, state, answer, at: at.toISOString() },
  files: files.filter(({ deliveryId }) => deliveryId === id).map(describeFile),
})

function describeDispute({ byOwner, reason, at, providerFen, ownerFen, decision }: DisputeRow): Dispute {
  const isDecided = providerFen !== null && ownerFen !== null
  return {
    ...{ byOwner, reason, at: at.toISOString() },
    decision: isDecided ? { providerFen, ownerFen, reason: decision } : null,
  }
}

/** An offer needs more than a state: whoever has one changes it, everybody else asks the role. */
function mayOf(row: DemandRow, user: Member): Demand['may'] {
  const actors = actorsOf(row, user)
  return demandActions.filter((action) =>
    actors.some((actor) => nextState(row.state, action, actor) !== null),
  )
}

/** In the order of the rows. */
export async function cardsOf(db: Db, rows: readonly DemandRow[], reader: Member): Promise<DemandCard[]> {
  const ids = rows.map(({ id }) => id)
  const counted = await db
    .select({ id: demandOffers.demandId, offers: count() })
    .from(demandOffers)
    .where(inArray(demandOffers.demandId, ids))
    .groupBy(demandOffers.demandId)
  const offers = new Map(counted.map((one) => [one.id, one.offers]))
  const own = await db
    .select({ id: demandOffers.demandId })
    .from(demandOffers)
    .where(eq(demandOffers.providerId, reader.id))
  const offered = new Set(own.map(({ id }) => id))
  const names = await namesOf(
    db,
    rows.map(({ ownerId }) => ownerId),
  )
  return rows.map(({ id, title, task, budgetFen, deadline, state, ownerId, createdAt }) => ({
    ...{ id, title, task, budgetFen, deadline, state, createdAt: createdAt.toISOString() },
    owner: { id: ownerId, nickName: names.get(ownerId) ?? '' },
    isOwn: ownerId === reader.id,
    offers: offers.get(id) ?? 0,
    hasOffered: offered.has(id),
  }))
}

/** Of accounts that are there. */
async function namesOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: users.id, nickName: users.nickName, cancelledAt: users.cancelledAt })
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]))
  return new Map(rows.map(({ id, nickName, cancelledAt }) => [id, cancelledAt === null ? nickName : '']))
}
