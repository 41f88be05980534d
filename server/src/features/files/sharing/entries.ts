import type { Entry } from '@neuroloom/contract/files'
import { eq, type SQL, sql } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import type { Db } from '../../../infra/db.ts'
import { blobs } from '../../../infra/storage/blobs.ts'
import { picturedBytes } from '../check.ts'
import { files } from '../tables.ts'

/** As visitors of a link see them. Folders first, then by name with numbers as people count. */
export const selectShown = (db: Db, { where, limit }: { where: SQL | undefined; limit: number }) =>
  db
    .select({
      id: files.id,
      kind: files.kind,
      name: files.name,
      type: files.type,
      sizeBytes: files.sizeBytes,
      fileCount: files.fileCount,
      modifiedAt: files.modifiedAt,
      sortName: files.sortName,
      /** The bytes of a picture, else null. */
      picture: picturedBytes,
    })
    .from(files)
    .leftJoin(blobs, eq(blobs.sha256, files.sha256))
    .where(where)
    .orderBy(sql`${files.kind} desc, ${files.sortName}, ${files.id}`)
    .limit(limit)

type ShownRow = Awaited<ReturnType<typeof selectShown>>[number]

export const shownEntry = (row: ShownRow, thumbnail: string | null): Omit<Entry, 'shared'> => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  type: row.type,
  sizeBytes: row.sizeBytes,
  fileCount: row.kind === 'folder' ? row.fileCount : 0,
  modifiedAt: row.modifiedAt.toISOString(),
  // Who works with the owner is nobody's affair who only has the link.
  modifiedBy: '',
  thumbnail,
})

/** As a condition: neither the entry nor a folder above it is in the recycle station. */
export const isInSight = (entryId: SQL): SQL => sql`not exists (
  with recursive up as (
    select f.parent_id, f.recycled_at from ${files} f where f.id = ${entryId}
    union all
    select f.parent_id, f.recycled_at from ${files} f join up on f.id = up.parent_id
  )
  select from up where recycled_at is not null
)`

/** Where a list that shows the last first goes on. */
export const cursorOf = ({ sharedAt, id }: { sharedAt: Date; id: string }): string =>
  `${sharedAt.getTime()}.${id}`

export function readCursor(cursor: string): { at: Date; id: string } {
  const [, time, id] = /^(\d{1,15})\.([\w-]{1,40})$/.exec(cursor) ?? []
  if (time === undefined || id === undefined) throw fail('bad_request')
  return { at: new Date(Number(time)), id }
}
