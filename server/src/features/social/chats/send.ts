/** Adding messages: each once, in the order in which everybody sees them. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { social as limits } from '@neuroloom/contract/limits'
import type { Attachment } from '@neuroloom/contract/social/attachments'
import type { ChatEventKind } from '@neuroloom/contract/social/chats'
import type { Person } from '@neuroloom/contract/social/people'
import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { databaseNow } from '../../../infra/due.ts'
import { newId } from '../../../infra/ids.ts'
import { users } from '../../accounts/tables.ts'
import { bind, requireAttachable } from '../attachments/attach.ts'
import { requireOpenable } from '../attachments/open.ts'
import { requirePace } from '../moderation/rate.ts'
import { personOf, requireFriend } from '../people/relations.ts'
import { cleanText } from '../text.ts'
import { lockChat, memberIds, type OwnChat } from './access.ts'
import { describeMessage, sinceOf } from './describe.ts'
import { tellMembers, tellWatchers } from './news.ts'
import { findSeen, removeText } from './reading.ts'
import { type ChatRow, chatMembers, chats, type MessageRow, messages } from './tables.ts'

export async function send(
  ctx: Context,
  { chatId, requestId, text: given, attachments, replyTo, mentions }: Parsed<'social/send'>,
  caller: Caller,
): Promise<Answer<'social/send'>> {
  const { user } = caller
  const text = cleanText(given, { mayBeEmpty: attachments.length > 0 })
  await requireOpenable(ctx, caller, attachments)
  return ctx.db.transaction(async (tx) => {
    const isSame = and(
      ...[eq(messages.chatId, chatId), eq(messages.senderId, user.id), eq(messages.requestId, requestId)],
    )
    // Asked for at once, in this order.
    const locked = lockChat(tx, user.id, chatId)
    const same = tx.select().from(messages).where(isSame).prepare('social_same_message').execute()
    const [own, [before]] = await Promise.all([locked, same])
    if (before) return describeMessage(tx, before, sinceOf([own.member]))
    if (own.chat.kind === 'pair') await requireOpenPair(tx, chatId, user.id)
    await requirePace(ctx, tx, user.id, 'message')
    if (replyTo !== null) await requireQuotable(tx, own, replyTo)
    const named = await membersAmong(tx, chatId, mentions)
    const attached = await requireAttachable(tx, user.id, attachments)
    const message = {
      ...{ senderId: user.id, text, attachments: attached, requestId, replyTo, mentions: named },
    }
    const { row, told } = await add(ctx, tx, own.chat, message, [personOf({ ...user, cancelledAt: null })])
    await bind(tx, attached, { chatId, messageId: row.id })
    await tellOthers(ctx, tx, own.chat, row)
    // Only of a quote each sees as much as came since they joined.
    return replyTo === null ? told : describeMessage(tx, row, sinceOf([own.member]))
  })
}

export async function withdraw(
  ctx: Context,
  { chatId, messageId }: Parsed<'social/withdraw'>,
  { user }: Caller,
): Promise<Answer<'social/withdraw'>> {
  return ctx.db.transaction(async (tx) => {
    const own = await lockChat(tx, user.id, chatId)
    const row = await findSeen(tx, own, messageId)
    if (row?.senderId !== user.id || row.event !== null) throw fail('message_missing')
    const since = sinceOf([own.member])
    if (row.withdrawnAt !== null) return describeMessage(tx, row, since)
    const now = await databaseNow(ctx, tx)
    if (now.getTime() - row.at.getTime() > limits.withdrawMs) throw fail('message_late')
    const withdrawn = await removeText(ctx, tx, chatId, messageId)
    if (!withdrawn) throw fail('message_missing')
    return describeMessage(tx, withdrawn, since)
  })
}

type About = { senderId: string; text: string; attachment: Attachment; mentions?: string[] }

/** A message about what its sender begins in the chat, with the chat locked. */
export async function sendAbout(
  ctx: Context,
  tx: Tx,
  own: OwnChat,
  { senderId, text, attachment, mentions = [] }: About,
): Promise<void> {
  if (own.chat.kind === 'pair') await requireOpenPair(tx, own.chat.id, senderId)
  await requirePace(ctx, tx, senderId, 'message')
  const message = { senderId, text, requestId: newId(), replyTo: null, mentions, attachments: [attachment] }
  const { row } = await add(ctx, tx, own.chat, message)
  await tellOthers(ctx, tx, own.chat, row)
}

