import type { WorkerContext } from '../../infra/context.ts'
import { whenDue } from '../../infra/due.ts'
import { sweepUnsent } from './attachments/own.ts'

export async function register(ctx: WorkerContext): Promise<void> {
  await ctx.jobs.work('social.sweep', () => whenDue(ctx, sweepUnsent))
  await ctx.jobs.schedule('social.sweep', '25 * * * *')
}
