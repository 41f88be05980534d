import type { PreparedFile, PrepareReason, Recipe } from '@neuroloom/contract/recipes/recipe'
import type { Preparation, Work, WorkState } from '@neuroloom/contract/recipes/recipes'
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { users } from '../accounts/tables.ts'
import { files } from '../files/tables.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })

export const recipes = pgTable(
  'recipes',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    recipe: jsonb('recipe').$type<Recipe>().notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [uniqueIndex('recipes_name').on(table.ownerId, table.name)],
)
export type RecipeRow = typeof recipes.$inferSelect

export const recipeShares = pgTable(
  'recipe_shares',
  {
    recipeId: text('recipe_id')
      .notNull()
      .references(() => recipes.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sharedAt: moment('shared_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.recipeId, table.userId] }),
    index('recipe_shares_user').on(table.userId),
  ],
)

export const preparations = pgTable(
  'preparations',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As asked for; which files it comes to is worked out by the job. */
    work: jsonb('work').$type<Work>().notNull(),
    sourceId: text('source_id').references(() => files.id, { onDelete: 'set null' }),
    sourceName: text('source_name').notNull(),
    state: text('state').$type<WorkState>().notNull(),
    failure: text('failure').$type<Preparation['failure']>(),
    /** The folder, or the one file, that comes of it. */
    resultId: text('result_id').references(() => files.id, { onDelete: 'set null' }),
    /** Before there is one, what it is to be called. */
    resultName: text('result_name').notNull(),
    /** Each one who takes the work writes under its own number. */
    attempts: integer('attempts').notNull().default(0),
    leaseUntil: moment('lease_until'),
    /** Set aside for what is being made. */
    reservedFor: text('reserved_for').references(() => users.id, { onDelete: 'set null' }),
    reservedBytes: bigint('reserved_bytes', { mode: 'number' }).notNull().default(0),
    createdAt: moment('created_at').notNull(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('preparations_owner').on(table.ownerId, table.createdAt.desc(), table.id.desc()),
    index('preparations_open').on(table.leaseUntil),
    index('preparations_source').on(table.sourceId),
    index('preparations_result').on(table.resultId),
    index('preparations_reserved').on(table.reservedFor),
  ],
)
export type PreparationRow = typeof preparations.$inferSelect

export type Role = 'image' | 'mask' | 'labels' | 'group' | 'copy'
export type ItemMade = Omit<PreparedFile, 'path'>

export const preparationItems = pgTable(
  'preparation_items',
  {
    preparationId: text('preparation_id')
      .notNull()
      .references(() => preparations.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    /** One, or those of a group. */
    fileIds: text('file_ids').array().notNull(),
    /** Below the folder; of a copy, its new one. */
    path: text('path').notNull(),
    role: text('role').$type<Role>().notNull(),
    /** Of DICOM: what is made of its files first. */
    dicom: text('dicom').$type<'values' | 'mask' | 'volume'>(),
    state: text('state').$type<'waiting' | 'done' | 'failed' | 'cancelled'>().notNull(),
    reason: jsonb('reason').$type<PrepareReason>(),
    before: jsonb('before').$type<{ width: number; height: number }>(),
    made: jsonb('made').$type<ItemMade[]>().notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.preparationId, table.position] })],
)
export type ItemRow = typeof preparationItems.$inferSelect
