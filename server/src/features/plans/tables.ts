import { bigint, pgTable, text } from 'drizzle-orm/pg-core'
import { users } from '../accounts/tables.ts'

/** A member's storage: `usedBytes` of live and recycled files, `reservedBytes` of uploads under way. */
export const userStorage = pgTable('user_storage', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  usedBytes: bigint('used_bytes', { mode: 'number' }).notNull().default(0),
  reservedBytes: bigint('reserved_bytes', { mode: 'number' }).notNull().default(0),
})
