/** Six digits by text message or e-mail: sent within limits, tried a few times, used once. */
import { randomInt } from 'node:crypto'
import { fullPhoneProblem } from '@neuroloom/contract/accounts/form-rules'
import type { CodePurpose } from '@neuroloom/contract/accounts/sign-up'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Language } from '@neuroloom/contract/language'
import { challenge, codes as limits } from '@neuroloom/contract/limits'
import { and, count, desc, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Guest } from '../../../http/access.ts'
import { fail, failFields } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { equal } from '../../../infra/links.ts'
import { requireMail, requireOpen, requireRegistration, requireTexts } from '../access.ts'
import { accountKey, hasAccount, languageOf } from '../account.ts'
import { acceptProof } from '../sign-in/challenge.ts'
import { codes } from '../tables.ts'
import { codeMail, codeText } from '../texts.ts'

/** Sends a code by text message, to the countries that the operator allows. */
export async function textCode(
  ctx: Context,
  { gjPhone, ...wish }: Parsed<'user/smscode'>,
  guest: Guest,
): Promise<Answer<'user/smscode'>> {
  requireCodes(ctx, wish.purpose)
  // The contract looks at the parts as they were given; parted elsewhere, the whole may still be no number.
  const problem = fullPhoneProblem(gjPhone)
  if (problem) throw failFields({ phone: `form.${problem}` })
  requireTexts(ctx, gjPhone)
  return send(ctx, { account: gjPhone, ...wish }, guest, ({ key, code, language }) =>
    ctx.messages.sendCode({ to: `+${key}`, code, text: codeText(code, language) }),
  )
}

/** Sends a code by e-mail. */
export async function mailCode(
  ctx: Context,
  { email, ...wish }: Parsed<'user/mailcode'>,
  guest: Guest,
): Promise<Answer<'user/mailcode'>> {
  requireCodes(ctx, wish.purpose)
  requireMail(ctx)
  return send(ctx, { account: email, ...wish }, guest, ({ key, code, language }) =>
    ctx.messages.sendMail({ to: key, ...codeMail(code, { purpose: wish.purpose, language }) }),
  )
}

/** For a new account while people make their own; for a new password in any case. */
const requireCodes = (ctx: Context, purpose: CodePurpose): void =>
  purpose === 'register' ? requireRegistration(ctx) : requireOpen(ctx)

const AFTER_ANSWER_MS = 100

type Asked = { account: string; purpose: CodePurpose; proof?: string | undefined }

/** An account that does not exist gets no message for a forgotten password, and the same answer. */
async function send(
  ctx: Context,
  { account, purpose, proof }: Asked,
  guest: Guest,
  deliver: (letter: { key: string; code: string; language: Language }) => Promise<void>,
): Promise<Record<string, never>> {
  const { address } = guest
  if (proof !== undefined) await requireProof(ctx, proof, address)
  const { key } = accountKey(account)
  const isNobody = purpose === 'forget' && !(await hasAccount(ctx.db, account))
  const code = drawCode()
  const codeMac = macOf(ctx, { accountKey: key, purpose, code })
  const wish = { accountKey: key, purpose, address, isProven: proof !== undefined }
  const id = await reserve(ctx, wish, isNobody ? null : codeMac)
  if (isNobody) return {}
  // Whoever asks may sit at a browser that speaks another language.
  const write = async () =>
    deliver({ key, code, language: (await languageOf(ctx.db, account)) ?? guest.language })
  if (purpose === 'forget') {
    // What a message costs would tell that there is an account; so it begins when the answer is long under way.
    setTimeout(
      () => write().catch((error: unknown) => ctx.log.error({ err: error }, 'code not sent')),
      AFTER_ANSWER_MS,
    )
    return {}
  }
  await write().catch(async (error: unknown) => {
    ctx.log.error({ err: error }, 'code not sent')
    await ctx.db.delete(codes).where(eq(codes.id, id))
    throw fail('message_failed')
  })
  return {}
}

async function requireProof(ctx: Context, proof: string, address: string): Promise<void> {
  const proven = await acceptProof(ctx, proof, { purpose: 'sms', address })
  if (proven === null) throw fail('drag_required')
  if (proven < (await codePuzzle(ctx, address))) throw fail('drag_again')
}

