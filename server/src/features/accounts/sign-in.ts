import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { eq } from 'drizzle-orm'
import type { Caller, Guest } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import { accountKey, findByAccount } from './account.ts'
import { closingOf } from './closing.ts'
import { takeKey } from './link-key.ts'
import * as password from './password.ts'
import { profileOf } from './profile.ts'
import * as session from './session.ts'
import { signInTries, type UserRow } from './tables.ts'
import { countPasswordTry, requireProof } from './tries.ts'

export async function login(
  ctx: Context,
  body: Parsed<'user/login'>,
  guest: Guest,
): Promise<Answer<'user/login'>> {
  const { user, opened } =
    body.key === undefined ? await byPassword(ctx, body, guest) : await byKey(ctx, body.key, guest)
  if (opened.cookie !== null) guest.setSessionCookie(opened.cookie)
  return { ...profileOf(ctx, user), token: opened.token, closing: closingOf(ctx, opened.id) }
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

type SignedIn = { user: UserRow; opened: session.Opened }

async function byPassword(ctx: Context, body: Parsed<'user/login'>, guest: Guest): Promise<SignedIn> {
  const { address } = guest
  const user = await findByAccount(ctx.db, body.account)
  const accountMac = ctx.links.mac('account', accountKey(body.account).key)
  await requireProof(ctx, { accountMac, address, proof: body.proof, purpose: 'login' })
  const tryId = await countPasswordTry(ctx, { accountMac, address, userId: user?.id ?? null })
  const matches = await password.verify(user?.passwordHash ?? null, body.password)
  if (!user || !matches) {
    const subject = user ? `user:${user.id}` : 'unknown'
    await audit(ctx.db, { actor: null, action: 'session.wrong_password', subject, address })
    throw fail('wrong_credentials')
  }
  const opened = await ctx.db.transaction(async (tx) => {
    // Changed, or the account closed, while the password was looked at: it is the old one.
    const { passwordHash } = await session.lockMember(tx, user.id)
    if (passwordHash !== user.passwordHash) throw fail('wrong_credentials')
    await tx.delete(signInTries).where(eq(signInTries.id, tryId))
    await audit(tx, { actor: user.id, action: 'session.open', subject: `user:${user.id}`, address })
    return session.open(ctx, tx, { userId: user.id, from: guest })
  })
  return { user, opened }
}

/** By the key of a link. Who made the link is written down as the one who did it. */
async function byKey(ctx: Context, key: string, guest: Guest): Promise<SignedIn> {
  return ctx.db.transaction(async (tx) => {
    const taken = await takeKey(tx, key, ctx.now())
    if (!taken) throw fail('key_expired')
    const { userId, madeBy } = taken
    const user = await session.lockMember(tx, userId)
    await audit(tx, {
      actor: madeBy,
      action: 'session.open_by_key',
      subject: `user:${userId}`,
      address: guest.address,
    })
    return { user, opened: await session.open(ctx, tx, { userId, from: guest }) }
  })
}
