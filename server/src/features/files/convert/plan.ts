import type { ConversionFormat } from '@neuroloom/contract/conversions'
import { conversions as limits } from '@neuroloom/contract/limits'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { accessTo, type SeenEntry } from '../access.ts'
import { type FileRow, files } from '../tables.ts'
import { idsOf } from '../transfer/transfer-plan.ts'
import { learnPlaces, placesOf, type SliceFile, unknownOf } from '../view/dicom-series.ts'
import { guessKind, HEAD_BYTES, mayBeImage } from '../view/kinds.ts'
import { patienceOf } from '../view/make.ts'
import { headOf } from '../view/sources.ts'

export type PlannedItem = { fileIds: string[]; sourceId: string; sourceName: string }
type Candidate = SliceFile & { isChosen: boolean }

/** Endings of files that hold all of an image in a format which no setting changes. */
const endings: Partial<Record<ConversionFormat, RegExp>> = {
  nifti: /\.nii(\.gz)?$/i,
  nrrd: /\.nrrd$/i,
  mha: /\.mha$/i,
}

/** Without what only lies in a folder and is of the wanted format already: a second copy would count as a second case. */
export const withoutReady = (candidates: readonly Candidate[], format: ConversionFormat): Candidate[] =>
  candidates.filter(({ isChosen, name }) => isChosen || !endings[format]?.test(name))

/** The files themselves and those that lie in the folders, in the order in which lists show them. */
export async function candidatesOf(
  db: Db,
  user: { id: string },
  entries: readonly SeenEntry[],
): Promise<Candidate[]> {
  const chosen = entries.filter(({ kind }) => kind === 'file').sort(byName)
  const folders = entries.filter(({ kind }) => kind === 'folder').map(({ id }) => id)
  const below = folders.length === 0 ? [] : await childFiles(db, folders)
  const seen = await accessTo(db, user, idsOf(below))
  const inside = below.filter(({ id }) => seen.has(id))
  const once = new Map<string, Candidate>()
  for (const row of [...chosen, ...inside]) {
    const { id, name, sha256, sizeBytes } = row
    const isChosen = chosen.some((one) => one.id === id)
    if (sha256 !== null && !once.has(id)) once.set(id, { id, name, sha256, sizeBytes, isChosen })
  }
  // Nobody looks for images in what is known to be something else.
  return [...once.values()].filter(({ isChosen, name }) => isChosen || mayBeImage(name))
}

const byName = (a: FileRow, b: FileRow): number => (a.sortName < b.sortName ? -1 : 1)

const childFiles = (db: Db, folderIds: string[]): Promise<FileRow[]> =>
  db
    .select()
    .from(files)
    .where(
      and(
        sql`${files.parentId} = any(${sql.param(folderIds)}::text[])`,
        eq(files.kind, 'file'),
        isNull(files.recycledAt),
      ),
    )
    .orderBy(files.parentId, files.sortName, files.id)
    .limit(limits.parts + 1)

/** One item a file; of DICOM, one a series where that is wanted. What only lay in a folder and is no image is passed over. */
export async function planItems(
  ctx: Context,
  candidates: readonly Candidate[],
  joinSeries: boolean,
): Promise<PlannedItem[]> {
  const images = await imagesOf(ctx, candidates)
  const slices = images.filter(({ name }) => isSliceName(name))
  const unknown = await unknownOf(ctx.db, slices)
  if (unknown.length > 0) await learnPlaces(ctx, unknown, patienceOf('job'))
  const places = await placesOf(ctx.db, slices)
  const items = new Map<string, PlannedItem>()
  for (const { id, name, sha256, isChosen } of images) {
    const place = places.get(sha256)
    const isSlice = isSliceName(name) && place?.seriesUid != null
    // Reports and plans lie among the slices.
    if (isSlice && !place.isImage && !isChosen) continue
    const key = joinSeries && isSlice && place.isImage ? `series ${place.seriesUid}` : id
    const item = items.get(key)
    if (item) item.fileIds.push(id)
    else items.set(key, { fileIds: [id], sourceId: id, sourceName: place?.description || name })
  }
  return [...items.values()].map((item) =>
    item.fileIds.length > 1 ? item : { ...item, sourceName: nameOf(images, item) },
  )
}

const nameOf = (images: readonly Candidate[], { sourceId }: PlannedItem): string =>
  images.find(({ id }) => id === sourceId)?.name ?? ''

/** Named as DICOM, or not at all, or by a number. */
const isSliceName = (name: string): boolean => /(^[^.]+|\.(dcm|dicom|ima|\d+))$/i.test(name)

async function imagesOf(ctx: Context, candidates: readonly Candidate[]): Promise<Candidate[]> {
  const images: Candidate[] = []
  for (const candidate of candidates) {
    if (candidate.isChosen || guessKind(await headOf(ctx, candidate, HEAD_BYTES), candidate.name).isImage) {
      images.push(candidate)
    }
  }
  return images
}
