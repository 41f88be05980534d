import { kindExtensions, packedVolume } from '@neuroloom/contract/file-kinds'
import type { FileFilter, Sort } from '@neuroloom/contract/files'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { containing, type Db } from '../../infra/db.ts'
import { isGivenBelow } from './access.ts'
import { type FolderSeries, seriesAfter } from './series/order.ts'
import { isSliceName } from './series/slice-names.ts'
import { files } from './tables.ts'
import { dicomPlaces } from './view/tables.ts'

export type Question = {
  ownerId: string
  /** Null = the top. */
  folderId: string | null
  /** Also in the folders below. */
  below: boolean
  search: string
  filter: FileFilter
  sort: Sort
  descending: boolean
  /** Whose right to files that name their patient is asked; null = all is shown. */
  asked: string | null
}

/** DICOM series that are shown as one come between the two. */
const kinds = ['folder', 'series', 'file'] as const
type Kind = (typeof kinds)[number]
/** Where a page ended: the kind and the sorted values of its last entry, as text. */
export type Place = { kind: Kind; values: string[] }

type PageOptions = {
  after: Place | null
  limit: number
  /** Shown as one each, in order; their files are not in the list. */
  series?: readonly FolderSeries[]
}

/** Ids of one page in order, folders first, and where it ended if more follows. */
export async function pageOf(
  db: Db,
  question: Question,
  { after, limit, series = [] }: PageOptions,
): Promise<{ ids: string[]; next: Place | null }> {
  const found: { id: string; place: Place }[] = []
  for (const kind of kindsOf(question)) {
    if (after && kinds.indexOf(kind) < kinds.indexOf(after.kind)) continue
    const missing = limit + 1 - found.length
    if (missing <= 0) break
    const last = after?.kind === kind ? after : null
    // Each kind by itself: both directions then follow an index.
    if (kind !== 'series') found.push(...(await ofKind(db, question, { kind, last, limit: missing, series })))
    else {
      const rest = seriesAfter(series, last?.values ?? null, question.descending)
      found.push(...rest.slice(0, missing).map(({ id, keys }) => ({ id, place: { kind, values: keys } })))
    }
  }
  const page = found.slice(0, limit)
  return {
    ids: page.map(({ id }) => id),
    next: found.length > limit ? (page.at(-1)?.place ?? null) : null,
  }
}

