import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { challenge as challengeLimits, passwordTries } from '@neuroloom/contract/limits'
import { and, count, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { Caller, Guest } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { accountKey, findByAccount } from './account.ts'
import { acceptProof } from './challenge.ts'
import * as password from './password.ts'
import { profileOf } from './profile.ts'
import * as session from './session.ts'
import { sessions, signInTries } from './tables.ts'

type Try = { accountMac: string; address: string; userId: string | null }

export async function login(
  ctx: Context,
  body: Parsed<'user/login'>,
  guest: Guest,
): Promise<Answer<'user/login'>> {
  const user = await findByAccount(ctx.db, body.account)
  const accountMac = ctx.links.mac('account', accountKey(body.account).key)
  const attempt: Try = { accountMac, address: guest.address, userId: user?.id ?? null }
  await requireProof(ctx, body.proof, attempt)
  const tryId = await countPasswordTry(ctx, attempt)
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
  return { ...profileOf(user), token }
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

/** The slider's proof, or one of the few sign-ins that clients without it have. */
async function requireProof(ctx: Context, proof: string | undefined, attempt: Try): Promise<void> {
  if (proof !== undefined) {
    if (await acceptProof(ctx, proof, { purpose: 'login', address: attempt.address })) return
    throw fail('drag_required')
  }
  await ctx.db.transaction(async (tx) => {
    await lockAccount(tx, attempt)
    const since = new Date(ctx.now().getTime() - challengeLimits.unprovenWindowMs)
    const ofAccount = eq(signInTries.accountMac, attempt.accountMac)
    if ((await tries(tx, 'unproven', since, ofAccount)) >= challengeLimits.unprovenTries)
      throw fail('drag_required')
    await addTry(ctx, tx, 'unproven', attempt)
  })
}

/**
 * Counts a try before the password is looked at, so that parallel guesses cannot pass the limit together.
 * An address from which the owner signed in before has its own count: guessing elsewhere never locks the owner out.
 */
async function countPasswordTry(ctx: Context, attempt: Try): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    await lockAccount(tx, attempt)
    const since = new Date(ctx.now().getTime() - passwordTries.windowMs)
    const known = await knownAddresses(tx, attempt.userId)
    const here = known.includes(attempt.address)
    const where = here
      ? eq(signInTries.address, attempt.address)
      : known.length > 0
        ? sql`not ${inArray(signInTries.address, known)}`
        : undefined
    const ofAccount = await tries(
      tx,
      'password',
      since,
      and(eq(signInTries.accountMac, attempt.accountMac), where),
    )
    const ofAddress = await tries(tx, 'password', since, eq(signInTries.address, attempt.address))
    if (ofAccount >= passwordTries.perAccount || ofAddress >= passwordTries.perAddress)
      throw fail('too_many_tries')
    return addTry(ctx, tx, 'password', attempt)
  })
}

const lockAccount = (tx: Tx, { accountMac }: Try) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sign-in ${accountMac}`}, 0))`)

async function knownAddresses(tx: Tx, userId: string | null): Promise<string[]> {
  if (userId === null) return []
  const rows = await tx
    .selectDistinct({ address: sessions.address })
    .from(sessions)
    .where(eq(sessions.userId, userId))
  return rows.map((row) => row.address)
}

async function tries(
  tx: Tx,
  kind: 'password' | 'unproven',
  since: Date,
  where: SQL | undefined,
): Promise<number> {
  const [row] = await tx
    .select({ tries: count() })
    .from(signInTries)
    .where(and(eq(signInTries.kind, kind), gt(signInTries.at, since), where))
  return row?.tries ?? 0
}

async function addTry(ctx: Context, tx: Tx, kind: 'password' | 'unproven', attempt: Try): Promise<number> {
  const { accountMac, address } = attempt
  const [row] = await tx
    .insert(signInTries)
    .values({ accountMac, address, kind, at: ctx.now() })
    .returning({ id: signInTries.id })
  if (!row) throw new Error('An insert answered without its row')
  return row.id
}
