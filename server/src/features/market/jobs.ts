import type { WorkerContext } from '../../infra/context.ts'
import { remindDue } from './remind.ts'

/** The worker's part. On a hospital's own server nothing is sold. */
export async function register(ctx: WorkerContext): Promise<void> {
  if (ctx.config.deployment === 'private') return
  await ctx.jobs.work('market.remind', () => remindDue(ctx))
  await ctx.jobs.schedule('market.remind', '20 * * * *')
}
