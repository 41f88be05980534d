/** Sharing an own model of the shop with single members, for nothing. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { and, eq, exists, inArray, or } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { findRecipient, requireThere, tell } from '../files/service.ts'
import { requireRoomToShare, type SharedThings } from '../plans/access.ts'
import * as plans from '../plans/service.ts'
import { newestOf, requireOwnListing } from './access.ts'
import { hold } from './goods.ts'
import { shownById } from './show.ts'
import { holdings, listings } from './tables.ts'

export async function give(
  ctx: Context,
  { id, account }: Parsed<'shop/give'>,
  { user }: Caller,
): Promise<Answer<'shop/give'>> {
  plans.requireSharer(ctx, user)
  await requireOwnListing(ctx.db, user, id)
  const member = await findRecipient(ctx, user, account)
  await ctx.db.transaction(async (tx) => {
    const row = await requireOwnListing(tx, user, id)
    if (row.version === 0 || row.state === 'banned') throw fail('listing_missing')
    await requireThere(tx, member.id)
    const given = and(eq(holdings.listingId, id), eq(holdings.way, 'given'))
    const limit = plans.limitsOf(ctx, user).shareAccounts
    if (limit !== null && (await tx.$count(holdings, given)) >= limit) throw fail('share_limit', { limit })
    if (!(await hold(ctx, tx, { listingId: id, userId: member.id, way: 'given' }))) throw fail('model_held')
    await requireRoomToShare(ctx, tx, { ownerId: user.id, id })
    const params = { owner: user.nickName, model: row.name, listingId: id }
    await tell(ctx, tx, [{ userId: member.id, kind: 'model_given', params }])
  })
  return shownById(ctx, user, id)
}

/** A model that others may get or have is one that is shared (design 4.23). */
export const sharedListings: SharedThings = async (_ctx, db, ownerId) => {
  const given = exists(
    db
      .select({ id: holdings.listingId })
      .from(holdings)
      .where(and(eq(holdings.listingId, listings.id), eq(holdings.way, 'given'))),
  )
  const rows = await db
    .select()
    .from(listings)
    .where(and(eq(listings.sellerId, ownerId), or(inArray(listings.state, ['checking', 'listed']), given)))
  const versions = await newestOf(db, rows)
  return rows.map(({ id, createdAt }) => {
    const runId = versions.get(id)?.runId ?? null
    return { kind: 'models', key: runId ?? id, ids: runId === null ? [id] : [id, runId], since: createdAt }
  })
}
