/** Whether a member may be reached at all: somebody who has blocked the reader is as one who is not there. */
import type { Relation } from '@neuroloom/contract/social/people'
import { and, eq, isNull } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { type UserRow, users } from '../../accounts/tables.ts'
import { isMember } from '../access.ts'
import { areFriends } from './relations.ts'
import { readsAsSent } from './request-state.ts'
import { applications, blocks, follows } from './tables.ts'

/** The member as the reader may see them, or `member_missing`. Those whom the reader has blocked are there. */
export async function requireMember(db: Db, readerId: string, memberId: string): Promise<UserRow> {
  const [member] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, memberId), isNull(users.cancelledAt)))
  if (!member || !isMember(member) || (await hasBlocked(db, memberId, readerId))) throw fail('member_missing')
  return member
}

/** Another member who can be asked and followed. */
export async function requireOther(db: Db, readerId: string, memberId: string): Promise<UserRow> {
  if (readerId === memberId) throw fail('member_missing')
  const member = await requireMember(db, readerId, memberId)
  // Their own block is no secret to them.
  if (await hasBlocked(db, readerId, memberId)) throw fail('social_refused')
  return member
}

async function hasBlocked(db: Db, userId: string, memberId: string): Promise<boolean> {
  return (await db.$count(blocks, and(eq(blocks.userId, userId), eq(blocks.memberId, memberId)))) > 0
}

export async function relationOf(
  ctx: Context,
  db: Db,
  { readerId, memberId }: { readerId: string; memberId: string },
): Promise<Relation> {
  const isFriend = await areFriends(db, readerId, memberId)
  return {
    isSelf: readerId === memberId,
    isFriend,
    application: isFriend ? 'none' : await openApplication(ctx, db, { readerId, memberId }),
    isFollowed:
      (await db.$count(follows, and(eq(follows.userId, readerId), eq(follows.memberId, memberId)))) > 0,
    isBlocked: await hasBlocked(db, readerId, memberId),
  }
}

async function openApplication(
  ctx: Context,
  db: Db,
  { readerId, memberId }: { readerId: string; memberId: string },
): Promise<Relation['application']> {
  const between = (fromId: string, toId: string) =>
    db
      .select()
      .from(applications)
      .where(and(eq(applications.fromId, fromId), eq(applications.toId, toId)))
  const [received] = await between(memberId, readerId)
  if (received?.state === 'waiting') return 'received'
  const [sent] = await between(readerId, memberId)
  return sent && readsAsSent(ctx, sent) ? 'sent' : 'none'
}
