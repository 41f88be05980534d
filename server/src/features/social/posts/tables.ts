import type { Attachment } from '@neuroloom/contract/social/attachments'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigserial,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
} from 'drizzle-orm/pg-core'
import { users } from '../../accounts/tables.ts'

const time = (name: string) => timestamp(name, { withTimezone: true })
const member = (name: string) =>
  text(name)
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })
const post = () =>
  text('post_id')
    .notNull()
    .references(() => posts.id, { onDelete: 'cascade' })

export const posts = pgTable(
  'social_posts',
  {
    id: text('id').primaryKey(),
    authorId: member('author_id'),
    /** Made by the page: what is sent twice is one post. */
    requestId: text('request_id').notNull(),
    text: text('text').notNull(),
    /** Lower case. */
    searchText: text('search_text').notNull(),
    at: time('at').notNull(),
    editedAt: time('edited_at'),
    /** Null where there are none. */
    attachments: jsonb('attachments').$type<Attachment[]>(),
  },
  (table) => [
    unique('social_posts_author_id_request_id_key').on(table.authorId, table.requestId),
    index('social_posts_author').on(table.authorId, table.at),
    index('social_posts_at').on(table.at, table.id),
  ],
)
export type PostRow = typeof posts.$inferSelect

/** What a post said before its changes, since when. */
export const postVersions = pgTable(
  'social_post_versions',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    postId: post(),
    text: text('text').notNull(),
    at: time('at').notNull(),
  },
  (table) => [index('social_post_versions_post').on(table.postId, table.id)],
)

export const postTopics = pgTable(
  'social_post_topics',
  { postId: post(), topic: text('topic').notNull(), position: integer('position').notNull() },
  (table) => [
    primaryKey({ columns: [table.postId, table.topic] }),
    index('social_post_topics_topic').on(table.topic, table.postId),
  ],
)

export const likes = pgTable(
  'social_likes',
  { postId: post(), userId: member('user_id'), at: time('at').notNull() },
  (table) => [
    primaryKey({ columns: [table.postId, table.userId] }),
    index('social_likes_user').on(table.userId),
  ],
)

export const replies = pgTable(
  'social_replies',
  {
    id: text('id').primaryKey(),
    postId: post(),
    parentId: text('parent_id').references((): AnyPgColumn => replies.id, { onDelete: 'cascade' }),
    /** Null: of an account that is gone. */
    authorId: text('author_id').references(() => users.id, { onDelete: 'set null' }),
    requestId: text('request_id').notNull(),
    /** Empty where it was deleted; what answers it stays. */
    text: text('text').notNull(),
    at: time('at').notNull(),
    deletedAt: time('deleted_at'),
  },
  (table) => [
    unique('social_replies_author_id_request_id_key').on(table.authorId, table.requestId),
    index('social_replies_post').on(table.postId, table.at),
    index('social_replies_parent').on(table.parentId).where(sql`parent_id is not null`),
  ],
)
export type ReplyRow = typeof replies.$inferSelect
