import type { Entry } from '@neuroloom/contract/files'
import { files as limits, viewing } from '@neuroloom/contract/limits'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../infra/db.ts'
import { conditionsOf, type Question } from '../listing-question.ts'
import { sortNameOf } from '../names.ts'
import { files } from '../tables.ts'
import { dicomPlaces } from '../view/tables.ts'
import { type FolderSeries, order } from './order.ts'
import { isSliceName } from './slice-names.ts'

/**
 * All series of a folder with two different slices or more, as far as whoever asks may see the files, in the order that is
 * asked for. None of folders in which there are more files than the viewer looks through, and none with more files than
 * one call can move or remove: of those the files are shown. None of what lies below.
 */
export async function seriesIn(db: Db, question: Question): Promise<FolderSeries[]> {
  if (question.below || !kindsWithSeries.has(question.filter)) return []
  const all = { ...question, search: '', filter: 'all' as const }
  if (await isTooFull(db, all)) return []
  const { rows } = await db.execute<Row>(sql`
    select ${dicomPlaces.seriesUid} as uid, count(*) as files, sum(${files.sizeBytes}) as bytes,
      (array_agg(${files.id} order by ${files.sortName}, ${files.id}))[(1 + count(*) / 2)::int] as id,
      (array_agg(${files.name} order by ${files.sortName}, ${files.id}))[(1 + count(*) / 2)::int] as name,
      (array_agg(${files.type} order by ${files.sortName}, ${files.id}))[(1 + count(*) / 2)::int] as type,
      max(${dicomPlaces.description}) as description,
      floor(extract(epoch from max(${files.modifiedAt})) * 1000) as modified
    from ${files}
    join ${dicomPlaces} on ${dicomPlaces.sha256} = ${files.sha256}
    where ${conditionsOf(all, 'file')} and ${isSliceName}
      and ${dicomPlaces.isImage} and ${dicomPlaces.seriesUid} is not null
    group by ${dicomPlaces.seriesUid}
    having count(distinct ${files.sha256}) > 1 and count(*) <= ${limits.idsPerCall}`)
  const found = rows.map((row) => toSeries(row, question))
  const sorted = found.sort((one, other) => order(one.keys, other.keys))
  return question.descending ? sorted.reverse() : sorted
}

/** Searched for by what they are called in the list. */
export const isSearched = ({ description }: FolderSeries, search: string): boolean =>
  description.toLowerCase().includes(search.trim().normalize('NFC').toLowerCase())

/** As the entry of a list: its middle file, with what holds of all. */
export const asEntry = (
  entry: Entry,
  { files: count, sizeBytes, description, modifiedAt }: FolderSeries,
): Entry => ({
  ...entry,
  sizeBytes,
  modifiedAt: modifiedAt.toISOString(),
  series: { files: count, description },
})

const kindsWithSeries: ReadonlySet<string> = new Set(['all', 'volume'])

type Row = {
  uid: string
  id: string
  name: string
  type: string
  files: string
  bytes: string
  description: string
  modified: string
}

function toSeries({ uid, id, name, type, ...row }: Row, { sort }: Question): FolderSeries {
  const description = row.description.normalize('NFC').trim()
  const sortName = sortNameOf(description === '' ? name : description)
  const digits = (value: string): string => value.padStart(16, '0')
  const first = { name: [], type: [type], size: [digits(row.bytes)], modified: [digits(row.modified)] }
  return {
    ...{ uid, id, description },
    files: Number(row.files),
    sizeBytes: Number(row.bytes),
    modifiedAt: new Date(Number(row.modified)),
    keys: [...first[sort], sortName, uid],
  }
}

async function isTooFull(db: Db, question: Question): Promise<boolean> {
  const { rows } = await db.execute<{ count: string }>(sql`
    select count(*) as count
    from (select from ${files} where ${conditionsOf({ ...question, asked: null }, 'file')} limit ${viewing.seriesFiles + 1}) few`)
  return Number(rows[0]?.count ?? 0) > viewing.seriesFiles
}
