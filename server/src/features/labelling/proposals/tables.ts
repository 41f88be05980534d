import type { ErrorParams } from '@neuroloom/contract/errors'
import type { Order } from '@neuroloom/contract/labelling/next'
import type {
  Helper,
  Judgement,
  LabelRound,
  Proposal,
  ProposedObject,
} from '@neuroloom/contract/labelling/proposals'
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from '../../accounts/tables.ts'
import { allRuns } from '../../runs/tables.ts'
import { labelItems, labelSets } from '../tables.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })
const setId = text('set_id')
  .notNull()
  .references(() => labelSets.id, { onDelete: 'cascade' })
const userId = text('user_id')
  .notNull()
  .references(() => users.id, { onDelete: 'cascade' })
const run = (name: string) => text(name).references(() => allRuns.id, { onDelete: 'set null' })

/** The network that proposes to a member in a set. */
export const labelHelpers = pgTable(
  'label_helpers',
  {
    setId,
    userId,
    runId: run('run_id'),
    classes: jsonb('classes').$type<Helper['classes']>().notNull(),
    order: text('sort').$type<Order>().notNull(),
    every: integer('every'),
    changedAt: moment('changed_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.setId, table.userId] }),
    index('label_helpers_user').on(table.userId),
    index('label_helpers_run').on(table.runId).where(sql`run_id is not null`),
  ],
)
export type HelperRow = typeof labelHelpers.$inferSelect

/** What a prediction proposed on an image. */
export const labelProposals = pgTable(
  'label_proposals',
  {
    id: text('id').primaryKey(),
    itemId: text('item_id')
      .notNull()
      .references(() => labelItems.id, { onDelete: 'cascade' }),
    userId,
    runId: run('run_id'),
    state: text('state').$type<Proposal['state']>().notNull(),
    /** The set's class of each of the network's classes. */
    classes: jsonb('classes').$type<Helper['classes']>().notNull(),
    objects: jsonb('objects').$type<ProposedObject[]>().notNull().default([]),
    objectsLeft: integer('objects_left').notNull().default(0),
    /** By class of the network: how unsure it is, and whether it found any. */
    doubt: jsonb('doubt').$type<number[]>(),
    found: jsonb('found').$type<boolean[]>(),
    madeAt: moment('made_at').notNull(),
  },
  (table) => [
    index('label_proposals_item').on(table.itemId, table.userId, table.madeAt.desc()),
    index('label_proposals_user').on(table.userId),
    index('label_proposals_run').on(table.runId).where(sql`run_id is not null`),
  ],
)
export type ProposalRow = typeof labelProposals.$inferSelect

/** What became of a proposed object. */
export const labelJudgements = pgTable(
  'label_judgements',
  {
    proposalId: text('proposal_id')
      .notNull()
      .references(() => labelProposals.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    class: text('class').notNull(),
    judgement: text('judgement').$type<Judgement>().notNull(),
    judgedAt: moment('judged_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.proposalId, table.number] })],
)

/** A training with the labels that a member had at a time, tested on images kept aside. */
export const labelRounds = pgTable(
  'label_rounds',
  {
    id: text('id').primaryKey(),
    setId,
    userId,
    /** The training whose network and settings are used. */
    baseId: run('base_id'),
    datasetId: text('dataset_id'),
    runId: run('run_id'),
    testId: run('test_id'),
    order: text('sort').$type<Order>().notNull(),
    state: text('state').$type<LabelRound['state']>().notNull(),
    failure: text('failure'),
    failureParams: jsonb('failure_params').$type<ErrorParams>().notNull().default({}),
    /** Images that the member had finished. */
    finished: integer('finished').notNull(),
    /** Those of them that it learned from. */
    labels: integer('labels'),
    /** By SHA-256 of the image. */
    scores: jsonb('scores').$type<Record<string, number>>().notNull().default({}),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('label_rounds_set').on(table.setId, table.userId, table.createdAt),
    index('label_rounds_user').on(table.userId),
    index('label_rounds_base').on(table.baseId).where(sql`base_id is not null`),
    index('label_rounds_run').on(table.runId).where(sql`run_id is not null`),
    index('label_rounds_test').on(table.testId).where(sql`test_id is not null`),
    uniqueIndex('label_rounds_open')
      .on(table.setId, table.userId)
      .where(sql`state not in ('done', 'failed')`),
  ],
)
export type RoundRow = typeof labelRounds.$inferSelect
