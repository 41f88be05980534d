import { bigserial, index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from '../../accounts/tables.ts'

const time = (name: string) => timestamp(name, { withTimezone: true })

/** What members sent, and searches that found nobody: counted within a while, then deleted. */
export const socialTries = pgTable(
  'social_tries',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<Pace | Search>().notNull(),
    at: time('at').notNull(),
  },
  (table) => [index('social_tries_user').on(table.userId, table.kind, table.at)],
)
/** What is written to others. */
export type Pace = 'message' | 'post' | 'application'
/** What is looked for, and may be guessed. */
export type Search = 'person' | 'group'
