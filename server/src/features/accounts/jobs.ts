import { passwordTries, session } from '@neuroloom/contract/limits'
import { and, isNull, lt, or } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import { sweepCodes } from './codes.ts'
import { liveTickets, sessions, signInTries, usedChallenges } from './tables.ts'

/** Ended sessions tell from where an owner signs in; after this they are forgotten. */
const KEEP_SESSIONS_MS = 90 * 24 * 60 * 60 * 1000

export async function register(ctx: Context): Promise<void> {
  await ctx.jobs.work('accounts.sweep', () => sweep(ctx))
  await ctx.jobs.schedule('accounts.sweep', '7 * * * *')
}

/** Deletes what has no effect any more: old tries, puzzles, tickets and sessions. */
export async function sweep(ctx: Context): Promise<void> {
  const now = ctx.now().getTime()
  const ago = (ms: number): Date => new Date(now - ms)
  await ctx.db.delete(signInTries).where(lt(signInTries.at, ago(passwordTries.windowMs)))
  await ctx.db.delete(usedChallenges).where(lt(usedChallenges.expiresAt, ago(0)))
  await sweepCodes(ctx.db, ctx.now())
  await ctx.db.delete(liveTickets).where(lt(liveTickets.expiresAt, ago(0)))
  const over = or(lt(sessions.usedAt, ago(session.idleMs)), lt(sessions.startedAt, ago(session.absoluteMs)))
  await ctx.db
    .update(sessions)
    .set({ endedAt: ctx.now(), endReason: 'expired' })
    .where(and(isNull(sessions.endedAt), over))
  await ctx.db.delete(sessions).where(lt(sessions.endedAt, ago(KEEP_SESSIONS_MS)))
}
