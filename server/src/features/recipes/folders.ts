import { sql } from 'drizzle-orm'
import { fail } from '../../http/fail.ts'
import type { Db } from '../../infra/db.ts'
import { requireFolder, type SeenEntry } from '../files/access.ts'
import { type FileBelow, inFolder, walk } from '../files/service.ts'
import { files } from '../files/tables.ts'

type Chosen = { folderId: string; below: boolean }
export type Found = FileBelow & { id: string }

/** A folder that the member may see, and the files in it that the member gets. */
export async function chosenFiles(
  db: Db,
  member: { id: string },
  { folderId, below }: Chosen,
): Promise<{ folder: SeenEntry; found: Found[] }> {
  const folder = await requireFolder(db, member, folderId, 'view')
  const { files: all } = await walk(db, member, folderId)
  return { folder, found: below ? all : all.filter(({ path }) => !path.includes('/')) }
}

export type Below = { id: string; path: string }

/** The folders below one, by their paths. */
export async function foldersBelow(db: Db, folderId: string): Promise<Below[]> {
  const { rows } = await db.execute<Below>(sql`
    with recursive down as (
      select id, name as path from ${files} where parent_id = ${folderId} and kind = 'folder' and recycled_at is null
      union all
      select f.id, down.path || '/' || f.name
      from down
      cross join lateral (${inFolder(sql`down.id`)}) f
      where f.kind = 'folder' and f.recycled_at is null
    )
    select id, path from down order by path`)
  return rows
}

/** The paths of folders at or below this one; '' is the folder itself. */
export async function pathsOf(db: Db, folderId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const paths = new Map((await foldersBelow(db, folderId)).map(({ id, path }) => [id, path]))
  paths.set(folderId, '')
  return ids.map((id) => {
    const path = paths.get(id)
    if (path === undefined) throw fail('missing')
    return path
  })
}
