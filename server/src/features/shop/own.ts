/** What of the shop is a member's own: in the archive, and when the account is erased. */
import { and, desc, eq, inArray, notExists } from 'drizzle-orm'
import { type ArchivedFile, jsonFile } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { holdings, listings, listingVersions, sales, shopClaims, shopReviews, shopUses } from './tables.ts'

export async function* exportOf({ db }: Context, userId: string): AsyncIterable<ArchivedFile> {
  const offered = await db
    .select()
    .from(listings)
    .where(eq(listings.sellerId, userId))
    .orderBy(desc(listings.createdAt))
  const ids = offered.map(({ id }) => id)
  const versions = await db.select().from(listingVersions).where(inArray(listingVersions.listingId, ids))
  const sold = await db.select().from(sales).where(eq(sales.sellerId, userId))
  const bought = await db
    .select({ sale: sales, claim: shopClaims })
    .from(sales)
    .leftJoin(shopClaims, eq(shopClaims.orderNo, sales.orderNo))
    .where(eq(sales.buyerId, userId))
  const held = await db.select().from(holdings).where(eq(holdings.userId, userId))
  const reviews = await db.select().from(shopReviews).where(eq(shopReviews.userId, userId))
  const uses = await db.select().from(shopUses).where(eq(shopUses.userId, userId))
  yield jsonFile('shop.json', {
    offered,
    versions,
    // Who bought is the buyer's own.
    sold: sold.map(({ buyerId: _, ...sale }) => sale),
    ...{ bought, held, reviews, uses },
  })
}

/**
 * Sales are books, and what was sold stays with its buyers; nobody buys it any more. What nobody has goes, and what names
 * the member.
 */
export async function eraseOf({ db }: Context, userId: string): Promise<void> {
  await db.delete(holdings).where(eq(holdings.userId, userId))
  await db.delete(shopReviews).where(eq(shopReviews.userId, userId))
  await db.delete(shopUses).where(eq(shopUses.userId, userId))
  await db.update(listings).set({ state: 'closed' }).where(eq(listings.sellerId, userId))
  await db.transaction(async (tx) => {
    const nobodys = await tx
      .select({ id: listings.id })
      .from(listings)
      .where(and(eq(listings.sellerId, userId), hasNobody(tx, holdings), hasNobody(tx, sales)))
      .for('update')
    const ids = nobodys.map(({ id }) => id)
    for (const table of [shopReviews, shopUses, listingVersions])
      await tx.delete(table).where(inArray(table.listingId, ids))
    await tx.delete(listings).where(inArray(listings.id, ids))
  })
}

const hasNobody = (db: Db, table: typeof holdings | typeof sales) =>
  notExists(db.select({ id: table.listingId }).from(table).where(eq(table.listingId, listings.id)))
