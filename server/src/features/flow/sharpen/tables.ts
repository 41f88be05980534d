import type { FlowTrain, FlowTrained } from '@neuroloom/contract/flow/sharpen'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { blobs } from '../../../infra/storage/blobs.ts'
import { allRuns } from '../../runs/tables.ts'
import { flowStudies } from '../tables.ts'

/** What a training of velocity super-resolution reads, all of it, and what came of it. */
export const runFlowTraining = pgTable('run_flow_training', {
  runId: text('run_id')
    .primaryKey()
    .references(() => allRuns.id, { onDelete: 'cascade' }),
  asked: jsonb('asked').$type<FlowTrain>().notNull(),
  plan: jsonb('plan').$type<Plan>().notNull(),
  planHash: text('plan_hash').notNull(),
  /** Of a network of the member's own: its document as it was then. */
  networkText: text('network_text'),
  results: jsonb('results').$type<FlowTrained>(),
})

const bytesOf = (name: string) =>
  text(name)
    .notNull()
    .references(() => blobs.sha256)

/** What is read for a study that is made finer, until it is ready: run and training may be deleted meanwhile. */
export const flowSharpenings = pgTable(
  'flow_sharpenings',
  {
    studyId: text('study_id')
      .primaryKey()
      .references(() => flowStudies.id, { onDelete: 'cascade' }),
    studySha256: bytesOf('study_sha256'),
    maskSha256: bytesOf('mask_sha256'),
    weightsSha256: bytesOf('weights_sha256'),
    plan: jsonb('plan').$type<Plan>().notNull(),
    /** Times frames, at most. */
    voxels: bigint('voxels', { mode: 'number' }).notNull(),
  },
  (table) => [
    index('flow_sharpenings_study').on(table.studySha256),
    index('flow_sharpenings_mask').on(table.maskSha256),
    index('flow_sharpenings_weights').on(table.weightsSha256),
  ],
)

/** A plan grows with the network that a member drew: whoever only hands it on does not read it. */
export const planAsText = sql<string>`${runFlowTraining.plan}::text`
