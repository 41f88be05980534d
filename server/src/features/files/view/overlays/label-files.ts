import { viewing as limits } from '@neuroloom/contract/limits'
import { sql } from 'drizzle-orm'
import type { Context } from '../../../../infra/context.ts'
import type { Eyes, SeenFile } from '../../access.ts'
import { likePattern } from '../../listing-question.ts'
import { files } from '../../tables.ts'
import { isSeen } from '../eyes.ts'
import type { LabelFile } from './marked.ts'
import { isLabelList, isNamesTable, labelEndings, labelWords, namesTables, stemOf } from './partners.ts'

type Near = LabelFile & { id: string; name: string; folder: string }
type Found = {
  /** Labels of this image alone first, then lists of many. */
  labels: (Near & { isLikely: boolean })[]
  tables: Near[]
  /** Of the image itself, and of others that are called the same. */
  path: string
  others: string[]
}

/** Files of labels around an image: in its folder, in two above it, and in those below these. */
export async function labelFilesNear(ctx: Context, eyes: Eyes, image: SeenFile): Promise<Found> {
  const rows = await rowsNear(ctx, image)
  const stem = stemOf(image.name).toLowerCase()
  const own = rows.find(({ id }) => id === image.id)?.path ?? image.name
  const texts = rows.filter(({ name }) => labelEndings.test(name))
  const alone = texts.filter(({ name }) => stemOf(name).toLowerCase() === stem)
  const lists = texts.filter((one) => !alone.includes(one) && isLabelList(one.name))
  const tables = rows.filter(
    ({ name, sizeBytes }) => isNamesTable(name) && sizeBytes <= limits.valueTableBytes,
  )
  return {
    labels: (await inSight(eyes, image, [...alone, ...lists])).map((one) => ({
      ...one,
      isLikely: alone.includes(one),
    })),
    tables: await inSight(eyes, image, tables),
    path: own,
    others: rows.filter(({ id, name }) => name === image.name && id !== image.id).map(({ path }) => path),
  }
}

async function inSight(eyes: Eyes, image: SeenFile, found: readonly Near[]): Promise<Near[]> {
  const some = found.slice(0, limits.overlaysNear)
  if (image.access === 'own') return some
  const seen = await Promise.all(some.map(({ id }) => isSeen(eyes, id)))
  return some.filter((_, index) => seen[index])
}

async function rowsNear({ db }: Context, { ownerId, parentId, name }: SeenFile): Promise<Near[]> {
  const { rows } = await db.execute<{
    id: string
    name: string
    sha256: string | null
    bytes: string
    path: string
    folder: string
  }>(sql`
    with recursive up as (
      select id, parent_id, 0 as level from ${files} where id = ${parentId} and owner_id = ${ownerId}
      union all
      select f.id, f.parent_id, up.level + 1
      from ${files} f
      join up on f.id = up.parent_id
      where up.level < ${limits.labelsAbove}
    ),
    folders as (
      -- What lies at the top of a cloud has nothing beside it that would be its own.
      select coalesce((select id from up order by level desc limit 1), '') as id, ''::text as path, ''::text as name,
        case when ${parentId}::text is null then ${limits.labelsBelow}::int else 0 end as level
      union all
      select f.id, folders.path || f.name || '/', f.name, folders.level + 1
      from ${files} f
      join folders on f.parent_id = folders.id
      where f.kind = 'folder' and f.recycled_at is null and folders.level < ${limits.labelsBelow}
    )
    select f.id, f.name, f.sha256, f.size_bytes as bytes, folders.path || f.name as path,
      case when folders.id = ${parentId ?? ''} then '' else folders.name end as folder
    from ${files} f
    join folders on coalesce(f.parent_id, '') = folders.id
    where f.owner_id = ${ownerId} and f.kind = 'file' and f.recycled_at is null
      and (
        f.search_name like ${likePattern(`${stemOf(name)}.`).slice(1)}
        or f.search_name ~ ${`(${labelWords}).*\\.(json|xml|csv|tsv)$`}
        or f.search_name ~ ${namesTables}
      )
    order by folders.level, f.sort_name, f.id
    limit ${limits.seriesFiles}`)
  return rows.flatMap(({ bytes, sha256, ...row }) =>
    sha256 === null ? [] : [{ ...row, sha256, sizeBytes: Number(bytes) }],
  )
}
