import type { Found } from '@neuroloom/contract/search'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import { accessTo, isAnyOf, isGivenBelow, isGivenTo, withPatientsAmong } from './access.ts'
import { likePattern, pageOf } from './listing-question.ts'
import { shares } from './sharing/tables.ts'
import { files } from './tables.ts'

type Wish = { text: string; limit: number }

/** The first few of a member's own entries whose name holds the text, then of those that were given to the member. */
export async function findEntries(
  db: Db,
  { id: userId }: { id: string },
  { text, limit }: Wish,
): Promise<Found['files']> {
  const question = {
    ownerId: userId,
    folderId: null,
    below: true,
    search: text,
    filter: 'all',
    asked: null,
  } as const
  const own = await pageOf(db, { ...question, sort: 'name', descending: false }, { after: null, limit })
  const given = await givenIds(db, userId, { text, limit: limit - own.ids.length })
  return shown(db, userId, [...own.ids, ...given])
}

/**
 * In what was given, and below it; nothing of it where it, or a folder above it, lies in the recycle station. `offset 0`
 * keeps PostgreSQL from reading all files first: folder by folder there is an index.
 */
async function givenIds(db: Db, userId: string, { text, limit }: Wish): Promise<string[]> {
  const roots = await givenRoots(db, userId)
  if (limit === 0 || roots.length === 0) return []
  const pattern = likePattern(text)
  const named = await withPatientsAmong(db, { id: userId }, roots)
  const { rows } = await db.execute<{ id: string }>(sql`
    with recursive scope as (
      select id, owner_id, id = any(${sql.param([...named])}) as named
      from ${files}
      where ${isAnyOf(roots)} and kind = 'folder'
      union
      select f.id, f.owner_id, scope.named
      from scope
      cross join lateral (
        select id, owner_id from ${files} f
        where f.owner_id = scope.owner_id and coalesce(f.parent_id, '') = scope.id
          and f.kind = 'folder' and f.recycled_at is null
        offset 0
      ) f
    )
    select id from (
      select id, kind, sort_name from ${files} where ${isAnyOf(roots)} and search_name like ${pattern}
      union
      select f.id, f.kind, f.sort_name
      from scope
      cross join lateral (
        select id, kind, sort_name from ${files} f
        where (scope.named or ${isGivenBelow(sql`f`, userId)}) and f.owner_id = scope.owner_id and coalesce(f.parent_id, '') = scope.id
          and f.recycled_at is null and f.search_name like ${pattern}
        offset 0
      ) f
    ) found
    order by kind desc, sort_name, id
    limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Of others: what somebody gave to a group of their own is found as their own. */
async function givenRoots(db: Db, userId: string): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select distinct given.entry_id as id from ${shares} given
    where ${isGivenTo(userId)} and given.owner_id <> ${userId}`)
  const seen = await accessTo(
    db,
    { id: userId },
    rows.map(({ id }) => id),
  )
  return [...seen.keys()]
}

/** What was given by itself shows nothing of the folder it lies in. */
const isInside = (userId: string): SQL => sql`(${files.ownerId} = ${userId} or not exists (
  select from ${shares} given where given.entry_id = ${files.id} and ${isGivenTo(userId)}
))`

async function shown(db: Db, userId: string, ids: readonly string[]): Promise<Found['files']> {
  if (ids.length === 0) return []
  const { rows } = await db.execute<Row>(sql`
    select ${files.id} as id, ${files.kind} as kind, ${files.name} as name, case when ${files.ownerId} = ${userId} then '' else ${users.nickName} end as owner,
      up.id as folder_id, up.name as folder_name
    from ${files}
    join ${users} on ${users.id} = ${files.ownerId}
    left join ${files} up on up.id = ${files.parentId} and ${isInside(userId)}
    where ${isAnyOf(ids)}`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const { kind, name, owner, folder_id, folder_name } = row
    const folder = folder_id === null || folder_name === null ? null : { id: folder_id, name: folder_name }
    return [{ id, kind, name, folder, owner }]
  })
}

type Row = {
  id: string
  kind: 'folder' | 'file'
  name: string
  owner: string
  folder_id: string | null
  folder_name: string | null
}
