import { eq, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../infra/db.ts'
import { files } from './tables.ts'

/**
 * Every change of a member's folders goes one after the other: limits, free names and folder sizes then stay exact
 * without further locks.
 */
export async function lockCloud(tx: Tx, ownerId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`cloud ${ownerId}`}, 0))`)
}

/** Several of them in one order for everybody, so that nobody waits in a circle. */
export async function lockClouds(tx: Tx, ownerIds: readonly string[]): Promise<void> {
  for (const ownerId of [...new Set(ownerIds)].sort()) await lockCloud(tx, ownerId)
}

export type Growth = { bytes: number; files: number }

/** Adds to the sizes of a folder and of all above it, up to one that was removed: its own parents no longer count it. */
export async function grow(tx: Tx, folderId: string | null, growth: Growth): Promise<void> {
  const growths = new Growths()
  growths.add(folderId, growth)
  await growths.apply(tx)
}

/** What folders gain and lose by one change, summed up; nothing is ever less than nothing on the way. */
export class Growths {
  private readonly sums = new Map<string, Growth>()

  /** Null, the top, has no size. */
  add(folderId: string | null, { bytes, files: count }: Growth, sign: 1 | -1 = 1): void {
    if (folderId === null) return
    const sum = this.sums.get(folderId) ?? { bytes: 0, files: 0 }
    this.sums.set(folderId, { bytes: sum.bytes + sign * bytes, files: sum.files + sign * count })
  }

  async apply(tx: Tx): Promise<void> {
    const changed = [...this.sums].filter(([, { bytes, files: count }]) => bytes !== 0 || count !== 0)
    if (changed.length === 0) return
    await tx.execute(sql`
      with recursive up as (
        select f.id, f.parent_id, f.recycled_at, changed.bytes, changed.files
        from unnest(
          ${sql.param(changed.map(([id]) => id))}::text[],
          ${sql.param(changed.map(([, { bytes }]) => bytes))}::bigint[],
          ${sql.param(changed.map(([, growth]) => growth.files))}::bigint[]
        ) as changed (id, bytes, files)
        join ${files} f on f.id = changed.id
        union all
        select f.id, f.parent_id, f.recycled_at, up.bytes, up.files
        from ${files} f
        join up on f.id = up.parent_id
        where up.recycled_at is null
      ),
      sums as (select id, sum(bytes) as bytes, sum(files) as files from up group by id)
      update ${files}
      set size_bytes = size_bytes + sums.bytes, file_count = file_count + sums.files
      from sums
      where sums.id = ${files.id} and (sums.bytes <> 0 or sums.files <> 0)`)
  }
}

export type Child = { id: string; parentId: string | null; name: string; kind: 'folder' | 'file' }

/** Names in use in the given folders (null = the top), with what they belong to. */
export async function childrenOf(
  db: Db,
  ownerId: string,
  parentIds: readonly (string | null)[],
): Promise<Child[]> {
  const keys = parentIds.map((id) => id ?? '')
  return db
    .select({ id: files.id, parentId: files.parentId, name: files.name, kind: files.kind })
    .from(files)
    .where(
      sql`${eq(files.ownerId, ownerId)} and coalesce(${files.parentId}, '') = any(${sql.param(keys)})
        and ${files.recycledAt} is null`,
    )
}

/** The names of folders by id, removed ones included. */
export async function folderNames(db: Db, ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const known = [...new Set(ids)].filter((id) => id !== null)
  if (known.length === 0) return new Map()
  const rows = await db
    .select({ id: files.id, name: files.name })
    .from(files)
    .where(sql`${files.id} = any(${sql.param(known)})`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Whether a live entry of this name lies in the folder. */
export async function findChild(
  db: Db,
  { ownerId, parentId, name }: { ownerId: string; parentId: string | null; name: string },
) {
  const [found] = await db
    .select()
    .from(files)
    .where(
      sql`${eq(files.ownerId, ownerId)} and coalesce(${files.parentId}, '') = ${parentId ?? ''}
        and ${files.name} = ${name} and ${files.recycledAt} is null`,
    )
  return found ?? null
}

/** The folders above each of the entries. */
export async function ancestorsOf(db: Db, ids: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await db.execute<{ start: string; above: string[] }>(sql`
    with recursive up as (
      select id as start, parent_id from ${files} where id = any(${sql.param(ids)})
      union all
      select up.start, f.parent_id from ${files} f join up on f.id = up.parent_id
    )
    select start, array_agg(parent_id) as above from up where parent_id is not null group by start`)
  return new Map(rows.map(({ start, above }) => [start, above]))
}

/** How many folders deep what lies in this folder lies; 0 at the top. */
export async function depthOf(db: Db, folderId: string | null): Promise<number> {
  if (folderId === null) return 0
  return ((await ancestorsOf(db, [folderId])).get(folderId)?.length ?? 0) + 1
}

/**
 * What lies in a folder, for a walk down in SQL. Always looked up by the folder: left to itself, the database joins a
 * step of the walk with everybody's files once it expects many.
 */
export const inFolder = (folderId: SQL): SQL =>
  sql`select * from ${files} inner_file where inner_file.parent_id = ${folderId} offset 0`

/** How many levels of live things there are below the highest of these, itself included. */
export async function heightOf(db: Db, ids: readonly string[]): Promise<number> {
  const { rows } = await db.execute<{ height: number }>(sql`
    with recursive down as (
      select id, 1 as level from ${files} where id = any(${sql.param(ids)}) and kind = 'folder'
      union all
      select f.id, down.level + 1
      from down
      cross join lateral (${inFolder(sql`down.id`)}) f
      where f.kind = 'folder' and f.recycled_at is null
    )
    select coalesce(max(down.level + case when holds.file then 1 else 0 end), 1)::integer as height
    from down
    left join lateral (
      select true as file from ${files} f
      where f.parent_id = down.id and f.kind = 'file' and f.recycled_at is null
      limit 1
    ) as holds on true`)
  return rows[0]?.height ?? 1
}

/** What lies inside another one of the list goes with that. */
export async function topmost<T extends { id: string }>(db: Db, entries: readonly T[]): Promise<T[]> {
  const chosen = new Set(entries.map(({ id }) => id))
  const ancestors = await ancestorsOf(db, [...chosen])
  return entries.filter(({ id }) => !ancestors.get(id)?.some((above) => chosen.has(above)))
}
