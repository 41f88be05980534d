import type { ViewNote } from '@neuroloom/contract/viewing'
import { index, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import type { Unfit } from '../../../infra/reader/deriving.ts'
import { blobs } from '../../../infra/storage/blobs.ts'

/** What DICOM files became for networks; goes when nobody uses it any more. */
export const derivedImages = pgTable(
  'derived_images',
  {
    /** Digest of the sources, of what was made and by which window. */
    key: text('key').primaryKey(),
    /** Null = nothing can be made of them. */
    sha256: text('sha256').references(() => blobs.sha256),
    unfit: jsonb('unfit').$type<Unfit>(),
    /** What the reader found to be said of what was made. */
    notes: jsonb('notes').$type<ViewNote[]>().notNull().default([]),
    usedAt: timestamp('used_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    index('derived_images_sha256').on(table.sha256),
    index('derived_images_used_at').on(table.usedAt),
  ],
)

export const derivedSources = pgTable(
  'derived_sources',
  {
    key: text('key')
      .notNull()
      .references(() => derivedImages.key, { onDelete: 'cascade' }),
    sha256: text('sha256')
      .notNull()
      .references(() => blobs.sha256, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.key, table.sha256] }),
    index('derived_sources_sha256').on(table.sha256),
  ],
)
