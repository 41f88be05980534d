import { randomUUID } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { PrepareSpec } from '@neuroloom/contract/engine'
import { recipes as limits } from '@neuroloom/contract/limits'
import { isToContent, type PreparedPicture, type PrepareReason } from '@neuroloom/contract/recipes/recipe'
import type { Repair } from '@neuroloom/contract/recipes/repair'
import { inArray } from 'drizzle-orm'
import type { WorkerContext } from '../../infra/context.ts'
import type { Prepared, PrepareFile } from '../../infra/engine/engine.ts'
import { sideBySide } from '../../infra/side-by-side.ts'
import { accessTo } from '../files/access.ts'
import { type MadeFile, storeMade } from '../files/service.ts'
import { files } from '../files/tables.ts'
import { madeOfDicom } from './dicom.ts'
import { keepOutcomes, type Outcome, reserveFor } from './results.ts'
import { nameOf, stemOf } from './roles.ts'
import { tellWork } from './show.ts'
import type { ItemMade, ItemRow, PreparationRow } from './tables.ts'

type Source = { name: string; sha256: string; sizeBytes: number }
/** Files that the member may still see, by their ids. */
export type Sources = ReadonlyMap<string, Source>
/** Files that are hashed and taken over at once. */
const STORED_AT_ONCE = 4
const LOOKED_UP_AT_ONCE = 2000

export async function sourcesOf(
  ctx: WorkerContext,
  { ownerId }: PreparationRow,
  items: readonly ItemRow[],
): Promise<Sources> {
  const ids = items.flatMap(({ fileIds }) => fileIds)
  const found = new Map<string, Source>()
  for (let start = 0; start < ids.length; start += LOOKED_UP_AT_ONCE) {
    const some = ids.slice(start, start + LOOKED_UP_AT_ONCE)
    const seen = await accessTo(ctx.db, { id: ownerId }, some)
    const rows = await ctx.db
      .select({ id: files.id, name: files.name, sha256: files.sha256, sizeBytes: files.sizeBytes })
      .from(files)
      .where(inArray(files.id, [...seen.keys()]))
    for (const { id, name, sha256, sizeBytes } of rows)
      if (sha256 !== null) found.set(id, { name, sha256, sizeBytes })
  }
  return found
}

