/** What open pages are told of chats. Whoever was away asks for what came after the last message they have. */
import type { ChatNews, Message, ReadNews } from '@neuroloom/contract/social/chats'
import type { Person } from '@neuroloom/contract/social/people'
import { and, eq, isNull, max } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { describeMessage } from './describe.ts'
import { chatMembers, type MessageRow } from './tables.ts'

/** A notice of the database holds 8 kB, with its topic and type. */
const MOST_BYTES = 6500

/** A message that is new or was withdrawn, to those who watch its chat. Answers what they are told. */
export async function tellWatchers(
  ctx: Context,
  tx: Tx,
  row: MessageRow,
  known: readonly Person[] = [],
): Promise<Message> {
  const latest = row.replyTo === null ? 0 : await latestJoined(tx, row.chatId)
  const message = await describeMessage(tx, row, () => latest, known)
  const isSmall = Buffer.byteLength(JSON.stringify(message)) <= MOST_BYTES
  const news: ChatNews = { messageId: row.id, message: isSmall ? message : null }
  await ctx.live.passing({ kind: 'chat', id: row.chatId }, 'message', news, tx)
  return message
}

/** All get the same: a quote that the latest one to join does not see goes to nobody by this way. */
async function latestJoined(tx: Tx, chatId: string): Promise<number> {
  const isIn = and(eq(chatMembers.chatId, chatId), isNull(chatMembers.untilId))
  const [latest] = await tx
    .select({ fromId: max(chatMembers.fromId) })
    .from(chatMembers)
    .where(isIn)
  return latest?.fromId ?? 0
}

export async function tellRead(ctx: Context, tx: Tx, chatId: string, news: ReadNews): Promise<void> {
  await ctx.live.passing({ kind: 'chat', id: chatId }, 'read', news, tx)
}

/** Their lists of chats, or what is unread in them, changed. */
export async function tellMembers(ctx: Context, tx: Tx, userIds: readonly string[]): Promise<void> {
  const topics = [...new Set(userIds)].map((id) => ({ kind: 'user' as const, id }))
  await ctx.live.passingToAll(topics, 'chats', {}, tx)
}
