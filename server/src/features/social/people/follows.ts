import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { social as limits } from '@neuroloom/contract/limits'
import type { Relation } from '@neuroloom/contract/social/people'
import { and, desc, eq, isNull, not } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import { users } from '../../accounts/tables.ts'
import { requirePace } from '../moderation/rate.ts'
import { isBefore, readPage } from '../pages.ts'
import { lockPair } from './friends.ts'
import { relationOf, requireMember, requireOther } from './members.ts'
import { isHiddenFrom, personColumns, personOf } from './relations.ts'
import { follows as table } from './tables.ts'

export async function follow(
  ctx: Context,
  { memberId }: Parsed<'social/follow'>,
  { user }: Caller,
): Promise<Relation> {
  return ctx.db.transaction(async (tx) => {
    await lockPair(tx, user.id, memberId)
    await requireOther(tx, user.id, memberId)
    const [added] = await tx
      .insert(table)
      .values({ userId: user.id, memberId, at: ctx.now() })
      .onConflictDoNothing()
      .returning()
    if (added) await requirePace(ctx, tx, user.id, 'application')
    return relationOf(ctx, tx, { readerId: user.id, memberId })
  })
}

export async function unfollow(
  ctx: Context,
  { memberId }: Parsed<'social/unfollow'>,
  { user }: Caller,
): Promise<Relation> {
  await requireMember(ctx.db, user.id, memberId)
  await ctx.db.delete(table).where(and(eq(table.userId, user.id), eq(table.memberId, memberId)))
  return relationOf(ctx, ctx.db, { readerId: user.id, memberId })
}

export const follows = (
  ctx: Context,
  body: Parsed<'social/follows'>,
  { user }: Caller,
): Promise<Answer<'social/follows'>> => page(ctx, { ...body, readerId: user.id, side: 'follows' })

export const fans = (
  ctx: Context,
  body: Parsed<'social/fans'>,
  { user }: Caller,
): Promise<Answer<'social/fans'>> => page(ctx, { ...body, readerId: user.id, side: 'fans' })

type Asked = { readerId: string; memberId: string; after: string | null; side: 'follows' | 'fans' }

/** Latest first; those who are hidden from the reader are left out. */
async function page(
  ctx: Context,
  { readerId, memberId, after, side }: Asked,
): Promise<Answer<'social/follows'>> {
  await requireMember(ctx.db, readerId, memberId)
  const [of, shown] = side === 'follows' ? [table.userId, table.memberId] : [table.memberId, table.userId]
  const { rows, next } = await readPage(ctx, {
    ...{ question: { side, memberId, readerId }, after, most: limits.page },
    read: (place, limit) =>
      ctx.db
        .select({ ...personColumns, at: table.at })
        .from(table)
        .innerJoin(users, and(eq(users.id, shown), isNull(users.cancelledAt)))
        .where(
          and(
            ...[eq(of, memberId), isBefore(place, table.at, users.id)],
            not(isHiddenFrom(ctx.db, readerId, users.id)),
          ),
        )
        .orderBy(desc(table.at), desc(users.id))
        .limit(limit),
    placeOf: (row) => row,
  })
  return { people: rows.map(personOf), next }
}
