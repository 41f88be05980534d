import type { WorkerContext } from '../../infra/context.ts'
import { whenDue } from '../../infra/due.ts'
import { forgetEnded, recover } from './lease.ts'
import { work } from './work.ts'

export async function register(ctx: WorkerContext): Promise<void> {
  await ctx.jobs.work('recipes.work', ({ workId }) => work(ctx, workId))
  await ctx.jobs.work('recipes.sweep', async () => {
    await recover(ctx)
    await whenDue(ctx, forgetEnded)
  })
  // What a killed worker was at goes on with its lease's end, not with the next start.
  await recover(ctx)
  await ctx.jobs.schedule('recipes.sweep', '* * * * *')
}
