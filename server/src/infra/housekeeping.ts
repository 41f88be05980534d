/** Jobs of no feature: the audit chain, bytes that nobody owns, live events and notices that nobody will ask for. */
import { live } from '@neuroloom/contract/limits'
import { lt } from 'drizzle-orm'
import { alarm } from './alarm.ts'
import { keepSealed, sealEvents } from './audit/seal.ts'
import type { Context } from './context.ts'
import { whenDue } from './due.ts'
import { liveEvents } from './live/live.ts'
import { sweepNotices } from './notices.ts'
import { forgetRemoved } from './removed.ts'
import { sweepOrphans } from './storage/blobs.ts'

export async function register(ctx: Context): Promise<void> {
  forgetRemoved(ctx)
  keepSealed(ctx)
  // What could not be sealed at once.
  await ctx.jobs.work('audit.seal', async () => void (await sealEvents(ctx)))
  await ctx.jobs.work('blobs.sweep', () =>
    whenDue(ctx, async (at) => {
      const swept = await sweepOrphans(at)
      if (swept.rows + swept.bytes > 0) ctx.log.info(swept, 'swept orphaned bytes')
    }),
  )
  await ctx.jobs.work('live.sweep', () => whenDue(ctx, sweepLive))
  await ctx.jobs.work('notices.sweep', () => whenDue(ctx, sweepNotices))
  await ctx.jobs.work('room.watch', () => watchRoom(ctx))
  await ctx.jobs.schedule('audit.seal', '* * * * *')
  await ctx.jobs.schedule('room.watch', '*/5 * * * *')
  await ctx.jobs.schedule('blobs.sweep', '*/10 * * * *')
  await ctx.jobs.schedule('live.sweep', '23 3 * * *')
  await ctx.jobs.schedule('notices.sweep', '33 3 * * *')
}

const sweepLive = (ctx: Context) =>
  ctx.db.delete(liveEvents).where(lt(liveEvents.at, new Date(ctx.now().getTime() - live.keepMs)))

/** Uploads and runs are refused by now; whoever can make room must learn of it. */
export async function watchRoom(ctx: Context): Promise<void> {
  if (await ctx.room.has()) return
  const { freeBytes, reserveBytes } = await ctx.room.left()
  ctx.log.warn({ freeBytes, reserveBytes }, 'the disk is nearly full: uploads and runs are refused')
  const params = { free: gigabytes(freeBytes), reserve: gigabytes(reserveBytes) }
  await ctx.db.transaction((tx) => alarm(ctx, tx, { kind: 'disk_low', params }))
}

const gigabytes = (bytes: number): string => (bytes / 1024 ** 3).toFixed(1)
