import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { FileRecord } from '@neuroloom/contract/files'
import { files as limits } from '@neuroloom/contract/limits'
import { and, desc, eq, gte, inArray, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { users } from '../../accounts/tables.ts'
import { accessTo, requireEntry } from '../access.ts'
import { openCursor, sealCursor } from '../cursors.ts'
import { likePattern } from '../listing-question.ts'
import { records } from '../sharing/tables.ts'
import { files } from '../tables.ts'
import { inFolder } from '../tree.ts'

export type RecordQuery = Omit<Parsed<'files/records'>, 'after'>

export async function listRecords(
  ctx: Context,
  { after, ...query }: Parsed<'files/records'>,
  { user }: Caller,
): Promise<Answer<'files/records'>> {
  const question = { records: user.id, query }
  // Sealed by ourselves, so it is what we put in.
  const before = after === null ? null : (openCursor(ctx, question, after) as number)
  if (query.entryId !== null) await requireEntry(ctx.db, user, query.entryId, 'view')
  const rows = await recordsOf(ctx.db, { userId: user.id, query, before, limit: limits.recordPage + 1 })
  const page = rows.slice(0, limits.recordPage)
  const last = rows.length > page.length ? page.at(-1) : undefined
  return {
    records: await shown(ctx.db, user, page),
    next: last ? sealCursor(ctx, question, last.id) : null,
  }
}

type Ask = { userId: string; query: RecordQuery; before: number | null; limit: number }
export type RecordRow = Awaited<ReturnType<typeof recordsOf>>[number]

/** What was done with the member's own files, by whomever, and what the member did with others'; last first. */
export async function recordsOf(db: Db, { userId, query, before, limit }: Ask) {
  const asked = and(conditionsOf(query), before === null ? undefined : lt(records.id, before))
  // Each by its own index: one condition for both would look through everybody's.
  const one = (whose: SQL | undefined) =>
    db
      .select({
        id: records.id,
        action: records.action,
        actor: sql<string>`coalesce(${users.nickName}, '')`.as('actor'),
        name: records.name,
        entryId: records.entryId,
        detail: records.detail,
        at: records.at,
      })
      .from(records)
      .leftJoin(users, and(eq(users.id, records.actorId), isNull(users.cancelledAt)))
      .where(and(whose, asked))
      .orderBy(desc(records.id))
      .limit(limit)
  const [own, others] = await Promise.all([
    one(eq(records.ownerId, userId)),
    one(and(eq(records.actorId, userId), ne(records.ownerId, userId))),
  ])
  return [...own, ...others].sort((a, b) => b.id - a.id).slice(0, limit)
}

function conditionsOf({ search, actions, from, to, entryId }: RecordQuery): SQL | undefined {
  return and(
    search.trim() === '' ? undefined : sql`${records.searchName} like ${likePattern(search)}`,
    actions.length === 0 ? undefined : inArray(records.action, actions),
    from === null ? undefined : gte(records.at, new Date(from)),
    to === null ? undefined : lte(records.at, new Date(to)),
    entryId === null ? undefined : or(eq(records.entryId, entryId), isBelow(entryId)),
  )
}

const isBelow = (entryId: string): SQL => sql`${records.entryId} in (
  with recursive down as (
    select id from ${files} where parent_id = ${entryId}
    union all
    select f.id from down cross join lateral (${inFolder(sql`down.id`)}) f
  )
  select id from down
)`

async function shown(db: Db, user: Caller['user'], page: RecordRow[]): Promise<FileRecord[]> {
  const ids = [...new Set(page.flatMap(({ entryId }) => entryId ?? []))]
  const seen = ids.length === 0 ? new Map<string, string>() : await accessTo(db, user, ids)
  return page.map(({ entryId, at, ...row }) => ({
    ...row,
    entryId: entryId !== null && seen.has(entryId) ? entryId : null,
    at: at.toISOString(),
  }))
}

/** Deletes what is older than records are kept; a part at a time, so that nobody waits for it. */
export async function forgetRecords(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - limits.recordsKeptMs)
  let deleted = SWEPT_AT_ONCE
  while (deleted === SWEPT_AT_ONCE) {
    const some = sql`select id from ${records} where at < ${before} limit ${SWEPT_AT_ONCE}`
    const { rowCount } = await ctx.db.execute(sql`delete from ${records} where id in (${some})`)
    deleted = rowCount ?? 0
  }
}

const SWEPT_AT_ONCE = 5000
