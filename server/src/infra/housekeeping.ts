/** Jobs of no feature: bytes that nobody owns, live events and notices that nobody will ask for. */
import { live } from '@neuroloom/contract/limits'
import { lt } from 'drizzle-orm'
import { sweepOrphans } from './blobs.ts'
import type { Context } from './context.ts'
import { liveEvents } from './live.ts'
import { sweepNotices } from './notices.ts'
import { forgetRemoved } from './removed.ts'

export async function register(ctx: Context): Promise<void> {
  forgetRemoved(ctx)
  await ctx.jobs.work('blobs.sweep', async () => {
    const swept = await sweepOrphans(ctx)
    if (swept.rows + swept.bytes > 0) ctx.log.info(swept, 'swept orphaned bytes')
  })
  await ctx.jobs.work('live.sweep', async () => {
    await ctx.db.delete(liveEvents).where(lt(liveEvents.at, new Date(ctx.now().getTime() - live.keepMs)))
  })
  await ctx.jobs.work('notices.sweep', async () => {
    await sweepNotices(ctx)
  })
  await ctx.jobs.schedule('blobs.sweep', '*/10 * * * *')
  await ctx.jobs.schedule('live.sweep', '23 3 * * *')
  await ctx.jobs.schedule('notices.sweep', '33 3 * * *')
}
