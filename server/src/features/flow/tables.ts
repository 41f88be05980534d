import type { FlowDetail } from '@neuroloom/contract/flow/calls'
import type { FlowSharpened } from '@neuroloom/contract/flow/sharpen'
import type { FlowAnswer, FlowLook, FlowProblem, FlowStudy } from '@neuroloom/contract/flow/study'
import { bigint, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { blobs } from '../../infra/storage/blobs.ts'
import { users } from '../accounts/tables.ts'
import { files } from '../files/tables.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })
const bytes = (name: string) => bigint(name, { mode: 'number' })

export const flowStudies = pgTable(
  'flow_studies',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** As chosen; which files these come to is worked out by the job. None of a known flow. */
    sourceIds: text('source_ids').array().notNull(),
    fromId: text('from_id').references(() => files.id, { onDelete: 'set null' }),
    phantom: jsonb('phantom').$type<FlowDetail['phantom']>(),
    /** Of one that a network makes finer: by which, of which run. */
    sharpened: jsonb('sharpened').$type<FlowSharpened>(),
    /** What is waited for, under way or ended. */
    step: text('step').$type<'look' | 'make'>().notNull(),
    state: text('state').$type<'waiting' | 'running' | 'asked' | 'failed' | 'ready'>().notNull(),
    failure: text('failure').$type<FlowFailure>(),
    problems: jsonb('problems').$type<FlowProblem[]>().notNull().default([]),
    look: jsonb('look').$type<FlowLook>(),
    /** Over names and bytes of all files that were looked at: a study is made of no others. */
    seen: text('seen'),
    answer: jsonb('answer').$type<FlowAnswer>(),
    head: jsonb('head').$type<FlowStudy>(),
    /** The study's file, exactly while it is ready. */
    sha256: text('sha256').references(() => blobs.sha256),
    /** Of one that a network made finer: the same by interpolation alone. */
    interpolatedSha256: text('interpolated_sha256').references(() => blobs.sha256),
    /** What both take of the owner's space. */
    sizeBytes: bytes('size_bytes').notNull().default(0),
    /** Each one who takes the work writes under its own number. */
    attempts: integer('attempts').notNull().default(0),
    leaseUntil: moment('lease_until'),
    /** Set aside for what is being made. */
    reservedBytes: bytes('reserved_bytes').notNull().default(0),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('flow_studies_owner').on(table.ownerId, table.createdAt.desc(), table.id.desc()),
    index('flow_studies_open').on(table.leaseUntil),
    index('flow_studies_from').on(table.fromId),
    index('flow_studies_sha256').on(table.sha256),
    index('flow_studies_interpolated').on(table.interpolatedSha256),
  ],
)
export type FlowFailure = NonNullable<FlowDetail['failure']>
export type FlowRow = typeof flowStudies.$inferSelect
