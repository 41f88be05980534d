import type { ItemResult } from '@neuroloom/contract/engine'
import type { Evidence } from '@neuroloom/contract/evidence'
import type { Cost } from '@neuroloom/contract/forecast'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import type { Recipe } from '@neuroloom/contract/recipes/recipe'
import { openStates } from '@neuroloom/contract/run-states'
import type { LearnedRun, Progress, Run } from '@neuroloom/contract/runs'
import type { Hyper, Validation } from '@neuroloom/contract/suggest/hyper'
import type { ProjectTask } from '@neuroloom/contract/task'
import { inArray, type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
} from 'drizzle-orm/pg-core'
import type { Device } from '../../infra/engine/engine.ts'
import { blobs } from '../../infra/storage/blobs.ts'
import { users } from '../accounts/tables.ts'
import { projects } from '../projects/tables.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })

/** The last number given out to a kind of run in a project: a removed run's number never comes back. */
export const runNumbers = pgTable(
  'run_numbers',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<Run['kind']>().notNull(),
    last: integer('last').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.kind] })],
)

/** A result with the SHA-256 of its image. Its overlay, if there is one, lies in `run_pictures`. */
export type StoredResult = ItemResult & { image: string | null }
export type Preview = { epoch: number; items: StoredResult[] }
/** As it was when the run was queued: the earlier training may be gone since. */
export type StartFrom = Omit<NonNullable<Run['startFrom']>, 'taken' | 'model'> & {
  /** Left out before there was a shop. */
  model?: string | null
  /** Layers that were renamed since, by their present path: where their weights stand. */
  names?: Record<string, string>
}
export type TakenOver = NonNullable<NonNullable<Run['startFrom']>['taken']>

export type RunTool = { id: string; name: string }

