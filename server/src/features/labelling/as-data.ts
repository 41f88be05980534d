/** A labelled set as a data set: images by their pinned bytes, labels as masks, boxes or classes. */
import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Labelled } from '@neuroloom/contract/datasets'
import { components } from '@neuroloom/contract/labelling/components'
import type { Marks } from '@neuroloom/contract/labelling/steps'
import type { Task } from '@neuroloom/contract/task'
import { axesOf } from '@neuroloom/contract/task'
import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import sharp from 'sharp'
import { fail } from '../../http/fail.ts'
import type { WorkerContext } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { addBlobs } from '../../infra/storage/blobs.ts'
import {
  type Below,
  type BoxedItem,
  kindFor,
  type LabelledData,
  type LabelledFiles,
  type Layout,
  type Pair,
  planFor,
} from '../datasets/service.ts'
import { type FileBelow, shownBytes, shownLater } from '../files/service.ts'
import { requireSet } from './access.ts'
import { slicePixels, type Upright, uprightBoxes, valuesOf } from './class-map.ts'
import { IGNORED } from './formats/values.ts'
import { sourceOf } from './images.ts'
import { isAside } from './proposals/aside.ts'
import {
  type LabelItemRow,
  type LabelSetRow,
  labelItems,
  labelReadings,
  labelSets,
  type ReadingRow,
} from './tables.ts'
import { marksBySlice, wholeNow } from './wholes.ts'

type Asked = { ownerId: string; labelled: Labelled }
type Read = {
  item: LabelItemRow
  reading: ReadingRow
  files: FileBelow[]
  image: string
  part: 'train' | 'test' | null
}

export const labelledFiles: LabelledFiles = { stamp, read }

/** Refuses whoever may not use the set, and a set of which nobody has finished an image. */
async function stamp(db: Db, asked: Asked): Promise<string> {
  await requireSet(db, { id: asked.ownerId }, asked.labelled.setId, neededFor(asked.labelled))
  const chosen = await chosenReadings(db, asked)
  if (chosen.length === 0) throw fail('nothing_labelled')
  const hash = createHash('sha256').update(asked.labelled.round ?? '')
  for (const { item, reading } of chosen) hash.update(`${item.id} ${reading.id} ${reading.seq}\n`)
  return hash.digest('hex')
}

/** Others' readings are for those who judge them. */
const neededFor = ({ from }: Labelled) => (from === 'mine' ? ('read' as const) : ('review' as const))

/** One finished reading of each image: the caller's, the accepted one, or the one that was finished last. */
export async function chosenReadings(
  db: Db,
  { ownerId, labelled: { setId, from } }: Asked,
): Promise<{ item: LabelItemRow; reading: ReadingRow }[]> {
  const rows = await db
    .select({ item: labelItems, reading: labelReadings })
    .from(labelReadings)
    .innerJoin(labelItems, eq(labelItems.id, labelReadings.itemId))
    .where(
      and(
        eq(labelItems.setId, setId),
        inArray(labelReadings.state, from === 'accepted' ? ['accepted'] : ['done', 'accepted']),
        from === 'mine' ? eq(labelReadings.readerId, ownerId) : undefined,
      ),
    )
    .orderBy(
      asc(labelItems.position),
      // What was agreed on goes before what each said.
      desc(labelReadings.isAgreed),
      desc(labelReadings.changedAt),
      asc(labelReadings.id),
    )
  const seen = new Set<string>()
  return rows.filter(({ item }) => !seen.has(item.id) && seen.add(item.id))
}

async function read(ctx: WorkerContext, asked: Asked & { task: Task | null }): Promise<LabelledData> {
  const [set] = await ctx.db.select().from(labelSets).where(eq(labelSets.id, asked.labelled.setId))
  if (!set) throw fail('label_set_missing')
  const task = asked.task ?? taskOf(set)
  const readings = await readAll(ctx, asked, task)
  switch (task) {
    case 'classification':
    case 'multilabel':
      return tagged(ctx, set, { readings, task })
    case 'detection':
      return boxed(ctx, set, readings)
    case 'segmentation':
    case 'volume_segmentation':
      return masked(ctx, set, { readings, task })
    case 'super_resolution':
    case 'denoising':
      return { below: filesOf(readings), layout: null }
  }
}

/** Of a data set that no project has any more. */
function taskOf({ marks, oneTag }: LabelSetRow): Task {
  if (marks.includes('pixels') || marks.includes('outlines')) return 'segmentation'
  if (marks.includes('boxes')) return 'detection'
  return oneTag ? 'classification' : 'multilabel'
}

