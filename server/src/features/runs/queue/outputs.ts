import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import type { ItemResult } from '@neuroloom/contract/engine'
import { files } from '@neuroloom/contract/limits'
import { and, eq, inArray, like } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { addBlob } from '../../../infra/storage/blobs.ts'
import { runPictures } from '../tables.ts'

export type StoredFile = { sha256: string; sizeBytes: number }
export type Picture = StoredFile & { itemId: string; what: PictureKind }

/** What the engine draws of an item. */
const pictureKinds = ['overlay', 'heat', 'plain', 'whole'] as const
export type PictureKind = (typeof pictureKinds)[number]

/** Takes the pictures of results out of the run folder into the store. */
export async function storePictures(ctx: Context, folder: string, items: ItemResult[]): Promise<Picture[]> {
  const pictures: Picture[] = []
  for (const item of items) {
    for (const what of pictureKinds) {
      const named = item[what]
      const path = named ? outputPath(folder, named) : null
      if (path !== null) pictures.push({ itemId: item.id, what, ...(await storeFile(ctx, path)) })
    }
  }
  return pictures
}

/** Which pictures of a run: those of the newest preview, of the preview at an epoch, or of a test. */
export type PictureSet = 'preview' | 'test' | `epoch/${number}`

/** Of a run: under what name a picture is known; an item's name has no slash. */
export const pictureName = (kind: PictureSet, itemId: string, what: PictureKind): string =>
  what === 'overlay' ? `${kind}/${itemId}` : `${kind}/${itemId}/${what}`

/** SHA-256 by `pictureName`. */
export async function picturesOf(
  db: Db,
  runId: string,
  { kind, itemIds }: { kind: PictureSet; itemIds: string[] },
): Promise<Map<string, string>> {
  const names = itemIds.flatMap((id) => pictureKinds.map((what) => pictureName(kind, id, what)))
  const rows = await db
    .select()
    .from(runPictures)
    .where(and(eq(runPictures.runId, runId), inArray(runPictures.name, names)))
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]))
}

/** What a page shows of a kind, in place of what it showed before. */
export async function replacePictures(
  tx: Tx,
  runId: string,
  kind: PictureSet,
  pictures: Picture[],
): Promise<void> {
  await tx.delete(runPictures).where(and(eq(runPictures.runId, runId), like(runPictures.name, `${kind}/%`)))
  for (const { itemId, what, sha256, sizeBytes } of pictures) {
    await addBlob(tx, { sha256, sizeBytes })
    await tx.insert(runPictures).values({ runId, name: pictureName(kind, itemId, what), sha256 })
  }
}

/** Puts a copy of a finished output into the store; the folder keeps its own, in case the attempt is void. */
export async function storeFile(ctx: Context, path: string): Promise<StoredFile> {
  // Beside the output: what a crash leaves goes with the run folder.
  const staged = `${path}.staged`
  try {
    await copyFile(path, staged, constants.COPYFILE_FICLONE)
    const hash = createHash('sha256')
    let sizeBytes = 0
    for await (const chunk of createReadStream(staged)) {
      hash.update(chunk)
      sizeBytes += chunk.length
    }
    const sha256 = hash.digest('hex')
    await ctx.storage.adopt(staged, sha256)
    return { sha256, sizeBytes }
  } finally {
    await rm(staged, { force: true })
  }
}

export async function storeText(ctx: Context, text: string): Promise<StoredFile> {
  await mkdir(stagedTexts(ctx), { recursive: true })
  const staged = join(stagedTexts(ctx), newId())
  await writeFile(staged, text)
  const sha256 = createHash('sha256').update(text).digest('hex')
  await ctx.storage.adopt(staged, sha256)
  return { sha256, sizeBytes: Buffer.byteLength(text) }
}

/** Drops what a crash left between writing and adopting. */
export async function sweepStagedTexts(ctx: Context): Promise<void> {
  const before = Date.now() - files.orphanMs
  for (const name of await readdir(stagedTexts(ctx)).catch(() => [])) {
    const path = join(stagedTexts(ctx), name)
    const entry = await stat(path).catch(() => null)
    if (entry && entry.mtimeMs < before) await rm(path, { force: true })
  }
}

const stagedTexts = (ctx: Context): string => join(ctx.storage.stagingFolder, 'runs')

/** A path that the engine named, if it lies below the folder's outputs. */
export function outputPath(folder: string, name: string): string | null {
  const outputs = join(folder, 'out')
  const path = resolve(folder, name)
  return relative(outputs, path).startsWith('..') ? null : path
}
