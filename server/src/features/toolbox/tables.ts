import type { AnyToolName, ToolInputs } from '@neuroloom/contract/toolbox/calls'
import { index, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from '../accounts/tables.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })
const member = () =>
  text('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

export const toolFavourites = pgTable(
  'tool_favourites',
  {
    userId: member(),
    tool: text('tool').$type<AnyToolName>().notNull(),
    markedAt: moment('marked_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.tool] })],
)

export const toolUses = pgTable(
  'tool_uses',
  {
    id: text('id').primaryKey(),
    userId: member(),
    tool: text('tool').$type<AnyToolName>().notNull(),
    /** Of one that a member made: as it was called. */
    toolName: text('tool_name'),
    title: text('title').notNull(),
    inputs: jsonb('inputs').$type<ToolInputs>().notNull(),
    /** Of whichever feature; it may be gone. */
    jobId: text('job_id'),
    usedAt: moment('used_at').notNull(),
  },
  (table) => [index('tool_uses_user').on(table.userId, table.usedAt.desc(), table.id.desc())],
)
export type UseRow = typeof toolUses.$inferSelect
