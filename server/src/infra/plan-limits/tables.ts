import { integer, jsonb, pgTable, smallint, text, timestamp } from 'drizzle-orm/pg-core'

/** One row: limits of the levels that administrators set otherwise than the product and `LIMITS_FILE`. */
export const planOverrides = pgTable('plan_overrides', {
  id: smallint('id').primaryKey().default(1),
  overrides: jsonb('overrides').notNull(),
  /** Grows with each change, so that nobody overwrites what another one has just set. */
  version: integer('version').notNull(),
  changedBy: text('changed_by'),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull(),
})
