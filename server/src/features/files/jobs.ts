import type { WorkerContext } from '../../infra/context.ts'
import { checkNew } from './check.ts'
import { queueForgotten } from './check-queue.ts'
import { sweepRecords } from './deidentification.ts'
import { purge } from './purge.ts'
import { sweep } from './uploads.ts'

/** The worker's part. */
export async function register(ctx: WorkerContext): Promise<void> {
  await ctx.jobs.work('files.check', ({ userId }) => checkNew(ctx, userId))
  await ctx.jobs.work('files.purge', () => purge(ctx))
  await ctx.jobs.work('uploads.sweep', async () => {
    await sweep(ctx)
    await queueForgotten(ctx)
    await sweepRecords(ctx)
  })
  await ctx.jobs.schedule('files.purge', '*/10 * * * *')
  await ctx.jobs.schedule('uploads.sweep', '5-59/10 * * * *')
}
