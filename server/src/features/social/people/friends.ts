/** The address book, and how friendships begin and end. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { social as limits } from '@neuroloom/contract/limits'
import { and, asc, eq, isNull, or, type SQL } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { users } from '../../accounts/tables.ts'
import { lock } from '../lock.ts'
import { sightChanged } from '../sight.ts'
import { onlineOf } from './online.ts'
import { personColumns, personOf } from './relations.ts'
import { applications, friends } from './tables.ts'

/** Whoever changes how two members stand to each other holds both: requests, answers and blocks come one after the other. */
export const lockPair = (tx: Tx, a: string, b: string): Promise<void> =>
  lock(tx, `person ${a}`, `person ${b}`)

/** With both sides locked. */
export async function befriend(ctx: Context, tx: Tx, a: string, b: string): Promise<void> {
  for (const userId of [a, b])
    if ((await tx.$count(friends, eq(friends.userId, userId))) >= limits.friends)
      throw fail('too_many_friends', { most: limits.friends })
  const since = ctx.now()
  await tx.insert(friends).values([
    { userId: a, friendId: b, since },
    { userId: b, friendId: a, since },
  ])
}

export async function list(
  ctx: Context,
  _body: unknown,
  { user }: Caller,
): Promise<Answer<'social/friends'>> {
  const rows = await ctx.db
    .select({ ...personColumns, since: friends.since })
    .from(friends)
    .innerJoin(users, and(eq(users.id, friends.friendId), isNull(users.cancelledAt)))
    .where(eq(friends.userId, user.id))
    .orderBy(asc(users.nickName), asc(users.id))
  const isOnline = await onlineOf(
    ctx,
    user.id,
    rows.map(({ id }) => id),
  )
  return {
    friends: rows.map(({ since, ...row }) => ({
      ...{ ...personOf(row), since: since.toISOString(), isOnline: isOnline(row.id) },
    })),
  }
}

/** The other is not told; both may ask again at once. */
export async function unfriend(
  ctx: Context,
  { memberId }: Parsed<'social/unfriend'>,
  { user }: Caller,
): Promise<Answer<'social/unfriend'>> {
  await ctx.db.transaction(async (tx) => {
    await lockPair(tx, user.id, memberId)
    await endFriendship(tx, user.id, memberId)
    await tx
      .delete(applications)
      .where(and(betweenApplications(user.id, memberId), eq(applications.state, 'accepted')))
    await sightChanged(ctx, tx, [user.id, memberId])
  })
  return {}
}

/** With both sides locked. */
export async function endFriendship(tx: Tx, a: string, b: string): Promise<void> {
  await tx
    .delete(friends)
    .where(
      or(
        and(eq(friends.userId, a), eq(friends.friendId, b)),
        and(eq(friends.userId, b), eq(friends.friendId, a)),
      ),
    )
}

export const betweenApplications = (a: string, b: string): SQL | undefined =>
  or(
    and(eq(applications.fromId, a), eq(applications.toId, b)),
    and(eq(applications.fromId, b), eq(applications.toId, a)),
  )
