import type { Language } from '@neuroloom/contract/language'
import type { VisitorMessage } from '@neuroloom/contract/site'
import { sql } from 'drizzle-orm'
import { bigserial, index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from '../accounts/tables.ts'

const time = (name: string) => timestamp(name, { withTimezone: true })

/** What visitors wrote; open until an administrator dealt with it. */
export const visitorMessages = pgTable(
  'visitor_messages',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    kind: text('kind').$type<VisitorMessage['kind']>().notNull(),
    name: text('name').notNull(),
    organ: text('organ').notNull(),
    contact: text('contact').notNull(),
    topic: text('topic').$type<VisitorMessage['topic']>().notNull(),
    text: text('text').notNull(),
    /** Of the page that it was written on: the answer's frame is in it. */
    language: text('language').$type<Language>().notNull(),
    /** What the hourly limit counts by. */
    address: text('address').notNull(),
    at: time('at').notNull(),
    answer: text('answer').notNull().default(''),
    answeredAt: time('answered_at'),
    answeredBy: text('answered_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [
    index('visitor_messages_open').on(table.id).where(sql`answered_at is null`),
    index('visitor_messages_address').on(table.address, table.at),
    index('visitor_messages_answered_by').on(table.answeredBy),
  ],
)
export type MessageRow = typeof visitorMessages.$inferSelect
