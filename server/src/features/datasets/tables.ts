import type { DataFacts, Dataset, DatasetUse, Labelled, Problem } from '@neuroloom/contract/datasets'
import type { Box, ManifestItem } from '@neuroloom/contract/engine'
import { asFound, type Reading } from '@neuroloom/contract/reading/reading'
import type { Task } from '@neuroloom/contract/task'
import { sql } from 'drizzle-orm'
import {
  boolean,
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
import { projects } from '../projects/tables.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })

export const datasets = pgTable(
  'datasets',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Where it was found. No foreign key: a data set outlives its folder. */
    folderId: text('folder_id').notNull(),
    /** Its labels were drawn here, and do not lie in the folder. */
    labelled: jsonb('labelled').$type<Labelled>(),
    name: text('name').notNull(),
    task: text('task').$type<Task>(),
    layout: text('layout').$type<NonNullable<Dataset['layout']>>(),
    state: text('state').$type<Dataset['state']>().notNull().default('checking'),
    failure: text('failure').$type<NonNullable<Dataset['failure']>>(),
    doneFiles: integer('done_files').notNull().default(0),
    totalFiles: integer('total_files').notNull().default(0),
    /** Digest of all paths and bytes of the folder: tells an unchanged folder. */
    contentHash: text('content_hash').notNull(),
    classes: jsonb('classes').$type<string[]>().notNull().default([]),
    maskValues: jsonb('mask_values').$type<Record<string, number>>().notNull().default({}),
    channels: smallint('channels').$type<1 | 3>(),
    /** Super-resolution: how many times larger labels are than images. */
    factor: smallint('factor'),
    facts: jsonb('facts').$type<DataFacts>(),
    problemCount: integer('problem_count').notNull().default(0),
    /** The member's wish that test items which are also given for learning are not tested on. */
    leavesAside: boolean('leaves_aside').notNull().default(false),
    reading: jsonb('reading').$type<Reading>().notNull().default(asFound),
    createdAt: moment('created_at').notNull(),
    checkedAt: moment('checked_at'),
  },
  (table) => [
    index('datasets_owner').on(table.ownerId, table.createdAt),
    index('datasets_folder').on(table.folderId),
    index('datasets_labelled').on(sql`(labelled ->> 'setId')`).where(sql`labelled is not null`),
    index('datasets_checking').on(table.createdAt).where(sql`state = 'checking'`),
  ],
)
export type DatasetRow = typeof datasets.$inferSelect

export const projectDatasets = pgTable(
  'project_datasets',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    datasetId: text('dataset_id')
      .notNull()
      .references(() => datasets.id, { onDelete: 'cascade' }),
    use: text('use').$type<DatasetUse>().notNull().default('train'),
    addedAt: moment('added_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.datasetId] }),
    index('project_datasets_dataset').on(table.datasetId),
  ],
)

/** What a run is given: an image part and a label part, each with its number of files. */
export const datasetParts = pgTable(
  'dataset_parts',
  {
    id: text('id').primaryKey(),
    datasetId: text('dataset_id')
      .notNull()
      .references(() => datasets.id, { onDelete: 'cascade' }),
    part: text('part').$type<'image' | 'label'>().notNull(),
    items: integer('items').notNull(),
  },
  (table) => [unique('dataset_parts_once').on(table.datasetId, table.part)],
)

/** The bytes are pinned: whatever happens to the files, these stay as they were checked. */
export const datasetItems = pgTable(
  'dataset_items',
  {
    id: text('id').primaryKey(),
    datasetId: text('dataset_id')
      .notNull()
      .references(() => datasets.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    /** Path below the folder. */
    name: text('name').notNull(),
    imageSha256: text('image_sha256')
      .notNull()
      .references(() => blobs.sha256),
    labelSha256: text('label_sha256').references(() => blobs.sha256),
    regionSha256: text('region_sha256').references(() => blobs.sha256),
    class: integer('class'),
    labels: jsonb('labels').$type<number[]>(),
    boxes: jsonb('boxes').$type<Box[]>(),
    part: text('part').$type<NonNullable<ManifestItem['part']>>(),
    /** The part that it was given for, where it is left aside. */
    asidePart: text('aside_part').$type<NonNullable<ManifestItem['part']>>(),
    /** Patient or series; null = stands alone. */
    patient: text('patient'),
    /** What tables say of the person, by the name of the column; leaves in sums alone. */
    about: jsonb('about').$type<Record<string, string>>(),
    /** Group of near-duplicates, never split; null = its patient's or its own. */
    kin: text('kin'),
    /** What it looks like: `fingerprint` of the engine's facts. */
    fingerprint: text('fingerprint'),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    depth: integer('depth'),
  },
  (table) => [
    unique('dataset_items_position').on(table.datasetId, table.position),
    index('dataset_items_image').on(table.imageSha256),
    index('dataset_items_label').on(table.labelSha256),
    index('dataset_items_region').on(table.regionSha256).where(sql`region_sha256 is not null`),
  ],
)

export const datasetProblems = pgTable(
  'dataset_problems',
  {
    datasetId: text('dataset_id')
      .notNull()
      .references(() => datasets.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    path: text('path').notNull(),
    reason: text('reason').$type<Problem['reason']>().notNull(),
    params: jsonb('params').$type<Problem['params']>().notNull().default({}),
  },
  (table) => [primaryKey({ columns: [table.datasetId, table.position] })],
)

/** Items that look almost the same, by their positions. */
export const datasetDoubles = pgTable(
  'dataset_doubles',
  {
    datasetId: text('dataset_id')
      .notNull()
      .references(() => datasets.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    position: integer('position').notNull(),
    otherPosition: integer('other_position').notNull(),
    distance: smallint('distance').notNull(),
    kind: text('kind').$type<'together' | 'crossing' | 'loose'>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.datasetId, table.number] })],
)
