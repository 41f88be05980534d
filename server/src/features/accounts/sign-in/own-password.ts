import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { eq } from 'drizzle-orm'
import type { Caller, Guest } from '../../../http/access.ts'
import { fail, failFields } from '../../../http/fail.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import { addNotice } from '../../../infra/notices.ts'
import { accountMacOf } from '../account.ts'
import { type UserRow, users } from '../tables.ts'
import { closingOf } from './closing.ts'
import { forgetDevices } from './devices.ts'
import * as password from './password.ts'
import * as session from './session.ts'
import { countAgain, forgetTry } from './tries.ts'

/** Ends every session; the caller goes on with a new one, so that a token that somebody copied is worth nothing. */
export async function changePassword(
  ctx: Context,
  { old, password: chosen }: Parsed<'user/password'>,
  caller: Caller & Guest,
): Promise<Answer<'user/password'>> {
  const { user, address } = caller
  if (chosen === old) throw failFields({ password: 'form.password_same' })
  const before = await requirePassword(ctx, caller, old)
  const passwordHash = await password.hash(chosen)
  const opened = await ctx.db.transaction(async (tx) => {
    const now = await session.lockMember(tx, user.id)
    if (now.passwordHash !== before.passwordHash) throw fail('password_wrong')
    await tx.update(users).set({ passwordHash, mustChangePassword: false }).where(eq(users.id, user.id))
    await forgetDevices(tx, user.id, caller)
    await addNotice(ctx, tx, { userId: user.id, kind: 'password_changed', params: { address } })
    await audit(tx, { actor: user.id, action: 'account.new_password', subject: `user:${user.id}`, address })
    const { secondFactorAt } = caller
    return session.open(ctx, tx, { userId: user.id, from: caller, ends: 'signed_out', secondFactorAt })
  })
  if (opened.cookie !== null) caller.setSessionCookie(opened.cookie)
  return { token: opened.token, closing: closingOf(ctx, opened.id) }
}

/** The member's row, once the password fits; guessing it here is counted, too. */
export async function requirePassword(
  ctx: Context,
  { user, address }: Pick<Caller, 'user' | 'address'>,
  given: string,
): Promise<UserRow> {
  const [row] = await ctx.db.select().from(users).where(eq(users.id, user.id))
  if (!row) throw fail('not_signed_in')
  const tryId = await countAgain(ctx, { accountMac: accountMacOf(ctx, row), address })
  if (!(await password.verify(row.passwordHash, given))) {
    const entry = { actor: user.id, action: 'account.wrong_password', subject: `user:${user.id}`, address }
    await audit(ctx.db, entry)
    throw fail('password_wrong')
  }
  await forgetTry(ctx.db, tryId)
  return row
}
