import type { WorkerContext } from '../../infra/context.ts'
import { whenDue } from '../../infra/due.ts'
import { purge } from './recycle.ts'

/** The worker's part. */
export async function register(ctx: WorkerContext): Promise<void> {
  await ctx.jobs.work('projects.purge', () => whenDue(ctx, purge))
  await ctx.jobs.schedule('projects.purge', '2-59/10 * * * *')
}
