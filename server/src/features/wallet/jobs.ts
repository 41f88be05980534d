import type { WorkerContext } from '../../infra/context.ts'
import { sendLetter } from './letters.ts'

/** The worker's part. On a hospital's own server nothing is sold. */
export async function register(ctx: WorkerContext): Promise<void> {
  if (ctx.config.deployment === 'private') return
  await ctx.jobs.work('wallet.letter', (letter) => sendLetter(ctx, letter))
}
