import { Readable } from 'node:stream'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { fileName } from '../../http/bytes.ts'
import { type ArchivedFile, freeNames } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import { CSV_MARK, csvLine } from '../../infra/csv.ts'
import { blobs } from '../../infra/storage/blobs.ts'
import { bytesNamePatient, mayBeDicom } from '../files/service.ts'
import type { ArchiveOptions, ProjectArchive } from '../projects/service.ts'
import { type DatasetRow, datasetItems, datasets, projectDatasets } from './tables.ts'

/** Items read at once. */
const PAGE = 1000

type Used = { dataset: DatasetRow; use: string; folder: string }

/** The data sets of a project: what was recognised, as a table, and the images and labels themselves if wanted. */
export function archiveOf(ctx: Context, projectId: string, { data, userId }: ArchiveOptions): ProjectArchive {
  return {
    async facts() {
      return { dataSets: (await usedBy(ctx, projectId)).map(describe) }
    },
    async *files() {
      for (const { dataset, folder } of await usedBy(ctx, projectId)) {
        const isOwn = dataset.ownerId === userId
        const read = () => Readable.from(tableOf(ctx, dataset, isOwn))
        yield { path: `${folder}/items.csv`, isText: true, read }
        if (data) yield* bytesOf(ctx, { dataset, folder, isOwn })
      }
    },
  }
}

async function usedBy({ db }: Context, projectId: string): Promise<Used[]> {
  const rows = await db
    .select({ dataset: datasets, use: projectDatasets.use })
    .from(projectDatasets)
    .innerJoin(datasets, eq(datasets.id, projectDatasets.datasetId))
    .where(eq(projectDatasets.projectId, projectId))
    .orderBy(asc(projectDatasets.addedAt), asc(datasets.id))
  const freeName = freeNames()
  return rows.map((row) => ({ ...row, folder: `data/${freeName(fileName(row.dataset.name))}` }))
}

function describe({ dataset, use, folder }: Used): object {
  const { id, name, task, layout, state, classes, maskValues, channels, facts } = dataset
  const { problemCount, contentHash, reading, labelled, createdAt } = dataset
  return {
    ...{ id, name, folder, use, task, layout, state, classes, maskValues, channels, facts },
    ...{ setAside: problemCount, contentHash, reading, labelled, createdAt },
  }
}

async function* tableOf(ctx: Context, dataset: DatasetRow, isOwn: boolean): AsyncIterable<string> {
  yield CSV_MARK + csvLine(columns)
  for await (const { item, image, label } of itemsOf(ctx, dataset)) {
    const { width, height, depth, part, patient, name, imageSha256, labelSha256, regionSha256 } = item
    const named = namesIn(dataset, item)
    const facts = [width, height, depth, part, patient, name, imageSha256, labelSha256, regionSha256]
    // What is said of a single person is its owner's alone.
    const about = isOwn && item.about ? JSON.stringify(item.about) : ''
    yield csvLine([image, label, named, boxesIn(dataset, item), ...facts, about])
  }
}

const columns = [
  ...['image', 'label', 'class', 'boxes', 'width', 'height', 'depth', 'part', 'patient'],
  ...['name', 'image_sha256', 'label_sha256', 'region_sha256', 'about_person'],
]

/** Class names; of several labels with lines between. */
const namesIn = ({ classes }: DatasetRow, item: Item): string =>
  [...(item.class === null ? [] : [item.class]), ...(item.labels ?? [])]
    .map((index) => classes[index] ?? '')
    .join('|')

/** `cell 10 20 40 60`: class, left, upper, right and lower edge in pixels; boxes with lines between. */
const boxesIn = ({ classes }: DatasetRow, { boxes }: Item): string =>
  (boxes ?? [])
    .map(({ class: index, x0, y0, x1, y1 }) => [classes[index] ?? '', x0, y0, x1, y1].join(' '))
    .join('|')

