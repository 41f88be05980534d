/** What of chats and groups is a member's own: in the archive, and when the account is erased. */
import { and, asc, eq, gt, isNull, ne, or, sql } from 'drizzle-orm'
import { type ArchivedFile, jsonFile, jsonList } from '../../../infra/archive.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { users } from '../../accounts/tables.ts'
import { lockChatOf } from '../groups/access.ts'
import { dissolve } from '../groups/groups.ts'
import { giveGroup } from '../groups/members.ts'
import { chatGroups } from '../groups/tables.ts'
import { chatMembers, chats, messages } from './tables.ts'

export async function* exportOf({ db }: Context, userId: string): AsyncIterable<ArchivedFile> {
  const owned = await db.select().from(chatGroups).where(eq(chatGroups.ownerId, userId))
  const joined = await db
    .select({ chat: chats, membership: chatMembers, group: chatGroups.name })
    .from(chatMembers)
    .innerJoin(chats, eq(chats.id, chatMembers.chatId))
    .leftJoin(chatGroups, eq(chatGroups.id, chats.groupId))
    .where(eq(chatMembers.userId, userId))
  yield jsonFile('social-chats.json', {
    ownGroups: owned.map(({ passwordHash: _, ...group }) => group),
    chats: joined.map(({ chat: { pairKey: _, ...chat }, ...rest }) => ({ ...chat, ...rest })),
  })
  yield jsonList('social-messages.json', ownMessages(db, userId))
}

const PAGE = 1000

async function* ownMessages(db: Db, userId: string): AsyncIterable<object> {
  for (let last = { chatId: '', id: 0 }; ; ) {
    const isLater = or(
      gt(messages.chatId, last.chatId),
      and(eq(messages.chatId, last.chatId), gt(messages.id, last.id)),
    )
    const rows = await db
      .select()
      .from(messages)
      .where(and(eq(messages.senderId, userId), isLater))
      .orderBy(asc(messages.chatId), asc(messages.id))
      .limit(PAGE)
    for (const { searchText: _, senderId: _own, ...row } of rows) yield row
    const end = rows.at(-1)
    if (!end || rows.length < PAGE) return
    last = end
  }
}

/**
 * What a member wrote to others stays with them, under an empty name. Owned groups pass to whoever has been in them longest;
 * those without anybody else end, and so do chats whose other member is gone as well.
 */
export async function eraseOf(ctx: Context, userId: string): Promise<void> {
  const owned = await ctx.db.select().from(chatGroups).where(eq(chatGroups.ownerId, userId))
  for (const { id } of owned) await passOn(ctx, userId, id)
  await ctx.db.transaction(async (tx) => {
    const isOwn = eq(chatMembers.userId, userId)
    const left = await tx.delete(chatMembers).where(isOwn).returning({ chatId: chatMembers.chatId })
    for (const { chatId } of left) {
      // Of two who go at once the second one sees that the first is gone.
      await tx.select({ id: chats.id }).from(chats).where(eq(chats.id, chatId)).for('update')
      await tx
        .update(messages)
        .set({ mentions: sql`array_remove(${messages.mentions}, ${userId})` })
        .where(and(eq(messages.chatId, chatId), sql`mentions <> '{}'`, sql`${userId} = any(mentions)`))
      const isLeft = sql`not exists (select from ${chatMembers} m where m.chat_id = ${chats.id})`
      await tx.delete(chats).where(and(...[eq(chats.id, chatId), eq(chats.kind, 'pair')], isLeft))
    }
    await tx.update(messages).set({ senderId: null }).where(eq(messages.senderId, userId))
    await tx.update(messages).set({ personId: null }).where(eq(messages.personId, userId))
  })
}

async function passOn(ctx: Context, userId: string, groupId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const chat = await lockChatOf(tx, groupId)
    if (!chat) return
    const [longest] = await tx
      .select({ userId: chatMembers.userId })
      .from(chatMembers)
      .innerJoin(users, eq(users.id, chatMembers.userId))
      .where(
        and(
          ...[eq(chatMembers.chatId, chat.id), ne(chatMembers.userId, userId)],
          ...[isNull(chatMembers.untilId), isNull(users.cancelledAt)],
        ),
      )
      .orderBy(asc(chatMembers.joinedAt), asc(chatMembers.userId))
      .limit(1)
    if (longest) await giveGroup(ctx, tx, { chat, groupId, toId: longest.userId, actorId: userId })
    else await dissolve(ctx, tx, { groupId, chatId: chat.id })
  })
}
