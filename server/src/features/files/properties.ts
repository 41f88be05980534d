import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { requireEntry, wayTo } from './access.ts'
import { keptBy } from './keepers.ts'
import { entriesOf } from './listing.ts'
import { type FileRow, files } from './tables.ts'
import { inFolder } from './tree.ts'

export async function properties(
  ctx: Context,
  { id }: Parsed<'files/properties'>,
  caller: Caller,
): Promise<Answer<'files/properties'>> {
  const row = await requireEntry(ctx.db, caller.user, id, 'view')
  const [[entry], { path, place }, folderCount, kept] = await Promise.all([
    entriesOf(ctx, ctx.db, { caller, ids: [id], access: row.access }),
    wayTo(ctx.db, caller.user, id),
    foldersBelow(ctx, row),
    row.access === 'own' ? keptBy(ctx, ctx.db, [row]) : new Map<string, string[]>(),
  ])
  if (!entry) throw fail('missing')
  return {
    entry,
    path: path.slice(0, -1),
    access: row.access,
    place,
    folderCount,
    sha256: row.sha256,
    publicAt: row.publicAt?.toISOString() ?? null,
    datasets: kept.get(id) ?? [],
  }
}

async function foldersBelow({ db }: Context, { id, kind }: FileRow): Promise<number> {
  if (kind === 'file') return 0
  const { rows } = await db.execute<{ count: string }>(sql`
    with recursive down as (
      select id from ${files} where parent_id = ${id} and kind = 'folder' and recycled_at is null
      union all
      select f.id from down cross join lateral (${inFolder(sql`down.id`)}) f
      where f.kind = 'folder' and f.recycled_at is null
    )
    select count(*) as count from down`)
  return Number(rows[0]?.count ?? 0)
}
