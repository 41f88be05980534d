import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { notices as limits } from '@neuroloom/contract/limits'
import { and, desc, eq, isNull, lte } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { type NoticeRow, notices } from '../../infra/notices.ts'

export async function list(ctx: Context, _body: unknown, { user }: Caller): Promise<Answer<'notice/list'>> {
  const own = eq(notices.userId, user.id)
  const latest = await ctx.db.select().from(notices).where(own).orderBy(desc(notices.id)).limit(limits.shown)
  const unreadCount = await ctx.db.$count(notices, and(own, isNull(notices.readAt)))
  return { items: latest.map(shown), unreadCount }
}

/** What came in after the list was shown stays unread. */
export async function read(
  ctx: Context,
  { id }: Parsed<'notice/read'>,
  { user }: Caller,
): Promise<Answer<'notice/read'>> {
  const last = Number(id)
  if (!Number.isSafeInteger(last)) throw fail('bad_request')
  await ctx.db
    .update(notices)
    .set({ readAt: ctx.now() })
    .where(and(eq(notices.userId, user.id), lte(notices.id, last), isNull(notices.readAt)))
  return {}
}

export const shown = ({ id, kind, params, at, readAt }: NoticeRow) => ({
  id: String(id),
  kind,
  params,
  at: at.toISOString(),
  isRead: readAt !== null,
})
