import type { WorkerContext } from '../../infra/context.ts'
import { sendLetter } from './letters.ts'
import { reconcile } from './reconcile.ts'
import { sendRefund } from './refund.ts'

/** The worker's part. On a hospital's own server nothing is sold. */
export async function register(ctx: WorkerContext): Promise<void> {
  if (ctx.config.deployment === 'private') return
  await ctx.jobs.work('payments.letter', (letter) => sendLetter(ctx, letter))
  await ctx.jobs.work('payments.refund', ({ refundNo }) => sendRefund(ctx, refundNo))
  await ctx.jobs.work('payments.reconcile', () => reconcile(ctx))
  await ctx.jobs.schedule('payments.reconcile', '* * * * *')
}
