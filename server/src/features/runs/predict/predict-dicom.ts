/** Pictures and volumes of DICOM that a network is applied to: made as those that it learned from. */
import type { DicomReason } from '@neuroloom/contract/dicom-data'
import type { Manifest } from '@neuroloom/contract/engine'
import type { Recipe } from '@neuroloom/contract/recipes/recipe'
import { inArray } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import { blobs } from '../../../infra/storage/blobs.ts'
import { kindFor } from '../../datasets/service.ts'
import { deriveAll } from '../../files/service.ts'

type Made = {
  /** What was made, by the item's image. */
  made: Map<string, string>
  /** Why nothing could be made, by the item's image. */
  unfit: Map<string, DicomReason>
}

/** `recipe`: with each picture's own values, where it was those that the recipe prepared. */
export async function madeOfDicom(
  ctx: Context,
  { task, window, items }: Manifest,
  recipe: Recipe | null,
): Promise<Made> {
  const wanted = items.flatMap(({ image, sources }) => (sources ? [{ image, sources }] : []))
  const result: Made = { made: new Map(), unfit: new Map() }
  if (wanted.length === 0) return result
  const sizes = await sizesOf(
    ctx,
    wanted.flatMap(({ sources }) => sources),
  )
  const fileOf = (sha256: string) => ({ name: 'slice.dcm', sha256, sizeBytes: sizes.get(sha256) ?? 0 })
  const there = wanted.filter(({ sources }) => sources.every((sha256) => sizes.has(sha256)))
  const kind = recipe?.isOfDicom && kindFor(task) === 'picture' ? 'values' : kindFor(task)
  const derived = await deriveAll(
    ctx,
    there.map(({ sources }) => ({ kind, window: window ?? null, files: sources.map(fileOf) })),
  )
  for (const [index, { image }] of there.entries()) {
    const one = derived[index]
    if (!one) continue
    if ('sha256' in one) result.made.set(image, one.sha256)
    else result.unfit.set(image, one.unfit.reason)
  }
  return result
}

async function sizesOf(ctx: Context, digests: string[]): Promise<Map<string, number>> {
  const rows = await ctx.db
    .select({ sha256: blobs.sha256, sizeBytes: blobs.sizeBytes })
    .from(blobs)
    .where(inArray(blobs.sha256, [...new Set(digests)]))
  return new Map(rows.map(({ sha256, sizeBytes }) => [sha256, sizeBytes]))
}
