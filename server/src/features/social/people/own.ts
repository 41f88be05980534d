/** How a member stands to others: in the archive, and when the account is erased. */
import { asc, eq, or } from 'drizzle-orm'
import { type ArchivedFile, jsonFile } from '../../../infra/archive.ts'
import type { Context } from '../../../infra/context.ts'
import { users } from '../../accounts/tables.ts'
import { socialTries } from '../moderation/tables.ts'
import { personsOf } from './relations.ts'
import { applications, blocks, cards, follows, friends } from './tables.ts'

export async function* exportOf({ db }: Context, userId: string): AsyncIterable<ArchivedFile> {
  const [card = null] = await db.select().from(cards).where(eq(cards.userId, userId))
  const befriended = await db
    .select({ since: friends.since, id: users.id, name: users.nickName })
    .from(friends)
    .innerJoin(users, eq(users.id, friends.friendId))
    .where(eq(friends.userId, userId))
    .orderBy(asc(friends.since))
  const asked = await db
    .select()
    .from(applications)
    .where(or(eq(applications.fromId, userId), eq(applications.toId, userId)))
    .orderBy(asc(applications.at))
  const followed = await db.select().from(follows).where(eq(follows.userId, userId)).orderBy(asc(follows.at))
  const blocked = await db.select().from(blocks).where(eq(blocks.userId, userId)).orderBy(asc(blocks.at))
  const ids = [...asked.flatMap(({ fromId, toId }) => [fromId, toId])]
  const names = await personsOf(db, [
    ...ids,
    ...followed.map(({ memberId }) => memberId),
    ...blocked.map(({ memberId }) => memberId),
  ])
  const nameOf = (id: string): string => names.get(id)?.nickName ?? ''
  yield jsonFile('social-people.json', {
    card,
    friends: befriended,
    friendRequests: asked.map((row) => {
      const { id, fromId, toId, text, at } = row
      const isSent = fromId === userId
      // Whether others refused is not told here either.
      const answer = isSent && row.state === 'refused' ? { state: 'waiting', answeredAt: null } : row
      return {
        ...{ id, text, at, state: answer.state, answeredAt: answer.answeredAt },
        ...{ direction: isSent ? 'sent' : 'received', name: nameOf(isSent ? toId : fromId) },
      }
    }),
    follows: followed.map(({ memberId, at }) => ({ id: memberId, name: nameOf(memberId), at })),
    blocked: blocked.map(({ memberId, at }) => ({ id: memberId, name: nameOf(memberId), at })),
  })
}

/** Of both sides: nobody has a friend, a fan or a request of somebody who is gone. */
export async function eraseOf({ db }: Context, userId: string): Promise<void> {
  await db.delete(cards).where(eq(cards.userId, userId))
  await db.delete(friends).where(or(eq(friends.userId, userId), eq(friends.friendId, userId)))
  await db.delete(applications).where(or(eq(applications.fromId, userId), eq(applications.toId, userId)))
  await db.delete(follows).where(or(eq(follows.userId, userId), eq(follows.memberId, userId)))
  await db.delete(blocks).where(or(eq(blocks.userId, userId), eq(blocks.memberId, userId)))
  await db.delete(socialTries).where(eq(socialTries.userId, userId))
}
