/** What administrators show to everybody who is signed in. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { announcements as limits } from '@neuroloom/contract/limits'
import type { Announcement } from '@neuroloom/contract/office/operations'
import { and, desc, eq, gt, lte, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import { newId } from '../../infra/ids.ts'
import { type AnnouncementRow, announcements } from './tables.ts'

export async function list(ctx: Context): Promise<Answer<'office/announcements'>> {
  const rows = await ctx.db
    .select()
    .from(announcements)
    .orderBy(desc(announcements.startsAt), desc(announcements.id))
    .limit(limits.most)
  return { announcements: rows.map(shown) }
}

export async function current(ctx: Context): Promise<Answer<'announcements/current'>> {
  const now = ctx.now()
  const rows = await ctx.db
    .select()
    .from(announcements)
    .where(and(lte(announcements.startsAt, now), gt(announcements.endsAt, now)))
    .orderBy(desc(announcements.startsAt), desc(announcements.id))
    .limit(limits.most)
  return { announcements: rows.map(shown) }
}

export async function announce(
  ctx: Context,
  { kind, texts, startsAt, endsAt }: Parsed<'office/announce'>,
  { user, address }: Caller,
): Promise<Answer<'office/announce'>> {
  const now = ctx.now()
  const starts = new Date(startsAt)
  const row: AnnouncementRow = {
    id: newId(),
    kind,
    texts,
    startsAt: starts,
    // A text that is forgotten goes in the end.
    endsAt: new Date(Math.min(Date.parse(endsAt), starts.getTime() + limits.longestMs)),
    madeBy: user.id,
    madeAt: now,
  }
  await ctx.db.transaction(async (tx) => {
    // Two at once could otherwise both be the last one.
    await tx.execute(sql`lock table ${announcements} in share row exclusive mode`)
    const open = await tx.$count(announcements, gt(announcements.endsAt, now))
    if (open >= limits.most) throw fail('too_many_announcements', { limit: limits.most })
    await tx.insert(announcements).values(row)
    await audit(tx, {
      actor: user.id,
      action: 'announcement.make',
      subject: `announcement:${row.id}`,
      address,
      after: { kind, startsAt: row.startsAt.toISOString(), endsAt: row.endsAt.toISOString() },
    })
  })
  return shown(row)
}

export async function end(
  ctx: Context,
  { id }: Parsed<'office/endAnnouncement'>,
  { user, address }: Caller,
): Promise<Answer<'office/endAnnouncement'>> {
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx.select().from(announcements).where(eq(announcements.id, id)).for('update')
    if (!row) throw fail('missing')
    const now = ctx.now()
    if (row.endsAt <= now) return
    // One that has not started yet never does.
    const startsAt = row.startsAt > now ? now : row.startsAt
    await tx.update(announcements).set({ startsAt, endsAt: now }).where(eq(announcements.id, id))
    await audit(tx, {
      actor: user.id,
      action: 'announcement.end',
      subject: `announcement:${id}`,
      address,
      before: { endsAt: row.endsAt.toISOString() },
      after: { endsAt: now.toISOString() },
    })
  })
  return {}
}

const shown = ({ id, kind, texts, startsAt, endsAt }: AnnouncementRow): Announcement => ({
  id,
  kind,
  texts,
  startsAt: startsAt.toISOString(),
  endsAt: endsAt.toISOString(),
})
