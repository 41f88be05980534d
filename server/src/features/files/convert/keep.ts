import { basename } from 'node:path'
import type { ConversionCheck, ConversionFormat } from '@neuroloom/contract/conversions'
import type { ViewNote } from '@neuroloom/contract/viewing'
import { and, eq, isNull, or } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { Failure } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { RESULT } from '../../../infra/reader/names.ts'
import * as plans from '../../plans/service.ts'
import { requireFolder, type SeenEntry } from '../access.ts'
import { queueCheck } from '../check-queue.ts'
import { addFiles, makeFolder, ownerOf, type Stored, storeMade, type Target } from '../made.ts'
import { cleanName, numberedName } from '../names.ts'
import { record } from '../records/records.ts'
import { requireRoomAtTop } from '../room-at-top.ts'
import { files } from '../tables.ts'
import { childrenOf, lockCloud } from '../tree.ts'
import { leases, returnSpace } from './lease.ts'
import { type ConversionRow, conversionItems, type ItemRow } from './tables.ts'

type Item = Pick<ItemRow, 'conversionId' | 'position'>

export const isItem = ({ conversionId, position }: Item) =>
  and(eq(conversionItems.conversionId, conversionId), eq(conversionItems.position, position))

/** Sets aside as much as the source takes, before anything is made: what will not fit fails early. */
export async function reserveFor(
  ctx: Context,
  row: ConversionRow,
  { item, target, bytes }: { item: ItemRow; target: Target; bytes: number },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await leases.hold(tx, row)
    await plans.reserve(ctx, tx, await ownerOf(tx, target), bytes)
    await tx
      .update(conversionItems)
      .set({ reservedFor: target.ownerId, reservedBytes: bytes })
      .where(isItem(item))
  })
}

export type Made = {
  format: ConversionFormat
  paths: string[]
  checks: ConversionCheck[]
  notes: ViewNote[]
  stem: string
}
type Kept = Stored & { ending: string }
type Result = { id: string; name: string; kind: 'file' | 'folder' }

type Keeping = {
  item: ItemRow
  target: Target
  /** Chosen in the place of its files: their results lie together in a folder of their own. */
  folderOfSource: Pick<SeenEntry, 'id' | 'ownerId' | 'name'> | null
  made: Made
}

/** The results become files: stored first, then, in one step, seen, counted and written down. */
export async function keepResults(
  ctx: Context,
  row: ConversionRow,
  { item, target, folderOfSource, made }: Keeping,
): Promise<void> {
  const stored: Kept[] = []
  for (const path of made.paths)
    stored.push({ ...(await storeMade(ctx, path)), ending: basename(path).slice(RESULT.length) })
  const bytes = stored.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  await ctx.db.transaction(async (tx) => {
    await lockCloud(tx, target.ownerId)
    await leases.hold(tx, row)
    // It may have gone, or the right to it, while the work went on.
    if (target.parentId !== null) await requireFolder(tx, { id: row.ownerId }, target.parentId, 'edit')
    await returnSpace(tx, isItem(item))
    const owner = await ownerOf(tx, target)
    await plans.reserve(ctx, tx, owner, bytes)
    const place = folderOfSource
      ? await commonPlace(ctx, tx, { row, target, folderOfSource, format: made.format })
      : target
    if (stored.length > 1 && place.parentId === null)
      await requireRoomAtTop(ctx, tx, { caller: { user: owner }, folders: 1 })
    const result = await putDown(ctx, tx, { memberId: row.ownerId, target: place, made, stored })
    await plans.commit(tx, target.ownerId, { reservedBytes: bytes, usedBytes: bytes })
    const detail = { from: item.sourceName, count: stored.length }
    const entry = { id: result.id, ownerId: target.ownerId, name: result.name }
    await record(ctx, tx, [{ action: 'convert', actorId: row.ownerId, entry, detail }])
    await tx
      .update(conversionItems)
      .set({
        state: 'done',
        reason: null,
        checks: made.checks,
        notes: made.notes,
        resultId: result.id,
        resultName: result.name,
        resultKind: result.kind,
        resultFiles: stored.length,
      })
      .where(isItem(item))
  })
  queueCheck(ctx, target.ownerId)
}

type Common = {
  row: ConversionRow
  target: Target
  folderOfSource: NonNullable<Keeping['folderOfSource']>
  format: ConversionFormat
}

