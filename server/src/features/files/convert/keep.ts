import { basename } from 'node:path'
import type { ConversionCheck, ConversionFormat } from '@neuroloom/contract/conversions'
import type { ViewNote } from '@neuroloom/contract/viewing'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { RESULT } from '../../../infra/reader/names.ts'
import * as plans from '../../plans/service.ts'
import { requireFolder } from '../access.ts'
import { queueCheck } from '../check-queue.ts'
import { addFiles, makeFolder, ownerOf, type Stored, storeMade, type Target } from '../made.ts'
import { cleanName, numberedName } from '../names.ts'
import { record } from '../records/records.ts'
import { requireRoomAtTop } from '../room-at-top.ts'
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

/** The results become files: stored first, then, in one step, seen, counted and written down. */
export async function keepResults(
  ctx: Context,
  row: ConversionRow,
  { item, target, made }: { item: ItemRow; target: Target; made: Made },
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
    if (stored.length > 1 && target.parentId === null)
      await requireRoomAtTop(ctx, tx, { caller: { user: owner }, folders: 1 })
    const result = await putDown(ctx, tx, { memberId: row.ownerId, target, made, stored })
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
    name: `${made.stem} (${shown[made.format]})`,
  })
  await addFiles(ctx, tx, {
    memberId,
    target: { ownerId: target.ownerId, parentId: id },
    made: stored.map(({ ending, ...bytes }) => ({ ...bytes, name: `${made.stem}${ending}` })),
  })
  return { id, name, kind: 'folder' }
}

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
