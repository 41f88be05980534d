import type { WorkerContext } from '../../infra/context.ts'
import { whenDue } from '../../infra/due.ts'
import { prepareLook } from './look/look.ts'
import { sendLetter } from './queue/letters.ts'
import { purge } from './recycle/recycle.ts'

/** The worker's part, beside the queue. */
export async function register(ctx: WorkerContext): Promise<void> {
  await ctx.jobs.work('runs.look', (asked) => prepareLook(ctx, asked))
  await ctx.jobs.work('runs.letter', (letter) => sendLetter(ctx, letter))
  await ctx.jobs.work('runs.purge', () => whenDue(ctx, purge))
  await ctx.jobs.schedule('runs.purge', '4-59/10 * * * *')
}
