import { bigint, boolean, index, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import type { ViewAnswer } from '../../../infra/reader/tasks.ts'
import { blobs } from '../../../infra/storage/blobs.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })

/** What the reading program found of some bytes under some ending; goes with the bytes. */
export const views = pgTable(
  'views',
  {
    key: text('key').primaryKey(),
    state: text('state').$type<'ready' | 'refused'>().notNull(),
    answer: jsonb('answer').$type<ViewAnswer>().notNull(),
    /** Name of the file in the view's folder; null when the file itself is shown, or nothing. */
    made: text('made'),
    madeBytes: bigint('made_bytes', { mode: 'number' }).notNull().default(0),
    usedAt: moment('used_at').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('views_used_at').on(table.usedAt)],
)
export type ViewRow = typeof views.$inferSelect

export const viewSources = pgTable(
  'view_sources',
  {
    key: text('key')
      .notNull()
      .references(() => views.key, { onDelete: 'cascade' }),
    sha256: text('sha256')
      .notNull()
      .references(() => blobs.sha256, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.key, table.sha256] }),
    index('view_sources_sha256').on(table.sha256),
  ],
)

export const dicomPlaces = pgTable('dicom_places', {
  sha256: text('sha256')
    .primaryKey()
    .references(() => blobs.sha256, { onDelete: 'cascade' }),
  /** Null = no DICOM file, or it does not say. */
  seriesUid: text('series_uid'),
  description: text('description').notNull().default(''),
  isImage: boolean('is_image').notNull().default(false),
  /** Null = nobody has looked. */
  namesPatient: boolean('names_patient'),
})
