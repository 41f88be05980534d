/** Turns DICOM into what networks read, once for the same bytes and window, by the program that converts files. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { DicomWindow } from '@neuroloom/contract/dicom-data'
import { viewing as limits } from '@neuroloom/contract/limits'
import type { ViewNote } from '@neuroloom/contract/viewing'
import { inArray, sql } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import type { DerivedFile, DerivedKind, Unfit } from '../../../infra/reader/deriving.ts'
import { ReaderFailure, read } from '../../../infra/reader/reader.ts'
import { addBlob } from '../../../infra/storage/blobs.ts'
import { readerFolder } from '../view/folders.ts'
import { derivedImages, derivedSources } from './tables.ts'

/** One file, or those of a series, in the order of their names. */
export type ToDerive = {
  kind: DerivedKind
  window: DicomWindow | null
  files: { name: string; sha256: string; sizeBytes: number }[]
  /** Of `segments`: what stands for the segments of each segmentation, which are the last files. */
  segments?: Record<string, number>[]
}
type Options = {
  onProgress?: (done: number) => Promise<void>
  /** Refused as busy behind more readings than these. */
  mayWait?: number
}
export type Derived = { sha256: string; notes: readonly ViewNote[] } | { unfit: Unfit }

/** What is made otherwise than before has another number. */
const MAKER = 2

/**
 * What became of each. A batch is stored when it is through, so that whoever is killed goes on with the next one. The
 * bytes count for nobody: they hang on their sources, which count, and go when no data set and no later look uses them.
 */
export async function deriveAll(
  ctx: Context,
  wanted: readonly ToDerive[],
  { onProgress = async () => undefined, mayWait = Number.POSITIVE_INFINITY }: Options = {},
): Promise<Derived[]> {
  const keys = wanted.map(keyOf)
  const known = await findKnown(ctx, keys)
  const open = new Map<string, ToDerive>()
  for (const [index, one] of wanted.entries()) {
    const key = keys[index] ?? ''
    if (!known.has(key)) open.set(key, one)
  }
  let done = wanted.length - open.size
  await onProgress(done)
  for (const batch of batchesOf(open)) {
    await ctx.room.require()
    for (const [key, derived] of await makeBatch(ctx, batch, mayWait)) known.set(key, derived)
    done += batch.length
    await onProgress(done)
  }
  return keys.map((key) => known.get(key) ?? unreadable)
}

const unreadable: Derived = { unfit: { reason: 'dicom_unreadable', params: {} } }

function keyOf({ kind, window, files, segments }: ToDerive): string {
  const asked = window === null || kind !== 'picture' ? 'own' : `${window.center} ${window.width}`
  const values = segments ? [JSON.stringify(segments)] : []
  const parts = [MAKER, kind, asked, ...values, ...files.map(({ sha256 }) => sha256)]
  return createHash('sha256').update(parts.join('\n')).digest('hex')
}

/** What is used stays. */
async function findKnown(ctx: Context, keys: string[]): Promise<Map<string, Derived>> {
  const known = new Map<string, Derived>()
  for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
    const rows = await ctx.db
      .update(derivedImages)
      .set({ usedAt: ctx.now() })
      .where(inArray(derivedImages.key, [...new Set(keys.slice(start, start + KEYS_AT_ONCE))]))
      .returning()
    for (const { key, sha256, unfit, notes } of rows) {
      if (sha256 !== null) known.set(key, { sha256, notes })
      else if (unfit) known.set(key, { unfit })
    }
  }
  return known
}

const KEYS_AT_ONCE = 1000

type Keyed = readonly [key: string, wanted: ToDerive]

/** Pictures together, and masks, for starting the program takes longer than one of them; a volume by itself. */
function batchesOf(open: ReadonlyMap<string, ToDerive>): Keyed[][] {
  const batches: Keyed[][] = []
  let bytes = 0
  for (const [key, one] of open) {
    const size = one.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    const last = batches.at(-1)
    const isAlike = !isVolume(one) && last?.[0]?.[1].kind === one.kind
    const fits = isAlike && last.length < limits.thumbnailsAtOnce && bytes + size <= limits.thumbnailsBytes
    if (last && fits) last.push([key, one])
    else batches.push([[key, one]])
    bytes = fits ? bytes + size : size
  }
  return batches
}

