import type { Announcement, Backup, BackupPlan } from '@neuroloom/contract/office/operations'
import { sql } from 'drizzle-orm'
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'

const time = (name: string) => timestamp(name, { withTimezone: true })

export const announcements = pgTable(
  'announcements',
  {
    id: text('id').primaryKey(),
    kind: text('kind').$type<Announcement['kind']>().notNull(),
    /** By language; empty where it says nothing in that one. */
    texts: jsonb('texts').$type<Announcement['texts']>().notNull(),
    startsAt: time('starts_at').notNull(),
    endsAt: time('ends_at').notNull(),
    /** Compared with nothing, so no foreign key. */
    madeBy: text('made_by'),
    madeAt: time('made_at').notNull(),
  },
  (table) => [index('announcements_ends').on(table.endsAt)],
)
export type AnnouncementRow = typeof announcements.$inferSelect

export const backups = pgTable(
  'backups',
  {
    id: text('id').primaryKey(),
    /** Of the folder below BACKUP_DIR, without a path. */
    name: text('name').notNull().unique(),
    state: text('state').$type<Backup['state']>().notNull(),
    /** Null where the plan asked. Compared with nothing, so no foreign key. */
    askedBy: text('asked_by'),
    askedAt: time('asked_at').notNull(),
    endedAt: time('ended_at'),
    /** How often its making, and then its test, was begun. */
    attempts: smallint('attempts').notNull().default(0),
    rowCount: bigint('row_count', { mode: 'number' }),
    fileCount: integer('file_count'),
    /** Files that no earlier backup had. */
    copiedCount: integer('copied_count'),
    missingCount: integer('missing_count'),
    /** Why it failed. */
    problem: text('problem'),
    testState: text('test_state').$type<NonNullable<Backup['test']>['state']>(),
    testedAt: time('tested_at'),
    testProblem: text('test_problem'),
  },
  () => [uniqueIndex('backups_one_open').on(sql`(true)`).where(sql`state in ('waiting', 'running')`)],
)
export type BackupRow = typeof backups.$inferSelect

/** One row: when backups are made, and how many are kept. */
export const backupPlan = pgTable('backup_plan', {
  id: smallint('id').primaryKey().default(1),
  every: text('every').$type<BackupPlan['every']>().notNull(),
  /** From this hour of the day on, UTC. */
  hour: smallint('hour').notNull(),
  keep: smallint('keep').notNull(),
})
