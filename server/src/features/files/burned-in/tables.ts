import type { TextRegion, TextScan, TextState } from '@neuroloom/contract/burned-in'
import type { ViewReason } from '@neuroloom/contract/viewing'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from '../../accounts/tables.ts'
import { files } from '../tables.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })

export const textScans = pgTable(
  'text_scans',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As chosen; what they come to is worked out by the job. */
    sourceIds: text('source_ids').array().notNull(),
    step: text('step').$type<TextScan['step']>().notNull(),
    state: text('state').$type<TextState>().notNull(),
    failure: text('failure').$type<TextFailure>(),
    /** Of the copies. */
    folderId: text('folder_id').references(() => files.id, { onDelete: 'set null' }),
    /** Each one who takes the work writes under its own number. */
    attempts: integer('attempts').notNull().default(0),
    leaseUntil: moment('lease_until'),
    createdAt: moment('created_at').notNull(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('text_scans_owner').on(table.ownerId, table.createdAt.desc(), table.id.desc()),
    index('text_scans_open').on(table.leaseUntil),
    index('text_scans_folder').on(table.folderId),
  ],
)
export type TextFailure = NonNullable<TextScan['failure']>
export type ScanRow = typeof textScans.$inferSelect

export const textPictures = pgTable(
  'text_pictures',
  {
    scanId: text('scan_id')
      .notNull()
      .references(() => textScans.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    sourceId: text('source_id').references(() => files.id, { onDelete: 'set null' }),
    sourceName: text('source_name').notNull(),
    /** Of the bytes that were looked at: copies are made of no others. */
    sourceSha256: text('source_sha256').notNull(),
    state: text('state').$type<TextState>().notNull(),
    reason: jsonb('reason').$type<ViewReason>(),
    width: integer('width'),
    height: integer('height'),
    frames: integer('frames'),
    /** With the texts that were read: a patient's data. */
    regions: jsonb('regions').$type<TextRegion[]>().notNull().default([]),
    /** Of the least sure place; pages show these pictures first. */
    doubt: integer('doubt').notNull().default(0),
    confirmedAt: moment('confirmed_at'),
    copyId: text('copy_id').references(() => files.id, { onDelete: 'set null' }),
    copyName: text('copy_name').notNull().default(''),
    copySha256: text('copy_sha256'),
    /** Places in which the copy still shows something like text. */
    copyLeft: integer('copy_left').notNull().default(0),
    copyNamesPatient: boolean('copy_names_patient').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.scanId, table.position] }),
    index('text_pictures_source').on(table.sourceId),
    index('text_pictures_copy').on(table.copyId),
  ],
)
export type PictureRow = typeof textPictures.$inferSelect