/** What names its patient leaves by the word of its owner alone, which sharing a project does not ask for. */
async function* bytesOf(
  ctx: Context,
  { dataset, folder, isOwn }: { dataset: DatasetRow; folder: string; isOwn: boolean },
): AsyncIterable<ArchivedFile> {
  for await (const { item, image, label, named } of itemsOf(ctx, dataset)) {
    const { imageSha256, labelSha256, regionSha256 } = item
    if (isOwn || !named.image)
      yield { path: `${folder}/${image}`, isText: false, read: () => ctx.storage.read(imageSha256) }
    if (labelSha256 === null || label === null) continue
    if (isOwn || !named.label)
      yield { path: `${folder}/${label}`, isText: false, read: () => ctx.storage.read(labelSha256) }
    if (regionSha256 !== null && (isOwn || !named.image)) {
      const path = `${folder}/regions/${label.slice('labels/'.length)}`
      yield { path, isText: false, read: () => ctx.storage.read(regionSha256) }
    }
  }
}

const pairedLayouts = new Set<string>(['images_masks', 'volume_pairs', 'resolution_pairs', 'noise_pairs'])

type Item = typeof datasetItems.$inferSelect
/** `named`: whether the bytes name their patient. */
type Row = {
  item: Item
  format: string | null
  made: string | null
  named: { image: boolean; label: boolean }
}
type Placed = Pick<Row, 'item' | 'named'> & { image: string; label: string | null }

/** With the places that they have in the archive: the same ones each time. A label is called like its image. */
async function* itemsOf(ctx: Context, dataset: DatasetRow): AsyncIterable<Placed> {
  const top = await topOf(ctx, dataset)
  const freeName = freeNames()
  for await (const { item, format, made, named } of rowsOf(ctx, dataset.id)) {
    const own = item.name.slice(top.length).split('/').map(fileName).join('/')
    const path = freeName(`${own}${endingMade(own, made)}`)
    const stem = path.replace(/(\.nii)?\.[^./]*$/i, '')
    const label = item.labelSha256 === null ? null : `labels/${stem}.${endingOf(format, path)}`
    yield { item, named, image: `images/${path}`, label }
  }
}

/** Of a picture or volume that was made of DICOM, behind the name of its file. */
const endingMade = (path: string, made: string | null): string => {
  if (made === 'nifti') return /\.nii(\.gz)?$/i.test(path) ? '' : '.nii.gz'
  return made === 'png' && mayBeDicom(path) ? '.png' : ''
}

/** As the engine names formats; masks of packed volumes are packed as well. */
function endingOf(format: string | null, image: string): string {
  if (format !== 'nifti') return format ?? 'png'
  return /\.gz$/i.test(image) ? 'nii.gz' : 'nii'
}

/** Images of pairs lie together in a folder whose name would only stand there twice. */
async function topOf({ db }: Context, { id, layout }: DatasetRow): Promise<string> {
  if (layout === null || !pairedLayouts.has(layout)) return ''
  const first = sql<string>`split_part(${datasetItems.name}, '/', 1)`
  const rows = await db
    .selectDistinct({ first, isFolder: sql<boolean>`strpos(${datasetItems.name}, '/') > 0` })
    .from(datasetItems)
    .where(eq(datasetItems.datasetId, id))
    .limit(2)
  const [only, ...others] = rows
  return only?.isFolder && others.length === 0 ? `${only.first}/` : ''
}

async function* rowsOf({ db }: Context, datasetId: string): AsyncIterable<Row> {
  const [image, label] = [alias(blobs, 'image'), alias(blobs, 'label')]
  let after = 0
  for (;;) {
    const page = await db
      .select({
        item: datasetItems,
        format: sql<string | null>`lower(${label.facts}->>'format')`,
        made: sql<string | null>`lower(${image.facts}->>'format')`,
        named: {
          image: bytesNamePatient(sql`${datasetItems.imageSha256}`),
          label: bytesNamePatient(sql`${datasetItems.labelSha256}`),
        },
      })
      .from(datasetItems)
      .leftJoin(image, eq(image.sha256, datasetItems.imageSha256))
      .leftJoin(label, eq(label.sha256, datasetItems.labelSha256))
      .where(and(eq(datasetItems.datasetId, datasetId), gt(datasetItems.position, after)))
      .orderBy(asc(datasetItems.position))
      .limit(PAGE)
    yield* page
    const last = page.at(-1)
    if (page.length < PAGE || !last) return
    after = last.item.position
  }
}
