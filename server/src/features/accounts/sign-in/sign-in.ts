import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Language } from '@neuroloom/contract/language'
import { challenge as limits, secondFactor } from '@neuroloom/contract/limits'
import type { Caller, Guest } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { accountKey, findByAccount } from '../account.ts'
import { profileOf } from '../profile.ts'
import { hasSecondFactor } from '../second-factor/standing.ts'
import { type FirstStep, makeTicket } from '../second-factor/tickets.ts'
import { codePuzzle } from '../sign-up/codes.ts'
import type { UserRow } from '../tables.ts'
import { makeChallenge } from './challenge.ts'
import { closingOf } from './closing.ts'
import { findDevice, keepDevice, secondFactorIn } from './devices.ts'
import { takeKey } from './link-key.ts'
import * as password from './password.ts'
import * as session from './session.ts'
import { type Attempt, heatOf, tryPassword } from './tries.ts'

declare module '../../../infra/feature.ts' {
  interface Questions {
    /** Done when a member has signed in, in the language of the page. */
    greets: (ctx: Context, userId: string, language: Language) => Promise<void>
  }
}

export async function login(
  ctx: Context,
  body: Parsed<'user/login'>,
  guest: Guest,
): Promise<Answer<'user/login'>> {
  const entered =
    body.key === undefined ? await byPassword(ctx, body, guest) : await byKey(ctx, body.key, guest)
  if ('ticket' in entered) throw fail('second_factor_needed', entered)
  return welcome(ctx, entered, guest)
}

/** At the end of a sign-in, whatever its steps were. */
export async function welcome(ctx: Context, signedIn: SignedIn, guest: Guest): Promise<Answer<'user/login'>> {
  for (const greet of ctx.told('greets')) await greet(ctx, signedIn.user.id, guest.language)
  return letIn(ctx, signedIn, guest)
}

/** Hands the opened session to whoever asked for it. */
export function letIn(ctx: Context, { user, opened, device }: SignedIn, guest: Guest): Answer<'user/login'> {
  if (opened.cookie !== null) guest.setSessionCookie(opened.cookie)
  if (device !== undefined) guest.setDeviceCookie(device)
  return { ...profileOf(ctx, user), token: opened.token, closing: closingOf(ctx, opened.id) }
}

/** A puzzle for the drag slider; harder while somebody guesses at this account, or from this place at any. */
export async function challenge(
  ctx: Context,
  { purpose, account }: Parsed<'user/challenge'>,
  guest: Guest,
): Promise<Answer<'user/challenge'>> {
  const { address } = guest
  if (purpose === 'link') return makeChallenge(ctx, { purpose, address, maxNumber: limits.maxNumberAtLink })
  if (purpose === 'sms')
    return makeChallenge(ctx, { purpose, address, maxNumber: await codePuzzle(ctx, address) })
  if (purpose !== 'login') return makeChallenge(ctx, { purpose, address, maxNumber: limits.maxNumber })
  const user = account === '' ? null : await findByAccount(ctx.db, account)
  const { maxNumber } = await heatOf(ctx, await attemptAt(ctx, account, user, guest))
  return makeChallenge(ctx, { purpose, address, maxNumber })
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

async function attemptAt(
  ctx: Context,
  account: string,
  user: UserRow | null,
  guest: Guest,
): Promise<Attempt> {
  const accountMac = ctx.links.mac('account', accountKey(account).key)
  return { accountMac, address: guest.address, device: await findDevice(ctx, user?.id ?? null, guest) }
}

export type SignedIn = {
  user: UserRow
  opened: session.Opened
  /** Only who knew the password makes the browser known. */
  device?: string
}

async function byPassword(
  ctx: Context,
  body: Parsed<'user/login'>,
  guest: Guest,
): Promise<SignedIn | Ticket> {
  const { address } = guest
  const user = await findByAccount(ctx.db, body.account)
  const attempt = await attemptAt(ctx, body.account, user, guest)
  const matches = await tryPassword(ctx, { ...attempt, proof: body.proof }, () =>
    password.verify(user?.passwordHash ?? null, body.password),
  )
  if (!user || !matches) {
    const subject = user ? `user:${user.id}` : 'unknown'
    await audit(ctx.db, { actor: null, action: 'session.wrong_password', subject, address })
    throw fail('wrong_credentials')
  }
  return ctx.db.transaction(async (tx) => {
    // Changed, or the account closed, while the password was looked at: it is the old one.
    const now = await session.lockMember(tx, user.id)
    if (now.passwordHash !== user.passwordHash) throw fail('wrong_credentials')
    return openOrAsk(ctx, tx, { user: now, first: { by: 'password' }, guest })
  })
}

/** By the key of a link. Who made the link is written down as the one who did it. */
async function byKey(ctx: Context, key: string, guest: Guest): Promise<SignedIn | Ticket> {
  return ctx.db.transaction(async (tx) => {
    const taken = await takeKey(tx, key, ctx.now())
    if (!taken) throw fail('key_expired')
    const user = await session.lockMember(tx, taken.userId)
    return openOrAsk(ctx, tx, { user, first: { by: 'key', madeBy: taken.madeBy }, guest })
  })
}

type Entry = { user: UserRow; first: FirstStep; guest: Guest }
/** With a code of the second factor it opens the session. */
type Ticket = { ticket: string }

/** After the first step, with the member's row locked: the second one is asked for unless it was done here of late. */
async function openOrAsk(ctx: Context, tx: Tx, entry: Entry): Promise<SignedIn | Ticket> {
  const { user, first, guest } = entry
  if (!(await hasSecondFactor(tx, user.id))) return enter(ctx, tx, { ...entry, secondFactorAt: null })
  const given = await secondFactorIn(tx, user.id, guest)
  if (given !== null && ctx.now().getTime() - given.getTime() < secondFactor.againMs)
    return enter(ctx, tx, { ...entry, secondFactorAt: given })
  const entryOf = { actor: null, action: 'session.code_asked', subject: `user:${user.id}` }
  await audit(tx, { ...entryOf, address: guest.address })
  return { ticket: await makeTicket(ctx, tx, user, first) }
}

/** Opens the session of somebody who has done all steps. */
export async function enter(
  ctx: Context,
  tx: Tx,
  { user, first, guest, secondFactorAt }: Entry & { secondFactorAt: Date | null },
): Promise<SignedIn> {
  const { address } = guest
  const isByPassword = first.by === 'password'
  await audit(tx, {
    actor: isByPassword ? user.id : first.madeBy,
    action: isByPassword ? 'session.open' : 'session.open_by_key',
    subject: `user:${user.id}`,
    address,
  })
  const opened = await session.open(ctx, tx, { userId: user.id, from: guest, secondFactorAt })
  if (!isByPassword) return { user, opened }
  return { user, opened, device: await keepDevice(ctx, tx, { userId: user.id, guest, secondFactorAt }) }
}
