import { sql } from 'drizzle-orm'
import type { Db } from '../../infra/db.ts'
import { nameColumns, numberedName } from './names.ts'
import { type FileRow, files } from './tables.ts'
import { childrenOf } from './tree.ts'

/** A thing on its way into a folder (null = the top). */
export type Coming = { id: string; folderId: string | null; name: string; kind: FileRow['kind'] }
export type There = Pick<FileRow, 'id' | 'parentId' | 'name' | 'kind' | 'sizeBytes' | 'fileCount'>

export const placeKey = (folderId: string | null, name: string): string => `${folderId ?? ''}/${name}`

/** What lies under the same names in the same folders, by `placeKey`; looks at no other names of large folders. */
export async function twinsOf(
  db: Db,
  ownerId: string,
  coming: readonly Coming[],
): Promise<Map<string, There>> {
  const rows = await db
    .select({
      id: files.id,
      parentId: files.parentId,
      name: files.name,
      kind: files.kind,
      sizeBytes: files.sizeBytes,
      fileCount: files.fileCount,
    })
    .from(files)
    .where(
      sql`${files.ownerId} = ${ownerId} and ${files.recycledAt} is null
        and (coalesce(${files.parentId}, ''), ${files.name}) in (
          select * from unnest(
            ${sql.param(coming.map(({ folderId }) => folderId ?? ''))}::text[],
            ${sql.param(coming.map(({ name }) => name))}::text[]
          )
        )`,
    )
  return new Map(rows.map((row) => [placeKey(row.parentId, row.name), row]))
}

/** The same things under free names: the first number that nothing there, and nothing of `alongside`, has. */
export async function numbered<T extends Coming>(
  db: Db,
  { ownerId, coming, alongside }: { ownerId: string; coming: readonly T[]; alongside: readonly Coming[] },
): Promise<T[]> {
  if (coming.length === 0) return []
  const there = await childrenOf(db, ownerId, [...new Set(coming.map(({ folderId }) => folderId))])
  const taken = new Set([
    ...there.map(({ parentId, name }) => placeKey(parentId, name)),
    ...alongside.map(({ folderId, name }) => placeKey(folderId, name)),
  ])
  return coming.map((one) => {
    const name = numberedName(one, (free) => taken.has(placeKey(one.folderId, free)))
    taken.add(placeKey(one.folderId, name))
    return { ...one, name }
  })
}

/** Puts things that are there already into their folders, under these names, in sight. */
export async function place(db: Db, coming: readonly Coming[]): Promise<void> {
  if (coming.length === 0) return
  const names = coming.map(({ name, kind }) => nameColumns(name, kind))
  await db.execute(sql`
    update ${files}
    set parent_id = coming.folder_id, name = coming.name, search_name = coming.search_name,
      sort_name = coming.sort_name, type = coming.type, recycled_at = null, clears_at = null
    from unnest(
      ${texts(coming.map(({ id }) => id))},
      ${texts(coming.map(({ folderId }) => folderId))},
      ${texts(names.map(({ name }) => name))},
      ${texts(names.map(({ searchName }) => searchName))},
      ${texts(names.map(({ sortName }) => sortName))},
      ${texts(names.map(({ type }) => type))}
    ) as coming (id, folder_id, name, search_name, sort_name, type)
    where ${files.id} = coming.id`)
}

/** One parameter a column, however many rows. */
export const texts = (values: (string | null)[]) => sql`${sql.param(values)}::text[]`