const columns = () => ({
  id: text('id').primaryKey(),
  /** The owner of the project. */
  userId: text('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Who started it, whose it is all the same; null when that member is gone. */
  startedBy: text('started_by').references(() => users.id, { onDelete: 'set null' }),
  projectId: text('project_id')
    .notNull()
    .references(() => projects.id, { onDelete: 'cascade' }),
  parentId: text('parent_id').references((): AnyPgColumn => allRuns.id, { onDelete: 'set null' }),
  kind: text('kind').$type<Run['kind']>().notNull(),
  /** Of its kind in its project: Training 1, Test 1, Training 2. */
  number: integer('number').notNull(),
  task: text('task').$type<ProjectTask>().notNull(),
  state: text('state').$type<Run['state']>().notNull().default('queued'),
  network: text('network').notNull(),
  /** Of a network of the member's own, as it was called when the run started; its id stands in `network`. */
  ownNetworkName: text('own_network_name'),
  ownNetworkVersion: integer('own_network_version'),
  /** Of a prediction by a tool that a member made; what is inside that stands nowhere else in the row. */
  tool: jsonb('tool').$type<RunTool>(),
  /** No foreign key: a run outlives its data set. Null of a prediction and of 4D flow, which have none. */
  datasetId: text('dataset_id'),
  datasetName: text('dataset_name').notNull(),
  classes: jsonb('classes').$type<string[]>().notNull(),
  /** Null where no network learned or was used; the validation also of a training of flow. */
  hyper: jsonb('hyper').$type<Hyper>(),
  validation: jsonb('validation').$type<Validation>(),
  queuedAt: moment('queued_at').notNull().defaultNow(),
  /** An administrator put it before the others. */
  preferredAt: moment('preferred_at'),
  worker: text('worker'),
  leaseUntil: moment('lease_until'),
  /** The fencing number: one more with every claim. A worker's writes count only for its own attempt. */
  attempt: integer('attempt').notNull().default(0),
  /** Attempts lost in a row without getting further than the ones before. */
  losses: integer('losses').notNull().default(0),
  /** How far the run has come, see `reachedBy`; and how far it was at the last loss. */
  reached: bigint('reached', { mode: 'number' }).notNull().default(0),
  reachedAtLoss: bigint('reached_at_loss', { mode: 'number' }).notNull().default(0),
  stopRequested: boolean('stop_requested').notNull().default(false),
  /** Whoever asked for the stop; only compared, so no foreign key. Null = nobody, or the product itself. */
  stoppedBy: text('stopped_by'),
  /** A wish that outlives the worker: when it leaves the run, or is lost, the run becomes paused. */
  pauseRequested: boolean('pause_requested').notNull().default(false),
  /** Times that a run which had begun was paused: attempts that are no interruptions. */
  pauses: integer('pauses').notNull().default(0),
  /** Begin of the newest attempt. */
  claimedAt: moment('claimed_at'),
  /** What all attempts that are over took together, without waiting and pauses. */
  busySeconds: doublePrecision('busy_seconds').notNull().default(0),
  /** What the engine says that this would have taken with the cores to itself; null where it said nothing. */
  quietSeconds: doublePrecision('quiet_seconds'),
  /** What the whole run computes, see `contract/forecast`; null of runs older than forecasts. */
  cost: jsonb('cost').$type<Cost>(),
  /** What was foreseen when the run was started. */
  foreseenSeconds: doublePrecision('foreseen_seconds'),
  phase: text('phase'),
  progress: jsonb('progress').$type<Progress>(),
  metrics: jsonb('metrics').$type<Run['metrics']>().notNull().default({}),
  perClass: jsonb('per_class').$type<Run['perClass']>().notNull().default([]),
  confusion: jsonb('confusion').$type<number[][]>(),
  counts: jsonb('counts').$type<Record<string, number>>(),
  parameters: bigint('parameters', { mode: 'number' }),
  /** What it was computed with: versions by name, and the device in words. */
  versions: jsonb('versions').$type<Record<string, string>>(),
  computedOn: text('computed_on'),
  score: doublePrecision('score'),
  preview: jsonb('preview').$type<Preview>(),
  /** The training whose weights this one begins with. */
  startFrom: jsonb('start_from').$type<StartFrom>(),
  takenOver: jsonb('taken_over').$type<TakenOver>(),
  error: jsonb('error').$type<NonNullable<Run['error']>>(),
  createdAt: moment('created_at').notNull().defaultNow(),
  startedAt: moment('started_at'),
  endedAt: moment('ended_at'),
  recycledAt: moment('recycled_at'),
  /** As promised when it was removed. */
  clearsAt: moment('clears_at'),
})

/**
 * Also those in the recycle station: for the station itself, for the queue, which ends a deleted run in good order, and
 * for whatever exports or erases an account. Everything else reads `runs`.
 */
export const allRuns = pgTable('runs', columns(), (table) => [
  unique('runs_number').on(table.projectId, table.kind, table.number),
  index('runs_user').on(table.userId, table.startedAt),
  index('runs_parent').on(table.parentId),
  index('runs_started_by').on(table.startedBy),
  index('runs_own_network')
    .on(table.network, table.ownNetworkVersion)
    .where(sql`own_network_version is not null`),
  index('runs_waiting').on(table.userId, table.queuedAt).where(inState('queued')),
  index('runs_lease').on(table.leaseUntil).where(inState('running')),
  index('runs_measured').on(table.endedAt).where(sql`state = 'done' and cost is not null`),
  index('runs_recycled_at').on(table.recycledAt).where(sql`recycled_at is not null`),
])
export type RunRow = typeof allRuns.$inferSelect

/**
 * The view of those that are not in the recycle station, which can be changed like the table but not added to. To
 * everybody a deleted run is one that does not exist: whoever asks here cannot forget that. A run of a deleted
 * training has no parent here.
 */
export const runs = pgTable('live_runs', columns())

/** A training, or what its weights are used for. */
export type LearnedRow = RunRow & Pick<LearnedRun, 'kind' | 'task' | 'hyper' | 'validation'>
export const isLearnedRow = (run: RunRow): run is LearnedRow =>
  run.kind !== 'flow' && run.kind !== 'flow_train'

/** Kinds of runs in which a network learns, and leaves weights: whatever is asked of one is asked of all. */
export const trainings = ['train', 'flow_train'] as const satisfies RunRow['kind'][]
export const isTraining = ({ kind }: Pick<RunRow, 'kind'>): boolean => trainings.some((one) => one === kind)

export const isOpenRun: SQL = inArray(runs.state, openStates)

/** What a run reads, apart from what lists show. The manifest names its images and masks by their SHA-256. */
export const runInputs = pgTable(
  'run_inputs',
  {
    runId: text('run_id')
      .primaryKey()
      .references(() => allRuns.id, { onDelete: 'cascade' }),
    plan: jsonb('plan').$type<Plan>().notNull(),
    planHash: text('plan_hash').notNull(),
    /** Of a network of the member's own: its document as it was then. */
    networkText: text('network_text'),
    manifestSha256: text('manifest_sha256')
      .notNull()
      .references(() => blobs.sha256),
    /** Of a test: the trained weights; of a training: those that it begins with. */
    weightsSha256: text('weights_sha256').references(() => blobs.sha256),
    part: text('part').$type<'held-out' | 'all'>(),
    /** Of a training, by which recipe its images were prepared; of a prediction, by which they are before the network. */
    recipe: jsonb('recipe').$type<Recipe>(),
    /** Of a prediction: it also tells how unsure the network is. */
    doubts: boolean('doubts').notNull().default(false),
  },
  (table) => [
    index('run_inputs_manifest').on(table.manifestSha256),
    index('run_inputs_weights').on(table.weightsSha256),
  ],
)

/** A plan grows with the network that a member drew: whoever only hands it on does not read it. */
export const planAsText = sql<string>`${runInputs.plan}::text`

export const runCurves = pgTable(
  'run_curves',
  {
    runId: text('run_id')
      .notNull()
      .references(() => allRuns.id, { onDelete: 'cascade' }),
    fold: integer('fold').notNull(),
    epoch: integer('epoch').notNull(),
    split: text('split').$type<'train' | 'validation'>().notNull(),
    numbers: jsonb('numbers').$type<Record<string, number | null>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.fold, table.epoch, table.split] })],
)

