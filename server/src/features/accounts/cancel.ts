/** Closing an account for good. Nobody signs in from that moment on; a job deletes what there is, however often it starts. */

import { roles } from '@neuroloom/contract/accounts/roles'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { and, eq, isNotNull, or } from 'drizzle-orm'
import type { Caller, Guest } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit, forgetAddresses } from '../../infra/audit.ts'
import type { Context, WorkerContext } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { NO_PASSWORD } from './account.ts'
import { lockAdministrators } from './administrators.ts'
import { forgetTickets } from './second-factor/tickets.ts'
import { requirePassword } from './sign-in/own-password.ts'
import * as session from './sign-in/session.ts'
import { loginKeys, users } from './tables.ts'

export async function cancel(
  ctx: Context,
  { password }: Parsed<'user/cancel'>,
  caller: Caller & Guest,
): Promise<Answer<'user/cancel'>> {
  const { user, address } = caller
  const before = await requirePassword(ctx, caller, password)
  await ctx.db.transaction(async (tx) => {
    if (before.role === roles.administrator) await requireAnother(tx, user.id)
    const now = await session.lockMember(tx, user.id)
    if (now.passwordHash !== before.passwordHash) throw fail('password_wrong')
    await end(ctx, tx, user.id)
    await audit(tx, { actor: user.id, action: 'account.cancel', subject: `user:${user.id}`, address })
  })
  caller.setSessionCookie(null)
  return {}
}

/** Of the member whose row is locked. The phone number and the e-mail address are free for a new account at once. */
export async function end(ctx: Context, tx: Tx, userId: string): Promise<void> {
  for (const mayClose of ctx.told('mayClose')) await mayClose(ctx, tx, userId)
  await tx
    .update(users)
    .set({
      cancelledAt: ctx.now(),
      passwordHash: NO_PASSWORD,
      emailKey: null,
      phoneKey: null,
      partnerId: null,
    })
    .where(eq(users.id, userId))
  await tx.delete(loginKeys).where(or(eq(loginKeys.userId, userId), eq(loginKeys.madeBy, userId)))
  await forgetTickets(tx, userId)
  await session.end(ctx, tx, userId, 'signed_out')
  await ctx.jobs.send(tx, 'accounts.erase', { userId }, { singletonKey: userId })
}

/** What a feature to the right deletes of a member; doing it twice, even at once, must do no harm. */
export type EraseOf = (ctx: WorkerContext, userId: string) => Promise<void>
/** Fails where something of a member must be settled before the account is closed; with the member's row locked. */
type MayClose = (ctx: Context, tx: Tx, userId: string) => Promise<void>
declare module '../../infra/feature.ts' {
  interface Questions {
    eraseOf: EraseOf
    mayClose: MayClose
  }
}

/** Deletes a closed account with all that is its own. */
export async function erase(ctx: WorkerContext, userId: string): Promise<void> {
  const isClosed = and(eq(users.id, userId), isNotNull(users.cancelledAt))
  if ((await ctx.db.$count(users, isClosed)) === 0) return
  // From right to left: what is made of something goes before it.
  for (const eraseOf of ctx.told('eraseOf').reverse()) await eraseOf(ctx, userId)
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

async function requireAnother(tx: Tx, userId: string): Promise<void> {
  const administrators = await lockAdministrators(tx)
  if (administrators.every(({ id }) => id === userId)) throw fail('last_administrator')
}