const isVolume = ({ kind }: ToDerive): boolean => kind === 'volume' || kind === 'segments'

/** One program for all; where one file ends it, one for each. */
async function makeBatch(ctx: Context, batch: Keyed[], mayWait: number): Promise<Map<string, Derived>> {
  const made = await tryBatch(ctx, batch, mayWait)
  if (made) return made
  const singly = new Map<string, Derived>()
  for (const one of batch.length > 1 ? batch : []) {
    for (const [key, derived] of (await tryBatch(ctx, [one], mayWait)) ?? []) singly.set(key, derived)
  }
  return singly
}

/** Null when the program did not answer, which says nothing for good. */
async function tryBatch(ctx: Context, batch: Keyed[], mayWait: number): Promise<Map<string, Derived> | null> {
  const folder = join(readerFolder(ctx), newId())
  await mkdir(folder, { recursive: true })
  try {
    const wanted = batch.map(([, one]) => one)
    const derived = await ask(ctx, wanted, { folder, mayWait })
    const made = new Map<string, Derived>()
    for (const [index, [key, wanted]] of batch.entries()) {
      const one = derived[index]
      if (one) made.set(key, await keep(ctx, { key, wanted, one, folder }))
    }
    return made
  } catch (error) {
    if (error instanceof ReaderFailure) return null
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function ask(
  ctx: Context,
  wanted: ToDerive[],
  { folder, mayWait }: { folder: string; mayWait: number },
): Promise<DerivedFile[]> {
  const images: (Pick<ToDerive, 'window' | 'segments'> & { files: { path: string; name: string }[] })[] = []
  for (const [index, { files, window, segments }] of wanted.entries()) {
    const laidOut: { path: string; name: string }[] = []
    for (const [number, { name, sha256 }] of files.entries()) {
      const path = join(folder, `file${index}_${number}`)
      await ctx.storage.linkInto(sha256, path)
      laidOut.push({ path, name })
    }
    images.push({ files: laidOut, window, ...(segments ? { segments } : {}) })
  }
  const kind = wanted[0]?.kind ?? 'picture'
  const task = { task: 'derive', kind, images, out: folder, limitBytes: limits.pixelBytes } as const
  const options = { log: ctx.log, folder, timeMs: limits.readMs, mayWait }
  return (await read(task, options)).derived
}

type Made = { key: string; wanted: ToDerive; one: DerivedFile; folder: string }

/** Stored first, then, in one step, written down. */
async function keep(ctx: Context, { key, wanted, one, folder }: Made): Promise<Derived> {
  const stored = 'made' in one ? await store(ctx, join(folder, one.made)) : null
  const unfit = 'unfit' in one ? one.unfit : null
  const notes = 'made' in one ? [...one.notes] : []
  const row = { key, sha256: stored?.sha256 ?? null, unfit, notes, usedAt: ctx.now() }
  await ctx.db.transaction(async (tx) => {
    if (stored) await addBlob(tx, stored)
    await tx.insert(derivedImages).values(row).onConflictDoUpdate({ target: derivedImages.key, set: row })
    const sources = wanted.files.map(({ sha256 }) => sha256)
    await tx.execute(sql`
      insert into ${derivedSources} (key, sha256)
      select distinct ${key}, sha256 from blobs where sha256 = any(${sql.param(sources)}::text[])
      on conflict do nothing`)
  })
  return stored
    ? { sha256: stored.sha256, notes }
    : { unfit: unfit ?? { reason: 'dicom_unreadable', params: {} } }
}

async function store(ctx: Context, path: string): Promise<{ sha256: string; sizeBytes: number }> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  const sha256 = hash.digest('hex')
  const { size } = await stat(path)
  await ctx.storage.adopt(path, sha256)
  return { sha256, sizeBytes: size }
}
