import { readingSchema } from '@neuroloom/contract/reading/reading'
import { asc, eq } from 'drizzle-orm'
import type { Context, WorkerContext } from '../../infra/context.ts'
import { examine, unknown } from './examine.ts'
import { store } from './store.ts'
import { datasets } from './tables.ts'

/** The worker's part. */
export async function register(ctx: WorkerContext): Promise<void> {
  await ctx.jobs.work('datasets.recognise', ({ datasetId }) => look(ctx, datasetId))
  await resume(ctx)
}

/** Looks at a data set's folder and stores what it is. A second time, or after it was forgotten, it does nothing. */
export async function look(ctx: WorkerContext, datasetId: string): Promise<void> {
  const [dataset] = await ctx.db.select().from(datasets).where(eq(datasets.id, datasetId))
  if (dataset?.state !== 'checking') return
  // What was decided before there was more to decide says nothing of that.
  const reading = readingSchema.parse(dataset.reading)
  const outcome = await examine(ctx, { ...dataset, reading }).catch((error: unknown) => {
    ctx.log.error({ err: error, datasetId }, 'a data set could not be checked')
    return { ...unknown(dataset), failure: 'internal' as const }
  })
  await store(ctx, datasetId, outcome)
}

/** A worker that was killed leaves data sets half checked; the queue by itself would give them again much later. */
async function resume(ctx: Context): Promise<void> {
  const open = await ctx.db
    .select({ id: datasets.id })
    .from(datasets)
    .where(eq(datasets.state, 'checking'))
    .orderBy(asc(datasets.createdAt))
  for (const { id } of open) {
    await ctx.jobs.send(null, 'datasets.recognise', { datasetId: id }, { singletonKey: id })
  }
}
