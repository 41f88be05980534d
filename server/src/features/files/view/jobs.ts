import type { WorkerContext } from '../../../infra/context.ts'
import { whenDue } from '../../../infra/due.ts'
import { forgetEnded, recover } from '../convert/lease.ts'
import { work } from '../convert/work.ts'
import { sweepDerived } from '../derive/sweep.ts'
import { prepareOverlay } from './overlays/overlay.ts'
import { sweepViews } from './sweep.ts'
import { prepareView } from './view.ts'

/** Images that are read beside the calls, and conversions. */
export async function registerViewing(ctx: WorkerContext): Promise<void> {
  await ctx.jobs.work('files.view', (data) => prepareView(ctx, data))
  await ctx.jobs.work('files.overlay', (data) => prepareOverlay(ctx, data))
  await ctx.jobs.work('files.convert', ({ conversionId }) => work(ctx, conversionId))
  await ctx.jobs.work('conversions.sweep', async () => {
    await recover(ctx)
    await whenDue(ctx, forgetEnded)
  })
  await ctx.jobs.work('views.sweep', async () => {
    await whenDue(ctx, sweepViews)
    await whenDue(ctx, sweepDerived)
  })
  // What a killed worker was at goes on with its lease's end, not with the next start.
  await recover(ctx)
  await ctx.jobs.schedule('conversions.sweep', '* * * * *')
  await ctx.jobs.schedule('views.sweep', '7-59/10 * * * *')
}
