import type { Recipe } from '@neuroloom/contract/recipes/recipe'
import type { OpenSetting } from '@neuroloom/contract/toolbox/own-tools'
import type { ToolPicture } from '@neuroloom/contract/toolbox/toolbox'
import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from '../../accounts/tables.ts'
import { groups } from '../../files/service.ts'
import { files } from '../../files/tables.ts'
import { recipes } from '../../recipes/tables.ts'
import { allRuns } from '../../runs/tables.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })

export const ownTools = pgTable(
  'own_tools',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    about: text('about').notNull().default(''),
    picture: text('picture').$type<ToolPicture>().notNull(),
    kind: text('kind').$type<'recipe' | 'network'>().notNull(),
    /** A copy: what is changed in the kept recipe later changes no results in silence. */
    recipe: jsonb('recipe').$type<Recipe>(),
    recipeId: text('recipe_id').references(() => recipes.id, { onDelete: 'set null' }),
    runId: text('run_id').references(() => allRuns.id, { onDelete: 'set null' }),
    /** What it was made of, as that was called, and when that became as it is inside. */
    sourceName: text('source_name').notNull(),
    madeFrom: moment('made_from').notNull(),
    open: jsonb('open').$type<OpenSetting[]>().notNull().default([]),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('own_tools_name').on(table.ownerId, table.name),
    index('own_tools_recipe').on(table.recipeId),
    index('own_tools_run').on(table.runId),
  ],
)
export type ToolRow = typeof ownTools.$inferSelect

/** To a member or to a group. A withdrawn one stays, so that whoever had the tool is told why it does not work. */
export const ownToolShares = pgTable(
  'own_tool_shares',
  {
    id: text('id').primaryKey(),
    toolId: text('tool_id')
      .notNull()
      .references(() => ownTools.id, { onDelete: 'cascade' }),
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    groupId: text('group_id').references(() => groups.id, { onDelete: 'cascade' }),
    sharedAt: moment('shared_at').notNull(),
    expiresAt: moment('expires_at'),
    withdrawnAt: moment('withdrawn_at'),
  },
  (table) => [
    uniqueIndex('own_tool_shares_user').on(table.userId, table.toolId).where(sql`user_id is not null`),
    uniqueIndex('own_tool_shares_group').on(table.groupId, table.toolId).where(sql`group_id is not null`),
    index('own_tool_shares_tool').on(table.toolId),
  ],
)
export type ToolShareRow = typeof ownToolShares.$inferSelect

/** Answers of predictions by such tools, laid into the cloud of whoever asked: once for each. */
export const ownToolResults = pgTable(
  'own_tool_results',
  {
    runId: text('run_id')
      .primaryKey()
      .references(() => allRuns.id, { onDelete: 'cascade' }),
    folderId: text('folder_id').references(() => files.id, { onDelete: 'set null' }),
  },
  (table) => [index('own_tool_results_folder').on(table.folderId)],
)
