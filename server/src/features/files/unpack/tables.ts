import type { TextEncoding } from '@neuroloom/contract/names/encodings'
import type { LeftOutReason, UnpackFailure } from '@neuroloom/contract/uploads'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { blobs } from '../../../infra/storage/blobs.ts'
import { users } from '../../accounts/tables.ts'
import { files } from '../tables.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })
const bytes = (name: string) => bigint(name, { mode: 'number' })

export type UnpackReport = {
  leftOut: { path: string; reason: LeftOutReason }[]
  leftOutCount: number
  renamed: { path: string; name: string }[]
  /** In which names were read that did not say. */
  namesIn?: TextEncoding
}

/** An archive that is, or was, unpacked. `reservedBytes` are set aside for what has yet to come out. */
export const unpacks = pgTable(
  'unpacks',
  {
    id: text('id').primaryKey(),
    /** Whose cloud and whose space it is. */
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Who asked for it. */
    memberId: text('member_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    fileId: text('file_id').references(() => files.id, { onDelete: 'set null' }),
    /** Made for what comes out. */
    folderId: text('folder_id').references(() => files.id, { onDelete: 'set null' }),
    name: text('name').notNull(),
    sha256: text('sha256').references(() => blobs.sha256),
    /** In which names without a declared alphabet are read; null = the likeliest. */
    encoding: text('encoding').$type<TextEncoding>(),
    /** `asked`: by the file's menu, so the archive stays in any case. */
    mode: text('mode').$type<'unpack' | 'packed' | 'asked'>().notNull(),
    state: text('state').$type<'waiting' | 'working' | 'done' | 'failed'>().notNull(),
    failure: text('failure').$type<UnpackFailure>(),
    params: jsonb('params').$type<Record<string, number>>().notNull().default({}),
    reservedBytes: bytes('reserved_bytes').notNull().default(0),
    /** Entries of the plan that are dealt with: where the work goes on after a crash. */
    doneEntries: integer('done_entries').notNull().default(0),
    doneFiles: integer('done_files').notNull().default(0),
    totalFiles: integer('total_files').notNull().default(0),
    doneBytes: bytes('done_bytes').notNull().default(0),
    totalBytes: bytes('total_bytes').notNull().default(0),
    report: jsonb('report')
      .$type<UnpackReport>()
      .notNull()
      .default({ leftOut: [], leftOutCount: 0, renamed: [] }),
    stopAsked: boolean('stop_asked').notNull().default(false),
    /** A worker that is silent for longer than this is gone. */
    leaseUntil: moment('lease_until'),
    attempts: integer('attempts').notNull().default(0),
    workedMs: bytes('worked_ms').notNull().default(0),
    dismissed: boolean('dismissed').notNull().default(false),
    createdAt: moment('created_at').notNull(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('unpacks_owner').on(table.ownerId),
    index('unpacks_member').on(table.memberId, table.createdAt.desc()),
    index('unpacks_file').on(table.fileId),
    index('unpacks_folder').on(table.folderId),
    index('unpacks_sha256').on(table.sha256),
    index('unpacks_open').on(table.leaseUntil).where(sql`state in ('waiting', 'working')`),
    uniqueIndex('unpacks_once').on(table.fileId).where(sql`state in ('waiting', 'working')`),
  ],
)
export type UnpackRow = typeof unpacks.$inferSelect
