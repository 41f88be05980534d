import type { WorkerContext } from '../../infra/context.ts'
import { check, goOnWithChecks } from './check.ts'
import { goOnWithClaims, judge } from './claims.ts'
import { recordDue } from './sales.ts'

/** The worker's part. On a hospital's own server nothing is sold. */
export async function register(ctx: WorkerContext): Promise<void> {
  if (ctx.config.deployment === 'private') return
  await ctx.jobs.work('shop.check', (asked) => check(ctx, asked))
  await ctx.jobs.work('shop.claim', (asked) => judge(ctx, asked))
  await ctx.jobs.work('shop.record', async () => {
    await goOnWithChecks(ctx)
    await goOnWithClaims(ctx)
    await recordDue(ctx)
  })
  await ctx.jobs.schedule('shop.record', '* * * * *')
}
