import { index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from '../../accounts/tables.ts'

/** Of chats; groups of the cloud are others. */
export const chatGroups = pgTable(
  'social_groups',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** What people tell each other to join. */
    number: text('number').notNull().unique(),
    name: text('name').notNull(),
    introduction: text('introduction').notNull(),
    notice: text('notice').notNull().default(''),
    /** Null: everybody who knows the number may join. */
    passwordHash: text('password_hash'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('social_groups_owner').on(table.ownerId)],
)
export type ChatGroupRow = typeof chatGroups.$inferSelect
