import type { Display } from '@neuroloom/contract/displays'
import type { Permission } from '@neuroloom/contract/sharing'
import type { Statement } from '@neuroloom/contract/statements'
import type { ProjectTask } from '@neuroloom/contract/task'
import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from '../accounts/tables.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })
const owner = () =>
  text('owner_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

export const projects = pgTable(
  'projects',
  {
    id: text('id').primaryKey(),
    ownerId: owner(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    /** Name and description in lower case, for searching. */
    searchText: text('search_text').notNull(),
    task: text('task').$type<ProjectTask>().notNull(),
    displays: jsonb('displays').$type<Display[]>().notNull(),
    /** Every member may look at it since then. */
    publicAt: moment('public_at'),
    createdAt: moment('created_at').notNull(),
    modifiedAt: moment('modified_at').notNull(),
    recycledAt: moment('recycled_at'),
    /** As promised when it was removed. */
    clearsAt: moment('clears_at'),
  },
  (table) => [
    uniqueIndex('projects_live_name').on(table.ownerId, table.name).where(sql`recycled_at is null`),
    index('projects_recycled_at').on(table.recycledAt).where(sql`recycled_at is not null`),
    index('projects_owner').on(table.ownerId, table.createdAt.desc(), table.id.desc()),
    index('projects_public').on(table.createdAt.desc(), table.id.desc()).where(sql`public_at is not null`),
  ],
)
export type ProjectRow = typeof projects.$inferSelect

/** A project given to a member. A withdrawn share is deleted. */
export const projectShares = pgTable(
  'project_shares',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    ownerId: owner(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As its owner typed it: whom that is now under other accounts is not the owner's to learn. */
    account: text('account').notNull(),
    permission: text('permission').$type<Permission>().notNull(),
    sharedAt: moment('shared_at').notNull(),
  },
  (table) => [
    uniqueIndex('project_shares_user').on(table.userId, table.projectId),
    index('project_shares_project').on(table.projectId),
    index('project_shares_owner').on(table.ownerId),
  ],
)
export type ProjectShareRow = typeof projectShares.$inferSelect

/** What people said of the study; a question without an answer has no row. */
export const projectStatements = pgTable(
  'project_statements',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').$type<Statement>().notNull(),
    text: text('text').notNull(),
    modifiedAt: moment('modified_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.name] })],
)