type Line = { event: ChatEventKind; actorId: string | null; personId: string | null }

/** A line about a group, with its chat locked. */
export async function addLine(
  ctx: Context,
  tx: Tx,
  chat: ChatRow,
  { event, actorId, personId }: Line,
): Promise<MessageRow> {
  const line = { senderId: actorId, text: '', requestId: newId(), replyTo: null, mentions: [] }
  const { row } = await add(ctx, tx, chat, { ...line, event, personId })
  return row
}

type New = Pick<MessageRow, 'senderId' | 'text' | 'requestId' | 'replyTo' | 'mentions'> &
  Partial<Pick<MessageRow, 'event' | 'personId' | 'attachments'>>

/** Answers what those who watch are told besides. Persons that are known are not looked up. */
async function add(
  ctx: Context,
  tx: Tx,
  { id: chatId }: ChatRow,
  message: New,
  known: readonly Person[] = [],
) {
  const numbered = tx.$with('numbered').as(
    tx
      .update(chats)
      .set({ lastId: sql`${chats.lastId} + 1`, lastAt: ctx.databaseClock() })
      .where(eq(chats.id, chatId))
      .returning({ lastId: chats.lastId, lastAt: chats.lastAt }),
  )
  const id = sql`(select ${numbered.lastId} from ${numbered})`
  const at = sql`(select ${numbered.lastAt} from ${numbered})`
  const [row] = await tx
    .with(numbered)
    .insert(messages)
    .values({ ...message, chatId, id, at, searchText: message.text.toLowerCase() })
    .returning()
  if (!row) throw new Error('The message was not written')
  return { row, told: await tellWatchers(ctx, tx, row, known) }
}

/**
 * Whoever does not watch the chat learns that something waits. Of a busy group not each time: its members would ask what is
 * unread all day; whom it names always.
 */
async function tellOthers(ctx: Context, tx: Tx, before: ChatRow, row: MessageRow): Promise<void> {
  const isBusy = before.kind === 'group' && row.at.getTime() - before.lastAt.getTime() < limits.groupNewsMs
  const told = isBusy ? row.mentions : await memberIds(tx, row.chatId)
  await tellMembers(
    ctx,
    tx,
    told.filter((id) => id !== row.senderId),
  )
}

async function requireOpenPair(tx: Tx, chatId: string, userId: string): Promise<void> {
  const [other] = await tx
    .select({ id: users.id, cancelledAt: users.cancelledAt })
    .from(chatMembers)
    .innerJoin(users, eq(users.id, chatMembers.userId))
    .where(and(eq(chatMembers.chatId, chatId), ne(chatMembers.userId, userId)))
  if (!other || other.cancelledAt !== null) throw fail('social_refused')
  await requireFriend(tx, userId, other.id)
}

async function requireQuotable(tx: Tx, own: OwnChat, messageId: number): Promise<void> {
  const quoted = await findSeen(tx, own, messageId)
  if (quoted === null || quoted.event !== null || quoted.withdrawnAt !== null) throw fail('message_missing')
}

async function membersAmong(tx: Tx, chatId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .select({ userId: chatMembers.userId })
    .from(chatMembers)
    .where(
      and(
        ...[eq(chatMembers.chatId, chatId), isNull(chatMembers.untilId)],
        inArray(chatMembers.userId, [...ids]),
      ),
    )
  return rows.map(({ userId }) => userId)
}
