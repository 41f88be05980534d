import type {
  ConversionCheck,
  ConversionFormat,
  ConversionItem,
  ConversionOptions,
  ConversionState,
} from '@neuroloom/contract/conversions'
import type { ViewNote } from '@neuroloom/contract/viewing'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from '../../accounts/tables.ts'
import { files } from '../tables.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })

export const conversions = pgTable(
  'conversions',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As chosen; what they come to is worked out by the job. */
    sourceIds: text('source_ids').array().notNull(),
    format: text('format').$type<ConversionFormat>().notNull(),
    options: jsonb('options').$type<ConversionOptions>().notNull(),
    state: text('state').$type<ConversionState>().notNull(),
    failure: text('failure').$type<ConversionFailure>(),
    /** Each one who takes the work writes under its own number. */
    attempts: integer('attempts').notNull().default(0),
    leaseUntil: moment('lease_until'),
    createdAt: moment('created_at').notNull(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('conversions_owner').on(table.ownerId, table.createdAt.desc(), table.id.desc()),
    index('conversions_open').on(table.leaseUntil),
  ],
)
export type ConversionFailure = 'storage_full' | 'disk_full' | 'plan_limit' | 'missing' | 'internal'
export type ConversionRow = typeof conversions.$inferSelect

export const conversionItems = pgTable(
  'conversion_items',
  {
    conversionId: text('conversion_id')
      .notNull()
      .references(() => conversions.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    /** One file, or all of a series. */
    fileIds: text('file_ids').array().notNull(),
    sourceId: text('source_id').references(() => files.id, { onDelete: 'set null' }),
    sourceName: text('source_name').notNull(),
    state: text('state').$type<ConversionState>().notNull(),
    reason: jsonb('reason').$type<ConversionItem['reason']>(),
    resultId: text('result_id').references(() => files.id, { onDelete: 'set null' }),
    resultName: text('result_name').notNull().default(''),
    resultKind: text('result_kind').$type<'file' | 'folder'>().notNull().default('file'),
    resultFiles: integer('result_files').notNull().default(0),
    checks: jsonb('checks').$type<ConversionCheck[]>().notNull().default([]),
    notes: jsonb('notes').$type<ViewNote[]>().notNull().default([]),
    reservedFor: text('reserved_for').references(() => users.id, { onDelete: 'set null' }),
    reservedBytes: bigint('reserved_bytes', { mode: 'number' }).notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.conversionId, table.position] }),
    index('conversion_items_source').on(table.sourceId),
    index('conversion_items_result').on(table.resultId),
    index('conversion_items_reserved').on(table.reservedFor),
  ],
)
export type ItemRow = typeof conversionItems.$inferSelect
