import { loginKey, passwordTries, signIns } from '@neuroloom/contract/limits'
import { lt } from 'drizzle-orm'
import type { Context, WorkerContext } from '../../infra/context.ts'
import { whenDue } from '../../infra/due.ts'
import { tellOfWork } from './administrators.ts'
import { erase, queueErasures } from './cancel.ts'
import { tellEnds } from './level-ends.ts'
import { sweepTickets } from './second-factor/tickets.ts'
import { sweepDevices } from './sign-in/devices.ts'
import * as session from './sign-in/session.ts'
import { sweepCodes } from './sign-up/codes.ts'
import { liveTickets, loginKeys, sessions, signInTries, usedChallenges } from './tables.ts'

/** The worker's part. */
export async function register(ctx: WorkerContext): Promise<void> {
  await ctx.jobs.work('accounts.sweep', async () => {
    await sweep(ctx)
    await whenDue(ctx, forgetSignIns)
    await whenDue(ctx, tellEnds)
  })
  await ctx.jobs.work('accounts.erase', ({ userId }) => erase(ctx, userId))
  await ctx.jobs.work('administrators.tell', ({ kind }) => tellOfWork(ctx, kind))
  await ctx.jobs.schedule('accounts.sweep', '7 * * * *')
  await queueErasures(ctx)
}

/** Deletes what has no effect any more: old tries, puzzles, tickets, keys and sessions. */
export async function sweep(ctx: Context): Promise<void> {
  const ago = (ms: number): Date => new Date(ctx.now().getTime() - ms)
  await ctx.db.delete(signInTries).where(lt(signInTries.at, ago(passwordTries.windowMs)))
  await sweepDevices(ctx.db, ctx.now())
  await ctx.db.delete(usedChallenges).where(lt(usedChallenges.expiresAt, ago(0)))
  await sweepTickets(ctx.db, ctx.now())
  await sweepCodes(ctx.db, ctx.now())
  await ctx.db.delete(liveTickets).where(lt(liveTickets.expiresAt, ago(0)))
  await ctx.db.delete(loginKeys).where(lt(loginKeys.expiresAt, ago(loginKey.validMs)))
  await ctx.db.transaction((tx) => session.endOver(ctx, tx))
  await queueErasures(ctx)
}

/** From where the owner signed in is known by sessions that ended; after this they are forgotten. */
export const forgetSignIns = (ctx: Context) =>
  ctx.db.delete(sessions).where(lt(sessions.endedAt, new Date(ctx.now().getTime() - signIns.keepMs)))