/** What was never opened has no marks; of videos there is no picture to learn from. */
async function readAll(ctx: WorkerContext, asked: Asked, task: Task): Promise<Read[]> {
  const chosen = await chosenReadings(ctx.db, asked)
  const found: Omit<Read, 'image'>[] = []
  const partOf = (id: string) => (isAside(id) ? 'test' : 'train')
  for (const { item, reading } of chosen) {
    if (item.kind === 'video' || item.width === null) continue
    const { files } = await sourceOf(ctx.db, item.id)
    const folder =
      item.name.includes('/') && files.length === 1 ? item.name.replace(/[^/]*$/, '') : `${item.name}/`
    const paths = files.map((file) => ({
      ...file,
      path: files.length === 1 ? item.name : `${folder}${file.name}`,
    }))
    found.push({ item, reading, files: paths, part: asked.labelled.round ? partOf(item.id) : null })
  }
  const all = found.flatMap(({ files }) => files)
  const { items: planned } = await planFor(ctx, all, kindFor(task))
  const made = new Map(planned.map(({ path, files: [first] }) => [first?.path, path]))
  return found.map((one) => ({ ...one, image: made.get(one.files[0]?.path) ?? one.item.name }))
}

const filesOf = (readings: readonly Read[]): Below => ({
  files: readings.flatMap(({ files }) => files),
  emptyFolders: [],
})

type Tagged = { readings: readonly Read[]; task: 'classification' | 'multilabel' }

/** Without those that nobody gave a label. */
async function tagged(
  ctx: WorkerContext,
  set: LabelSetRow,
  { readings, task }: Tagged,
): Promise<LabelledData> {
  const classes = set.classes.filter(({ use }) => use === 'class')
  const items: { path: string; labels: number[]; part: Read['part']; patient: null }[] = []
  for (const { image, reading, part } of readings) {
    const tags = (await wholeNow(ctx.db, reading))?.tags ?? []
    const labels = classes.flatMap(({ id }, index) => (tags.includes(id) ? index : []))
    items.push({ path: image, labels, part, patient: null })
  }
  const isLabelled = ({ labels }: { labels: number[] }) =>
    task === 'classification' ? labels.length === 1 : labels.length > 0
  const layout: Layout = {
    ...{ layout: 'csv_labels', task, classes: classes.map(({ name }) => name), problems: [] },
    items: items.filter(isLabelled),
    unlabelled: items.filter((item) => !isLabelled(item)).map(({ path }) => path),
  }
  return { below: filesOf(readings), layout }
}

async function boxed(ctx: WorkerContext, set: LabelSetRow, readings: readonly Read[]): Promise<LabelledData> {
  const classes = set.classes.filter(({ use }) => use === 'class')
  const places = new Map(classes.map(({ id }, index) => [id, index]))
  const items: BoxedItem[] = []
  for (const { image, reading, part } of readings) {
    const marks = (await marksBySlice(ctx.db, reading))?.(0)
    const boxes = marks ? uprightBoxes(marks, bodiesOf) : []
    items.push({
      ...{ path: image, source: set.name, part, size: null, unit: 'pixels' },
      boxes: boxes.flatMap(({ class: id, ...box }, index) => {
        const place = places.get(id)
        return place === undefined ? [] : [{ ...box, class: place, number: index + 1 }]
      }),
    })
  }
  const names = classes.map(({ name }) => name)
  const layout: Layout = {
    ...{ layout: 'coco', task: 'detection', classes: names, problems: [], unlabelled: [] },
    items,
  }
  return { below: filesOf(readings), layout }
}

/** Of a picture: around what hangs together of each class. */
function bodiesOf(marks: Marks): Upright[] {
  const [width, height] = marks.pixels.size
  return [...new Set([...marks.segments.values()].map((one) => one.class))].flatMap((id) => {
    const pixels = slicePixels(marks, 0, new Map([[id, 1]]))
    const { numbers, sizes } = components(pixels, [width, height, 1], true)
    const boxes = Array.from(sizes, () => ({ class: id, x0: width, y0: height, x1: 0, y1: 0 }))
    for (const [index, number] of numbers.entries()) {
      const box = boxes[number]
      if (number === 0 || !box) continue
      const [x, y] = [index % width, Math.floor(index / width)]
      box.x0 = Math.min(box.x0, x)
      box.y0 = Math.min(box.y0, y)
      box.x1 = Math.max(box.x1, x + 1)
      box.y1 = Math.max(box.y1, y + 1)
    }
    return boxes.slice(1)
  })
}

type Masked = { readings: readonly Read[]; task: 'segmentation' | 'volume_segmentation' }

