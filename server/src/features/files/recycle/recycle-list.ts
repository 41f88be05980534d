import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Recycled } from '@neuroloom/contract/files'
import { files as limits } from '@neuroloom/contract/limits'
import { and, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import * as plans from '../../plans/service.ts'
import { isAnyOf } from '../access.ts'
import { openCursor, sealCursor } from '../cursors.ts'
import { keptBy } from '../keepers.ts'
import { entriesOf } from '../listing.ts'
import { likePattern } from '../listing-question.ts'
import { type FileRow, files } from '../tables.ts'
import { idsOf } from '../transfer/transfer-plan.ts'

type Last = { at: string; id: string }

export async function recycled(
  ctx: Context,
  { after, search }: Parsed<'files/recycled'>,
  caller: Caller,
): Promise<Answer<'files/recycled'>> {
  const { user } = caller
  const question = { recycled: user.id, search }
  // Sealed by ourselves, so it is what we put in.
  const last = after === null ? null : (openCursor(ctx, question, after) as Last)
  const own = and(eq(files.ownerId, user.id), isNotNull(files.recycledAt))
  const found = search.trim() === '' ? own : and(own, sql`${files.searchName} like ${likePattern(search)}`)
  const rows = await ctx.db
    .select({ row: files, at: sql<string>`${files.recycledAt}::text` })
    .from(files)
    .where(and(found, last ? earlierThan(last) : undefined))
    .orderBy(desc(files.recycledAt), desc(files.id))
    .limit(limits.pageSize + 1)
  const page = rows.slice(0, limits.pageSize)
  const end = rows.length > page.length ? page.at(-1) : undefined
  return {
    entries: await shown(
      ctx,
      caller,
      page.map(({ row }) => row),
    ),
    next: end ? sealCursor(ctx, question, { at: end.at, id: end.row.id } satisfies Last) : null,
    total: await ctx.db.$count(files, found),
    sizeBytes: await sizeOf(ctx, user.id),
    recycleDays: plans.limitsOf(ctx, user).recycleDays,
  }
}

const earlierThan = ({ at, id }: Last): SQL =>
  sql`(${files.recycledAt}, ${files.id}) < (${at}::timestamptz, ${id})`

async function shown(ctx: Context, caller: Caller, rows: FileRow[]): Promise<Recycled[]> {
  const [entries, kept, places] = await Promise.all([
    entriesOf(ctx, ctx.db, { caller, ids: idsOf(rows), access: 'own' }),
    keptBy(ctx, ctx.db, rows),
    placesOf(ctx, rows),
  ])
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  return entries.flatMap(({ shared, ...entry }) => {
    const row = rowOf.get(entry.id)
    if (!row?.recycledAt) return []
    return [
      {
        ...entry,
        recycledAt: row.recycledAt.toISOString(),
        clearsAt: kept.has(row.id) ? null : plans.clearingOf(ctx, row, caller.user).toISOString(),
        place: places.get(row.id) ?? [],
      },
    ]
  })
}

/** Names of the folders above each, from the top. */
async function placesOf({ db }: Context, rows: FileRow[]): Promise<Map<string, string[]>> {
  const { rows: ways } = await db.execute<{ start: string; names: string[] }>(sql`
    with recursive up as (
      select id as start, parent_id, null::text as name, 0 as distance from ${files} where ${isAnyOf(idsOf(rows))}
      union all
      select up.start, f.parent_id, f.name, up.distance + 1 from ${files} f join up on f.id = up.parent_id
    )
    select start, array_agg(name order by distance desc) as names from up where distance > 0 group by start`)
  return new Map(ways.map(({ start, names }) => [start, names]))
}

/** With what was removed before inside of what was removed later, each once. */
async function sizeOf({ db }: Context, ownerId: string): Promise<number> {
  const { rows } = await db.execute<{ bytes: string }>(sql`
    select coalesce(sum(size_bytes), 0) as bytes from ${files} where owner_id = ${ownerId} and recycled_at is not null`)
  return Number(rows[0]?.bytes ?? 0)
}
