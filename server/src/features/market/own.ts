/** What of the market is a member's own: in the archive, when the account is closed, and when it is erased. */
import { isUnderWay } from '@neuroloom/contract/market/states'
import { and, desc, eq, inArray, isNull, notInArray, or } from 'drizzle-orm'
import { fail } from '../../http/fail.ts'
import { type ArchivedFile, jsonFile } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import {
  demandData,
  demandDeliveries,
  demandDisputes,
  demandOffers,
  demandRatings,
  demands,
  marketCases,
  marketFiles,
  marketProviders,
} from './tables.ts'

export async function* exportOf({ db }: Context, userId: string): AsyncIterable<ArchivedFile> {
  const isPart = or(eq(demands.ownerId, userId), eq(demands.providerId, userId))
  const took = await db.select().from(demands).where(isPart).orderBy(desc(demands.createdAt))
  const offers = await db.select().from(demandOffers).where(eq(demandOffers.providerId, userId))
  const given = await db.select().from(demandRatings).where(eq(demandRatings.userId, userId))
  const [page] = await db.select().from(marketProviders).where(eq(marketProviders.userId, userId))
  const cases = await db.select().from(marketCases).where(eq(marketCases.providerId, userId))
  if (took.length + offers.length + given.length + cases.length === 0 && !page) return
  const ids = took.map(({ id }) => id)
  const own = took.flatMap(({ id, ownerId }) => (ownerId === userId ? [id] : []))
  const caseIds = cases.map(({ id }) => id)
  yield jsonFile('market.json', {
    demands: took,
    offers,
    deliveries: await db.select().from(demandDeliveries).where(inArray(demandDeliveries.demandId, ids)),
    disputes: await db.select().from(demandDisputes).where(inArray(demandDisputes.demandId, ids)),
    ratings: given,
    ...{ page: page ?? null, cases },
    data: await db.select().from(demandData).where(inArray(demandData.demandId, own)),
    files: await db
      .select()
      .from(marketFiles)
      .where(or(inArray(marketFiles.demandId, ids), inArray(marketFiles.caseId, caseIds))),
  })
}

/** An account is not closed while money of its work is held: that would be nobody's. */
export async function requireNothingHeld(_ctx: Context, tx: Tx, userId: string): Promise<void> {
  const isPart = or(eq(demands.ownerId, userId), eq(demands.providerId, userId))
  const rows = await tx.select({ state: demands.state }).from(demands).where(isPart)
  const count = rows.filter(({ state }) => isUnderWay(state)).length
  if (count > 0) throw fail('work_held', { orders: count })
}

/**
 * What was paid for is a book, which is kept without its words; everything else goes. What a provider delivered stays with
 * the customer who paid for it.
 */
export async function eraseOf({ db }: Context, userId: string): Promise<void> {
  const isOwn = eq(demands.ownerId, userId)
  const isRated = or(eq(demandRatings.userId, userId), eq(demandRatings.providerId, userId))
  await db.delete(demandRatings).where(isRated)
  await db.delete(demands).where(and(isOwn, isNull(demands.orderNo)))
  const ordered = db.select({ id: demands.id }).from(demands).where(isOwn)
  for (const table of [marketFiles, demandDeliveries, demandDisputes])
    await db.delete(table).where(inArray(table.demandId, ordered))
  await db.update(demands).set({ description: '' }).where(isOwn)
  const mine = eq(demandOffers.providerId, userId)
  const selected = db
    .select({ id: demandOffers.id })
    .from(demandOffers)
    .innerJoin(demands, eq(demands.offerId, demandOffers.id))
    .where(mine)
  await db.delete(demandOffers).where(and(mine, notInArray(demandOffers.id, selected)))
  await db.update(demandOffers).set({ text: '' }).where(mine)
}
