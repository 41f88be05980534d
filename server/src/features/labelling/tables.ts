import type { FoundAgreement } from '@neuroloom/contract/labelling/agreed'
import type { LabelClass, Mark } from '@neuroloom/contract/labelling/classes'
import type { LabelItem, LabelSet, ReadingState } from '@neuroloom/contract/labelling/labelling'
import type { Deed } from '@neuroloom/contract/labelling/steps'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  customType,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { blobs } from '../../infra/storage/blobs.ts'
import { users } from '../accounts/tables.ts'
import { projects } from '../projects/tables.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

export const labelSets = pgTable(
  'label_sets',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Where the images were found. No foreign key: a set outlives its folder. */
    folderId: text('folder_id').notNull(),
    projectId: text('project_id').references(() => projects.id, { onDelete: 'set null' }),
    name: text('name').notNull(),
    description: text('description').notNull(),
    classes: jsonb('classes').$type<LabelClass[]>().notNull(),
    /** Removed ones: a step that was made before its page knew brings its class back. */
    formerClasses: jsonb('former_classes').$type<LabelClass[]>().notNull().default([]),
    marks: jsonb('marks').$type<Mark[]>().notNull(),
    oneTag: boolean('one_tag').notNull(),
    blind: boolean('blind').notNull(),
    state: text('state').$type<LabelSet['state']>().notNull(),
    failure: text('failure').$type<NonNullable<LabelSet['failure']>>(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('label_sets_owner').on(table.ownerId, table.createdAt.desc()),
    index('label_sets_project').on(table.projectId).where(sql`project_id is not null`),
    index('label_sets_gathering').on(table.createdAt).where(sql`state = 'gathering'`),
  ],
)
export type LabelSetRow = typeof labelSets.$inferSelect

export const labelReaders = pgTable(
  'label_readers',
  {
    id: text('id').notNull(),
    setId: text('set_id')
      .notNull()
      .references(() => labelSets.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As the owner typed it: whom that is now under other accounts is not the owner's to learn. */
    account: text('account').notNull(),
    permission: text('permission').$type<'read' | 'review'>().notNull(),
    addedAt: moment('added_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.setId, table.userId] }),
    unique('label_readers_id').on(table.id),
    index('label_readers_user').on(table.userId),
  ],
)
export type ReaderRow = typeof labelReaders.$inferSelect

export const labelItems = pgTable(
  'label_items',
  {
    id: text('id').primaryKey(),
    setId: text('set_id')
      .notNull()
      .references(() => labelSets.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    name: text('name').notNull(),
    kind: text('kind').$type<LabelItem['kind']>().notNull(),
    /** Null until somebody has opened it. */
    width: integer('width'),
    height: integer('height'),
    depth: integer('depth'),
    /** No longer in the folder; its labels stay. */
    isGone: boolean('is_gone').notNull().default(false),
  },
  (table) => [
    unique('label_items_set_id_name_key').on(table.setId, table.name),
    index('label_items_position').on(table.setId, table.position),
  ],
)
export type LabelItemRow = typeof labelItems.$inferSelect

/** Bytes of an image: one file, or the slices of a series, with a second file that a header names. They stay as they were. */
export const labelSources = pgTable(
  'label_sources',
  {
    itemId: text('item_id')
      .notNull()
      .references(() => labelItems.id, { onDelete: 'cascade' }),
    role: text('role').$type<'file' | 'sibling'>().notNull(),
    place: integer('place').notNull(),
    name: text('name').notNull(),
    sha256: text('sha256')
      .notNull()
      .references(() => blobs.sha256),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.itemId, table.role, table.place] }),
    index('label_sources_sha256').on(table.sha256),
  ],
)

