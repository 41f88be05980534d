import { buffer } from 'node:stream/consumers'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { DicomWindow } from '@neuroloom/contract/dicom-data'
import { datasets as limits } from '@neuroloom/contract/limits'
import { asc, eq } from 'drizzle-orm'
import sharp from 'sharp'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { ReaderBusy } from '../../../infra/reader/reader.ts'
import { requireFolder } from '../../files/access.ts'
import { deriveAll, type FileBelow, mayBeDicom, walk } from '../../files/service.ts'
import { requireDataset } from '../access.ts'
import { type DatasetRow, datasetItems } from '../tables.ts'
import { toDerive } from './read.ts'

/** One picture of the data set as it is read now, and as it would be by another window. */
export async function windowPreview(
  ctx: Context,
  { id, window }: Parsed<'datasets/windowPreview'>,
  { user }: Caller,
): Promise<Answer<'datasets/windowPreview'>> {
  const dataset = await requireDataset(ctx.db, user, id, 'own')
  const { dicom } = dataset.facts ?? {}
  if (dataset.state !== 'ready' || dicom?.made !== 'pictures') throw fail('dataset_not_ready')
  await requireFolder(ctx.db, user, dataset.folderId)
  const { files } = await walk(ctx.db, user, dataset.folderId)
  const file = await middleOf(ctx, dataset, files)
  if (!file) throw fail('missing')
  const [before, after] = await drawn(ctx, file, [dataset.reading.window, window])
  if (!before || !after) throw fail('missing')
  return { name: file.path, before, after }
}

/** Not the first one: pictures at the edge of a body show little of it. */
async function middleOf(
  ctx: Context,
  { id }: DatasetRow,
  files: readonly FileBelow[],
): Promise<FileBelow | null> {
  const items = await ctx.db
    .select({ name: datasetItems.name })
    .from(datasetItems)
    .where(eq(datasetItems.datasetId, id))
    .orderBy(asc(datasetItems.position))
  const byPath = new Map(files.map((file) => [file.path, file]))
  const found = items.flatMap(({ name }) => (mayBeDicom(name) ? (byPath.get(name) ?? []) : []))
  return found[Math.floor((found.length - 1) / 2)] ?? null
}

/** As addresses that hold the pictures themselves. */
async function drawn(
  ctx: Context,
  file: FileBelow,
  windows: (DicomWindow | null)[],
): Promise<(string | null)[]> {
  const wanted = windows.map((window) => toDerive({ files: [file] }, 'picture', window))
  const made = await deriveAll(ctx, wanted, { mayWait: limits.previewWaiting }).catch((error: unknown) => {
    throw error instanceof ReaderBusy ? fail('busy') : error
  })
  return Promise.all(made.map(async (one) => ('sha256' in one ? addressOf(ctx, one.sha256) : null)))
}

async function addressOf(ctx: Context, sha256: string): Promise<string> {
  const bytes = await buffer(ctx.storage.read(sha256))
  const { width, height } = await sharp(bytes).metadata()
  const isSmall = Math.max(width, height) <= limits.previewPixels
  const side = { width: limits.previewPixels, height: limits.previewPixels, fit: 'inside' as const }
  const shown = isSmall ? bytes : await sharp(bytes).resize(side).png().toBuffer()
  return `data:image/png;base64,${shown.toString('base64')}`
}
