/** How much a member has not read: by ids, counted so far as pages say it. */
import type { Answer } from '@neuroloom/contract/calls'
import { social as limits } from '@neuroloom/contract/limits'
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { notices } from '../../../infra/notices.ts'
import { countWaiting } from '../people/applications.ts'
import { chatMembers, messages } from './tables.ts'

export async function unread(
  ctx: Context,
  _body: unknown,
  { user }: Caller,
): Promise<Answer<'social/unread'>> {
  const chats = await countAllUnread(ctx.db, user.id)
  const applications = await countWaiting(ctx.db, user.id)
  const own = and(eq(notices.userId, user.id), isNull(notices.readAt))
  const noticeCount = await ctx.db.$count(notices, own)
  return { chats, applications, notices: noticeCount, all: chats + applications + noticeCount }
}

/** In all chats that are not muted. */
export async function countAllUnread(db: Db, userId: string): Promise<number> {
  const rows = await db
    .select({ unreadCount: counted(userId) })
    .from(chatMembers)
    .where(and(eq(chatMembers.userId, userId), eq(chatMembers.isMuted, false)))
  return rows.reduce((sum, { unreadCount }) => sum + unreadCount, 0)
}

export async function countUnread(
  db: Db,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, { unreadCount: number; mentionCount: number }>> {
  const isNamed = sql`x.mentions <> '{}' and ${userId} = any(x.mentions)`
  const rows = await db
    .select({
      chatId: chatMembers.chatId,
      unreadCount: counted(userId),
      mentionCount: counted(userId, isNamed),
    })
    .from(chatMembers)
    .where(and(eq(chatMembers.userId, userId), inArray(chatMembers.chatId, [...ids])))
  return new Map(rows.map(({ chatId, ...counts }) => [chatId, counts]))
}

/** Without own messages, lines about a group, and what was withdrawn. */
const counted = (userId: string, where: SQL = sql`true`) =>
  sql`(
    select count(*) from (
      select from ${messages} x
      where x.chat_id = social_chat_members.chat_id
        and x.id > greatest(
          social_chat_members.read_id, social_chat_members.from_id, social_chat_members.cleared_id
        )
        and x.id <= coalesce(social_chat_members.until_id, ${Number.MAX_SAFE_INTEGER})
        and x.sender_id is distinct from ${userId} and x.event is null and x.withdrawn_at is null
        and ${where}
      order by x.id limit ${limits.unread}
    ) waiting
  )`.mapWith(Number)
