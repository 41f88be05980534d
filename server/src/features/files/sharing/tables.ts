import type { RecordAction } from '@neuroloom/contract/files'
import type { Permission } from '@neuroloom/contract/sharing'
import { sql } from 'drizzle-orm'
import {
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { users } from '../../accounts/tables.ts'
import { files } from '../tables.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })
const owner = () =>
  text('owner_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })
const entry = () =>
  text('entry_id')
    .notNull()
    .references(() => files.id, { onDelete: 'cascade' })

export const groups = pgTable(
  'file_groups',
  {
    id: text('id').primaryKey(),
    ownerId: owner(),
    /** What people tell each other to join. */
    number: text('number').notNull().unique(),
    name: text('name').notNull(),
    about: text('about').notNull(),
    /** Null = everybody who knows the number may join. */
    passwordHash: text('password_hash'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('file_groups_owner').on(table.ownerId)],
)
export type GroupRow = typeof groups.$inferSelect

/** The owner of a group is a member as well. */
export const groupMembers = pgTable(
  'file_group_members',
  {
    groupId: text('group_id')
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    joinedAt: moment('joined_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.groupId, table.userId] }),
    index('file_group_members_user').on(table.userId),
  ],
)

/** An entry, with all that lies in it, given to a member or to a group. A withdrawn share is deleted. */
export const shares = pgTable(
  'file_shares',
  {
    id: text('id').primaryKey(),
    entryId: entry(),
    ownerId: owner(),
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** Of the member, as its owner typed it: whom that is now under other accounts is not the owner's to learn. */
    account: text('account').notNull().default(''),
    groupId: text('group_id').references(() => groups.id, { onDelete: 'cascade' }),
    permission: text('permission').$type<Permission>().notNull(),
    /** The owner's word: with files that name their patient. */
    withPatients: boolean('with_patients').notNull().default(false),
    sharedAt: moment('shared_at').notNull(),
  },
  (table) => [
    uniqueIndex('file_shares_user').on(table.userId, table.entryId).where(sql`user_id is not null`),
    uniqueIndex('file_shares_group').on(table.groupId, table.entryId).where(sql`group_id is not null`),
    index('file_shares_entry').on(table.entryId),
    index('file_shares_owner').on(table.ownerId),
  ],
)
export type ShareRow = typeof shares.$inferSelect

/** A link that shows an entry to whoever has it. Only a digest of its secret is kept; a revoked link is deleted. */
export const links = pgTable(
  'file_links',
  {
    id: text('id').primaryKey(),
    entryId: entry(),
    ownerId: owner(),
    tokenHash: text('token_hash').notNull().unique(),
    passwordHash: text('password_hash'),
    expiresAt: moment('expires_at').notNull(),
    createdAt: moment('created_at').notNull(),
    opened: integer('opened').notNull().default(0),
    lastOpenedAt: moment('last_opened_at'),
    /** The owner's word: with files that name their patient. */
    withPatients: boolean('with_patients').notNull().default(false),
  },
  (table) => [
    index('file_links_entry').on(table.entryId),
    index('file_links_owner').on(table.ownerId),
    index('file_links_expires_at').on(table.expiresAt),
  ],
)
export type LinkRow = typeof links.$inferSelect

/** Wrong accounts, group numbers, links and passwords, counted against guessing. */
export const tries = pgTable(
  'file_tries',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    kind: text('kind').$type<TryKind>().notNull(),
    /** Who guesses, or what is guessed at. */
    key: text('key').notNull(),
    at: moment('at').notNull(),
  },
  (table) => [
    index('file_tries_key').on(table.kind, table.key, table.at),
    index('file_tries_at').on(table.at),
  ],
)
export type TryKind =
  | 'account'
  | 'link'
  | 'linkAll'
  | 'linkProven'
  | 'linkAddress'
  | 'group'
  | 'groupAddress'
  | SocialTryKind
/** Of the social centre: members and chat groups that are looked for. */
type SocialTryKind = 'person' | 'chatGroup'

/** Who did what with whose files. No foreign key to the entry: the record outlives it. */
export const records = pgTable(
  'file_records',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    /** Whose cloud it is about. */
    ownerId: owner(),
    /** Null = the visitor of a link, or a member who is gone. */
    actorId: text('actor_id').references(() => users.id, { onDelete: 'set null' }),
    action: text('action').$type<RecordAction>().notNull(),
    entryId: text('entry_id'),
    name: text('name').notNull(),
    /** Lower case, for searching. */
    searchName: text('search_name').notNull(),
    detail: jsonb('detail').$type<Record<string, string | number>>().notNull(),
    at: moment('at').notNull(),
  },
  (table) => [
    index('file_records_owner').on(table.ownerId, table.id.desc()),
    index('file_records_actor').on(table.actorId, table.id.desc()),
    index('file_records_at').on(table.at),
  ],
)
