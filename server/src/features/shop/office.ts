/** Listings and claims as administrators see them, and what they decide. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { shop as limits } from '@neuroloom/contract/limits'
import type { OfficeClaim } from '@neuroloom/contract/shop/seller'
import { and, asc, desc, eq, ilike, inArray, or, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import { containing, type Db } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import { tell } from '../payments/service.ts'
import { decide, isUseOf, lockBuyer } from './claims.ts'
import { ownShown, saleShown, withAll } from './sales.ts'
import { claimShown } from './show.ts'
import { type ClaimRow, listings, type SaleRow, sales, shopClaims, shopUses } from './tables.ts'

export async function list(
  ctx: Context,
  { search, state, page }: Parsed<'office/listings'>,
): Promise<Answer<'office/listings'>> {
  const columns = [listings.name, users.nickName, users.emailKey, users.phoneKey]
  const where = and(
    search === ''
      ? undefined
      : or(eq(listings.id, search), ...columns.map((one) => ilike(one, containing(search)))),
    state === null ? undefined : eq(listings.state, state),
  )
  const source = () =>
    ctx.db
      .select({ listing: listings })
      .from(listings)
      .leftJoin(users, eq(users.id, listings.sellerId))
      .where(where)
  const rows = await source()
    .orderBy(desc(listings.createdAt), desc(listings.id))
    .limit(limits.page)
    .offset((page - 1) * limits.page)
  return {
    listings: await shown(
      ctx,
      rows.map(({ listing }) => listing),
    ),
    total: await ctx.db.$count(source().as('found')),
    pageSize: limits.page,
  }
}

async function shown(ctx: Context, rows: (typeof listings.$inferSelect)[]) {
  const accounts = await accountsOf(
    ctx.db,
    rows.map(({ sellerId }) => sellerId),
  )
  const sellers = new Map(rows.map(({ id, sellerId }) => [id, sellerId]))
  return (await ownShown(ctx, rows)).map((one) => ({
    ...one,
    account: accounts.get(sellers.get(one.id) ?? '') ?? '',
  }))
}

/** The names to sign in with, of accounts that are there. */
async function accountsOf(db: Db, ids: string[]): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: users.id, email: users.emailKey, phone: users.phoneKey })
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]))
  return new Map(rows.map(({ id, email, phone }) => [id, email ?? phone ?? '']))
}

/** Taken out, nobody buys or uses it any more; let back, it is hidden until its seller shows it. */
export async function judge(
  ctx: Context,
  { id, decision }: Parsed<'office/listing'>,
  { user, address }: Caller,
): Promise<Answer<'office/listing'>> {
  const row = await ctx.db.transaction(async (tx) => {
    const [before] = await tx.select().from(listings).where(eq(listings.id, id)).for('update')
    if (!before || before.state === 'closed') throw fail('listing_missing')
    if (decision.is === 'allowed' && before.state !== 'banned') throw fail('listing_missing')
    // Nobody is the judge of an own case.
    if (decision.is === 'allowed' && before.sellerId === user.id) throw fail('not_allowed')
    const isBan = decision.is === 'banned'
    const banReason = isBan ? decision.reason : ''
    const allowed = before.version === 0 ? 'refused' : 'hidden'
    const [after] = await tx
      .update(listings)
      .set({ state: isBan ? 'banned' : allowed, banReason })
      .where(eq(listings.id, id))
      .returning()
    const params = { model: before.name, listingId: id, reason: banReason }
    if (isBan) await tell(ctx, tx, { userId: before.sellerId, kind: 'model_banned', params })
    await audit(tx, {
      actor: user.id,
      action: `listing.${decision.is}`,
      subject: `listing:${id}`,
      address,
      before: { state: before.state },
      after: { state: after?.state ?? null },
    })
    return after
  })
  const [one] = row ? await shown(ctx, [row]) : []
  if (!one) throw fail('listing_missing')
  return one
}

export async function claims(
  ctx: Context,
  { state, page }: Parsed<'office/claims'>,
  { user }: Caller,
): Promise<Answer<'office/claims'>> {
  const where = state === null ? undefined : eq(shopClaims.state, state)
  const rows = await ctx.db
    .select({ id: shopClaims.id })
    .from(shopClaims)
    .where(where)
    .orderBy(sql`${shopClaims.state} <> 'open'`, asc(shopClaims.at), asc(shopClaims.id))
    .limit(limits.page)
    .offset((page - 1) * limits.page)
  return {
    claims: await claimsShown(
      ctx.db,
      rows.map(({ id }) => id),
      user,
    ),
    total: await ctx.db.$count(shopClaims, where),
    pageSize: limits.page,
  }
}

/** In the order of the ids. */
async function claimsShown(db: Db, ids: string[], viewer: { id: string }): Promise<OfficeClaim[]> {
  const rows = await withAll(db).where(inArray(shopClaims.id, ids))
  const accounts = await accountsOf(
    db,
    rows.flatMap(({ sale }) => [sale.buyerId, sale.sellerId]),
  )
  const byId = new Map<string, OfficeClaim>()
  for (const row of rows) {
    const { sale, claim } = row
    if (!claim) continue
    const { claim: _, ...shownSale } = saleShown(row)
    byId.set(claim.id, {
      ...claimShown(claim),
      sale: shownSale,
      buyerAccount: accounts.get(sale.buyerId) ?? '',
      sellerAccount: accounts.get(sale.sellerId) ?? '',
      listing: { id: sale.listingId, name: shownSale.model, version: sale.version },
      uses: await db.$count(shopUses, isUseOf(sale)),
      check: checkOf(claim),
      isOwn: isPartyTo(sale, viewer),
    })
  }
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const isPartyTo = ({ buyerId, sellerId }: SaleRow, { id }: { id: string }): boolean =>
  buyerId === id || sellerId === id

function checkOf({ ground, outcome }: ClaimRow): OfficeClaim['check'] {
  if (ground !== 'not_as_described') return null
  return outcome ?? 'running'
}

export async function judgeClaim(
  ctx: Context,
  { id, decision, reason }: Parsed<'office/claim'>,
  { user, address }: Caller,
): Promise<Answer<'office/claim'>> {
  const [known] = await ctx.db.select().from(shopClaims).where(eq(shopClaims.id, id))
  if (!known) throw fail('claim_missing')
  await ctx.db.transaction(async (tx) => {
    await lockBuyer(tx, known)
    const [sale] = await tx.select().from(sales).where(eq(sales.orderNo, known.orderNo))
    // Nobody is the judge of an own case.
    if (sale && isPartyTo(sale, user)) throw fail('not_allowed')
    await decide(ctx, tx, { row: known, state: decision, reason, askedBy: user.id })
    await audit(tx, {
      actor: user.id,
      action: `claim.${decision}`,
      subject: `claim:${id}`,
      address,
      before: { state: known.state },
      after: { state: decision },
    })
  })
  const [one] = await claimsShown(ctx.db, [id], user)
  if (!one) throw fail('claim_missing')
  return one
}
