/** What a member may see of a chat. For everybody else it does not exist. */
import { and, eq, gt, isNull, lte, type SQL } from 'drizzle-orm'
import type { SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { isMember, isThere } from '../access.ts'
import { type ChatMemberRow, type ChatRow, chatMembers, chats, messages } from './tables.ts'

export type OwnChat = { chat: ChatRow; member: ChatMemberRow }

/** The chat of somebody who is or was in it. */
export async function requireChat(db: Db, userId: string, chatId: string): Promise<OwnChat> {
  const [own] = await db
    .select({ chat: chats, member: chatMembers })
    .from(chatMembers)
    .innerJoin(chats, eq(chats.id, chatMembers.chatId))
    .where(and(eq(chatMembers.chatId, chatId), eq(chatMembers.userId, userId)))
    .prepare('social_own_chat')
    .execute()
  if (!own) throw fail('chat_missing')
  return own
}

/** The chat of somebody who is in it. Nobody else writes, joins or leaves until the transaction ends. */
export async function lockChat(tx: Tx, userId: string, chatId: string): Promise<OwnChat> {
  // The lock first: who is in it then stays as it is. Both are asked for at once, in this order.
  const locked = tx
    .select({ id: chats.id })
    .from(chats)
    .where(eq(chats.id, chatId))
    .for('update')
    .prepare('social_lock_chat')
    .execute()
  const [own] = await Promise.all([requireChat(tx, userId, chatId), locked])
  if (own.member.untilId !== null) throw fail('chat_missing')
  return own
}

export async function mayWatch(ctx: Context, user: SessionUser, chatId: string): Promise<void> {
  if (!isThere(ctx) || !isMember(user)) throw fail('chat_missing')
  const { member } = await requireChat(ctx.db, user.id, chatId)
  if (member.untilId !== null) throw fail('chat_missing')
}

/** Of the messages of a member's chat: those that the member sees. */
export const isSeen = (member: ChatMemberRow): SQL | undefined =>
  and(
    eq(messages.chatId, member.chatId),
    gt(messages.id, firstUnseen(member)),
    member.untilId === null ? undefined : lte(messages.id, member.untilId),
  )

/** The last message that came before those that a member sees. */
export const firstUnseen = ({ fromId, clearedId }: Pick<ChatMemberRow, 'fromId' | 'clearedId'>): number =>
  Math.max(fromId, clearedId)

export async function memberIds(db: Db, chatId: string): Promise<string[]> {
  const rows = await db
    .select({ userId: chatMembers.userId })
    .from(chatMembers)
    .where(and(eq(chatMembers.chatId, chatId), isNull(chatMembers.untilId)))
  return rows.map(({ userId }) => userId)
}
