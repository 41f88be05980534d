/** The message box: what a member must learn of, written in the transaction of the deed. Knows kinds, no texts. */
import type { Notice } from '@neuroloom/contract/accounts/accounts'
import { notices as limits } from '@neuroloom/contract/limits'
import { lt } from 'drizzle-orm'
import { bigserial, index, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import type { Context } from './context.ts'
import type { Tx } from './db.ts'

const time = (name: string) => timestamp(name, { withTimezone: true })

export const notices = pgTable(
  'notices',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    userId: text('user_id').notNull(),
    kind: text('kind').$type<Notice['kind']>().notNull(),
    params: jsonb('params').$type<Notice['params']>().notNull(),
    at: time('at').notNull(),
    readAt: time('read_at'),
  },
  (table) => [index('notices_user').on(table.userId, table.id), index('notices_at').on(table.at)],
)

export type NoticeRow = typeof notices.$inferSelect

type NewNotice = { userId: string } & Pick<Notice, 'kind' | 'params'>

/** For who tells the member's open pages in another way. */
export const storeNotice = (ctx: Context, tx: Tx, { userId, kind, params }: NewNotice) =>
  tx.insert(notices).values({ userId, kind, params, at: ctx.now() })

/** Also tells the member's open pages, once the transaction commits. */
export async function addNotice(ctx: Context, tx: Tx, notice: NewNotice): Promise<void> {
  await storeNotice(ctx, tx, notice)
  const topic = { kind: 'user', id: notice.userId } as const
  // A page that comes later reads the box itself: one piece of news is enough for all.
  await ctx.live.forget(tx, topic)
  await ctx.live.publish(tx, topic, 'notice', {})
}

export const sweepNotices = (ctx: Context) =>
  ctx.db.delete(notices).where(lt(notices.at, new Date(ctx.now().getTime() - limits.keepMs)))