/** How large the slider's puzzle is for a code: the more an address has had of them, the larger. */
export async function codePuzzle(ctx: Context, address: string): Promise<number> {
  const since = new Date(ctx.now().getTime() - limits.perAddressMs)
  const sent = await ctx.db.$count(codes, and(eq(codes.address, address), gt(codes.sentAt, since)))
  const { freePerAddress: free } = limits
  const doublings = sent < free ? 0 : 1 + Math.floor(Math.log2(sent / free))
  return challenge.maxNumber * 2 ** doublings
}

/** Whether this is the newest code of the account, for this purpose, fresh and unused. Every try counts before it is looked at. */
export async function takeCode(
  ctx: Context,
  { account, purpose, code }: { account: string; purpose: CodePurpose; code: string },
): Promise<boolean> {
  const { key } = accountKey(account)
  const newest = ctx.db
    .select({ id: codes.id })
    .from(codes)
    .where(and(eq(codes.accountKey, key), eq(codes.purpose, purpose)))
    .orderBy(desc(codes.id))
    .limit(1)
  const fresh = gt(codes.sentAt, new Date(ctx.now().getTime() - limits.validMs))
  const [tried] = await ctx.db
    .update(codes)
    .set({ tries: sql`${codes.tries} + 1` })
    .where(and(eq(codes.id, newest), isNull(codes.usedAt), lt(codes.tries, limits.tries), fresh))
    .returning({ id: codes.id, codeMac: codes.codeMac })
  if (!tried?.codeMac || !equal(tried.codeMac, macOf(ctx, { accountKey: key, purpose, code }))) return false
  const used = await ctx.db
    .update(codes)
    .set({ usedAt: ctx.now() })
    .where(and(eq(codes.id, tried.id), isNull(codes.usedAt)))
    .returning({ id: codes.id })
  return used.length === 1
}

/** Deletes what no limit counts any more. */
export const sweepCodes = (db: Db, now: Date) =>
  db.delete(codes).where(lt(codes.sentAt, new Date(now.getTime() - limits.keepMs)))

type Wish = { accountKey: string; purpose: CodePurpose; address: string; isProven: boolean }

/** Counts and writes down under one lock, so that parallel wishes cannot pass a limit together. */
async function reserve(ctx: Context, wish: Wish, codeMac: string | null): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('codes', 0))`)
    await requireLimits(tx, wish, ctx.now())
    const [row] = await tx
      .insert(codes)
      .values({ ...wish, codeMac, sentAt: ctx.now() })
      .returning({ id: codes.id })
    if (!row) throw new Error('An insert answered without its row')
    return row.id
  })
}

async function requireLimits(tx: Tx, { accountKey, address, isProven }: Wish, now: Date): Promise<void> {
  const ofAccount = eq(codes.accountKey, accountKey)
  const [last] = await tx
    .select({ sentAt: codes.sentAt })
    .from(codes)
    .where(ofAccount)
    .orderBy(desc(codes.id))
    .limit(1)
  const waited = last ? now.getTime() - last.sentAt.getTime() : limits.resendMs
  if (waited < limits.resendMs) {
    throw fail('code_wait', { seconds: Math.ceil((limits.resendMs - waited) / 1000) })
  }
  const since = (ms: number): SQL => gt(codes.sentAt, new Date(now.getTime() - ms))
  const ofAddress = and(eq(codes.address, address), since(limits.perAddressMs))
  const rules: [SQL | undefined, number][] = [
    [and(ofAccount, since(limits.perPhoneMs)), limits.perPhone],
    [ofAddress, limits.perAddress],
    [since(24 * 60 * 60 * 1000), limits.perDay],
  ]
  if (!isProven) rules.push([and(ofAddress, eq(codes.isProven, false)), limits.perAddressUnproven])
  for (const [where, most] of rules) {
    const [row] = await tx.select({ sent: count() }).from(codes).where(where)
    if ((row?.sent ?? 0) >= most) throw fail('code_limit')
  }
}

const drawCode = (): string => String(randomInt(10 ** limits.digits)).padStart(limits.digits, '0')

const macOf = (ctx: Context, parts: { accountKey: string; purpose: CodePurpose; code: string }): string =>
  ctx.links.mac('code', [parts.accountKey, parts.purpose, parts.code].join('\n'))
