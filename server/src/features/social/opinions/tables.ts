import type { Outline } from '@neuroloom/contract/social/opinions'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from '../../accounts/tables.ts'
import { files } from '../../files/tables.ts'
import { chats } from '../chats/tables.ts'

const time = (name: string) => timestamp(name, { withTimezone: true })
const opinion = () =>
  text('opinion_id')
    .notNull()
    .references(() => opinions.id, { onDelete: 'cascade' })
const member = (name: string) =>
  text(name)
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

export const opinions = pgTable(
  'social_opinions',
  {
    id: text('id').primaryKey(),
    chatId: text('chat_id')
      .notNull()
      .references(() => chats.id, { onDelete: 'cascade' }),
    /** Whose studies they are. */
    askerId: member('asker_id'),
    question: text('question').notNull(),
    answers: text('answers').array().notNull(),
    hasOutline: boolean('has_outline').notNull(),
    askedAt: time('asked_at').notNull(),
    until: time('until').notNull(),
    closedAt: time('closed_at'),
  },
  (table) => [
    index('social_opinions_chat').on(table.chatId),
    index('social_opinions_asker').on(table.askerId),
  ],
)
export type OpinionRow = typeof opinions.$inferSelect

export const opinionStudies = pgTable(
  'social_opinion_studies',
  {
    opinionId: opinion(),
    position: integer('position').notNull(),
    /** Null: the file is gone. */
    fileId: text('file_id').references(() => files.id, { onDelete: 'set null' }),
    isSeries: boolean('is_series').notNull(),
    title: text('title').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.opinionId, table.position] }),
    index('social_opinion_studies_file').on(table.fileId),
  ],
)

export const opinionReaders = pgTable(
  'social_opinion_readers',
  {
    opinionId: opinion(),
    userId: member('user_id'),
    /** Since when all is answered: nothing changes from then on, and the others' answers are seen. */
    doneAt: time('done_at'),
  },
  (table) => [
    primaryKey({ columns: [table.opinionId, table.userId] }),
    index('social_opinion_readers_user').on(table.userId),
  ],
)

export const opinionAnswers = pgTable(
  'social_opinion_answers',
  {
    opinionId: opinion(),
    position: integer('position').notNull(),
    userId: member('user_id'),
    /** Which of the answers, counted from 0 on. */
    answer: integer('answer').notNull(),
    note: text('note').notNull(),
    outline: jsonb('outline').$type<Outline>(),
    at: time('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.opinionId, table.position, table.userId] }),
    index('social_opinion_answers_user').on(table.userId),
  ],
)
export type OpinionAnswerRow = typeof opinionAnswers.$inferSelect
