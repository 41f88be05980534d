import type { Application, CardField } from '@neuroloom/contract/social/people'
import { boolean, index, pgTable, primaryKey, text, timestamp, unique } from 'drizzle-orm/pg-core'
import { users } from '../../accounts/tables.ts'

const time = (name: string) => timestamp(name, { withTimezone: true })
const member = (name: string) =>
  text(name)
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

export const cards = pgTable('social_cards', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  introduction: text('introduction').notNull().default(''),
  shown: text('shown').array().$type<CardField[]>().notNull().default([]),
  canBeFound: boolean('can_be_found').notNull().default(false),
  showsOnline: boolean('shows_online').notNull().default(false),
})

/** Two rows, one for each side. */
export const friends = pgTable(
  'social_friends',
  { userId: member('user_id'), friendId: member('friend_id'), since: time('since').notNull() },
  (table) => [
    primaryKey({ columns: [table.userId, table.friendId] }),
    index('social_friends_friend').on(table.friendId),
  ],
)

export const applications = pgTable(
  'social_applications',
  {
    id: text('id').primaryKey(),
    fromId: member('from_id'),
    toId: member('to_id'),
    text: text('text').notNull(),
    state: text('state').$type<Application['state']>().notNull(),
    /** When it was last asked, also where it was refused meanwhile: the sender does not learn of that. */
    at: time('at').notNull(),
    answeredAt: time('answered_at'),
  },
  (table) => [
    unique('social_applications_from_id_to_id_key').on(table.fromId, table.toId),
    index('social_applications_to').on(table.toId, table.at),
  ],
)
export type ApplicationRow = typeof applications.$inferSelect

export const follows = pgTable(
  'social_follows',
  { userId: member('user_id'), memberId: member('member_id'), at: time('at').notNull() },
  (table) => [
    primaryKey({ columns: [table.userId, table.memberId] }),
    index('social_follows_user').on(table.userId, table.at),
    index('social_follows_member').on(table.memberId, table.at),
  ],
)

export const blocks = pgTable(
  'social_blocks',
  { userId: member('user_id'), memberId: member('member_id'), at: time('at').notNull() },
  (table) => [
    primaryKey({ columns: [table.userId, table.memberId] }),
    index('social_blocks_member').on(table.memberId),
  ],
)
