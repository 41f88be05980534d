import type {
  FlowLight,
  FlowMeasuredSection,
  FlowResults,
  FlowRun,
  FlowSection,
} from '@neuroloom/contract/flow/run'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { blobs } from '../../../infra/storage/blobs.ts'
import { projects } from '../../projects/tables.ts'
import { allRuns } from '../../runs/tables.ts'
import { flowStudies } from '../tables.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })
const runId = () =>
  text('run_id')
    .notNull()
    .references(() => allRuns.id, { onDelete: 'cascade' })

export const flowProjectStudies = pgTable(
  'flow_project_studies',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    studyId: text('study_id')
      .notNull()
      .references(() => flowStudies.id, { onDelete: 'cascade' }),
    addedAt: moment('added_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.studyId] }),
    index('flow_project_studies_study').on(table.studyId),
  ],
)

/** What a flow run reads, and what came of it. */
export const runFlow = pgTable(
  'run_flow',
  {
    runId: text('run_id')
      .primaryKey()
      .references(() => allRuns.id, { onDelete: 'cascade' }),
    /** No foreign key: a run outlives its study. */
    studyId: text('study_id').notNull(),
    /** As it was called then. */
    studyName: text('study_name').notNull(),
    studySha256: text('study_sha256')
      .notNull()
      .references(() => blobs.sha256),
    head: jsonb('head').$type<FlowStudy>().notNull(),
    /** Of the mask that was chosen. */
    maskSha256: text('mask_sha256').references(() => blobs.sha256),
    asked: jsonb('asked').$type<FlowRun>().notNull(),
    results: jsonb('results').$type<FlowResults>(),
    correctedHead: jsonb('corrected_head').$type<FlowStudy>(),
    massBalance: jsonb('mass_balance').$type<FlowLight>(),
    /** Of measuring planes; `idle`: nothing is to be measured. */
    state: text('state').$type<'idle' | 'waiting' | 'running'>().notNull().default('idle'),
    /** Each one who takes the work writes under its own number. */
    attempts: integer('attempts').notNull().default(0),
    /** The number of attempts when the planes were kept. */
    askedAt: integer('asked_at').notNull().default(0),
    leaseUntil: moment('lease_until'),
  },
  (table) => [
    index('run_flow_study').on(table.studySha256),
    index('run_flow_mask').on(table.maskSha256),
    index('run_flow_open').on(table.leaseUntil),
  ],
)
export type RunFlowRow = typeof runFlow.$inferSelect

export type SectionTold = Pick<FlowMeasuredSection, 'numbers' | 'refusal'>

export const flowSections = pgTable(
  'flow_sections',
  {
    runId: runId(),
    place: integer('place').notNull(),
    section: jsonb('section').$type<FlowSection>().notNull(),
    told: jsonb('told').$type<SectionTold>(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.place] })],
)

export const flowFigures = pgTable(
  'flow_figures',
  {
    id: text('id').primaryKey(),
    runId: runId(),
    caption: text('caption').notNull(),
    sha256: text('sha256')
      .notNull()
      .references(() => blobs.sha256),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('flow_figures_run').on(table.runId, table.createdAt),
    index('flow_figures_sha256').on(table.sha256),
  ],
)
