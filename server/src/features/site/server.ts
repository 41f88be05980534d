import type { Answer } from '@neuroloom/contract/calls'
import type { Caller } from '../../http/access.ts'
import { audit } from '../../infra/audit.ts'
import { type Command, Misuse } from '../../infra/command.ts'
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
  await confirmBy(ctx, { actor: user.id, address })
  return {}
}

/** Where nobody reaches the back-office: a clock that jumped ahead lets nothing be deleted by its age until it is confirmed. */
export const commands: Readonly<Record<string, Command>> = {
  clock: {
    words: '<show|confirm>',
    does: 'whether the time is in doubt; that it is right',
    run: async (ctx, [wish = '']) => {
      if (wish !== 'show' && wish !== 'confirm') throw new Misuse(`“${wish}” is neither show nor confirm.`)
      if (wish === 'confirm') await confirmBy(ctx, { actor: null, address: 'console' })
      const { newest, now, isInDoubt } = await clockState(ctx)
      const times = `The database's clock says ${now.toISOString()}; the newest time believed is ${newest.toISOString()}.`
      return isInDoubt
        ? `${times}\nIt jumped ahead: nothing is deleted by its age. If it is right: npm run admin -- clock confirm`
        : `${times}\nNothing is in doubt.`
    },
  },
}

const confirmBy = (ctx: Context, by: { actor: string | null; address: string }): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    await confirmClock(ctx, tx)
    await audit(tx, { ...by, action: 'clock.confirm', subject: 'server' })
  })