export async function countOf(
  db: Db,
  question: Question,
  series: readonly FolderSeries[] = [],
): Promise<number> {
  const counts = kindsOf(question).map(async (kind) => {
    if (kind === 'series') return series.length
    const { rows } = await db.execute<{ count: string }>(
      sql`${scopeOf(question)} select count(*) as count from ${files} where ${conditionsOf(question, kind, series)}`,
    )
    return Number(rows[0]?.count ?? 0)
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

type StoredKind = Exclude<Kind, 'series'>
type PartOptions = {
  kind: StoredKind
  last: Place | null
  limit: number
  series: readonly FolderSeries[]
}

async function ofKind(
  db: Db,
  question: Question,
  { kind, last, limit, series }: PartOptions,
): Promise<{ id: string; place: Place }[]> {
  const keys = keysOf(question.sort, kind)
  const direction = sql.raw(question.descending ? 'desc' : 'asc')
  const later = last === null ? undefined : laterThan(keys, last.values, question.descending)
  const { rows } = await db.execute<{ id: string; place: string[] }>(sql`
    ${scopeOf(question)}
    select ${files.id} as id, array[${joined(keys.map(({ column }) => sql`${column}::text`))}] as place
    from ${files}
    where ${and(conditionsOf(question, kind, series), later)}
    order by ${joined(keys.map(({ column }) => sql`${column} ${direction}`))}
    limit ${limit}`)
  return rows.map(({ id, place }) => ({ id, place: { kind, values: place } }))
}

type Key = { column: SQL; type: 'text' | 'bigint' | 'timestamptz' }

/** In the order of an index of `files` each; names decide between equals, ids between equal names. */
function keysOf(sort: Sort, kind: StoredKind): Key[] {
  const name: Key[] = [
    { column: sql`${files.sortName}`, type: 'text' },
    { column: sql`${files.id}`, type: 'text' },
  ]
  switch (sort) {
    case 'name':
      return name
    case 'type':
      return [{ column: sql`${files.type}`, type: 'text' }, ...name]
    case 'size':
      // The size of a folder is in no index: it changes too often, and folders are few.
      return [
        { column: kind === 'file' ? sql`${files.listedBytes}` : sql`${files.sizeBytes}`, type: 'bigint' },
        ...name,
      ]
    case 'modified':
      return [{ column: sql`${files.modifiedAt}`, type: 'timestamptz' }, ...name]
    default:
      return sort satisfies never
  }
}

function laterThan(keys: Key[], values: string[], descending: boolean): SQL {
  const columns = joined(keys.map(({ column }) => column))
  const last = joined(keys.map(({ type }, index) => sql`${values[index] ?? ''}::${sql.raw(type)}`))
  return descending ? sql`(${columns}) < (${last})` : sql`(${columns}) > (${last})`
}

const kindsOf = ({ filter }: Question): Kind[] => {
  if (filter === 'all') return [...kinds]
  return filter === 'folder' ? ['folder'] : ['series', 'file']
}

/** `series`: those whose files are left out, because they are shown as one. */
export function conditionsOf(
  { ownerId, folderId, below, search, filter, asked }: Question,
  kind: StoredKind,
  series: readonly FolderSeries[] = [],
): SQL | undefined {
  const folder = sql`coalesce(${files.parentId}, '')`
  return and(
    eq(files.ownerId, ownerId),
    below ? sql`${folder} in (select id from scope)` : sql`${folder} = ${folderId ?? ''}`,
    eq(files.kind, kind),
    isNull(files.recycledAt),
    ofFilter(filter),
    asked === null || kind === 'folder' ? undefined : isGivenBelow(sql`files`, asked),
    search.trim() === '' ? undefined : sql`${files.searchName} like ${likePattern(search)}`,
    kind === 'folder' || series.length === 0 ? undefined : isOfNone(series),
  )
}

const isOfNone = (series: readonly FolderSeries[]): SQL =>
  sql`not (${isSliceName} and exists (
    select from ${dicomPlaces} where ${dicomPlaces.sha256} = ${files.sha256} and ${dicomPlaces.isImage}
      and ${dicomPlaces.seriesUid} = any(${sql.param(series.map(({ uid }) => uid))}::text[])
  ))`

/** The folder and all live ones below it. */
function scopeOf({ ownerId, folderId, below }: Question): SQL {
  if (!below) return sql``
  return sql`
    with recursive scope as (
      select ${folderId ?? ''}::text as id
      union all
      select f.id
      from scope
      cross join lateral (
        select id from ${files} f
        where f.owner_id = ${ownerId} and coalesce(f.parent_id, '') = scope.id
          and f.kind = 'folder' and f.recycled_at is null
        offset 0
      ) f
    )`
}

function ofFilter(filter: FileFilter): SQL | undefined {
  if (filter === 'all' || filter === 'folder') return undefined
  const isPacked = sql`${files.searchName} like ${`%${packedVolume.ending}`}`
  const isOfType = (types: readonly string[]) => sql`${files.type} = any(${sql.param(types)})`
  const types = kindExtensions[filter]
  // An index finds types; two conditions of which one would do find nothing by it.
  if (filter === 'volume')
    return sql`(${isOfType([...types, packedVolume.type])} and (${files.type} <> ${packedVolume.type} or ${isPacked}))`
  return filter === 'archive'
    ? sql`(${isOfType(types)} and not (${files.type} = ${packedVolume.type} and ${isPacked}))`
    : isOfType(types)
}

/** As part of a name, without regard to case; wildcards are letters. */
export const likePattern = (search: string): string =>
  containing(search.trim().normalize('NFC').toLowerCase())

const joined = (parts: SQL[]): SQL => sql.join(parts, sql`, `)