/** Masks hold class numbers; classes that nobody marked are left out. */
async function masked(
  ctx: WorkerContext,
  set: LabelSetRow,
  { readings, task }: Masked,
): Promise<LabelledData> {
  const values = valuesOf(set.classes)
  const used = new Set<number>()
  const pairs: Pair[] = []
  const labels: FileBelow[] = []
  const folder = join(ctx.storage.stagingFolder, 'labels', newId())
  await mkdir(folder, { recursive: true })
  try {
    for (const { item, reading, image, part } of readings) {
      const marksAt = await marksBySlice(ctx.db, reading)
      if (!marksAt) continue
      const bytes =
        axesOf(task) === 3
          ? await volumeMask(ctx, item, { marksAt, values, used })
          : await pictureMask(marksAt(0), { values, used })
      const label = `/labels/${item.id}${axesOf(task) === 3 ? '.nii.gz' : '.png'}`
      labels.push({ path: label, ...(await keep(ctx, folder, bytes)) })
      pairs.push({ image, label, part })
      // What was made in earlier rounds is announced again, so that nothing of it is swept meanwhile.
      if (labels.length % ROUND === 0) await addBlobs(ctx.db, labels)
    }
    await addBlobs(ctx.db, labels)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const background = set.classes.find(({ use }) => use === 'background')?.name ?? 'background'
  const marked = set.classes.filter(({ id, use }) => use === 'class' && used.has(values.get(id) ?? -1))
  const known = {
    classes: [background, ...marked.map(({ name }) => name)],
    maskValues: Object.fromEntries([
      ['0', 0],
      ...marked.map(({ id }, index) => [String(values.get(id)), index + 1]),
      ...(used.has(IGNORED) ? [[String(IGNORED), -1]] : []),
    ]),
  }
  const alone = { imagesAlone: [], labelsAlone: [], stray: [] }
  const layout: Layout =
    task === 'segmentation'
      ? { layout: 'images_masks', task, pairs, ...alone, known }
      : { layout: 'volume_pairs', task, pairs, ...alone, known }
  return { below: { files: [...filesOf(readings).files, ...labels], emptyFolders: [] }, layout }
}

const ROUND = 100

type Drawing = { values: ReadonlyMap<string, number>; used: Set<number> }

function pictureMask(marks: Marks, { values, used }: Drawing): Promise<Buffer> {
  const [width, height] = marks.pixels.size
  const pixels = slicePixels(marks, 0, values)
  for (const value of pixels) used.add(value)
  return sharp(pixels, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer()
}

const packed = promisify(gzip)
const unpacked = promisify(gunzip)
/** Of NIfTI-1 with its four bytes of extensions. */
const HEADER = 352

/** On the very grid of what was drawn on: its header, with bytes in place of its numbers. */
async function volumeMask(
  ctx: WorkerContext,
  item: LabelItemRow,
  { marksAt, values, used }: Drawing & { marksAt: (z: number) => Marks },
): Promise<Buffer> {
  const [width, height, depth] = [item.width ?? 0, item.height ?? 0, item.depth ?? 0]
  const header = await headerOf(ctx, item)
  header.writeInt16LE(3, 40)
  for (const [index, side] of [width, height, depth, 1, 1, 1, 1].entries())
    header.writeInt16LE(side, 42 + 2 * index)
  header.writeInt16LE(2, 70)
  header.writeInt16LE(8, 72)
  header.writeFloatLE(HEADER, 108)
  header.writeFloatLE(1, 112)
  header.writeFloatLE(0, 116)
  const voxels = Buffer.alloc(width * height * depth)
  for (let z = 0; z < depth; z++) {
    const pixels = slicePixels(marksAt(z), z, values)
    for (const value of pixels) used.add(value)
    voxels.set(pixels, z * width * height)
  }
  return packed(Buffer.concat([header, voxels]), { level: 6 })
}

async function headerOf(ctx: WorkerContext, item: LabelItemRow): Promise<Buffer> {
  const source = await sourceOf(ctx.db, item.id)
  const bytes = await shownBytes(ctx, source, await shownLater(ctx, source))
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  return Buffer.from((isPacked ? await unpacked(bytes) : bytes).subarray(0, HEADER))
}

async function keep(
  ctx: WorkerContext,
  folder: string,
  bytes: Buffer,
): Promise<Pick<FileBelow, 'sha256' | 'sizeBytes'>> {
  const staged = join(folder, newId())
  await writeFile(staged, bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await ctx.storage.adopt(staged, sha256)
  return { sha256, sizeBytes: bytes.length }
}
