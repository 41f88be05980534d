/** Whether members of a chat reach each other: what one shows in it, the other sees. */
import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../../infra/db.ts'
import { users } from '../../accounts/tables.ts'
import { isMember } from '../access.ts'
import { areFriends, isBlockedBetween } from '../people/relations.ts'
import { chatMembers, chats } from './tables.ts'

/** Whether a member of a chat sees what another one shows in it. */
export async function canMeet(
  db: Db,
  userId: string,
  shown: { chatId: string; hostId: string },
): Promise<boolean> {
  const { chatId, hostId } = shown
  if (!(await isIn(db, chatId, userId))) return false
  if (userId === hostId) return true
  if (await isBlockedBetween(db, userId, hostId)) return false
  const [chat] = await db.select({ kind: chats.kind }).from(chats).where(eq(chats.id, chatId))
  return chat?.kind === 'group' || areFriends(db, userId, hostId)
}

/** Whether somebody is in a chat now, as a member of the social centre. */
export async function isIn(db: Db, chatId: string, userId: string): Promise<boolean> {
  const [found] = await db
    .select({ role: users.role })
    .from(chatMembers)
    .innerJoin(users, and(eq(users.id, chatMembers.userId), isNull(users.cancelledAt)))
    .where(
      and(...[eq(chatMembers.chatId, chatId), eq(chatMembers.userId, userId)], isNull(chatMembers.untilId)),
    )
  return found !== undefined && isMember(found)
}
