import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ConversionCheck, ConversionFormat } from '@neuroloom/contract/conversions'
import { and, eq } from 'drizzle-orm'
import { Failure } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { RESULT } from '../../../infra/reader/names.ts'
import { addBlob } from '../../../infra/storage/blobs.ts'
import { users } from '../../accounts/tables.ts'
import * as plans from '../../plans/service.ts'
import { requireFolder, type SeenEntry } from '../access.ts'
import { queueCheck } from '../check-queue.ts'
import { cleanName, nameColumns, numberedName } from '../names.ts'
import { record } from '../records/records.ts'
import { requireRoomAtTop } from '../service.ts'
import { files } from '../tables.ts'
import { childrenOf, grow, lockCloud } from '../tree.ts'
import { hold, returnSpace } from './lease.ts'
import { type ConversionRow, conversionItems, type ItemRow } from './tables.ts'

/** Where results go: beside the source where the member may change things, else to the top of the own files. */
export type Target = { ownerId: string; parentId: string | null }
type Item = Pick<ItemRow, 'conversionId' | 'position'>

export async function targetOf(ctx: Context, memberId: string, source: SeenEntry): Promise<Target> {
  const { ownerId, parentId } = source
  if (parentId === null && ownerId === memberId) return { ownerId, parentId }
  if (parentId !== null) {
    const folder = await requireFolder(ctx.db, { id: memberId }, parentId, 'edit').catch(orNothing)
    if (folder) return { ownerId: folder.ownerId, parentId }
  }
  return { ownerId: memberId, parentId: null }
}

function orNothing(error: unknown): null {
  if (error instanceof Failure) return null
  throw error
}

export const isItem = ({ conversionId, position }: Item) =>
  and(eq(conversionItems.conversionId, conversionId), eq(conversionItems.position, position))

/** Sets aside as much as the source takes, before anything is made: what will not fit fails early. */
export async function reserveFor(
  ctx: Context,
  row: ConversionRow,
  { item, target, bytes }: { item: ItemRow; target: Target; bytes: number },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await hold(tx, row)
    await plans.reserve(ctx, tx, await ownerOf(tx, target), bytes)
    await tx
      .update(conversionItems)
      .set({ reservedFor: target.ownerId, reservedBytes: bytes })
      .where(isItem(item))
  })
}

async function ownerOf(tx: Tx, { ownerId }: Target) {
  const [owner] = await tx.select().from(users).where(eq(users.id, ownerId))
  if (!owner) throw new Error('A conversion has no owner')
  return owner
}

export type Made = { format: ConversionFormat; paths: string[]; checks: ConversionCheck[]; stem: string }
type Stored = { sha256: string; sizeBytes: number; ending: string }
type Result = { id: string; name: string; kind: 'file' | 'folder' }

/** The results become files: stored first, then, in one step, seen, counted and written down. */
export async function keepResults(
  ctx: Context,
  row: ConversionRow,
  { item, target, made }: { item: ItemRow; target: Target; made: Made },
): Promise<void> {
  const stored: Stored[] = []
  for (const path of made.paths) stored.push(await store(ctx, path))
  const bytes = stored.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  await ctx.db.transaction(async (tx) => {
    await lockCloud(tx, target.ownerId)
    await hold(tx, row)
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
        resultId: result.id,
        resultName: result.name,
        resultKind: result.kind,
        resultFiles: stored.length,
      })
      .where(isItem(item))
  })
  queueCheck(ctx, target.ownerId)
}

/** Under the number of its bytes; nobody sees it before a row names it. */
async function store(ctx: Context, path: string): Promise<Stored> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  const sha256 = hash.digest('hex')
  const { size } = await stat(path)
  await ctx.storage.adopt(path, sha256)
  return { sha256, sizeBytes: size, ending: basename(path).slice(RESULT.length) }
}

type Down = { memberId: string; target: Target; made: Made; stored: Stored[] }

/** One file beside the source, or a folder of many, under a name that is free. */
async function putDown(ctx: Context, tx: Tx, { memberId, target, made, stored }: Down): Promise<Result> {
  const { ownerId, parentId } = target
  const taken = new Set((await childrenOf(tx, ownerId, [parentId])).map(({ name }) => name))
  const common = { ownerId, modifiedAt: ctx.now(), modifiedBy: memberId }
  const [only] = stored
  const isOne = stored.length === 1 && only !== undefined
  const name = freeName(
    isOne ? made.stem : `${made.stem} (${shown[made.format]})`,
    isOne ? only.ending : '',
    taken,
  )
  const id = newId()
  const kind = isOne ? 'file' : 'folder'
  const bytes = isOne ? { sha256: only.sha256, sizeBytes: only.sizeBytes, fileCount: 1 } : {}
  for (const { sha256, sizeBytes } of stored) await addBlob(tx, { sha256, sizeBytes })
  await tx.insert(files).values({ id, parentId, kind, ...nameColumns(name, kind), ...bytes, ...common })
  if (!isOne) {
    const rows = stored.map(({ sha256, sizeBytes, ending }) => ({
      id: newId(),
      parentId: id,
      kind: 'file' as const,
      ...nameColumns(`${made.stem}${ending}`, 'file'),
      sha256,
      sizeBytes,
      fileCount: 1,
      ...common,
    }))
    for (let start = 0; start < rows.length; start += AT_ONCE)
      await tx.insert(files).values(rows.slice(start, start + AT_ONCE))
  }
  const sum = stored.reduce((total, { sizeBytes }) => total + sizeBytes, 0)
  await grow(tx, isOne ? parentId : id, { bytes: sum, files: stored.length })
  return { id, name, kind }
}

const AT_ONCE = 500

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
function freeName(stem: string, ending: string, taken: ReadonlySet<string>): string {
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
