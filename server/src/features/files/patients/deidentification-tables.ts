import type { DeidentificationRecord } from '@neuroloom/contract/deidentification'
import { index, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from '../../accounts/tables.ts'

/** Belongs to bytes rather than to a file: it may be here before them, and copies share it. */
export const deidentifications = pgTable(
  'deidentifications',
  {
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sha256: text('sha256').notNull(),
    record: jsonb('record').$type<DeidentificationRecord>().notNull(),
    recordedAt: timestamp('recorded_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.sha256] }),
    index('deidentifications_recorded_at').on(table.ownerId, table.recordedAt),
    index('deidentifications_sweep').on(table.recordedAt),
  ],
)

export const deidentificationKeys = pgTable('deidentification_keys', {
  ownerId: text('owner_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  key: text('key').notNull(),
})
