/** What administrators do for members and to them; the same deeds in the back-office and at the console. */

import { roles } from '@neuroloom/contract/accounts/roles'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { eq, or } from 'drizzle-orm'
import { fail, failFields } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { accountKey, accountMacOf } from '../account.ts'
import { end } from '../cancel.ts'
import { ORDINARY } from '../level.ts'
import { removeSecondFactor } from '../second-factor/standing.ts'
import { forgetTickets } from '../second-factor/tickets.ts'
import { forgetDevices } from '../sign-in/devices.ts'
import { draw, hash } from '../sign-in/password.ts'
import * as session from '../sign-in/session.ts'
import { loginKeys, signInTries, users } from '../tables.ts'
import { type Doer, perform } from './deed.ts'
import { accountOf, memberOf } from './show.ts'

export async function password(
  ctx: Context,
  { id, confirmed }: Parsed<'members/password'>,
  by: Doer,
): Promise<Answer<'members/password'>> {
  const secret = draw()
  // Before anything is locked: it takes its time.
  const passwordHash = await hash(secret)
  await perform(ctx, { by, memberId: id, action: 'member.password', confirmed }, async (tx, member) => {
    await tx.update(users).set({ passwordHash, mustChangePassword: true }).where(eq(users.id, id))
    await forgetDevices(tx, id)
    await tx.delete(signInTries).where(eq(signInTries.accountMac, accountMacOf(ctx, member)))
    await session.end(ctx, tx, id, 'signed_out')
    return { kind: 'password_given', params: {} }
  })
  return { member: await memberOf(ctx, ctx.db, id), password: secret }
}

export async function unlock(
  ctx: Context,
  { id }: Parsed<'members/unlock'>,
  by: Doer,
): Promise<Answer<'members/unlock'>> {
  await perform(ctx, { by, memberId: id, action: 'member.unlock' }, async (tx, member) => {
    await tx.delete(signInTries).where(eq(signInTries.accountMac, accountMacOf(ctx, member)))
    return { kind: 'account_unlocked', params: {} }
  })
  return memberOf(ctx, ctx.db, id)
}

/** Whoever has another role signs in anew: no page goes on with the rights of before. */
export async function role(
  ctx: Context,
  { id, role: wanted, confirmed }: Parsed<'members/role'>,
  by: Doer,
): Promise<Answer<'members/role'>> {
  const endsAdministrator = wanted !== roles.administrator
  const deed = { by, memberId: id, action: 'member.role', confirmed, endsAdministrator } as const
  await perform(ctx, deed, async (tx, member) => {
    if (member.role === wanted) return null
    await tx.update(users).set({ role: wanted }).where(eq(users.id, id))
    await session.end(ctx, tx, id, 'signed_out')
    return { kind: 'role_changed', params: { role: String(wanted) } }
  })
  return memberOf(ctx, ctx.db, id)
}

/** Neither a visitor's level nor an ordinary member's ends: they are what all others fall back to. */
export async function level(
  ctx: Context,
  { id, level: vipLevel, until }: Parsed<'members/level'>,
  by: Doer,
): Promise<Answer<'members/level'>> {
  const vipValid = until === null || vipLevel <= ORDINARY ? null : new Date(until)
  if (vipValid && vipValid <= ctx.now()) throw failFields({ until: 'form.in_past' })
  await perform(ctx, { by, memberId: id, action: 'member.level' }, async (tx) => {
    await tx.update(users).set({ vipLevel, vipValid, levelTold: null }).where(eq(users.id, id))
    return { kind: 'level_changed', params: { level: String(vipLevel) } }
  })
  return memberOf(ctx, ctx.db, id)
}

export async function superMember(
  ctx: Context,
  { id, isSuper }: Parsed<'members/super'>,
  by: Doer,
): Promise<Answer<'members/super'>> {
  await perform(ctx, { by, memberId: id, action: 'member.super' }, async (tx) => {
    await tx
      .update(users)
      .set({ vipSuper: isSuper ? 1 : 0 })
      .where(eq(users.id, id))
    return { kind: isSuper ? 'super_given' : 'super_taken', params: {} }
  })
  return memberOf(ctx, ctx.db, id)
}

export async function signOut(
  ctx: Context,
  { id, confirmed }: Parsed<'members/signOut'>,
  by: Doer,
): Promise<Answer<'members/signOut'>> {
  await perform(ctx, { by, memberId: id, action: 'member.sign_out', confirmed }, async (tx) => {
    await session.end(ctx, tx, id, 'signed_out')
    return null
  })
  return memberOf(ctx, ctx.db, id)
}

/** For whoever has lost phone and recovery codes. The own one is turned off in the personal centre, by password and code. */
export async function secondFactorOff(
  ctx: Context,
  { id }: Parsed<'members/secondFactorOff'>,
  by: Doer,
): Promise<Answer<'members/secondFactorOff'>> {
  if (by.user?.id === id) throw fail('not_allowed')
  await perform(ctx, { by, memberId: id, action: 'member.second_factor_off' }, async (tx) => {
    if (!(await removeSecondFactor(tx, id))) throw fail('second_factor_off')
    await session.end(ctx, tx, id, 'signed_out')
    return { kind: 'second_factor_taken', params: {} }
  })
  return memberOf(ctx, ctx.db, id)
}

/** Nothing in it is touched: what is shared stays shared, and what trains goes on. */
export async function block(
  ctx: Context,
  { id, isBlocked, confirmed }: Parsed<'members/block'>,
  by: Doer,
): Promise<Answer<'members/block'>> {
  const action = isBlocked ? 'member.block' : 'member.open'
  const deed = { by, memberId: id, action, confirmed, endsAdministrator: isBlocked } as const
  await perform(ctx, deed, async (tx, { blockedAt }) => {
    await tx
      .update(users)
      .set({ blockedAt: isBlocked ? (blockedAt ?? ctx.now()) : null })
      .where(eq(users.id, id))
    if (!isBlocked) return { kind: 'account_opened', params: {} }
    await tx.delete(loginKeys).where(or(eq(loginKeys.userId, id), eq(loginKeys.madeBy, id)))
    await forgetTickets(tx, id)
    await session.end(ctx, tx, id, 'signed_out')
    return null
  })
  return memberOf(ctx, ctx.db, id)
}

/** For good. Its sign-in name is asked for once more, so that nobody deletes the neighbour in the list. */
export async function close(
  ctx: Context,
  { id, account, confirmed }: Parsed<'members/close'>,
  by: Doer,
): Promise<Answer<'members/close'>> {
  const deed = { by, memberId: id, action: 'member.close', confirmed, endsAdministrator: true } as const
  await perform(ctx, deed, async (tx, member) => {
    if (accountKey(account).key !== accountKey(accountOf(member)).key)
      throw failFields({ account: 'form.account_differs' })
    await end(ctx, tx, id)
    return null
  })
  return {}
}