/** Of k-fold training: what each fold's unseen side gave. */
export const runFolds = pgTable(
  'run_folds',
  {
    runId: text('run_id')
      .notNull()
      .references(() => allRuns.id, { onDelete: 'cascade' }),
    fold: integer('fold').notNull(),
    perClass: jsonb('per_class').$type<Run['perClass']>().notNull(),
    confusion: jsonb('confusion').$type<number[][]>(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.fold] })],
)
export type FoldRow = typeof runFolds.$inferSelect

export const runArtifacts = pgTable(
  'run_artifacts',
  {
    runId: text('run_id')
      .notNull()
      .references(() => allRuns.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<Run['artifacts'][number]['kind']>().notNull(),
    sha256: text('sha256')
      .notNull()
      .references(() => blobs.sha256),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.kind] }),
    index('run_artifacts_sha256').on(table.sha256),
  ],
)

/** Results of a test, item by item. */
export const runItems = pgTable(
  'run_items',
  {
    runId: text('run_id')
      .notNull()
      .references(() => allRuns.id, { onDelete: 'cascade' }),
    itemId: text('item_id').notNull(),
    place: integer('place').notNull(),
    score: doublePrecision('score'),
    wrong: boolean('wrong').notNull(),
    result: jsonb('result').$type<StoredResult>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.itemId] }),
    index('run_items_score').on(table.runId, table.score, table.place),
  ],
)

/** Of a test: intervals, curves, calibration, distances. */
export const runEvidence = pgTable('run_evidence', {
  runId: text('run_id')
    .primaryKey()
    .references(() => allRuns.id, { onDelete: 'cascade' }),
  evidence: jsonb('evidence').$type<Evidence>().notNull(),
})

/** Earlier checks of a training's sample images, some of the fold under way. */
export const runPreviews = pgTable(
  'run_previews',
  {
    runId: text('run_id')
      .notNull()
      .references(() => allRuns.id, { onDelete: 'cascade' }),
    epoch: integer('epoch').notNull(),
    fold: integer('fold').notNull(),
    items: jsonb('items').$type<StoredResult[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.epoch] })],
)

/** Pictures to show: `preview/<item>` of the newest preview, `epoch/<epoch>/<item>` of one, `test/<item>` of a test. */
export const runPictures = pgTable(
  'run_pictures',
  {
    runId: text('run_id')
      .notNull()
      .references(() => allRuns.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    sha256: text('sha256')
      .notNull()
      .references(() => blobs.sha256),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.name] }),
    index('run_pictures_sha256').on(table.sha256),
  ],
)

/** What the workers compute on: the HTTP process knows memory limits from here. */
export const runDevices = pgTable('run_devices', {
  worker: text('worker').primaryKey(),
  device: jsonb('device').$type<Device>().notNull(),
  /** How many programs of others wanted a core lately. */
  others: doublePrecision('others').notNull().default(0),
  seenAt: moment('seen_at').notNull(),
})

function inState(state: Run['state']): SQL {
  return sql.raw(`state = '${state}'`)
}
