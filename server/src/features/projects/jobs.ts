import type { WorkerContext } from '../../infra/context.ts'
import { purge } from './recycle.ts'

/** The worker's part. */
export async function register(ctx: WorkerContext): Promise<void> {
  await ctx.jobs.work('projects.purge', () => purge(ctx))
  await ctx.jobs.schedule('projects.purge', '2-59/10 * * * *')
}
