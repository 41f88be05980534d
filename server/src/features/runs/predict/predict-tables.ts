import type { SetAside } from '@neuroloom/contract/predictions'
import { integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { allRuns } from '../tables.ts'

/** What was chosen for a prediction; looked at again before it is read. */
export const runSources = pgTable('run_sources', {
  runId: text('run_id')
    .primaryKey()
    .references(() => allRuns.id, { onDelete: 'cascade' }),
  /** No foreign keys: files may go. */
  entryIds: jsonb('entry_ids').$type<string[]>().notNull(),
  /** In place of files: images that somebody keeps by their bytes. */
  pinned: jsonb('pinned').$type<string[]>(),
})

/** Files of which a prediction says nothing. */
export const runSetAside = pgTable(
  'run_set_aside',
  {
    runId: text('run_id')
      .notNull()
      .references(() => allRuns.id, { onDelete: 'cascade' }),
    place: integer('place').notNull(),
    name: text('name').notNull(),
    reason: text('reason').$type<SetAside['reason']>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.place] })],
)
