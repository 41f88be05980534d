import type { Attachment } from '@neuroloom/contract/social/attachments'
import type { ChatEventKind } from '@neuroloom/contract/social/chats'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
} from 'drizzle-orm/pg-core'
import { users } from '../../accounts/tables.ts'
import { chatGroups } from '../groups/tables.ts'

const time = (name: string) => timestamp(name, { withTimezone: true })
const messageId = (name: string) => bigint(name, { mode: 'number' })
const chat = () =>
  text('chat_id')
    .notNull()
    .references(() => chats.id, { onDelete: 'cascade' })

export const chats = pgTable('social_chats', {
  id: text('id').primaryKey(),
  kind: text('kind').$type<'pair' | 'group'>().notNull(),
  groupId: text('group_id')
    .unique()
    .references(() => chatGroups.id, { onDelete: 'cascade' }),
  /** Both members of a pair, in order: two members have one chat. */
  pairKey: text('pair_key').unique(),
  /** Its row is locked while a message is added, so ids grow in the order of the commits. */
  lastId: messageId('last_id').notNull().default(0),
  lastAt: time('last_at').notNull(),
})
export type ChatRow = typeof chats.$inferSelect

export const chatMembers = pgTable(
  'social_chat_members',
  {
    chatId: chat(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    joinedAt: time('joined_at').notNull(),
    /** Messages with greater ids are seen: those from joining on. */
    fromId: messageId('from_id').notNull().default(0),
    /** The last message that is seen by a member who left or was removed; null of those who are in it. */
    untilId: messageId('until_id'),
    /** Removed by the owner: joins no more until invited. */
    isBarred: boolean('is_barred').notNull().default(false),
    readId: messageId('read_id').notNull().default(0),
    /** Up to here removed from the member's own list. */
    clearedId: messageId('cleared_id').notNull().default(0),
    isMuted: boolean('is_muted').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.chatId, table.userId] }),
    index('social_chat_members_user').on(table.userId),
  ],
)
export type ChatMemberRow = typeof chatMembers.$inferSelect

export const messages = pgTable(
  'social_messages',
  {
    chatId: chat(),
    id: messageId('id').notNull(),
    /** Null: of an account that is gone. */
    senderId: text('sender_id').references(() => users.id, { onDelete: 'set null' }),
    at: time('at').notNull(),
    /** Empty where it was withdrawn, where attachments say it all, and of lines about the group. */
    text: text('text').notNull(),
    /** Lower case. */
    searchText: text('search_text').notNull(),
    /** What happened in a group. */
    event: text('event').$type<ChatEventKind>(),
    /** Whom the event is about. */
    personId: text('person_id').references(() => users.id, { onDelete: 'set null' }),
    withdrawnAt: time('withdrawn_at'),
    /** Made by the sender's page: what is sent twice is one message. */
    requestId: text('request_id').notNull(),
    replyTo: messageId('reply_to'),
    mentions: text('mentions').array().notNull().default([]),
    /** Null where there are none. */
    attachments: jsonb('attachments').$type<Attachment[]>(),
  },
  (table) => [
    primaryKey({ columns: [table.chatId, table.id] }),
    unique('social_messages_chat_id_sender_id_request_id_key').on(
      table.chatId,
      table.senderId,
      table.requestId,
    ),
    index('social_messages_sender').on(table.senderId),
    index('social_messages_person').on(table.personId).where(sql`person_id is not null`),
    index('social_messages_at').on(table.chatId, table.at),
    index('social_messages_mentions').on(table.chatId, table.id).where(sql`mentions <> '{}'`),
  ],
)
export type MessageRow = typeof messages.$inferSelect
