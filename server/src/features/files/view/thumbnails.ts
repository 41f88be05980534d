/** Small pictures of what the engine does not read as pictures: volumes and DICOM, by the program that shows them. */
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { viewing as limits, files as pictures } from '@neuroloom/contract/limits'
import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import { ReaderFailure, read } from '../../../infra/reader/reader.ts'
import { blobs, thumbnailPath } from '../../../infra/storage/blobs.ts'
import { readerFolder } from './folders.ts'
import { guessKind, HEAD_BYTES } from './kinds.ts'
import { headOf } from './sources.ts'

export type ScanFile = { name: string; sha256: string; sizeBytes: number }

/** Makes and keeps them; what has none is told as no picture, so that nobody looks again. */
export async function makeThumbnails(ctx: Context, list: readonly ScanFile[]): Promise<void> {
  let batch: ScanFile[] = []
  let bytes = 0
  for (const file of list) {
    if (!(await isWorthReading(ctx, file))) {
      await tell(ctx, file, { isMade: false })
      continue
    }
    const isFull = batch.length >= limits.thumbnailsAtOnce || bytes + file.sizeBytes > limits.thumbnailsBytes
    if (isFull && batch.length > 0) {
      await makeBatch(ctx, batch)
      batch = []
      bytes = 0
    }
    batch.push(file)
    bytes += file.sizeBytes
  }
  if (batch.length > 0) await makeBatch(ctx, batch)
}

async function isWorthReading(ctx: Context, file: ScanFile): Promise<boolean> {
  if (file.sizeBytes > limits.thumbnailFileBytes) return false
  return guessKind(await headOf(ctx, file, HEAD_BYTES), file.name).isImage
}

/**
 * One program for all; where one file ends it, one for each. None gets the second file that a header may name: others'
 * headers may be the same, and what they name another.
 */
async function makeBatch(ctx: Context, batch: readonly ScanFile[]): Promise<void> {
  if (await tryBatch(ctx, batch)) return
  for (const file of batch) {
    const isOneDone = batch.length > 1 && (await tryBatch(ctx, [file]))
    if (!isOneDone) await tell(ctx, file, { isMade: false })
  }
}

/** False when the program did not answer. */
async function tryBatch(ctx: Context, batch: readonly ScanFile[]): Promise<boolean> {
  const folder = join(readerFolder(ctx), newId())
  await mkdir(folder, { recursive: true })
  try {
    const laidOut: { path: string; name: string }[] = []
    for (const [index, { sha256, name }] of batch.entries()) {
      const path = join(folder, `file${index}`)
      await ctx.storage.linkInto(sha256, path)
      laidOut.push({ path, name })
    }
    const { made } = await read(
      {
        task: 'thumbnails',
        files: laidOut,
        out: folder,
        limitBytes: limits.pixelBytes,
        side: pictures.thumbnailPixels,
      },
      // Members wait for other images, nobody for these; there is one such job at a time.
      { log: ctx.log, folder, timeMs: limits.thumbnailMs, mayWait: Number.POSITIVE_INFINITY },
    )
    for (const [index, file] of batch.entries()) {
      const name = made[index] ?? null
      if (name !== null) await keep(ctx, file, join(folder, name))
      await tell(ctx, file, { isMade: name !== null })
    }
    return true
  } catch (error) {
    if (error instanceof ReaderFailure) return false
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function keep(ctx: Context, { sha256 }: ScanFile, made: string): Promise<void> {
  const target = thumbnailPath(ctx.config.dataDir, sha256)
  await mkdir(dirname(target), { recursive: true })
  await rename(made, target)
}

/** Facts are the engine's: what has neither those nor a reason against it has a thumbnail alone. */
const tell = (ctx: Context, { sha256 }: ScanFile, { isMade }: { isMade: boolean }): Promise<unknown> =>
  ctx.db
    .update(blobs)
    .set({ reason: isMade ? null : 'not_an_image', checkedAt: ctx.now() })
    .where(and(eq(blobs.sha256, sha256), isNull(blobs.facts)))