/** Items of one role, as many as one process works on and one step makes visible. */
export function* batchesOf(items: readonly ItemRow[], sources: Sources): Iterable<ItemRow[]> {
  let batch: ItemRow[] = []
  let bytes = 0
  for (const item of items) {
    const own = bytesOf(item, sources)
    const isFull = batch.length >= limits.batch || bytes + own > limits.batchBytes
    if (batch.length > 0 && (isFull || batch[0]?.role !== item.role)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(item)
    bytes += own
  }
  if (batch.length > 0) yield batch
}

const bytesOf = ({ fileIds }: ItemRow, sources: Sources): number =>
  fileIds.reduce((sum, id) => sum + (sources.get(id)?.sizeBytes ?? 0), 0)

type Batch = {
  batch: ItemRow[]
  /** All of the work; what is learned of images is written into them. */
  items: ItemRow[]
  sources: Sources
  folder: string
  signal: AbortSignal
}

export async function workOn(ctx: WorkerContext, row: PreparationRow, batch: Batch): Promise<void> {
  const bytes = batch.batch.reduce((sum, item) => sum + bytesOf(item, batch.sources), 0)
  await reserveFor(ctx, row, bytes)
  const isThere = ({ fileIds }: ItemRow): boolean => fileIds.every((id) => batch.sources.has(id))
  const there = batch.batch.filter(isThere)
  const gone = batch.batch.filter((item) => !isThere(item))
  const made =
    batch.batch[0]?.role === 'copy'
      ? copied(there, batch.sources)
      : await byEngine(ctx, row, { ...batch, batch: there })
  const lost = gone.map((item): Outcome => {
    return { item, reason: { name: 'gone', params: {} }, before: null, made: [] }
  })
  await keepOutcomes(ctx, row, [...made, ...lost])
  for (const { item, before, made: files } of made) Object.assign(item, { before, made: files })
  await tellWork(ctx, row.id)
}

const nowhere = { matrix: null, isExact: true, width: null, height: null }

const copied = (items: readonly ItemRow[], sources: Sources): Outcome[] =>
  items.map((item) => {
    const source = sources.get(item.fileIds[0] ?? '')
    const made = source ? [{ ...nowhere, ...source, name: nameOf(item.path) }] : []
    return { item, reason: null, before: null, made }
  })

async function byEngine(
  ctx: WorkerContext,
  row: PreparationRow,
  { batch, items, sources, folder, signal }: Batch,
): Promise<Outcome[]> {
  const list: PrepareFile[] = []
  const sizes = imageSizes(items)
  const repairs = repairsOf(row)
  const read = await asRead(ctx, batch, sources)
  const images = await imagesBeside(ctx, row, { batch, items })
  const outcomes: Outcome[] = []
  for (const item of batch) {
    const one = read.get(item.position) ?? []
    if ('reason' in one) outcomes.push({ item, reason: one.reason, before: null, made: [] })
    else
      list.push(
        await laidOut(ctx, item, { files: [...one, ...(images.get(item) ?? [])], folder, sizes, repairs }),
      )
  }
  const found: Prepared[] = []
  if (list.length > 0)
    await ctx.engine.prepare(askedOf(row, batch, items), list, {
      signal,
      onFile: async (file) => {
        // Away from the folder that goes with the process.
        const made = []
        for (const one of file.made) {
          const path = join(folder, randomUUID())
          await rename(one.path, path)
          made.push({ ...one, path })
        }
        found.push({ ...file, made })
      },
    })
  const byPosition = new Map(batch.map((item) => [String(item.position), item]))
  await sideBySide(found, STORED_AT_ONCE, async ({ id, reason, before, made }) => {
    const item = byPosition.get(id)
    if (!item) return
    const stored: (ItemMade & MadeFile)[] = []
    for (const { path, ...one } of made) stored.push({ ...one, ...(await storeMade(ctx, path)) })
    outcomes.push({ item, reason, before, made: stored })
  })
  // In the order of the plan, so that of two files of one name it is always the same that stays.
  return outcomes.sort((one, other) => one.item.position - other.item.position)
}

function askedOf(
  { work }: PreparationRow,
  batch: readonly ItemRow[],
  items: readonly ItemRow[],
): PrepareSpec['work'] {
  if (batch[0]?.role === 'labels') return { do: 'labels', pictures: picturesOf(items) }
  if (work.kind === 'repair') return { do: 'repair' }
  if (work.kind === 'recipe') return { do: 'recipe', recipe: work.recipe }
  if (work.kind === 'algebra')
    return { do: 'join', join: work.join, classes: work.classes, steps: work.steps }
  if (work.kind === 'merge' && work.as !== 'folder') return { do: work.as }
  return { do: work.kind === 'stitch' ? 'stitch' : 'split' }
}

/** Of all images that were prepared: where things in them are now. */
const picturesOf = (items: readonly ItemRow[]): PreparedPicture[] =>
  items.flatMap(({ role, path, before, made }) =>
    role !== 'image' || before === null
      ? []
      : made.flatMap(({ name, matrix, isExact, width, height }) =>
          matrix === null || width === null || height === null
            ? []
            : [
                {
                  ...{ path, name, matrix, isExact, width, height },
                  ...{ beforeWidth: before.width, beforeHeight: before.height },
                },
              ],
        ),
  )

/** Of masks their images, where a step looks at these. */
async function imagesBeside(
  ctx: WorkerContext,
  row: PreparationRow,
  { batch, items }: Pick<Batch, 'batch' | 'items'>,
): Promise<Map<ItemRow, Source[]>> {
  const masks = batch.filter(({ role }) => role === 'mask')
  if (row.work.kind !== 'recipe' || !row.work.recipe.steps.some(isToContent)) return new Map()
  const ofImages = items.filter(({ role }) => role === 'image')
  const byStem = new Map(ofImages.map((item) => [stemName(item), item]))
  const pairs = masks.flatMap((mask) => {
    const image = byStem.get(stemName(mask))
    return image ? [{ mask, image }] : []
  })
  const images = pairs.map(({ image }) => image)
  const read = await asRead(ctx, images, await sourcesOf(ctx, row, images))
  const beside = new Map<ItemRow, Source[]>()
  for (const { mask, image } of pairs) {
    const one = read.get(image.position)
    if (one && !('reason' in one)) beside.set(mask, one)
  }
  return beside
}

const stemName = ({ path }: ItemRow): string => nameOf(stemOf(path))

/** The bytes that the engine reads of each item: of DICOM what is made of it, or why nothing can be. */
async function asRead(
  ctx: WorkerContext,
  items: readonly ItemRow[],
  sources: Sources,
): Promise<Map<number, Source[] | { reason: PrepareReason }>> {
  const filesOf = ({ fileIds }: ItemRow): Source[] => fileIds.flatMap((id) => sources.get(id) ?? [])
  const read = new Map<number, Source[] | { reason: PrepareReason }>(
    items.map((item) => [item.position, filesOf(item)]),
  )
  const dicom = items.flatMap((item) =>
    item.dicom === null ? [] : [{ item, dicom: item.dicom, files: filesOf(item) }],
  )
  const made = await madeOfDicom(ctx, dicom)
  for (const [index, { item }] of dicom.entries()) {
    const one = made[index]
    if (!one) continue
    read.set(item.position, 'reason' in one ? one : [{ name: nameOf(item.path), sizeBytes: 0, ...one }])
  }
  return read
}

/** Texts find their images by where they lie; what is made of several files is called as it was planned. */
function nameFor({ role, path, fileIds }: ItemRow, name: string): string {
  if (role === 'labels') return path
  return role === 'group' || fileIds.length > 1 ? nameOf(path) : name
}

type Repairs = ReadonlyMap<string, Repair[]>

/** By the masks that they are for. */
const repairsOf = ({ work }: PreparationRow): Repairs =>
  new Map(work.kind === 'repair' ? work.pairs.map(({ maskId, repairs }) => [maskId, repairs]) : [])

type Sizes = ReadonlyMap<string, { width: number; height: number }>

/** By their names without folder and ending, where all images of the name are of one size. */
function imageSizes(items: readonly ItemRow[]): Sizes {
  const sizes = new Map<string, { width: number; height: number } | null>()
  for (const { role, path, before } of items) {
    if (role !== 'image' || before === null) continue
    const stem = nameOf(stemOf(path))
    const known = sizes.get(stem)
    const isOther = known !== undefined && (known?.width !== before.width || known.height !== before.height)
    sizes.set(stem, isOther ? null : before)
  }
  return new Map([...sizes].flatMap(([stem, size]) => (size === null ? [] : [[stem, size] as const])))
}

async function laidOut(
  ctx: WorkerContext,
  item: ItemRow,
  {
    files,
    folder,
    sizes,
    repairs,
  }: { files: readonly Source[]; folder: string; sizes: Sizes; repairs: Repairs },
): Promise<PrepareFile> {
  const paths: string[] = []
  const names: string[] = []
  for (const source of files) {
    const path = join(folder, `${item.position}.${paths.length}`)
    await ctx.storage.linkInto(source.sha256, path)
    paths.push(path)
    names.push(source.name)
  }
  const isMask = item.role === 'mask'
  return {
    id: String(item.position),
    paths,
    names: [nameFor(item, names[0] ?? ''), ...names.slice(1)],
    isMask,
    expect: isMask ? (sizes.get(nameOf(stemOf(item.path))) ?? null) : null,
    repairs: repairs.get(item.fileIds[0] ?? '') ?? [],
  }
}
