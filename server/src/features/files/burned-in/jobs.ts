import type { WorkerContext } from '../../../infra/context.ts'
import { whenDue } from '../../../infra/due.ts'
import { forgetEnded, recover } from './lease.ts'
import { work } from './work.ts'

export async function registerTexts(ctx: WorkerContext): Promise<void> {
  await ctx.jobs.work('files.texts', ({ scanId }) => work(ctx, scanId))
  await ctx.jobs.work('texts.sweep', async () => {
    await recover(ctx)
    await whenDue(ctx, forgetEnded)
  })
  // What a killed worker was at goes on with its lease's end, not with the next start.
  await recover(ctx)
  await ctx.jobs.schedule('texts.sweep', '* * * * *')
}
