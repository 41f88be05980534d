import type { Answer } from '@neuroloom/contract/calls'
import type { Caller } from '../../http/access.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import { clockState, confirmClock } from '../../infra/due.ts'
import { promisedBytes } from '../plans/service.ts'

/** What only an administrator can put right: the clock, and room on the disk. */
export async function server(ctx: Context): Promise<Answer<'site/server'>> {
  const { newest, now, isInDoubt } = await clockState(ctx)
  return {
    clock: { newest: newest.toISOString(), now: now.toISOString(), isInDoubt },
    disk: { ...(await ctx.room.left()), promisedBytes: await promisedBytes(ctx) },
  }
}

export async function confirm(
  ctx: Context,
  _body: unknown,
  { user, address }: Caller,
): Promise<Answer<'site/confirmClock'>> {
  await ctx.db.transaction(async (tx) => {
    await confirmClock(ctx, tx)
    await audit(tx, { actor: user.id, action: 'clock.confirm', subject: 'server', address })
  })
  return {}
}
