/** The job that finds the images of a set's folder. New ones join; those that are gone keep their labels. */
import { labelling as limits } from '@neuroloom/contract/limits'
import { asc, eq } from 'drizzle-orm'
import { Failure } from '../../http/fail.ts'
import type { Context, WorkerContext } from '../../infra/context.ts'
import { planFor } from '../datasets/service.ts'
import { type FileBelow, guessFile, partnersAmong, walk } from '../files/service.ts'
import { type FoundImage, keepImages } from './keep-images.ts'
import { labelSets } from './tables.ts'

/** What was gathered before, or given up, is done once more and finds the same. */
export async function gather(ctx: WorkerContext, setId: string): Promise<void> {
  const [set] = await ctx.db.select().from(labelSets).where(eq(labelSets.id, setId))
  if (set?.state !== 'gathering') return
  try {
    const { files } = await walk(ctx.db, { id: set.ownerId }, set.folderId)
    const found = await imagesAmong(ctx, files)
    const failure = found.length === 0 ? 'no_images' : found.length > limits.items ? 'too_many' : null
    await ctx.db.transaction(async (tx) => {
      if (failure === null) await keepImages(ctx, tx, setId, found)
      await tx
        .update(labelSets)
        .set({ state: failure === null ? 'ready' : 'failed', failure })
        .where(eq(labelSets.id, setId))
    })
  } catch (error) {
    ctx.log.error({ err: error, setId }, 'images to label could not be gathered')
    const failure = error instanceof Failure ? 'missing' : 'internal'
    await ctx.db.update(labelSets).set({ state: 'failed', failure }).where(eq(labelSets.id, setId))
  }
}

/** DICOM by series, in one order for all that reads as people count. */
async function imagesAmong(ctx: Context, files: readonly FileBelow[]): Promise<FoundImage[]> {
  const { items, taken } = await planFor(ctx, files, 'volume')
  const inSeries = new Set(items.flatMap(({ files: slices }) => slices.map(({ path }) => path)))
  // In colour, or of several sizes: each stands for itself.
  const { items: single } = await planFor(
    ctx,
    files.filter(({ path }) => taken.has(path) && !inSeries.has(path)),
    'picture',
  )
  const dicom = [...items, ...single].map(
    ({ name, files: slices, head }): FoundImage => ({
      ...{ name, files: slices, siblings: [] },
      kind: slices.length * head.frames > 1 ? 'volume' : 'picture',
    }),
  )
  const others: FoundImage[] = []
  const partners = await partnersAmong(
    ctx,
    files.filter(({ path }) => !taken.has(path)),
  )
  const named = new Set([...partners.values()].map(({ path }) => path))
  for (const file of files) {
    if (taken.has(file.path) || named.has(file.path)) continue
    const kind = await guessFile(ctx, file)
    const partner = partners.get(file.path)
    if (kind) others.push({ name: file.path, kind, files: [file], siblings: partner ? [partner] : [] })
  }
  return [...dicom, ...others].sort((one, other) => collator.compare(one.name, other.name))
}

const collator = new Intl.Collator('en', { numeric: true })

/** A worker that was killed leaves sets half gathered. */
export async function resume(ctx: Context): Promise<void> {
  const open = await ctx.db
    .select({ id: labelSets.id })
    .from(labelSets)
    .where(eq(labelSets.state, 'gathering'))
    .orderBy(asc(labelSets.createdAt))
  for (const { id } of open) {
    await ctx.jobs.send(null, 'labelling.gather', { setId: id }, { singletonKey: id })
  }
}
