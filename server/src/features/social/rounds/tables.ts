import type { RoundMark, RoundState } from '@neuroloom/contract/social/rounds'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from '../../accounts/tables.ts'
import { files } from '../../files/tables.ts'
import { chats } from '../chats/tables.ts'

const time = (name: string) => timestamp(name, { withTimezone: true })

export const rounds = pgTable(
  'social_rounds',
  {
    id: text('id').primaryKey(),
    chatId: text('chat_id')
      .notNull()
      .references(() => chats.id, { onDelete: 'cascade' }),
    /** Whose study it is. */
    hostId: text('host_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null: the file is gone, and the round is over. */
    fileId: text('file_id').references(() => files.id, { onDelete: 'set null' }),
    isSeries: boolean('is_series').notNull(),
    title: text('title').notNull(),
    /** Null while nobody leads. */
    leaderId: text('leader_id').references(() => users.id, { onDelete: 'set null' }),
    allMark: boolean('all_mark').notNull(),
    /** What the leader looks at; the number grows with each state. */
    state: jsonb('state').$type<RoundState>().notNull().default({}),
    stateCount: integer('state_count').notNull().default(0),
    marks: jsonb('marks').$type<RoundMark[]>().notNull().default([]),
    markCount: integer('mark_count').notNull().default(0),
    /** The greatest number that a mark ever had. */
    lastMark: integer('last_mark').notNull().default(0),
    openedAt: time('opened_at').notNull(),
    endedAt: time('ended_at'),
  },
  (table) => [
    index('social_rounds_chat').on(table.chatId, table.openedAt),
    index('social_rounds_host').on(table.hostId),
    index('social_rounds_file').on(table.fileId),
    index('social_rounds_leader').on(table.leaderId),
  ],
)
export type RoundRow = typeof rounds.$inferSelect

/** Who looks on. */
export const roundPeople = pgTable(
  'social_round_people',
  {
    roundId: text('round_id')
      .notNull()
      .references(() => rounds.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Their page said so last at this time. */
    seenAt: time('seen_at').notNull(),
    /** Since when they ask to lead. */
    askedAt: time('asked_at'),
  },
  (table) => [
    primaryKey({ columns: [table.roundId, table.userId] }),
    index('social_round_people_user').on(table.userId),
  ],
)
