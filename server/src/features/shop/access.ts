/** Who may see and use which model of the shop. */
import { shop as limits, toolbox } from '@neuroloom/contract/limits'
import type { HoldWay } from '@neuroloom/contract/shop/words'
import { and, asc, desc, eq, inArray, or } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import { standingOf } from '../plans/service.ts'
import { holdings, type ListingRow, listings, listingVersions, sales, type VersionRow } from './tables.ts'

type Member = Pick<SessionUser, 'id'>

/** Free places of a member's level; null = any number. */
export function placesOf(ctx: Context, member: Parameters<typeof standingOf>[1]): number | null {
  const { vipLevel, vipSuper } = standingOf(ctx, member)
  return vipSuper === 0 ? (limits.freePlaces[vipLevel] ?? 0) : null
}

/** Whether a member's level is at least this one. */
export function reaches(ctx: Context, member: Parameters<typeof standingOf>[1], level: number): boolean {
  const { vipLevel, vipSuper } = standingOf(ctx, member)
  return vipSuper !== 0 || vipLevel >= level
}

/** What queues work on the device asks for a level (design 4.29). */
export function requireDevice(ctx: Context, user: SessionUser): void {
  if (!reaches(ctx, user, toolbox.queueLevel)) throw fail('application_unavailable')
}

/** Models by listing, with the way; those in free places only as long as the level has so many. */
export async function heldBy(ctx: Context, db: Db, userId: string): Promise<Map<string, HoldWay>> {
  const [member] = await db.select().from(users).where(eq(users.id, userId))
  const rows = await db
    .select()
    .from(holdings)
    .where(eq(holdings.userId, userId))
    .orderBy(asc(holdings.since), asc(holdings.listingId))
  const places = member ? placesOf(ctx, member) : 0
  const held = new Map<string, HoldWay>()
  let taken = 0
  for (const { listingId, way } of rows) {
    if (way === 'place') taken += 1
    if (way === 'place' && places !== null && taken > places) continue
    held.set(listingId, way)
  }
  const own = await db.select({ id: listings.id }).from(listings).where(eq(listings.sellerId, userId))
  for (const { id } of own) held.set(id, 'own')
  return held
}

/** What is in the shop while that is on, and of the rest what the member sells, has, or has bought. */
export async function requireListing(ctx: Context, user: Member, id: string): Promise<ListingRow> {
  const [row] = await ctx.db.select().from(listings).where(eq(listings.id, id))
  if (!row) throw fail('listing_missing')
  const isShown = row.state === 'listed'
  if (row.sellerId === user.id || (isShown && !ctx.modules.isOff('shop'))) return row
  const isHeld = (await heldBy(ctx, ctx.db, user.id)).has(id)
  const isBought = (await ctx.db.$count(sales, and(eq(sales.listingId, id), eq(sales.buyerId, user.id)))) > 0
  const isTheirs = row.version > 0 && (isHeld || isBought)
  if (!isTheirs) throw fail(isShown ? 'module_off' : 'listing_missing')
  return row
}

export async function requireOwnListing(db: Db, user: Member, id: string): Promise<ListingRow> {
  const [row] = await db
    .select()
    .from(listings)
    .where(and(eq(listings.id, id), eq(listings.sellerId, user.id)))
    .for('update')
  if (!row) throw fail('listing_missing')
  return row
}

export type Model = { listing: ListingRow; version: VersionRow }

/** A model that the member has, in its newest version. */
export async function requireHeld(ctx: Context, user: Member, id: string): Promise<Model> {
  const listing = await requireListing(ctx, user, id)
  if (!(await heldBy(ctx, ctx.db, user.id)).has(id) || isTaken(listing)) throw fail('model_not_bought')
  return { listing, version: await newest(ctx.db, listing) }
}

/** Taken out because of what it is: nobody uses it any more. */
const isTaken = ({ state }: ListingRow): boolean => state === 'banned'

/** The version that buyers get. */
export async function newest(db: Db, { id, version }: ListingRow): Promise<VersionRow> {
  const [row] = await db
    .select()
    .from(listingVersions)
    .where(and(eq(listingVersions.listingId, id), eq(listingVersions.number, version)))
  if (!row) throw fail('listing_missing')
  return row
}

/** By listing the version that buyers get; before the first check the one that is checked. */
export async function newestOf(db: Db, rows: readonly ListingRow[]): Promise<Map<string, VersionRow>> {
  const ids = rows.map(({ id }) => id)
  const { listingId, number } = listingVersions
  const found = await db
    .selectDistinctOn([listingId], { version: listingVersions })
    .from(listingVersions)
    .innerJoin(listings, eq(listings.id, listingId))
    .where(and(inArray(listingId, ids), or(eq(listings.version, 0), eq(number, listings.version))))
    .orderBy(listingId, desc(number))
  return new Map(found.map(({ version }) => [version.listingId, version]))
}
