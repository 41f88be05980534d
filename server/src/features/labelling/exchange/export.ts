/** Labels that go out: what there is and what formats lose of it, then files in a new folder beside the images. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Exchange, LabelFormat } from '@neuroloom/contract/labelling/exchange'
import { labelFormats } from '@neuroloom/contract/labelling/label-formats'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import { putFolder, queueCheck, type StoredFile } from '../../files/service.ts'
import type { LabelledImage, Piece } from '../formats/shapes.ts'
import { lossesFor, nothing, survey } from '../formats/survey.ts'
import { writers } from '../formats/write/write.ts'
import { type LabelItemRow, type LabelSetRow, labelReadings, labelSets, type ReadingRow } from '../tables.ts'
import { marksOf } from '../wholes.ts'
import { itemsOfSet, placeOf, stemsIn } from './images.ts'
import { attemptFolder, update } from './lease.ts'
import { isBare } from './marks.ts'
import type { ExchangeRow } from './tables.ts'
import { Whole } from './whole.ts'

type Read = { item: LabelItemRow; reading: ReadingRow }

export async function lookAtMarks(ctx: Context, row: ExchangeRow): Promise<void> {
  const { set, items, reads } = await readsFor(ctx, row)
  const found = nothing()
  let [images, marks] = [0, 0]
  for (const [index, { item, reading }] of reads.entries()) {
    const own = await marksOf(ctx.db, reading)
    if (index % TOLD === 0) await update(ctx.db, row, { done: index, total: reads.length })
    if (!own || isBare(own)) continue
    images += 1
    marks += own.tags.length + own.things.size + own.segments.size
    survey(
      found,
      { marks: own, size: own.pixels.size },
      { classes: set.classes, isPlaced: mayBePlaced(item) },
    )
  }
  if (images === 0) throw new Whole('nothing_marked')
  // Every format is there.
  const losses = Object.fromEntries(
    labelFormats.map((format) => [format, lossesFor(format, found)]),
  ) as NonNullable<Exchange['exportPlan']>['losses']
  const plan = { images, unmarked: items.length - images, losses, marks }
  await update(ctx.db, row, { state: 'planned', plan, done: 0, total: images, leaseUntil: null })
}

/** How often the page is told, in images. */
const TOLD = 10

/** Series of DICOM slices have no ending of a file in their name. */
const mayBePlaced = ({ kind, name }: LabelItemRow): boolean =>
  kind === 'volume' && !/\.(nii|nii\.gz|nrrd|nhdr|mha|mhd|mgz|tiff?|npy|hdr|img|par|rec)$/i.test(name)

type Reads = { set: LabelSetRow; items: LabelItemRow[]; reads: Read[] }

/** One reading of each image: the caller's, the accepted one, or the one that was finished last. */
async function readsFor(ctx: Context, { setId, memberId, whose }: ExchangeRow): Promise<Reads> {
  const [set] = await ctx.db.select().from(labelSets).where(eq(labelSets.id, setId))
  if (!set) throw new Whole('missing')
  const items = await itemsOfSet(ctx, setId)
  const wanted = {
    mine: eq(labelReadings.readerId, memberId),
    accepted: eq(labelReadings.state, 'accepted'),
    newest: inArray(labelReadings.state, ['done', 'accepted']),
  }[whose ?? 'mine']
  const reads: Read[] = []
  for (let start = 0; start < items.length; start += ITEMS) {
    const some = items.slice(start, start + ITEMS)
    const ids = some.map(({ id }) => id)
    const readings = await ctx.db
      .select()
      .from(labelReadings)
      .where(and(inArray(labelReadings.itemId, ids), wanted))
      .orderBy(desc(labelReadings.changedAt))
    for (const item of some) {
      const reading = readings.find(({ itemId }) => itemId === item.id)
      if (reading) reads.push({ item, reading })
    }
  }
  return { set, items, reads }
}

const ITEMS = 1000

