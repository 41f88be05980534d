/** Masks as numbers, and where images lie: by the reading program, which alone ends of a hostile file. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { labelExchange as limits, viewing } from '@neuroloom/contract/limits'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import type { ImagePlace, LabelsMade, LabelsRefused } from '../../../infra/reader/labels/labels.ts'
import { ReaderFailure, read } from '../../../infra/reader/reader.ts'
import type { LabelsAnswer } from '../../../infra/reader/tasks.ts'
import { readerFolder } from './folders.ts'
import type { ViewSource } from './make.ts'

/** A stored file, or bytes that stand in another one. */
type MaskBytes = { name: string } & ({ sha256: string; sizeBytes: number } | { bytes: Buffer })
/** Layers are bytes of the contract's `wholePatch`; null = nothing is marked. */
export type Mask = (Omit<LabelsMade, 'made'> & { layers: (Buffer | null)[] }) | { refused: LabelsRefused }

/** One after the other, in the order given; a program decodes several, for starting it takes longer than one. */
export async function* readMasks(ctx: Context, files: readonly MaskBytes[]): AsyncGenerator<Mask> {
  for (let start = 0; start < files.length; ) {
    const batch = batchFrom(files, start)
    start += batch.length
    yield* (await decode(ctx, batch)) ?? (await singly(ctx, batch))
  }
}

function batchFrom(files: readonly MaskBytes[], start: number): MaskBytes[] {
  const batch: MaskBytes[] = []
  let sum = 0
  for (const file of files.slice(start, start + limits.masksAtOnce)) {
    sum += 'bytes' in file ? file.bytes.length : file.sizeBytes
    if (batch.length > 0 && sum > viewing.thumbnailsBytes) break
    batch.push(file)
  }
  return batch
}

/** One file ended the program for all. */
async function singly(ctx: Context, batch: readonly MaskBytes[]): Promise<Mask[]> {
  const masks: Mask[] = []
  for (const file of batch)
    masks.push((await decode(ctx, [file]))?.[0] ?? { refused: { name: 'reader_failed', params: {} } })
  return masks
}

/** Null where the program did not answer. */
async function decode(ctx: Context, batch: readonly MaskBytes[]): Promise<Mask[] | null> {
  return inFolder(ctx, async (folder) => {
    const files: { path: string; name: string }[] = []
    for (const [index, file] of batch.entries()) {
      const path = join(folder, `mask${index}`)
      if ('bytes' in file) await writeFile(path, file.bytes)
      else await ctx.storage.linkInto(file.sha256, path)
      files.push({ path, name: file.name })
    }
    const task = { task: 'labels' as const, files, out: folder, limitBytes: viewing.pixelBytes }
    const { labels } = await read(task, optionsOf(ctx, folder))
    return Promise.all(labels.map((one) => taken(one, folder)))
  })
}

async function taken(one: LabelsAnswer['labels'][number], folder: string): Promise<Mask> {
  if ('refused' in one) return one
  const { made, ...mask } = one
  const layers = await Promise.all(made.map((name) => (name === '' ? null : readFile(join(folder, name)))))
  return { ...mask, layers }
}

/** Null of what cannot be read. */
export async function placesOf(ctx: Context, images: readonly ViewSource[]): Promise<(ImagePlace | null)[]> {
  const places: (ImagePlace | null)[] = []
  for (let start = 0; start < images.length; start += limits.masksAtOnce) {
    const batch = images.slice(start, start + limits.masksAtOnce)
    const found = await place(ctx, batch)
    if (found) places.push(...found)
    else for (const image of batch) places.push((await place(ctx, [image]))?.[0] ?? null)
  }
  return places
}

function place(ctx: Context, batch: readonly ViewSource[]): Promise<(ImagePlace | null)[] | null> {
  return inFolder(ctx, async (folder) => {
    const images: { path: string; name: string }[][] = []
    for (const [index, { files }] of batch.entries()) {
      const slices: (typeof images)[number] = []
      for (const [number, { name, sha256 }] of files.entries()) {
        const path = join(folder, `image${index}_${number}`)
        await ctx.storage.linkInto(sha256, path)
        slices.push({ path, name })
      }
      images.push(slices)
    }
    const task = { task: 'places' as const, images, out: folder, limitBytes: viewing.pixelBytes }
    return (await read(task, optionsOf(ctx, folder))).places
  })
}

const optionsOf = (ctx: Context, folder: string) => ({
  ...{ log: ctx.log, folder, timeMs: limits.masksMs, mayWait: Number.POSITIVE_INFINITY },
})

async function inFolder<Answer>(
  ctx: Context,
  work: (folder: string) => Promise<Answer>,
): Promise<Answer | null> {
  const folder = join(readerFolder(ctx), newId())
  await mkdir(folder, { recursive: true })
  try {
    return await work(folder)
  } catch (error) {
    if (error instanceof ReaderFailure) return null
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
