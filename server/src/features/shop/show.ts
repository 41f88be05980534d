/** Models of the shop as pages get them. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { shop as limits } from '@neuroloom/contract/limits'
import type { Claim, Listing, ListingCard } from '@neuroloom/contract/shop/listing'
import type { HoldWay, SaleState } from '@neuroloom/contract/shop/words'
import { and, asc, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import { balanceOf } from '../ledger/service.ts'
import { orders } from '../payments/tables.ts'
import { runs } from '../runs/tables.ts'
import { heldBy, newestOf, placesOf, requireListing } from './access.ts'
import {
  type ClaimRow,
  holdings,
  type ListingRow,
  listings,
  listingVersions,
  type SaleRow,
  sales,
  shopClaims,
  shopReviews,
  shopUses,
  type VersionRow,
} from './tables.ts'

export async function detail(
  ctx: Context,
  { id }: Parsed<'shop/detail'>,
  { user }: Caller,
): Promise<Answer<'shop/detail'>> {
  return shownById(ctx, user, id)
}

export async function shownById(ctx: Context, user: SessionUser, id: string): Promise<Listing> {
  return shownTo(ctx, user, await requireListing(ctx, user, id))
}

/** Cards in the order of the rows. */
export async function cardsOf(
  ctx: Context,
  rows: readonly ListingRow[],
  held: ReadonlyMap<string, HoldWay>,
): Promise<ListingCard[]> {
  if (rows.length === 0) return []
  const versions = await newestOf(ctx.db, rows)
  const facts = await factsOf(
    ctx.db,
    rows.map(({ id }) => id),
  )
  const names = await namesOf(
    ctx.db,
    rows.map(({ sellerId }) => sellerId),
  )
  return rows.map((row) => {
    const { id, about, task, priceYuan, listedAt, sellerId } = row
    const { name, introduction, organ, modality, licence } = about
    return {
      ...{ id, name, introduction, task, organ, modality, licence, priceYuan },
      score: row.version === 0 ? null : (versions.get(id)?.tested.score ?? null),
      parameters: versions.get(id)?.parameters ?? 0,
      seller: names.get(sellerId) ?? '',
      rating: facts.ratings.get(id) ?? null,
      usedIn: facts.used.get(id) ?? 0,
      listedAt: listedAt?.toISOString() ?? null,
      held: held.get(id) ?? null,
      isDisputed: facts.disputed.has(id),
    }
  })
}

async function factsOf(db: Db, ids: string[]) {
  const ratings = await db
    .select({
      id: shopReviews.listingId,
      stars: sql<number>`avg(${shopReviews.stars})::float8`,
      reviews: sql<number>`count(*)::int`,
    })
    .from(shopReviews)
    .where(inArray(shopReviews.listingId, ids))
    .groupBy(shopReviews.listingId)
  const used = await db
    .select({ id: shopUses.listingId, projects: sql<number>`count(distinct ${shopUses.projectId})::int` })
    .from(shopUses)
    .where(and(inArray(shopUses.listingId, ids), ne(shopUses.kind, 'drive')))
    .groupBy(shopUses.listingId)
  const disputed = await db
    .selectDistinct({ id: sales.listingId })
    .from(shopClaims)
    .innerJoin(sales, eq(sales.orderNo, shopClaims.orderNo))
    .where(and(inArray(sales.listingId, ids), eq(shopClaims.state, 'open')))
  return {
    ratings: new Map(ratings.map(({ id, stars, reviews }) => [id, { stars, reviews }])),
    used: new Map(used.map(({ id, projects }) => [id, projects])),
    disputed: new Set(disputed.map(({ id }) => id)),
  }
}

/** Of accounts that are there. */
export async function namesOf(db: Db, ids: string[]): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: users.id, nickName: users.nickName })
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]))
  return new Map(rows.map(({ id, nickName }) => [id, nickName]))
}

async function shownTo(ctx: Context, user: SessionUser, row: ListingRow): Promise<Listing> {
  const held = await heldBy(ctx, ctx.db, user.id)
  const [card] = await cardsOf(ctx, [row], held)
  const version = (await newestOf(ctx.db, [row])).get(row.id)
  if (!card || !version) throw fail('listing_missing')
  const isOwn = row.sellerId === user.id
  return {
    ...card,
    ...row.about,
    state: row.state,
    isOwn,
    version: row.version,
    versions: await versionsOf(ctx.db, row.id),
    network: networkOf(version),
    graph: version.graph,
    classes: version.classes,
    learned: { ...version.learned, startFrom: startOf(version) },
    verified: verifiedOf(version),
    refusal: isOwn ? row.refusal : null,
    banReason: isOwn ? row.banReason : '',
    mine: await mineOf(ctx, user, row),
  }
}

