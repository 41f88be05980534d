import { and, eq, isNotNull, lt } from 'drizzle-orm'
import type { Caller, Guest } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { addNotice } from '../../../infra/notices.ts'
import { accountMacOf } from '../account.ts'
import { findDevice } from '../sign-in/devices.ts'
import { lockMember } from '../sign-in/session.ts'
import { countCode, forgetTry } from '../sign-in/tries.ts'
import { secondFactors, type UserRow, users } from '../tables.ts'
import { countRecoveryCodes, takeRecoveryCode } from './recovery.ts'
import { secretOf } from './secret.ts'
import { stepOf } from './totp.ts'

type Given = { userId: string; code: string; guest: Pick<Guest, 'address' | 'device'> }

/**
 * Does `work` once a code fits, with the member's row locked: so that of several who give the same code at once one alone
 * comes through. Every try counts before the code is looked at; a right one takes it back.
 */
export async function withCode<T>(
  ctx: Context,
  { userId, code, guest }: Given,
  work: (tx: Tx, member: UserRow) => Promise<T>,
  fits: (tx: Tx) => Promise<boolean> = (tx) => takeCode(ctx, tx, { userId, code, guest }),
): Promise<T> {
  const { address } = guest
  const [user] = await ctx.db.select().from(users).where(eq(users.id, userId))
  if (!user) throw fail('not_signed_in')
  const device = await findDevice(ctx, userId, guest)
  const tryId = await countCode(ctx, { accountMac: accountMacOf(ctx, user), address, device })
  const done = await ctx.db.transaction(async (tx) => {
    const member = await lockMember(tx, userId)
    return (await fits(tx)) ? { result: await work(tx, member) } : null
  })
  if (done === null) {
    const entry = { actor: null, action: 'session.wrong_code', subject: `user:${userId}`, address }
    await audit(ctx.db, entry)
    throw fail('second_factor_wrong')
  }
  await forgetTry(ctx.db, tryId)
  return done.result
}

const APP_CODE = /^\d{6}$/

/** Takes a code of the app, later than the last one taken, or a recovery code that was not used. */
async function takeCode(ctx: Context, tx: Tx, { userId, code, guest }: Given): Promise<boolean> {
  const plain = code.replace(/\s/g, '')
  if (APP_CODE.test(plain)) return takeAppCode(ctx, tx, userId, plain)
  if (!(await takeRecoveryCode(ctx, tx, userId, plain))) return false
  const left = String(await countRecoveryCodes(tx, userId))
  await addNotice(ctx, tx, { userId, kind: 'recovery_code_used', params: { left } })
  const entry = { actor: userId, action: 'account.recovery_code', subject: `user:${userId}` }
  await audit(tx, { ...entry, address: guest.address })
  return true
}

async function takeAppCode(ctx: Context, tx: Tx, userId: string, code: string): Promise<boolean> {
  const isOn = and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt))
  const [factor] = await tx.select().from(secondFactors).where(isOn)
  const secret = factor && secretOf(ctx, factor)
  const step = secret ? stepOf(secret, code, ctx.now()) : null
  if (step === null) return false
  const taken = await tx
    .update(secondFactors)
    .set({ lastStep: step })
    .where(and(isOn, lt(secondFactors.lastStep, step)))
    .returning({ userId: secondFactors.userId })
  return taken.length === 1
}

/** Somebody who is signed in. */
export const givenBy = (caller: Caller & Guest, code: string): Given => ({
  userId: caller.user.id,
  code,
  guest: caller,
})
