import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { and, desc, eq, inArray, isNull, or } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { users } from '../../accounts/tables.ts'
import { chatMembers } from '../chats/tables.ts'
import { sightChanged } from '../sight.ts'
import { betweenApplications, endFriendship, lockPair } from './friends.ts'
import { requireMember } from './members.ts'
import { personColumns, personOf } from './relations.ts'
import { applications, blocks, follows } from './tables.ts'

/** Friendship, follows and requests between the two end with it. */
export async function block(
  ctx: Context,
  { memberId }: Parsed<'social/block'>,
  { user }: Caller,
): Promise<Answer<'social/block'>> {
  if (memberId === user.id) throw fail('member_missing')
  await ctx.db.transaction(async (tx) => {
    await lockPair(tx, user.id, memberId)
    // Whoever was blocked is not there to the other one, who may block back all the same where both are in a chat.
    if (!(await shareChat(tx, user.id, memberId))) await requireMember(tx, user.id, memberId)
    await tx.insert(blocks).values({ userId: user.id, memberId, at: ctx.now() }).onConflictDoNothing()
    await endFriendship(tx, user.id, memberId)
    await tx.delete(applications).where(betweenApplications(user.id, memberId))
    await tx
      .delete(follows)
      .where(
        or(
          and(eq(follows.userId, user.id), eq(follows.memberId, memberId)),
          and(eq(follows.userId, memberId), eq(follows.memberId, user.id)),
        ),
      )
    await sightChanged(ctx, tx, [user.id, memberId])
  })
  return {}
}

async function shareChat(tx: Tx, userId: string, memberId: string): Promise<boolean> {
  const own = tx
    .select({ chatId: chatMembers.chatId })
    .from(chatMembers)
    .where(eq(chatMembers.userId, userId))
  const isShared = and(eq(chatMembers.userId, memberId), inArray(chatMembers.chatId, own))
  return (await tx.$count(chatMembers, isShared)) > 0
}

export async function unblock(
  ctx: Context,
  { memberId }: Parsed<'social/unblock'>,
  { user }: Caller,
): Promise<Answer<'social/unblock'>> {
  await ctx.db.delete(blocks).where(and(eq(blocks.userId, user.id), eq(blocks.memberId, memberId)))
  return {}
}

export async function list(
  ctx: Context,
  _body: unknown,
  { user }: Caller,
): Promise<Answer<'social/blocked'>> {
  const rows = await ctx.db
    .select(personColumns)
    .from(blocks)
    .innerJoin(users, and(eq(users.id, blocks.memberId), isNull(users.cancelledAt)))
    .where(eq(blocks.userId, user.id))
    .orderBy(desc(blocks.at), desc(users.id))
  return { people: rows.map(personOf) }
}
