/** Chats and messages as one of their members sees them. */
import type { Chat, Message } from '@neuroloom/contract/social/chats'
import type { Person } from '@neuroloom/contract/social/people'
import { and, eq, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../infra/db.ts'
import { users } from '../../accounts/tables.ts'
import { chatGroups } from '../groups/tables.ts'
import { nobody, personColumns, personOf, personsOf } from '../people/relations.ts'
import { blocks, friends } from '../people/tables.ts'
import { firstUnseen, type OwnChat } from './access.ts'
import { type ChatMemberRow, chatMembers, chats, type MessageRow, messages } from './tables.ts'
import { countUnread } from './unread.ts'

/** By which message each chat begins for whoever looks: a quote of what came before is empty. */
export type Since = (chatId: string) => number

export const sinceOf =
  (members: readonly Pick<ChatMemberRow, 'chatId' | 'fromId' | 'clearedId'>[]): Since =>
  (chatId) => {
    const member = members.find((one) => one.chatId === chatId)
    return member ? firstUnseen(member) : 0
  }

export async function describeMessages(
  db: Db,
  rows: readonly MessageRow[],
  since: Since,
  known: readonly Person[] = [],
): Promise<Message[]> {
  const quoted = await selectQuoted(db, rows)
  const ids = [...rows, ...quoted].flatMap(({ senderId, personId }) => [senderId, personId])
  const persons = new Map(known.map((person) => [person.id, person]))
  const others = new Set(ids.flatMap((id) => (id === null || persons.has(id) ? [] : [id])))
  for (const [id, person] of await personsOf(db, [...others])) persons.set(id, person)
  const person = (id: string | null): Person => persons.get(id ?? '') ?? nobody(id ?? '')
  return rows.map((row) => {
    const quote = quoted.find(({ chatId, id }) => chatId === row.chatId && id === row.replyTo)
    const isQuoteSeen = quote !== undefined && quote.id > since(row.chatId)
    return {
      id: row.id,
      chatId: row.chatId,
      from: person(row.senderId),
      at: row.at.toISOString(),
      text: row.text,
      attachments: row.attachments ?? [],
      event: row.event && { kind: row.event, person: row.personId === null ? null : person(row.personId) },
      isWithdrawn: row.withdrawnAt !== null,
      requestId: row.requestId,
      replyTo: quote
        ? {
            id: quote.id,
            from: isQuoteSeen ? person(quote.senderId) : nobody(),
            text: isQuoteSeen ? quote.text : '',
            attached: isQuoteSeen ? (quote.attachments?.[0]?.kind ?? null) : null,
          }
        : null,
      mentions: row.mentions,
    }
  })
}

export async function describeMessage(
  db: Db,
  row: MessageRow,
  since: Since,
  known: readonly Person[] = [],
): Promise<Message> {
  const [message] = await describeMessages(db, [row], since, known)
  if (!message) throw new Error(`Message ${row.id} was not described`)
  return message
}

async function selectQuoted(db: Db, rows: readonly MessageRow[]): Promise<MessageRow[]> {
  const isQuoted = rows.flatMap(({ chatId, replyTo }) =>
    replyTo === null ? [] : [and(eq(messages.chatId, chatId), eq(messages.id, replyTo))],
  )
  if (isQuoted.length === 0) return []
  return db
    .select()
    .from(messages)
    .where(or(...isQuoted))
}

/** In their order. */
export async function describeChats(db: Db, userId: string, own: readonly OwnChat[]): Promise<Chat[]> {
  if (own.length === 0) return []
  const ids = own.map(({ chat }) => chat.id)
  const lastRows = await selectLast(db, userId, ids)
  const last = await describeMessages(db, lastRows, sinceOf(own.map(({ member }) => member)))
  const others = await selectOthers(db, userId, ids)
  const names = await selectNames(db, ids)
  const unread = await countUnread(db, userId, ids)
  return own.map(({ chat, member }) => {
    const other = others.get(chat.id)
    const person = chat.kind === 'pair' ? (other?.person ?? nobody()) : null
    return {
      id: chat.id,
      kind: chat.kind,
      name: person?.nickName ?? names.get(chat.id) ?? '',
      person,
      groupId: chat.groupId,
      last: last.find(({ chatId }) => chatId === chat.id) ?? null,
      unreadCount: unread.get(chat.id)?.unreadCount ?? 0,
      mentionCount: unread.get(chat.id)?.mentionCount ?? 0,
      readId: member.readId,
      otherReadId: other?.readId ?? 0,
      isMuted: member.isMuted,
      closed: closedBy({ member, other, isPair: chat.kind === 'pair' }),
    }
  })
}

export async function describeChat(db: Db, userId: string, own: OwnChat): Promise<Chat> {
  const [chat] = await describeChats(db, userId, [own])
  if (!chat) throw new Error(`Chat ${own.chat.id} was not described`)
  return chat
}

type Other = { person: Person; readId: number; isGone: boolean; isFriend: boolean; isBlocked: boolean }

function closedBy({
  member,
  other,
  isPair,
}: {
  member: ChatMemberRow
  other: Other | undefined
  isPair: boolean
}): Chat['closed'] {
  if (member.untilId !== null) return 'left'
  if (!isPair) return null
  if (!other || other.isGone) return 'account_closed'
  if (other.isBlocked) return 'blocked'
  return other.isFriend ? null : 'not_friends'
}

/** Of each chat the last message that the member sees. */
async function selectLast(db: Db, userId: string, ids: readonly string[]): Promise<MessageRow[]> {
  const lastId = sql`(
    select x.id from ${messages} x
    where x.chat_id = ${chatMembers.chatId}
      and x.id > greatest(${chatMembers.fromId}, ${chatMembers.clearedId})
      and x.id <= coalesce(${chatMembers.untilId}, ${Number.MAX_SAFE_INTEGER})
    order by x.id desc limit 1
  )`
  const rows = await db
    .select({ message: messages })
    .from(chatMembers)
    .innerJoin(messages, and(eq(messages.chatId, chatMembers.chatId), eq(messages.id, lastId)))
    .where(ofOwn(userId, ids))
  return rows.map(({ message }) => message)
}

const ofOwn = (userId: string, ids: readonly string[]): SQL | undefined =>
  and(eq(chatMembers.userId, userId), inArray(chatMembers.chatId, [...ids]))

/** The other member of each pair. */
async function selectOthers(db: Db, userId: string, ids: readonly string[]): Promise<Map<string, Other>> {
  const rows = await db
    .select({
      chatId: chatMembers.chatId,
      readId: chatMembers.readId,
      person: personColumns,
      isFriend: sql<boolean>`exists (
        select from ${friends} f where f.user_id = ${userId} and f.friend_id = ${users.id}
      )`,
      isBlocked: sql<boolean>`exists (
        select from ${blocks} b
        where (b.user_id = ${userId} and b.member_id = ${users.id})
          or (b.user_id = ${users.id} and b.member_id = ${userId})
      )`,
    })
    .from(chatMembers)
    .innerJoin(chats, and(eq(chats.id, chatMembers.chatId), eq(chats.kind, 'pair')))
    .innerJoin(users, eq(users.id, chatMembers.userId))
    .where(and(ne(chatMembers.userId, userId), inArray(chatMembers.chatId, [...ids])))
  return new Map(
    rows.map(({ chatId, person, ...row }) => [
      chatId,
      { ...row, person: personOf(person), isGone: person.cancelledAt !== null },
    ]),
  )
}

async function selectNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: chats.id, name: chatGroups.name })
    .from(chats)
    .innerJoin(chatGroups, eq(chatGroups.id, chats.groupId))
    .where(inArray(chats.id, [...ids]))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
