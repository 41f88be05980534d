import type { Manifest, ManifestItem } from '@neuroloom/contract/engine'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { blobs } from '../../../infra/storage/blobs.ts'
import { fileInZip, type OverlaySource, type ViewSource } from '../../files/service.ts'
import { readStored } from '../manifests.ts'
import { type RunRow, runArtifacts, runInputs, runItems, type StoredResult } from '../tables.ts'
import { entryNames } from './entry-names.ts'

/** An item with what the run said of it. */
export type Looked = { run: RunRow; manifest: Manifest; item: ManifestItem; result: StoredResult }

export async function findLooked(ctx: Context, run: RunRow, itemId: string): Promise<Looked> {
  const own = and(eq(runItems.runId, run.id), eq(runItems.itemId, itemId))
  const [found] = await ctx.db.select({ result: runItems.result }).from(runItems).where(own)
  const [inputs] = await ctx.db
    .select({ sha256: runInputs.manifestSha256 })
    .from(runInputs)
    .where(eq(runInputs.runId, run.id))
  if (!found || !inputs) throw fail('missing')
  const manifest = await readStored(ctx, inputs.sha256).catch(() => null)
  const item = manifest?.items.find(({ id }) => id === itemId)
  if (!manifest || !item) throw fail('missing')
  return { run, manifest, item, result: found.result }
}

/** The image as it was given: one file, or the slices that it was made of. */
export async function imageOf(ctx: Context, { item }: Looked): Promise<ViewSource> {
  return { files: await filesOf(ctx, baseOf(item.name), item.sources ?? [item.image]), siblings: [] }
}

/** A mask over it; null where there is none. */
export async function maskOf(
  ctx: Context,
  looked: Looked,
  over: 'truth' | 'prediction',
): Promise<OverlaySource | null> {
  const mask = over === 'truth' ? await truthOf(ctx, looked) : await predictionOf(ctx, looked)
  return mask && { files: [mask], siblings: [], image: await imageOf(ctx, looked) }
}

async function truthOf(ctx: Context, { run, item }: Looked) {
  if (run.kind !== 'test' || item.label === null) return null
  const [file] = await filesOf(ctx, baseOf(item.name), [item.label])
  return file ?? null
}

/** Packed by the engine under the names of all items, in their order. */
async function predictionOf(ctx: Context, { run, item }: Looked) {
  const isPacked = and(eq(runArtifacts.runId, run.id), eq(runArtifacts.kind, 'masks_zip'))
  const [archive] = await ctx.db.select().from(runArtifacts).where(isPacked)
  if (!archive) return null
  const rows = await ctx.db
    .select({ id: runItems.itemId, result: runItems.result })
    .from(runItems)
    .where(eq(runItems.runId, run.id))
    .orderBy(asc(runItems.place))
  const isVolume = run.task === 'volume_segmentation'
  const names = entryNames(
    rows.map(({ result: { name } }) => name.replace(/\.gz$/, '')),
    isVolume ? '.nii.gz' : '.png',
  )
  const name = names[rows.findIndex(({ id }) => id === item.id)]
  return name === undefined ? null : fileInZip(ctx, archive.sha256, name)
}

async function filesOf(ctx: Context, name: string, sha256s: readonly string[]): Promise<ViewSource['files']> {
  const rows = await ctx.db
    .select()
    .from(blobs)
    .where(inArray(blobs.sha256, [...sha256s]))
  const sizes = new Map(rows.map(({ sha256, sizeBytes }) => [sha256, sizeBytes]))
  return sha256s.map((sha256) => {
    const sizeBytes = sizes.get(sha256)
    // Its owner has removed it, and nothing keeps it any more.
    if (sizeBytes === undefined) throw fail('missing')
    return { name, sha256, sizeBytes }
  })
}

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
