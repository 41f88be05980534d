import type { WorkerContext } from '../../infra/context.ts'
import { recover } from './lease.ts'
import { measure, recoverSections } from './runs/sections.ts'
import { sweepLeftovers, work } from './work.ts'

export async function register(ctx: WorkerContext): Promise<void> {
  await ctx.jobs.work('flow.work', ({ studyId }) => work(ctx, studyId))
  await ctx.jobs.work('flow.measure', ({ runId }) => measure(ctx, runId))
  await ctx.jobs.work('flow.sweep', async () => {
    await recover(ctx)
    await recoverSections(ctx)
    await sweepLeftovers(ctx)
  })
  // What a killed worker was at goes on with its lease's end, not with the next start.
  await recover(ctx)
  await recoverSections(ctx)
  await ctx.jobs.schedule('flow.sweep', '* * * * *')
}
