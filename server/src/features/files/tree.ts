import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../infra/db.ts'
import { files } from './tables.ts'

/**
 * Every change of a member's folders goes one after the other: limits, free names and folder sizes then stay exact
 * without further locks.
 */
export async function lockCloud(tx: Tx, ownerId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`cloud ${ownerId}`}, 0))`)
}

export type Growth = { bytes: number; files: number }

/** Adds to the sizes of a folder and of all above it, up to one that was removed: its own parents no longer count it. */
export async function grow(tx: Tx, folderId: string | null, { bytes, files: count }: Growth): Promise<void> {
  if (folderId === null) return
  await tx.execute(sql`
    with recursive up as (
      select id, parent_id, recycled_at from ${files} where id = ${folderId}
      union all
      select f.id, f.parent_id, f.recycled_at
      from ${files} f
      join up on f.id = up.parent_id
      where up.recycled_at is null
    )
    update ${files}
    set size_bytes = size_bytes + ${bytes}, file_count = file_count + ${count}
    where id in (select id from up)`)
}

/** Names in use in the given folders (null = the top), with what they belong to. */
export async function childrenOf(
  db: Db,
  ownerId: string,
  parentIds: readonly (string | null)[],
): Promise<{ id: string; parentId: string | null; name: string; kind: 'folder' | 'file' }[]> {
  const keys = parentIds.map((id) => id ?? '')
  return db
    .select({ id: files.id, parentId: files.parentId, name: files.name, kind: files.kind })
    .from(files)
    .where(
      sql`${eq(files.ownerId, ownerId)} and coalesce(${files.parentId}, '') = any(${sql.param(keys)})
        and ${files.recycledAt} is null`,
    )
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
