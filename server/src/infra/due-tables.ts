import { pgTable, smallint, timestamp } from 'drizzle-orm/pg-core'

const time = (name: string) => timestamp(name, { withTimezone: true })

/** One row. */
export const clock = pgTable('clock', {
  id: smallint('id').primaryKey().default(1),
  /** The newest time ever seen that was believed. */
  newest: time('newest').notNull(),
  /** Where the clock jumped to, until it is confirmed or goes back. */
  jumpedTo: time('jumped_to'),
})
