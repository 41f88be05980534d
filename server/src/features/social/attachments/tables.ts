import { sql } from 'drizzle-orm'
import { bigint, foreignKey, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { blobs } from '../../../infra/storage/blobs.ts'
import { users } from '../../accounts/tables.ts'
import { messages } from '../chats/tables.ts'
import { socialReports } from '../moderation/tables.ts'
import { posts } from '../posts/tables.ts'

const bytes = (name: string) =>
  text(name)
    .notNull()
    .references(() => blobs.sha256)

/** Nothing of the file that was sent is kept but its pixels, written anew. */
export const images = pgTable(
  'social_images',
  {
    id: text('id').primaryKey(),
    /** Images go with the account that sent them. */
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sha256: bytes('sha256'),
    previewSha256: bytes('preview_sha256'),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    at: timestamp('at', { withTimezone: true }).notNull(),
    /** What it went with; all three null while it waits to be sent. */
    chatId: text('chat_id'),
    messageId: bigint('message_id', { mode: 'number' }),
    postId: text('post_id').references(() => posts.id, { onDelete: 'cascade' }),
  },
  (table) => [
    foreignKey({
      columns: [table.chatId, table.messageId],
      foreignColumns: [messages.chatId, messages.id],
    }).onDelete('cascade'),
    index('social_images_owner').on(table.ownerId, table.at),
    index('social_images_sha256').on(table.sha256),
    index('social_images_preview').on(table.previewSha256),
    index('social_images_message').on(table.chatId, table.messageId).where(sql`chat_id is not null`),
    index('social_images_post').on(table.postId).where(sql`post_id is not null`),
    index('social_images_waiting').on(table.at).where(sql`chat_id is null and post_id is null`),
  ],
)

/** Images of what was reported: they stay until the report goes. */
export const reportImages = pgTable(
  'social_report_images',
  {
    reportId: text('report_id')
      .notNull()
      .references(() => socialReports.id, { onDelete: 'cascade' }),
    /** Of the attachment that it stands for. */
    imageId: text('image_id').notNull(),
    sha256: bytes('sha256'),
    previewSha256: bytes('preview_sha256'),
  },
  (table) => [
    primaryKey({ columns: [table.reportId, table.imageId] }),
    index('social_report_images_sha256').on(table.sha256),
    index('social_report_images_preview').on(table.previewSha256),
  ],
)
