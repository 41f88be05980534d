import type { TextEncoding } from '@neuroloom/contract/names/encodings'
import type { SameName, UnpackMode } from '@neuroloom/contract/uploads'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { blobs } from '../../infra/storage/blobs.ts'
import { users } from '../accounts/tables.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })
const bytes = (name: string) => bigint(name, { mode: 'number' })

/**
 * Folders and files. Removing marks only the topmost one (`recycledAt`): what lies below is gone from sight with it.
 */
export const files = pgTable(
  'files',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null = the top. */
    parentId: text('parent_id').references((): AnyPgColumn => files.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<'folder' | 'file'>().notNull(),
    /** As given, in Unicode's composed form. */
    name: text('name').notNull(),
    /** Lower case, for searching; and for sorting, with numbers as people count. */
    searchName: text('search_name').notNull(),
    sortName: text('sort_name').notNull(),
    sha256: text('sha256').references(() => blobs.sha256),
    /** Of a folder: everything live below it, kept up to date by `tree.ts`. */
    sizeBytes: bytes('size_bytes').notNull().default(0),
    /** Of a folder: live files below it; of a file: 1. */
    fileCount: integer('file_count').notNull().default(0),
    modifiedAt: moment('modified_at').notNull(),
    modifiedBy: text('modified_by').references(() => users.id, { onDelete: 'set null' }),
    recycledAt: moment('recycled_at'),
    /** As promised at removal; a lower level later does not shorten it. */
    clearsAt: moment('clears_at'),
    /** Lower-case extension of a file, for sorting and filtering. */
    type: text('type').notNull().default(''),
    /** Since when every member may read it; folders of administrators. */
    publicAt: moment('public_at'),
    /** The owner's word: with files that name their patient. */
    publicWithPatients: boolean('public_with_patients').notNull().default(false),
    /** The size of a file, for sorting; 0 for folders, whose sizes change too often to be in an index. */
    listedBytes: bytes('listed_bytes')
      .notNull()
      .generatedAlwaysAs(sql`case when kind = 'file' then size_bytes else 0 end`),
  },
  (table) => [
    uniqueIndex('files_live_name')
      .on(table.ownerId, sql`coalesce(${table.parentId}, '')`, table.name)
      .where(sql`recycled_at is null`),
    index('files_listing')
      .on(table.ownerId, sql`coalesce(${table.parentId}, '')`, table.kind, table.sortName, table.id)
      .where(sql`recycled_at is null`),
    index('files_by_type')
      .on(
        table.ownerId,
        sql`coalesce(${table.parentId}, '')`,
        table.kind,
        table.type,
        table.sortName,
        table.id,
      )
      .where(sql`recycled_at is null`),
    index('files_by_size')
      .on(
        table.ownerId,
        sql`coalesce(${table.parentId}, '')`,
        table.kind,
        table.listedBytes,
        table.sortName,
        table.id,
      )
      .where(sql`recycled_at is null`),
    index('files_by_modified')
      .on(
        table.ownerId,
        sql`coalesce(${table.parentId}, '')`,
        table.kind,
        table.modifiedAt,
        table.sortName,
        table.id,
      )
      .where(sql`recycled_at is null`),
    index('files_parent').on(table.parentId),
    index('files_sha256').on(table.sha256),
    index('files_modified_by').on(table.modifiedBy),
    index('files_recycled_at').on(table.recycledAt).where(sql`recycled_at is not null`),
    index('files_recycled')
      .on(table.ownerId, table.recycledAt.desc(), table.id.desc())
      .where(sql`recycled_at is not null`),
    index('files_public').on(table.publicAt.desc()).where(sql`public_at is not null`),
  ],
)
export type FileRow = typeof files.$inferSelect

/** One announced file. Its size is reserved until it is done or given up; `receivedBytes` are verified and on disk. */
export const uploads = pgTable(
  'uploads',
  {
    id: text('id').primaryKey(),
    /** Whose cloud it goes to; its space is that member's. */
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    parentId: text('parent_id').references(() => files.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    sizeBytes: bytes('size_bytes').notNull(),
    receivedBytes: bytes('received_bytes').notNull().default(0),
    sameName: text('same_name').$type<SameName>().notNull(),
    touchedAt: moment('touched_at').notNull(),
    doneAt: moment('done_at'),
    /** Who sends it. */
    memberId: text('member_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** One number for all that was announced together. */
    batch: text('batch').notNull().default(''),
    /** As chosen on the member's computer, to know the file again. */
    path: text('path').notNull().default(''),
    /** The folder that was chosen, which may be gone by now; null = the top. */
    baseId: text('base_id'),
    unpack: text('unpack').$type<UnpackMode>().notNull().default('no'),
    startedAt: moment('started_at').notNull().defaultNow(),
    /** Of an archive to be unpacked: in which old names are read; null = the likeliest. */
    encoding: text('encoding').$type<TextEncoding>(),
  },
  (table) => [
    index('uploads_owner').on(table.ownerId),
    index('uploads_member').on(table.memberId, table.batch),
    index('uploads_parent').on(table.parentId),
    index('uploads_touched_at').on(table.touchedAt),
  ],
)
export type UploadRow = typeof uploads.$inferSelect
