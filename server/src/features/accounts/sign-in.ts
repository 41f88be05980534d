import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { eq } from 'drizzle-orm'
import type { Caller, Guest } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import { accountKey, findByAccount } from './account.ts'
import * as password from './password.ts'
import { profileOf } from './profile.ts'
import * as session from './session.ts'
import { signInTries } from './tables.ts'
import { countPasswordTry, requireProof } from './tries.ts'

export async function login(
  ctx: Context,
  body: Parsed<'user/login'>,
  guest: Guest,
): Promise<Answer<'user/login'>> {
  const user = await findByAccount(ctx.db, body.account)
  const accountMac = ctx.links.mac('account', accountKey(body.account).key)
  const attempt = { accountMac, address: guest.address }
  await requireProof(ctx, { ...attempt, proof: body.proof, purpose: 'login' })
  const tryId = await countPasswordTry(ctx, { ...attempt, userId: user?.id ?? null })
  const matches = await password.verify(user?.passwordHash ?? null, body.password)
  if (!user || !matches) {
    await audit(ctx.db, {
      actor: null,
      action: 'session.wrong_password',
      subject: user ? `user:${user.id}` : 'unknown',
      address: guest.address,
    })
    throw fail('wrong_credentials')
  }
  const { token, cookie } = await ctx.db.transaction(async (tx) => {
    await tx.delete(signInTries).where(eq(signInTries.id, tryId))
    await audit(tx, {
      actor: user.id,
      action: 'session.open',
      subject: `user:${user.id}`,
      address: guest.address,
    })
    return session.open(ctx, tx, { userId: user.id, address: guest.address, browser: guest.browser })
  })
  if (cookie !== null) guest.setSessionCookie(cookie)
  return { ...profileOf(ctx, user), token }
}

export async function logout(
  ctx: Context,
  _body: unknown,
  { user, address }: Caller,
): Promise<Answer<'user/logout'>> {
  await ctx.db.transaction(async (tx) => {
    await session.end(ctx, tx, user.id, 'signed_out')
    await audit(tx, { actor: user.id, action: 'session.close', subject: `user:${user.id}`, address })
  })
  return {}
}
