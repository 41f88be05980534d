import { archives } from '@neuroloom/contract/limits'
import type { WorkerContext } from '../../infra/context.ts'
import { whenDue } from '../../infra/due.ts'
import { registerTexts } from './burned-in/jobs.ts'
import { checkNew, learnForgotten } from './check.ts'
import { queueForgotten } from './check-queue.ts'
import { sweepRecords } from './patients/deidentification.ts'
import { forgetRecords } from './records/record-list.ts'
import { purge } from './recycle/purge.ts'
import { sweepSharing } from './sharing/sweep.ts'
import { forgetReports, recover } from './unpack/lease.ts'
import { work } from './unpack/work.ts'
import { sweep } from './upload/uploads.ts'
import { registerViewing } from './view/jobs.ts'
import { sweepZips } from './zip/zip.ts'

/** The worker's part. */
export async function register(ctx: WorkerContext): Promise<void> {
  await ctx.jobs.work('files.check', ({ userId }) => checkNew(ctx, userId))
  await ctx.jobs.work('files.purge', async () => {
    await whenDue(ctx, purge)
    await whenDue(ctx, forgetRecords)
    await whenDue(ctx, sweepSharing)
    await sweepZips(ctx)
  })
  await ctx.jobs.work('uploads.sweep', async () => {
    await whenDue(ctx, sweep)
    await queueForgotten(ctx)
    await learnForgotten(ctx)
    await whenDue(ctx, sweepRecords)
  })
  for (let place = 0; place < archives.atOnce; place += 1) {
    await ctx.jobs.work('files.unpack', ({ unpackId }) => work(ctx, unpackId))
  }
  await ctx.jobs.work('unpacks.sweep', async () => {
    await recover(ctx)
    await whenDue(ctx, forgetReports)
  })
  // What a killed worker was at goes on at once, not with the next minute.
  await recover(ctx)
  await registerViewing(ctx)
  await registerTexts(ctx)
  await ctx.jobs.schedule('unpacks.sweep', '* * * * *')
  await ctx.jobs.schedule('files.purge', '*/10 * * * *')
  await ctx.jobs.schedule('uploads.sweep', '5-59/10 * * * *')
}
