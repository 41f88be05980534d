import type { CodeFinding, CodeFolder, CodeOutcome, CodeState } from '@neuroloom/contract/custom/code'
import type { CodeEntry, CodeRun } from '@neuroloom/contract/custom/code-calls'
import type { CustomKind, CustomState } from '@neuroloom/contract/custom/task-states'
import type { ProjectTask } from '@neuroloom/contract/task'
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
} from 'drizzle-orm/pg-core'
import { blobs } from '../../infra/storage/blobs.ts'
import { users } from '../accounts/tables.ts'

const time = (name: string) => timestamp(name, { withTimezone: true })

export const customPrices = pgTable('custom_prices', {
  kind: text('kind').$type<CustomKind>().primaryKey(),
  priceFen: bigint('price_fen', { mode: 'number' }).notNull(),
  changedAt: time('changed_at').notNull(),
})

export const customTasks = pgTable(
  'custom_tasks',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    requestId: text('request_id').notNull(),
    kind: text('kind').$type<CustomKind>().notNull(),
    title: text('title').notNull(),
    task: text('task').$type<ProjectTask>().notNull(),
    description: text('description').notNull(),
    sourceKind: text('source_kind').$type<'project' | 'folder'>(),
    sourceId: text('source_id'),
    sourceName: text('source_name'),
    state: text('state').$type<CustomState>().notNull(),
    /** Null until the review sets it, where it is not fixed. */
    priceFen: bigint('price_fen', { mode: 'number' }),
    /** Of the order that was paid; '' = nothing was. */
    orderNo: text('order_no').notNull().default(''),
    progress: smallint('progress').notNull().default(0),
    reviewedBy: text('reviewed_by'),
    reason: text('reason').notNull().default(''),
    providerId: text('provider_id').references(() => users.id, { onDelete: 'set null' }),
    publishedAt: time('published_at').notNull(),
    approvedAt: time('approved_at'),
    dueAt: time('due_at'),
    completedAt: time('completed_at'),
    changedAt: time('changed_at').notNull(),
  },
  (table) => [
    unique().on(table.userId, table.requestId),
    index('custom_tasks_user').on(table.userId, table.publishedAt),
    index('custom_tasks_state').on(table.state, table.changedAt),
    index('custom_tasks_provider').on(table.providerId),
  ],
)
export type TaskRow = typeof customTasks.$inferSelect

export const customTaskSteps = pgTable(
  'custom_task_steps',
  {
    taskId: text('task_id')
      .notNull()
      .references(() => customTasks.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    state: text('state').$type<CustomState>().notNull(),
    progress: smallint('progress').notNull(),
    note: text('note').notNull().default(''),
    at: time('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.taskId, table.number] })],
)

export const codeUploads = pgTable(
  'code_uploads',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    sha256: text('sha256')
      .notNull()
      .references(() => blobs.sha256),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    folders: jsonb('folders').$type<CodeFolder[]>().notNull(),
    files: integer('files').notNull(),
    unpackedBytes: bigint('unpacked_bytes', { mode: 'number' }).notNull(),
    state: text('state').$type<CodeState>().notNull(),
    reason: text('reason').notNull().default(''),
    reviewedBy: text('reviewed_by'),
    reviewedAt: time('reviewed_at'),
    entries: jsonb('entries').$type<CodeEntry[]>().notNull(),
    findings: jsonb('findings').$type<Partial<Record<CodeFinding, number>>>().notNull(),
    /** Null = the content of its files was not looked through yet. */
    inspectedAt: time('inspected_at'),
    uploadedAt: time('uploaded_at').notNull(),
  },
  (table) => [
    index('code_uploads_user').on(table.userId, table.uploadedAt),
    index('code_uploads_state').on(table.state, table.uploadedAt),
    index('code_uploads_sha256').on(table.sha256),
  ],
)
export type CodeRow = typeof codeUploads.$inferSelect

export const codeRuns = pgTable(
  'code_runs',
  {
    id: text('id').primaryKey(),
    uploadId: text('upload_id')
      .notNull()
      .references(() => codeUploads.id, { onDelete: 'cascade' }),
    path: text('path').notNull(),
    state: text('state').$type<CodeRun['state']>().notNull(),
    outcome: text('outcome').$type<CodeOutcome>(),
    exitCode: integer('exit_code'),
    missing: jsonb('missing').$type<CodeRun['missing']>().notNull().default([]),
    printed: text('printed').notNull().default(''),
    output: jsonb('output').$type<CodeRun['output']>().notNull().default([]),
    startedBy: text('started_by').notNull(),
    startedAt: time('started_at').notNull(),
    endedAt: time('ended_at'),
  },
  (table) => [index('code_runs_upload').on(table.uploadId, table.startedAt)],
)
export type CodeRunRow = typeof codeRuns.$inferSelect
