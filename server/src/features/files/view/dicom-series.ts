import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { viewing as limits } from '@neuroloom/contract/limits'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import type { SeriesPlace } from '../../../infra/reader/dicom/tags.ts'
import { read } from '../../../infra/reader/reader.ts'
import type { Eyes } from '../access.ts'
import { isSliceName } from '../series/slice-names.ts'
import { type FileRow, files } from '../tables.ts'
import { readerFolder } from './folders.ts'
import { dicomPlaces } from './tables.ts'

export type SliceFile = { id: string; name: string; sha256: string; sizeBytes: number }

/** Files of the folder that may be slices, in sight of whoever looks. */
export async function sliceFiles(db: Db, eyes: Eyes, beside: FileRow): Promise<SliceFile[]> {
  const found = await db
    .select({ id: files.id, name: files.name, sha256: files.sha256, sizeBytes: files.sizeBytes })
    .from(files)
    .where(
      and(
        eq(files.ownerId, beside.ownerId),
        sql`coalesce(${files.parentId}, '') = ${beside.parentId ?? ''}`,
        eq(files.kind, 'file'),
        isNull(files.recycledAt),
        isSliceName,
      ),
    )
    .orderBy(files.sortName, files.id)
    .limit(limits.seriesFiles)
  const seen = await eyes.among(
    beside,
    found.map(({ id }) => id),
  )
  return found.flatMap(({ sha256, ...file }) =>
    sha256 !== null && seen.has(file.id) ? [{ ...file, sha256 }] : [],
  )
}

/** Those of the bytes whose headers nobody has looked at. */
export async function unknownOf(db: Db, slices: readonly SliceFile[]): Promise<SliceFile[]> {
  const known = await placesOf(db, slices)
  return slices.filter(({ sha256 }) => !known.has(sha256))
}

/** Looks at headers, some hundred at a time, and keeps what they say. */
export async function learnPlaces(
  ctx: Context,
  slices: readonly SliceFile[],
  patience: Waiting,
): Promise<void> {
  const once = [...new Map(slices.map((slice) => [slice.sha256, slice])).values()]
  for (let start = 0; start < once.length; start += AT_ONCE) {
    await learnSome(ctx, once.slice(start, start + AT_ONCE), patience)
  }
}

const AT_ONCE = 500

type Waiting = { timeMs: number; mayWait: number }

async function learnSome(ctx: Context, slices: readonly SliceFile[], patience: Waiting): Promise<void> {
  const folder = join(readerFolder(ctx), newId())
  await mkdir(folder, { recursive: true })
  try {
    const laidOut: { path: string; name: string }[] = []
    for (const [index, { sha256, name }] of slices.entries()) {
      const path = join(folder, String(index))
      await ctx.storage.linkInto(sha256, path)
      laidOut.push({ path, name })
    }
    const task = { task: 'headers', files: laidOut, limitBytes: limits.pixelBytes } as const
    const { places, named } = await read(task, { log: ctx.log, folder, ...patience })
    for (const [index, { sha256 }] of slices.entries())
      await keepPlace(ctx.db, sha256, places[index] ?? null, named[index] ?? null)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Nothing when the bytes were swept meanwhile. */
export async function keepPlace(
  db: Db,
  sha256: string,
  place: SeriesPlace | null,
  named: boolean | null,
): Promise<void> {
  await db.execute(sql`
    insert into ${dicomPlaces} (sha256, series_uid, description, is_image, names_patient)
    select sha256, ${place?.seriesUid ?? null}, ${place?.description ?? ''}, ${place?.isImage ?? false},
      ${named}::boolean
    from blobs
    where sha256 = ${sha256}
    on conflict (sha256) do update set names_patient = coalesce(
      excluded.names_patient or dicom_places.names_patient, excluded.names_patient, dicom_places.names_patient
    )
    where dicom_places.names_patient is not true`)
}

export type Place = { seriesUid: string | null; description: string; isImage: boolean }

export async function placesOf(db: Db, slices: readonly SliceFile[]): Promise<Map<string, Place>> {
  const rows = await db
    .select()
    .from(dicomPlaces)
    .where(sql`${dicomPlaces.sha256} = any(${sql.param(slices.map(({ sha256 }) => sha256))}::text[])`)
  return new Map(rows.map((row) => [row.sha256, row]))
}

export type Series = { files: SliceFile[]; description: string }

/** The images of one series among these files; null where there are no two. Copies of one slice count once. */
export async function seriesAmong(
  db: Db,
  slices: readonly SliceFile[],
  sha256: string,
): Promise<Series | null> {
  const places = await placesOf(db, slices)
  const own = places.get(sha256)
  if (!own?.isImage || own.seriesUid === null) return null
  const alike = slices.filter((slice) => {
    const place = places.get(slice.sha256)
    return place?.isImage && place.seriesUid === own.seriesUid
  })
  const once = [...new Map(alike.map((slice) => [slice.sha256, slice])).values()]
  return once.length > 1 ? { files: once, description: own.description } : null
}
