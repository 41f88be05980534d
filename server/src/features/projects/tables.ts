import type { Project } from '@neuroloom/contract/projects'
import type { Task } from '@neuroloom/contract/task'
import { sql } from 'drizzle-orm'
import { index, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from '../accounts/tables.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })

export const projects = pgTable(
  'projects',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    task: text('task').$type<Task>().notNull(),
    visibility: text('visibility').$type<Project['visibility']>().notNull().default('private'),
    createdAt: moment('created_at').notNull(),
    modifiedAt: moment('modified_at').notNull(),
    recycledAt: moment('recycled_at'),
  },
  (table) => [
    uniqueIndex('projects_live_name').on(table.ownerId, table.name).where(sql`recycled_at is null`),
    index('projects_recycled_at').on(table.recycledAt).where(sql`recycled_at is not null`),
  ],
)
export type ProjectRow = typeof projects.$inferSelect
