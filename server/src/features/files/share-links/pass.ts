import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { equal } from '../../../infra/links.ts'
import { users } from '../../accounts/tables.ts'
import { namingNobody } from '../patients/patients.ts'
import { isInSight } from '../sharing/entries.ts'
import { type LinkRow, links } from '../sharing/tables.ts'
import { type FileRow, files } from '../tables.ts'

/** A link that opens, what it shows, and whose that is. */
export type OpenLink = { link: LinkRow; entry: FileRow; owner: string }

/** What a visitor keeps after the password: bound to the link, good for as long as a visit may take. */
export function passFor(ctx: Context, linkId: string, untilMs: number): string {
  const text = `${linkId}.${untilMs}`
  return `${text}.${ctx.links.mac('share link', text)}`
}

/** The link behind a pass; what is forged, too old or revoked is gone. */
export async function requirePass(ctx: Context, pass: string): Promise<OpenLink> {
  const [linkId = '', until = '', seal = '', ...more] = pass.split('.')
  const isOurs = more.length === 0 && equal(seal, ctx.links.mac('share link', `${linkId}.${until}`))
  if (!isOurs || Number(until) <= ctx.now().getTime()) throw fail('link_gone')
  return requireLink(ctx, linkId)
}

export async function requireLink(ctx: Context, linkId: string): Promise<OpenLink> {
  const found = await findLink(ctx, eq(links.id, linkId))
  if (!found) throw fail('link_gone')
  return found
}

/** Null when it was revoked, is over, its entry is in the recycle station or its owner is gone. */
export async function findLink(
  { db, now }: Pick<Context, 'db' | 'now'>,
  where: SQL,
): Promise<OpenLink | null> {
  const [found] = await db
    .select({ link: links, entry: files, owner: users.nickName })
    .from(links)
    .innerJoin(files, eq(files.id, links.entryId))
    .innerJoin(users, eq(users.id, links.ownerId))
    .where(
      and(where, gt(links.expiresAt, now()), isNull(users.cancelledAt), isInSight(sql`${links.entryId}`)),
    )
  return found ?? null
}

/** Those of these that the link shows: no files that name their patient, unless its owner said so. */
export const seenThrough = async (
  { db }: Pick<Context, 'db'>,
  { link }: OpenLink,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => (link.withPatients ? new Set(ids) : namingNobody(db, ids))

/** A live entry at or below what the link shows, with the way to it from there; everything else is missing. */
export async function requireLinked(
  ctx: Context,
  open: OpenLink,
  id: string,
): Promise<{ entry: FileRow; path: { id: string; name: string }[] }> {
  const { entry: top } = open
  const { rows } = await ctx.db.execute<{ id: string; name: string; recycled: boolean }>(sql`
    with recursive up as (
      select id, name, parent_id, recycled_at, 0 as distance from ${files} where id = ${id}
      union all
      select f.id, f.name, f.parent_id, f.recycled_at, up.distance + 1
      from ${files} f
      join up on f.id = up.parent_id
      where up.id <> ${top.id}
    )
    select id, name, recycled_at is not null as recycled from up order by distance desc`)
  if (rows[0]?.id !== top.id || rows.some(({ recycled }) => recycled)) throw fail('missing')
  const [entry] = await ctx.db.select().from(files).where(eq(files.id, id))
  if (!entry || !(await seenThrough(ctx, open, [id])).has(id)) throw fail('missing')
  return { entry, path: rows.map(({ id: stepId, name }) => ({ id: stepId, name })) }
}
