/** A case round as whoever looks on sees it. */
import { rounds as limits } from '@neuroloom/contract/limits'
import type { Round } from '@neuroloom/contract/social/rounds'
import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { users } from '../../accounts/tables.ts'
import { requireChat } from '../chats/access.ts'
import { describeChat } from '../chats/describe.ts'
import { chatMembers } from '../chats/tables.ts'
import { nobody, personColumns, personOf, personsOf } from '../people/relations.ts'
import { type RoundRow, roundPeople } from './tables.ts'

export async function describeRound(ctx: Context, db: Db, round: RoundRow, userId: string): Promise<Round> {
  const { id, chatId, title, hostId, allMark, state, stateCount, marks, markCount } = round
  const people = await presentPeople(ctx, db, round)
  const { name } = await describeChat(db, userId, await requireChat(db, userId, chatId))
  const leader = people.find((one) => one.id === round.leaderId)
  return {
    ...{ id, chatId, chatName: name, title, allMark, state, stateCount, marks, markCount, people },
    host: (await personsOf(db, [hostId])).get(hostId) ?? nobody(),
    openedAt: round.openedAt.toISOString(),
    endedAt: round.endedAt?.toISOString() ?? null,
    leader: leader ? { id: leader.id, nickName: leader.nickName, photo: leader.photo } : null,
  }
}

/** Members of the chat whose page said lately that they look on. */
export async function presentPeople(
  ctx: Context,
  db: Db,
  { id, chatId }: Pick<RoundRow, 'id' | 'chatId'>,
): Promise<Round['people']> {
  const since = new Date(ctx.now().getTime() - limits.awayMs)
  const rows = await db
    .select({ person: personColumns, askedAt: roundPeople.askedAt })
    .from(roundPeople)
    .innerJoin(users, and(eq(users.id, roundPeople.userId), isNull(users.cancelledAt)))
    .innerJoin(
      chatMembers,
      and(
        ...[eq(chatMembers.chatId, chatId), eq(chatMembers.userId, roundPeople.userId)],
        isNull(chatMembers.untilId),
      ),
    )
    .where(and(eq(roundPeople.roundId, id), gt(roundPeople.seenAt, since)))
    .orderBy(asc(users.nickName), asc(users.id))
  return rows.map(({ person, askedAt }) => ({ ...personOf(person), asks: askedAt !== null }))
}
