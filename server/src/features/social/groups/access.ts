/** A chat group as one of its members reaches it; for everybody else it does not exist. */
import { and, eq, isNull } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { type ChatMemberRow, type ChatRow, chatMembers, chats } from '../chats/tables.ts'
import { type ChatGroupRow, chatGroups } from './tables.ts'

export type OwnGroup = { group: ChatGroupRow; chat: ChatRow; member: ChatMemberRow }

export async function requireGroup(db: Db, userId: string, groupId: string): Promise<OwnGroup> {
  const [own] = await db
    .select({ group: chatGroups, chat: chats, member: chatMembers })
    .from(chatGroups)
    .innerJoin(chats, eq(chats.groupId, chatGroups.id))
    .innerJoin(chatMembers, eq(chatMembers.chatId, chats.id))
    .where(and(...[eq(chatGroups.id, groupId), eq(chatMembers.userId, userId), isNull(chatMembers.untilId)]))
  if (!own) throw fail('group_missing')
  return own
}

/** Nobody writes, joins or leaves, and nothing of the group changes, until the transaction ends. */
export async function lockGroup(tx: Tx, userId: string, groupId: string): Promise<OwnGroup> {
  await lockChatOf(tx, groupId)
  return requireGroup(tx, userId, groupId)
}

export async function lockOwnedGroup(tx: Tx, userId: string, groupId: string): Promise<OwnGroup> {
  const own = await lockGroup(tx, userId, groupId)
  if (own.group.ownerId !== userId) throw fail('not_allowed')
  return own
}

/** One lock for the group and its chat. */
export async function lockChatOf(tx: Tx, groupId: string): Promise<ChatRow | null> {
  const [chat] = await tx.select().from(chats).where(eq(chats.groupId, groupId)).for('update')
  return chat ?? null
}
