/** E-mails of runs that have ended, for members who wish them. They leave the product: no project, no data and no result is named. */
import { runMail } from '@neuroloom/contract/limits'
import { eq } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import type { JobData } from '../../../infra/jobs.ts'
import { sayer } from '../../../infra/texts.ts'
import { mailAddressOf } from '../../accounts/access.ts'
import { users } from '../../accounts/tables.ts'
import type { RunRow } from '../tables.ts'

/** In the transaction that ends the run: sent after it, and tried again by the queue. */
export async function queueLetter(ctx: Context, tx: Tx, run: RunRow, userId: string): Promise<void> {
  const { id: runId, kind, number, state: end, createdAt, endedAt } = run
  if (end !== 'done' && end !== 'stopped' && end !== 'failed') return
  if (endedAt === null || endedAt.getTime() - createdAt.getTime() < runMail.afterMs) return
  const [member] = await tx.select({ wishes: users.runMail }).from(users).where(eq(users.id, userId))
  if (!member?.wishes) return
  await ctx.jobs.send(
    tx,
    'runs.letter',
    { userId, runId, kind, number, end },
    { singletonKey: `${runId} ${userId} ${end}` },
  )
}

/** Nothing where there is no mail here, or the member left no address or no longer wishes it. */
export async function sendLetter(
  ctx: Context,
  { userId, runId, kind, number, end }: JobData['runs.letter'],
): Promise<void> {
  if (!ctx.messages.canMail) return
  const [member] = await ctx.db.select().from(users).where(eq(users.id, userId))
  const to = mailAddressOf(member)
  if (to === null || !member?.runMail || member.blockedAt) return
  const say = sayer('letters', member.language ?? 'en')
  const { publicUrl } = ctx.config
  const run = say(`ended.run.${kind}`, { number })
  await ctx.messages.sendMail({
    to,
    subject: say(`ended.${end}`, { run }),
    text: [
      say('ended.text', { run }),
      publicUrl === undefined ? say('ended.there') : `${publicUrl}/run?id=${runId}`,
      '',
      say('ended.end'),
      '',
    ].join('\n'),
  })
}
