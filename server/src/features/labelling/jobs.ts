import type { WorkerContext } from '../../infra/context.ts'
import { whenDue } from '../../infra/due.ts'
import { agree } from './agree.ts'
import { forgetExchanges, recover } from './exchange/lease.ts'
import { work } from './exchange/work.ts'
import { gather, resume } from './gather.ts'
import { prepareImage } from './images.ts'
import { harvest, recoverProposals } from './proposals/harvest.ts'
import { goOn, recoverRounds } from './proposals/learn.ts'
import { fold } from './wholes.ts'

/** The worker's part. */
export async function register(ctx: WorkerContext): Promise<void> {
  await ctx.jobs.work('labelling.gather', ({ setId }) => gather(ctx, setId))
  await ctx.jobs.work('labelling.image', (asked) => prepareImage(ctx, asked))
  await ctx.jobs.work('labelling.fold', ({ readingId }) => fold(ctx, readingId))
  await ctx.jobs.work('labelling.exchange', ({ exchangeId }) => work(ctx, exchangeId))
  await ctx.jobs.work('labelling.sweep', async () => {
    await recover(ctx)
    await recoverProposals(ctx)
    await recoverRounds(ctx)
    await whenDue(ctx, forgetExchanges)
  })
  await ctx.jobs.work('labelling.propose', ({ runId }) => harvest(ctx, runId))
  await ctx.jobs.work('labelling.round', ({ roundId }) => goOn(ctx, roundId))
  await ctx.jobs.work('labelling.agree', (asked) => agree(ctx, asked))
  await resume(ctx)
  // What a killed worker was at goes on at once, not with the next minute.
  await recover(ctx)
  await ctx.jobs.schedule('labelling.sweep', '* * * * *')
}
