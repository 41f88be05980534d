import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Db } from '../../infra/db.ts'
import { type FileRow, files } from './tables.ts'

type Owner = Pick<SessionUser, 'id'>
export type Step = { id: string; name: string }

/** The own live file or folder; `missing` for foreign, removed and unknown ones alike. */
export async function requireEntry(db: Db, user: Owner, id: string): Promise<FileRow> {
  const [entry] = await requireEntries(db, user, [id])
  if (!entry) throw fail('missing')
  return entry
}

/** All of them or none: one that is not there refuses the whole call. */
export async function requireEntries(db: Db, user: Owner, ids: readonly string[]): Promise<FileRow[]> {
  const wanted = [...new Set(ids)]
  const hidden = await findHidden(db, wanted)
  const rows = await db
    .select()
    .from(files)
    .where(and(eq(files.ownerId, user.id), isAnyOf(wanted)))
  if (rows.length < wanted.length || hidden.size > 0) throw fail('missing')
  return rows
}

/** The own live folder. */
export async function requireFolder(db: Db, user: Owner, id: string): Promise<FileRow> {
  const entry = await requireEntry(db, user, id)
  if (entry.kind !== 'folder') throw fail('missing')
  return entry
}

/** The own live file. */
export async function requireFile(db: Db, user: Owner, id: string): Promise<FileRow & { sha256: string }> {
  const { sha256, ...entry } = await requireEntry(db, user, id)
  if (sha256 === null) throw fail('missing')
  return { ...entry, sha256 }
}

/** From the top to the folder, itself included; nothing for the top. */
export async function pathTo(db: Db, folderId: string | null): Promise<Step[]> {
  if (folderId === null) return []
  const { rows } = await db.execute<Step>(sql`
    with recursive up as (
      select id, name, parent_id, 0 as distance from ${files} where id = ${folderId}
      union all
      select f.id, f.name, f.parent_id, up.distance + 1 from ${files} f join up on f.id = up.parent_id
    )
    select id, name from up order by distance desc`)
  return rows.map(({ id, name }) => ({ id, name }))
}

/** Those of the ids that are removed themselves or lie below something removed. */
async function findHidden(db: Db, ids: string[]): Promise<Set<string>> {
  const { rows } = await db.execute<{ start: string }>(sql`
    with recursive up as (
      select id as start, parent_id, recycled_at from ${files} where ${isAnyOf(ids)}
      union all
      select up.start, f.parent_id, f.recycled_at from ${files} f join up on f.id = up.parent_id
    )
    select distinct start from up where recycled_at is not null`)
  return new Set(rows.map(({ start }) => start))
}

export const isAnyOf = (ids: readonly string[]): SQL => sql`${files.id} = any(${sql.param(ids)})`
