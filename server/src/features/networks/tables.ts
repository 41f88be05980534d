import type { Layout } from '@neuroloom/contract/network/layout/file'
import {
  bigint,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'
import { users } from '../accounts/tables.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })

export const networks = pgTable(
  'networks',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Of the document: any word. */
    task: text('task').notNull(),
    revision: integer('revision').notNull().default(1),
    /** Number of the newest kept version; none is given twice. */
    version: integer('version').notNull().default(0),
    text: text('text').notNull(),
    layout: jsonb('layout').$type<Layout>().notNull(),
    parameters: bigint('parameters', { mode: 'number' }),
    macs: doublePrecision('macs'),
    mistakes: integer('mistakes').notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [index('networks_owner').on(table.ownerId, table.updatedAt)],
)
export type NetworkRow = typeof networks.$inferSelect

export const networkVersions = pgTable(
  'network_versions',
  {
    networkId: text('network_id')
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    note: text('note').notNull(),
    text: text('text').notNull(),
    layout: jsonb('layout').$type<Layout>().notNull(),
    parameters: bigint('parameters', { mode: 'number' }),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.networkId, table.number] })],
)
export type VersionRow = typeof networkVersions.$inferSelect
