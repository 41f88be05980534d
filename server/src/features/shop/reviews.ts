/** What buyers say of a model. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { shop as limits } from '@neuroloom/contract/limits'
import { and, desc, eq, ne } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { newId } from '../../infra/ids.ts'
import { users } from '../accounts/tables.ts'
import { requireListing } from './access.ts'
import { shownById } from './show.ts'
import { sales, shopReviews } from './tables.ts'

export async function list(
  ctx: Context,
  { id, page }: Parsed<'shop/reviews'>,
  { user }: Caller,
): Promise<Answer<'shop/reviews'>> {
  await requireListing(ctx, user, id)
  const ofListing = eq(shopReviews.listingId, id)
  const rows = await ctx.db
    .select({ review: shopReviews, by: users.nickName })
    .from(shopReviews)
    .innerJoin(users, eq(users.id, shopReviews.userId))
    .where(ofListing)
    .orderBy(desc(shopReviews.at), desc(shopReviews.id))
    .limit(limits.reviewsPage)
    .offset((page - 1) * limits.reviewsPage)
  return {
    reviews: rows.map(({ review: { userId, listingId: _, at, ...review }, by }) => ({
      ...{ ...review, by, isOwn: userId === user.id, at: at.toISOString() },
    })),
    total: await ctx.db.$count(shopReviews, ofListing),
    pageSize: limits.reviewsPage,
  }
}

/** By those who bought it and kept it; the review before is replaced. */
export async function review(
  ctx: Context,
  { id, stars, text }: Parsed<'shop/review'>,
  { user }: Caller,
): Promise<Answer<'shop/review'>> {
  const { version } = await requireListing(ctx, user, id)
  const isBought = and(eq(sales.listingId, id), eq(sales.buyerId, user.id), ne(sales.state, 'refunded'))
  if ((await ctx.db.$count(sales, isBought)) === 0) throw fail('review_not_bought')
  const said = { stars, text, version, at: ctx.now() }
  await ctx.db
    .insert(shopReviews)
    .values({ ...said, id: newId(), listingId: id, userId: user.id })
    .onConflictDoUpdate({ target: [shopReviews.listingId, shopReviews.userId], set: said })
  return shownById(ctx, user, id)
}
