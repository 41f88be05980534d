import type { ModuleName } from '@neuroloom/contract/office/modules'
import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Parts of the product that administrators switched off; what has no row is on. */
export const modulesOff = pgTable('modules_off', {
  name: text('name').$type<ModuleName>().primaryKey(),
  /** Compared with nothing, so no foreign key. */
  switchedBy: text('switched_by'),
  since: timestamp('since', { withTimezone: true }).notNull(),
})