const placed: ReadonlySet<LabelFormat> = new Set(['nifti', 'nrrd', 'seg_nrrd', 'dicom_seg'])

export async function writeFiles(ctx: Context, row: ExchangeRow): Promise<void> {
  const { set, items, reads } = await readsFor(ctx, row)
  const format = row.format ?? 'coco'
  const folder = attemptFolder(ctx, row)
  await mkdir(folder, { recursive: true })
  try {
    const stems = stemsIn(items)
    const images = async function* (): AsyncIterable<LabelledImage> {
      for (const [index, { item, reading }] of reads.entries()) {
        if (index % TOLD === 0) await update(ctx.db, row, { done: index, total: reads.length })
        const marks = await marksOf(ctx.db, reading)
        if (!marks || isBare(marks)) continue
        const place = placed.has(format) ? await placeOf(ctx, item) : null
        const { geometry = null, dicom = null } = place ?? {}
        const stem = stems.get(item.name) ?? item.name
        yield { name: item.name, stem, size: marks.pixels.size, geometry, dicom, marks }
      }
    }
    const pieces = writers[format]({ name: set.name, classes: set.classes, images: images(), now: ctx.now() })
    const files = await storeAll(ctx, folder, pieces)
    if (files.length === 0) throw new Whole('nothing_marked')
    const name = `${set.name.replaceAll('/', '-')} (${shown[format]})`
    const made = await ctx.db.transaction(async (tx) => {
      // Also holds the row, so that nobody takes it before the transaction ends.
      await update(tx, row, { done: reads.length, total: reads.length })
      const put = await putFolder(ctx, tx, { memberId: row.memberId, beside: set.folderId, name, files })
      const ended = { state: 'done' as const, leaseUntil: null, endedAt: ctx.now() }
      await update(tx, row, { ...ended, folderId: put.id, folderName: put.name })
      return put
    })
    queueCheck(ctx, made.ownerId)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Each file into the store as soon as it is whole; nobody sees it before a row names it. */
async function storeAll(ctx: Context, folder: string, pieces: AsyncIterable<Piece>): Promise<StoredFile[]> {
  const stored: StoredFile[] = []
  let open: ReturnType<typeof begin> | null = null
  for await (const { path, bytes } of pieces) {
    if (open && open.path !== path) {
      stored.push(await open.end(ctx))
      open = null
    }
    open ??= begin(join(folder, String(stored.length)), path)
    await open.write(bytes)
  }
  if (open) stored.push(await open.end(ctx))
  return stored
}

function begin(staged: string, path: string) {
  const stream = createWriteStream(staged)
  const hash = createHash('sha256')
  return {
    path,
    async write(bytes: Uint8Array): Promise<void> {
      hash.update(bytes)
      if (!stream.write(bytes)) await new Promise<void>((resolve) => stream.once('drain', resolve))
    },
    async end(ctx: Context): Promise<StoredFile> {
      stream.end()
      await finished(stream)
      const { size } = await stat(staged)
      const sha256 = hash.digest('hex')
      await ctx.storage.adopt(staged, sha256)
      return { path, sha256, sizeBytes: size }
    },
  }
}

/** Of folders; proper names are the same in all languages. */
const shown: Record<LabelFormat, string> = {
  ...{ coco: 'COCO', yolo_boxes: 'YOLO', yolo_turned: 'YOLO OBB', yolo_outlines: 'YOLO segment' },
  ...{
    yolo_points: 'YOLO pose',
    voc: 'Pascal VOC',
    labelme: 'LabelMe',
    cvat: 'CVAT',
    cvat_video: 'CVAT video',
  },
  ...{
    csv: 'CSV',
    png_index: 'PNG',
    png_palette: 'PNG palette',
    png_colour: 'PNG RGB',
    png_binary: 'PNG 0-255',
  },
  ...{ nifti: 'NIfTI', nrrd: 'NRRD', seg_nrrd: 'seg.nrrd', dicom_seg: 'DICOM-SEG' },
}