export const networkOf = ({ network, networkName }: VersionRow) => ({
  id: network,
  isOwn: networkName !== null,
  name: networkName ?? network,
})

const startOf = ({ startFrom }: VersionRow): Listing['learned']['startFrom'] =>
  startFrom && {
    isSameProject: startFrom.isSameProject,
    hasSeenTest: startFrom.hasSeenTest,
    model: startFrom.model ?? null,
  }

export function verifiedOf({ tested, signature, verifiedAt }: VersionRow): Listing['verified'] {
  if (signature === null || verifiedAt === null) return null
  const { score, metrics, perClass, items, interval, part } = tested
  return {
    ...{ score, metrics, perClass, items, interval, part, signature },
    testedAt: verifiedAt.toISOString(),
  }
}

async function versionsOf(db: Db, listingId: string): Promise<Listing['versions']> {
  const rows = await db
    .select({
      number: listingVersions.number,
      note: listingVersions.note,
      at: listingVersions.createdAt,
      tested: listingVersions.tested,
    })
    .from(listingVersions)
    .where(and(eq(listingVersions.listingId, listingId), eq(listingVersions.state, 'verified')))
    .orderBy(desc(listingVersions.number))
  return rows.map(({ number, note, at, tested: { score, metrics } }) => ({
    ...{ number, note, score, metrics },
    at: at.toISOString(),
  }))
}

/** What the reader could do with it now. */
async function mineOf(ctx: Context, user: SessionUser, { id }: ListingRow): Promise<Listing['mine']> {
  const [bought] = await ctx.db
    .select({ sale: sales, claim: shopClaims, order: orders })
    .from(sales)
    .leftJoin(shopClaims, eq(shopClaims.orderNo, sales.orderNo))
    .leftJoin(orders, eq(orders.orderNo, sales.orderNo))
    .where(and(eq(sales.listingId, id), eq(sales.buyerId, user.id)))
    .orderBy(desc(sales.at))
    .limit(1)
  const sale = bought && {
    orderNo: bought.sale.orderNo,
    state: stateOf(bought.sale, bought.order),
    unit: bought.sale.unit,
    amount: bought.sale.amount,
    refundUntil: bought.sale.recordAt.toISOString(),
    claim: bought.claim && claimShown(bought.claim),
  }
  return {
    sale: sale ?? null,
    mayReview: sale?.state === 'held' || sale?.state === 'recorded',
    points: await balanceOf(ctx.db, { owner: user.id, kind: 'points', unit: 'point' }),
    places: await placesShown(ctx, user),
    drives: await drivesOf(ctx.db, user, id),
  }
}

export const stateOf = ({ state }: SaleRow, order: { state: string } | null): SaleState =>
  state === 'refunded' && order?.state === 'returning' ? 'returning' : state

export function claimShown({ id, ground, text, state, reason, at, decidedAt }: ClaimRow): Claim {
  return {
    ...{ id, ground, text, state, reason },
    at: at.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  }
}

async function placesShown(ctx: Context, user: SessionUser): Promise<Listing['mine']['places']> {
  const rows = await ctx.db
    .select({ id: listings.id, name: listings.name, since: holdings.since })
    .from(holdings)
    .innerJoin(listings, eq(listings.id, holdings.listingId))
    .where(and(eq(holdings.userId, user.id), eq(holdings.way, 'place')))
    .orderBy(asc(holdings.since))
  return {
    most: placesOf(ctx, user),
    held: rows.map(({ id, name, since }) => ({
      ...{ id, name },
      freeFrom: new Date(since.getTime() + limits.placeMs).toISOString(),
    })),
  }
}

async function drivesOf(db: Db, user: SessionUser, listingId: string): Promise<Listing['mine']['drives']> {
  const rows = await db
    .select({ use: shopUses, run: runs })
    .from(shopUses)
    .innerJoin(runs, eq(runs.id, shopUses.runId))
    .where(and(eq(shopUses.listingId, listingId), eq(shopUses.userId, user.id), eq(shopUses.kind, 'drive')))
    .orderBy(desc(shopUses.at))
    .limit(limits.page)
  return rows.map(({ use, run }) => ({
    ...{ runId: run.id, projectId: run.projectId, datasetName: run.datasetName, state: run.state },
    ...{ version: use.version, score: run.score, at: use.at.toISOString(), looks: use.looks },
  }))
}