/** The folder for the results of a chosen folder. Where the top has no room for it, inside of an own folder, else loose. */
async function commonPlace(ctx: Context, tx: Tx, common: Common): Promise<Target> {
  const { row, target, folderOfSource, format } = common
  const known = await folderOfResults(tx, common)
  if (known !== null) return { ...target, parentId: known }
  const hasRoom = await hasRoomFor(ctx, tx, target)
  if (!hasRoom && folderOfSource.ownerId !== target.ownerId) return target
  const around = hasRoom ? target : { ...target, parentId: folderOfSource.id }
  const name = nameIn(format, folderOfSource.name)
  const { id } = await makeFolder(ctx, tx, { memberId: row.ownerId, target: around, name })
  return { ...target, parentId: id }
}

async function hasRoomFor(ctx: Context, tx: Tx, target: Target): Promise<boolean> {
  if (target.parentId !== null) return true
  try {
    await requireRoomAtTop(ctx, tx, { caller: { user: await ownerOf(tx, target) }, folders: 1 })
    return true
  } catch (error) {
    if (error instanceof Failure && error.failure === 'plan_limit') return false
    throw error
  }
}

/** Where this conversion has put results of the same folder; null before the first one, or where that was moved. */
async function folderOfResults(tx: Tx, { row, target, folderOfSource }: Common): Promise<string | null> {
  const result = alias(files, 'result')
  const source = alias(files, 'source')
  const folder = alias(files, 'folder')
  const [found] = await tx
    .select({ id: folder.id })
    .from(conversionItems)
    .innerJoin(result, eq(result.id, conversionItems.resultId))
    .innerJoin(source, eq(source.id, conversionItems.sourceId))
    .innerJoin(folder, eq(folder.id, result.parentId))
    .where(
      and(
        eq(conversionItems.conversionId, row.id),
        eq(source.parentId, folderOfSource.id),
        eq(folder.ownerId, target.ownerId),
        or(
          target.parentId === null ? isNull(folder.parentId) : eq(folder.parentId, target.parentId),
          eq(folder.parentId, folderOfSource.id),
        ),
        isNull(folder.recycledAt),
      ),
    )
    .limit(1)
  return found?.id ?? null
}

type Down = { memberId: string; target: Target; made: Made; stored: Kept[] }

/** One file beside the source, or a folder of many, under a name that is free. */
async function putDown(ctx: Context, tx: Tx, { memberId, target, made, stored }: Down): Promise<Result> {
  const [only] = stored
  if (stored.length === 1 && only) {
    const taken = new Set((await childrenOf(tx, target.ownerId, [target.parentId])).map(({ name }) => name))
    const name = freeName(made.stem, only.ending, taken)
    const [id = ''] = await addFiles(ctx, tx, { memberId, target, made: [{ ...only, name }] })
    return { id, name, kind: 'file' }
  }
  const { id, name } = await makeFolder(ctx, tx, {
    memberId,
    target,
    name: nameIn(made.format, made.stem),
  })
  await addFiles(ctx, tx, {
    memberId,
    target: { ownerId: target.ownerId, parentId: id },
    made: stored.map(({ ending, ...bytes }) => ({ ...bytes, name: `${made.stem}${ending}` })),
  })
  return { id, name, kind: 'folder' }
}

const nameIn = (format: ConversionFormat, name: string): string =>
  `${[...name].slice(0, STEM_LENGTH).join('')} (${shown[format]})`

const shown: Record<ConversionFormat, string> = {
  nifti: 'NIfTI',
  nrrd: 'NRRD',
  mha: 'MHA',
  tiff: 'TIFF',
  png: 'PNG',
  jpeg: 'JPEG',
  dicom: 'DICOM',
}

/** The number stands before all of the ending, which may have two parts. */
export function freeName(stem: string, ending: string, taken: ReadonlySet<string>): string {
  const isTaken = (one: string): boolean => taken.has(one + ending)
  return (isTaken(stem) ? numberedName({ name: stem, kind: 'folder' }, isTaken) : stem) + ending
}

/** What results are called after: the source's name without its endings. */
export function stemOf(sourceName: string): string {
  const bare = sourceName
    .replace(/\.gz$/i, '')
    .replace(
      /\.(dcm|dicom|ima|nii|nrrd|nhdr|mha|mhd|tiff?|btf|ome|png|jpe?g|jfif|gif|webp|avif|bmp|dib)$/i,
      '',
    )
  return cleanName([...bare.replace(/[/\\]/g, '-')].slice(0, STEM_LENGTH).join('')) ?? 'image'
}

const STEM_LENGTH = 120
