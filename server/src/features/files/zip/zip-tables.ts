import { index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from '../../accounts/tables.ts'

/** What was asked for as one zip; as short-lived as its address. */
export const zips = pgTable(
  'zips',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    entryIds: text('entry_ids').array().notNull(),
    name: text('name').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('zips_user').on(table.userId), index('zips_created_at').on(table.createdAt)],
)
