import type { Exchange, LabelFormat } from '@neuroloom/contract/labelling/exchange'
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from '../../accounts/tables.ts'
import { labelSets } from '../tables.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })

type Plan = NonNullable<Exchange['exportPlan'] | Exchange['importPlan']>
/** What the member decided about an import. */
export type Choices = {
  merge: 'add' | 'replace' | 'empty'
  /** Classes of the set by the names in the files; missing = nothing. */
  classes: Record<string, string>
}

/** Labels that go out or come in. Each one who takes the work writes under its own number of `attempts`. */
export const labelExchanges = pgTable(
  'label_exchanges',
  {
    id: text('id').primaryKey(),
    setId: text('set_id')
      .notNull()
      .references(() => labelSets.id, { onDelete: 'cascade' }),
    memberId: text('member_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<Exchange['kind']>().notNull(),
    state: text('state').$type<Exchange['state']>().notNull(),
    format: text('format').$type<LabelFormat>(),
    whose: text('whose').$type<NonNullable<Exchange['whose']>>(),
    /** Made, or read from. No foreign key: what was done stays told when the folder is gone. */
    folderId: text('folder_id'),
    folderName: text('folder_name').notNull().default(''),
    plan: jsonb('plan').$type<Plan>(),
    choices: jsonb('choices').$type<Choices>(),
    done: integer('done').notNull().default(0),
    total: integer('total').notNull().default(0),
    failure: text('failure').$type<NonNullable<Exchange['failure']>>(),
    attempts: integer('attempts').notNull().default(0),
    leaseUntil: moment('lease_until'),
    createdAt: moment('created_at').notNull(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('label_exchanges_set').on(table.setId, table.memberId, table.createdAt.desc()),
    index('label_exchanges_member').on(table.memberId, table.createdAt.desc()),
    index('label_exchanges_open').on(table.leaseUntil).where(sql`state in ('looking', 'working')`),
  ],
)
export type ExchangeRow = typeof labelExchanges.$inferSelect
