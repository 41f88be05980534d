/** Closing an account for good. Nobody signs in from that moment on; a job deletes what there is, however often it starts. */

import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { roles } from '@neuroloom/contract/roles'
import { and, eq, isNotNull, isNull, or } from 'drizzle-orm'
import type { Caller, Guest } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit, forgetAddresses } from '../../infra/audit.ts'
import type { Context, WorkerContext } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { NO_PASSWORD } from './account.ts'
import { requirePassword } from './own-password.ts'
import * as session from './session.ts'
import { loginKeys, users } from './tables.ts'

/** The phone number and the e-mail address are free for a new account at once. */
export async function cancel(
  ctx: Context,
  { password }: Parsed<'user/cancel'>,
  caller: Caller & Guest,
): Promise<Answer<'user/cancel'>> {
  const { user, address } = caller
  const before = await requirePassword(ctx, caller, password)
  await ctx.db.transaction(async (tx) => {
    if (before.role === roles.administrator) await requireAnother(tx)
    const now = await session.lockMember(tx, user.id)
    if (now.passwordHash !== before.passwordHash) throw fail('password_wrong')
    await tx
      .update(users)
      .set({ cancelledAt: ctx.now(), passwordHash: NO_PASSWORD, emailKey: null, phoneKey: null })
      .where(eq(users.id, user.id))
    await tx.delete(loginKeys).where(or(eq(loginKeys.userId, user.id), eq(loginKeys.madeBy, user.id)))
    await session.end(ctx, tx, user.id, 'signed_out')
    await audit(tx, { actor: user.id, action: 'account.cancel', subject: `user:${user.id}`, address })
    await ctx.jobs.send(tx, 'accounts.erase', { userId: user.id }, { singletonKey: user.id })
  })
  caller.setSessionCookie(null)
  return {}
}

/** What a feature to the right deletes of a member; doing it twice, even at once, must do no harm. */
export type Erase = (ctx: WorkerContext, userId: string) => Promise<void>

/** Deletes a closed account with all that is its own. */
export async function erase(ctx: WorkerContext, userId: string, erasers: readonly Erase[]): Promise<void> {
  const isClosed = and(eq(users.id, userId), isNotNull(users.cancelledAt))
  if ((await ctx.db.$count(users, isClosed)) === 0) return
  for (const one of erasers) await one(ctx, userId)
  await ctx.db.transaction(async (tx) => {
    await tx.delete(users).where(isClosed)
    await ctx.live.forget(tx, { kind: 'user', id: userId })
    await forgetAddresses(tx, userId)
  })
}

/** A worker that was killed, or a job that failed too often, leaves closed accounts behind. */
export async function queueErasures(ctx: Context): Promise<void> {
  const closed = await ctx.db.select({ id: users.id }).from(users).where(isNotNull(users.cancelledAt))
  for (const { id } of closed) {
    await ctx.jobs.send(null, 'accounts.erase', { userId: id }, { singletonKey: id })
  }
}

/** Two administrators who leave at once wait for each other here, and one of them stays. */
async function requireAnother(tx: Tx): Promise<void> {
  const administrators = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, roles.administrator), isNull(users.cancelledAt)))
    .orderBy(users.id)
    .for('update')
  if (administrators.length < 2) throw fail('last_administrator')
}
