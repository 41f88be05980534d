/** A member's own list of chats, and how each stands in it. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { social as limits } from '@neuroloom/contract/limits'
import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { users } from '../../accounts/tables.ts'
import { isMember } from '../access.ts'
import { requireFriend } from '../people/relations.ts'
import { requireChat } from './access.ts'
import { describeChat, describeChats } from './describe.ts'
import { tellMembers, tellRead } from './news.ts'
import { type ChatMemberRow, type ChatRow, chatMembers, chats } from './tables.ts'
import { countAllUnread, countUnread } from './unread.ts'

export async function listChats(
  ctx: Context,
  _body: unknown,
  { user }: Caller,
): Promise<Answer<'social/chats'>> {
  const hasMessages = sql`coalesce(${chatMembers.untilId}, ${chats.lastId})
    > greatest(${chatMembers.fromId}, ${chatMembers.clearedId})`
  const own = await ctx.db
    .select({ chat: chats, member: chatMembers })
    .from(chatMembers)
    .innerJoin(chats, eq(chats.id, chatMembers.chatId))
    .where(and(eq(chatMembers.userId, user.id), hasMessages))
    .orderBy(desc(chats.lastAt), desc(chats.id))
    .limit(limits.chats)
  const described = await describeChats(ctx.db, user.id, own)
  // Of a chat that was left, others write on.
  const lastAt = new Map(described.map(({ id, last }) => [id, last?.at ?? '']))
  return {
    chats: described.sort((one, other) =>
      (lastAt.get(one.id) ?? '') < (lastAt.get(other.id) ?? '') ? 1 : -1,
    ),
    unreadCount: await countAllUnread(ctx.db, user.id),
  }
}

export async function openChat(
  ctx: Context,
  { memberId }: Parsed<'social/openChat'>,
  { user }: Caller,
): Promise<Answer<'social/openChat'>> {
  const pairKey = [user.id, memberId].sort().join(' ')
  return ctx.db.transaction(async (tx) => {
    const [known] = await tx.select().from(chats).where(eq(chats.pairKey, pairKey))
    const chat = known ?? (await makePair(ctx, tx, { userId: user.id, memberId, pairKey }))
    return describeChat(tx, user.id, await requireChat(tx, user.id, chat.id))
  })
}

type Pair = { userId: string; memberId: string; pairKey: string }

async function makePair(ctx: Context, tx: Tx, { userId, memberId, pairKey }: Pair): Promise<ChatRow> {
  const [other] = await tx
    .select({ role: users.role })
    .from(users)
    .where(and(eq(users.id, memberId), isNull(users.cancelledAt)))
  if (!other || !isMember(other) || memberId === userId) throw fail('member_missing')
  await requireFriend(tx, userId, memberId)
  const at = ctx.now()
  // Of two who open it at once the second one waits here, and finds the first one's.
  const [made] = await tx
    .insert(chats)
    .values({ id: newId(), kind: 'pair', pairKey, lastAt: at })
    .onConflictDoNothing({ target: chats.pairKey })
    .returning()
  const [chat = made] = await tx.select().from(chats).where(eq(chats.pairKey, pairKey))
  if (!chat) throw fail('chat_missing')
  if (made) {
    const members = [userId, memberId].map((id) => ({ chatId: made.id, userId: id, joinedAt: at }))
    await tx.insert(chatMembers).values(members)
  }
  return chat
}

export async function read(
  ctx: Context,
  { chatId, messageId }: Parsed<'social/read'>,
  { user }: Caller,
): Promise<Answer<'social/read'>> {
  return ctx.db.transaction(async (tx) => {
    const { chat } = await requireChat(tx, user.id, chatId)
    const readId = Math.min(messageId, chat.lastId)
    const moved = await tx
      .update(chatMembers)
      .set({ readId })
      .where(and(isOwn(chatId, user.id), lt(chatMembers.readId, readId)))
      .returning()
    if (moved.length > 0) {
      if (chat.kind === 'pair') await tellRead(ctx, tx, chatId, { memberId: user.id, messageId: readId })
      await tellMembers(ctx, tx, [user.id])
    }
    const unread = await countUnread(tx, user.id, [chatId])
    return { unreadCount: unread.get(chatId)?.unreadCount ?? 0 }
  })
}

export async function mute(
  ctx: Context,
  { chatId, isMuted }: Parsed<'social/mute'>,
  { user }: Caller,
): Promise<Answer<'social/mute'>> {
  await change(ctx, chatId, user.id, () => ({ isMuted }))
  return {}
}

export async function removeChat(
  ctx: Context,
  { chatId }: Parsed<'social/removeChat'>,
  { user }: Caller,
): Promise<Answer<'social/removeChat'>> {
  await change(ctx, chatId, user.id, ({ lastId }) => ({ clearedId: lastId, readId: lastId }))
  return {}
}

async function change(
  ctx: Context,
  chatId: string,
  userId: string,
  values: (chat: ChatRow) => Partial<ChatMemberRow>,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { chat } = await requireChat(tx, userId, chatId)
    await tx.update(chatMembers).set(values(chat)).where(isOwn(chatId, userId))
    await tellMembers(ctx, tx, [userId])
  })
}

const isOwn = (chatId: string, userId: string) =>
  and(eq(chatMembers.chatId, chatId), eq(chatMembers.userId, userId))
