/** A member's own second factor: setting it up, giving it again, new recovery codes, turning it off. */

import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { secondFactor as limits } from '@neuroloom/contract/limits'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { type Caller, type Guest, secondFactorAsked } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { addNotice } from '../../../infra/notices.ts'
import { accountOf } from '../members/show.ts'
import { markSecondFactor } from '../sign-in/devices.ts'
import { requirePassword } from '../sign-in/own-password.ts'
import { endOthers, lockMember } from '../sign-in/session.ts'
import { secondFactors, sessions } from '../tables.ts'
import { countRecoveryCodes, renewRecoveryCodes } from './recovery.ts'
import { sealSecret, secretOf } from './secret.ts'
import { hasSecondFactor, removeSecondFactor } from './standing.ts'
import { givenBy, withCode } from './take-code.ts'
import { addressOf, drawSecret, stepOf } from './totp.ts'

type Member = Caller & Guest

export async function state(
  ctx: Context,
  _body: unknown,
  caller: Member,
): Promise<Answer<'user/secondFactorState'>> {
  return {
    isOn: await hasSecondFactor(ctx.db, caller.user.id),
    codesLeft: await countRecoveryCodes(ctx.db, caller.user.id),
    asks: secondFactorAsked(ctx, caller),
  }
}

/** By the password: a session alone must not close the account to its owner. */
export async function start(
  ctx: Context,
  { password }: Parsed<'user/secondFactorStart'>,
  caller: Member,
): Promise<Answer<'user/secondFactorStart'>> {
  const userId = caller.user.id
  const before = await requirePassword(ctx, caller, password)
  const secret = drawSecret()
  await ctx.db.transaction(async (tx) => {
    await lockMember(tx, userId)
    if (await hasSecondFactor(tx, userId)) throw fail('second_factor_on')
    const fresh = { secretSeal: sealSecret(ctx, userId, secret), madeAt: ctx.now(), lastStep: 0 }
    await tx
      .insert(secondFactors)
      .values({ userId, ...fresh })
      .onConflictDoUpdate({ target: secondFactors.userId, set: fresh })
  })
  return { secret, address: addressOf(secret, accountOf(before)) }
}

export async function confirm(
  ctx: Context,
  { code }: Parsed<'user/secondFactorConfirm'>,
  caller: Member,
): Promise<Answer<'user/secondFactorConfirm'>> {
  const userId = caller.user.id
  const now = ctx.now()
  const turnOn = async (tx: Tx): Promise<boolean> => {
    if (await hasSecondFactor(tx, userId)) throw fail('second_factor_on')
    const isFresh = gt(secondFactors.madeAt, new Date(now.getTime() - limits.setUpMs))
    const pending = and(eq(secondFactors.userId, userId), isNull(secondFactors.confirmedAt))
    const [factor] = await tx.select().from(secondFactors).where(and(pending, isFresh))
    if (!factor) throw fail('second_factor_late')
    const secret = secretOf(ctx, factor)
    const step = secret === null ? null : stepOf(secret, code.replace(/\s/g, ''), now)
    if (step === null) return false
    await tx.update(secondFactors).set({ confirmedAt: now, lastStep: step }).where(pending)
    return true
  }
  const finish = async (tx: Tx) => {
    // One that began meanwhile was opened without the factor.
    await endOthers(ctx, tx, caller)
    await markGiven(ctx, tx, caller)
    await addNotice(ctx, tx, { userId, kind: 'second_factor_on', params: { address: caller.address } })
    await record(tx, caller, 'account.second_factor_on')
    return { recoveryCodes: await renewRecoveryCodes(ctx, tx, userId) }
  }
  return withCode(ctx, givenBy(caller, code), finish, turnOn)
}

export async function again(
  ctx: Context,
  { code }: Parsed<'user/secondFactorAgain'>,
  caller: Member,
): Promise<Answer<'user/secondFactorAgain'>> {
  await requireOn(ctx, caller)
  await withCode(ctx, givenBy(caller, code), async (tx) => {
    await markGiven(ctx, tx, caller)
    await record(tx, caller, 'session.code_again')
  })
  return {}
}

export async function newCodes(
  ctx: Context,
  { password, code }: Parsed<'user/secondFactorCodes'>,
  caller: Member,
): Promise<Answer<'user/secondFactorCodes'>> {
  const { id } = await requirePassword(ctx, caller, password)
  await requireOn(ctx, caller)
  return withCode(ctx, givenBy(caller, code), async (tx) => {
    await record(tx, caller, 'account.second_factor_codes')
    return { recoveryCodes: await renewRecoveryCodes(ctx, tx, id) }
  })
}

export async function turnOff(
  ctx: Context,
  { password, code }: Parsed<'user/secondFactorOff'>,
  caller: Member,
): Promise<Answer<'user/secondFactorOff'>> {
  const { id: userId } = await requirePassword(ctx, caller, password)
  await requireOn(ctx, caller)
  await withCode(ctx, givenBy(caller, code), async (tx) => {
    await removeSecondFactor(tx, userId)
    await addNotice(ctx, tx, { userId, kind: 'second_factor_off', params: { address: caller.address } })
    await record(tx, caller, 'account.second_factor_off')
  })
  return {}
}

async function requireOn({ db }: Context, { user }: Member): Promise<void> {
  if (!(await hasSecondFactor(db, user.id))) throw fail('second_factor_off')
}

/** In this session, and in this browser where it is known. */
async function markGiven(ctx: Context, tx: Tx, caller: Member): Promise<void> {
  const at = ctx.now()
  await tx.update(sessions).set({ secondFactorAt: at }).where(eq(sessions.id, caller.sessionId))
  await markSecondFactor(tx, caller.user.id, caller, at)
}

const record = (tx: Tx, { user, address }: Member, action: string): Promise<void> =>
  audit(tx, { actor: user.id, action, subject: `user:${user.id}`, address })