/** The marks of one reader on one image: nobody else writes into them. */
export const labelReadings = pgTable(
  'label_readings',
  {
    id: text('id').primaryKey(),
    itemId: text('item_id')
      .notNull()
      .references(() => labelItems.id, { onDelete: 'cascade' }),
    /** Null when that member is gone: the marks stay with the set. */
    readerId: text('reader_id').references(() => users.id, { onDelete: 'set null' }),
    /** Belongs to the set: what its reviewers made of several. */
    isAgreed: boolean('is_agreed').notNull().default(false),
    state: text('state').$type<ReadingState>().notNull(),
    /** Number of the last step. */
    seq: integer('seq').notNull().default(0),
    /** Boxes, outlines, lines and points, so that there are not too many. */
    things: integer('things').notNull().default(0),
    changedAt: moment('changed_at').notNull(),
  },
  (table) => [
    unique('label_readings_item_id_reader_id_key').on(table.itemId, table.readerId),
    index('label_readings_reader').on(table.readerId),
    uniqueIndex('label_readings_agreed').on(table.itemId).where(sql`is_agreed`),
  ],
)
export type ReadingRow = typeof labelReadings.$inferSelect

/** Of changed pixels the patch lies beside it. */
export type StoredDeed = Exclude<Deed, { do: 'pixels' }> | { do: 'pixels' }

export const labelSteps = pgTable(
  'label_steps',
  {
    readingId: text('reading_id')
      .notNull()
      .references(() => labelReadings.id, { onDelete: 'cascade' }),
    seq: integer('seq').notNull(),
    stepId: text('step_id').notNull(),
    stroke: text('stroke').notNull(),
    tool: text('tool').notNull(),
    madeAt: bigint('made_at', { mode: 'number' }).notNull(),
    keptAt: moment('kept_at').notNull(),
    deed: jsonb('deed').$type<StoredDeed>().notNull(),
    patch: bytes('patch'),
  },
  (table) => [
    primaryKey({ columns: [table.readingId, table.seq] }),
    unique('label_steps_reading_id_step_id_key').on(table.readingId, table.stepId),
  ],
)
export type StepRow = typeof labelSteps.$inferSelect

/** A reading as it was after a step, so that nobody has to replay all of its journal. */
export const labelWholes = pgTable(
  'label_wholes',
  {
    readingId: text('reading_id')
      .notNull()
      .references(() => labelReadings.id, { onDelete: 'cascade' }),
    seq: integer('seq').notNull(),
    /** Gzipped JSON of the contract's `wholeSchema`. */
    whole: bytes('whole').notNull(),
  },
  (table) => [primaryKey({ columns: [table.readingId, table.seq] })],
)

/** What was said about an image or somebody's marks on it; replies lie flat beneath the one that began. */
export const labelComments = pgTable(
  'label_comments',
  {
    id: text('id').primaryKey(),
    itemId: text('item_id')
      .notNull()
      .references(() => labelItems.id, { onDelete: 'cascade' }),
    /** Whose marks it is about: another reader does not see it. Null = the image. */
    readingId: text('reading_id').references(() => labelReadings.id, { onDelete: 'cascade' }),
    replyTo: text('reply_to').references((): AnyPgColumn => labelComments.id, { onDelete: 'cascade' }),
    /** Null when that member is gone, and the words with them. */
    authorId: text('author_id').references(() => users.id, { onDelete: 'set null' }),
    text: text('text').notNull(),
    x: doublePrecision('x'),
    y: doublePrecision('y'),
    axis: smallint('axis').$type<0 | 1 | 2>(),
    slice: integer('slice'),
    resolvedAt: moment('resolved_at'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('label_comments_item').on(table.itemId, table.createdAt),
    index('label_comments_reading').on(table.readingId).where(sql`reading_id is not null`),
    index('label_comments_reply').on(table.replyTo).where(sql`reply_to is not null`),
    index('label_comments_author').on(table.authorId).where(sql`author_id is not null`),
  ],
)
export type CommentRow = typeof labelComments.$inferSelect

/** How far two readers agree on an image; worked out anew when one of them goes on. */
export const labelAgreements = pgTable(
  'label_agreements',
  {
    oneId: text('one_id')
      .notNull()
      .references(() => labelReadings.id, { onDelete: 'cascade' }),
    otherId: text('other_id')
      .notNull()
      .references(() => labelReadings.id, { onDelete: 'cascade' }),
    oneSeq: integer('one_seq').notNull(),
    otherSeq: integer('other_seq').notNull(),
    found: jsonb('found').$type<FoundAgreement>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.oneId, table.otherId] }),
    index('label_agreements_other').on(table.otherId),
  ],
)
