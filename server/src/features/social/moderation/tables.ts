import type { Attachment } from '@neuroloom/contract/social/attachments'
import type { ReportKind, ReportReason, SocialReport } from '@neuroloom/contract/social/posts'
import { sql } from 'drizzle-orm'
import { bigserial, index, jsonb, pgTable, text, timestamp, unique } from 'drizzle-orm/pg-core'
import { users } from '../../accounts/tables.ts'

const time = (name: string) => timestamp(name, { withTimezone: true })

/** What members sent: counted within a while, then deleted. */
export const socialTries = pgTable(
  'social_tries',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<Pace>().notNull(),
    at: time('at').notNull(),
  },
  (table) => [index('social_tries_user').on(table.userId, table.kind, table.at)],
)
/** What is written to others. */
export type Pace = 'message' | 'post' | 'application' | 'image'

export const socialReports = pgTable(
  'social_reports',
  {
    id: text('id').primaryKey(),
    kind: text('kind').$type<ReportKind>().notNull(),
    /** Of a message; else empty. */
    chatId: text('chat_id').notNull().default(''),
    targetId: text('target_id').notNull(),
    /** Null: of an account that is gone. */
    reporterId: text('reporter_id').references(() => users.id, { onDelete: 'set null' }),
    /** Who wrote or owns it. */
    aboutId: text('about_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    reason: text('reason').$type<ReportReason>().notNull(),
    text: text('text').notNull(),
    /** As it was when it was reported. */
    content: text('content').notNull(),
    /** Null where nothing went with it. */
    attachments: jsonb('attachments').$type<Attachment[]>(),
    at: time('at').notNull(),
    state: text('state').$type<SocialReport['state']>().notNull(),
    decidedBy: text('decided_by').references(() => users.id, { onDelete: 'set null' }),
    decidedAt: time('decided_at'),
  },
  (table) => [
    unique('social_reports_reporter_id_kind_chat_id_target_id_key').on(
      table.reporterId,
      table.kind,
      table.chatId,
      table.targetId,
    ),
    index('social_reports_about').on(table.aboutId),
    index('social_reports_decided_by').on(table.decidedBy).where(sql`decided_by is not null`),
    index('social_reports_target').on(table.kind, table.chatId, table.targetId),
    index('social_reports_open').on(table.at, table.id).where(sql`state = 'open'`),
  ],
)
export type ReportRow = typeof socialReports.$inferSelect
