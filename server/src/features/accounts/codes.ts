/** Six digits by text message: sent within limits, tried a few times, used once. */
import { randomInt } from 'node:crypto'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { codes as limits } from '@neuroloom/contract/limits'
import type { CodePurpose } from '@neuroloom/contract/sign-up'
import { and, count, desc, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Guest } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { equal } from '../../infra/links.ts'
import { requireOpen } from './access.ts'
import { accountKey, findByAccount } from './account.ts'
import { acceptProof } from './challenge.ts'
import { codes } from './tables.ts'
import { codeText } from './texts.ts'

/** Sends a code. A number without an account gets no message for a forgotten password, and the same answer. */
export async function sendCode(
  ctx: Context,
  { gjPhone, purpose, proof }: Parsed<'user/smscode'>,
  { address, language }: Guest,
): Promise<Answer<'user/smscode'>> {
  requireOpen(ctx)
  if (proof !== undefined && !(await acceptProof(ctx, proof, { purpose: 'sms', address })))
    throw fail('drag_required')
  const phoneKey = accountKey(gjPhone).key
  const isNobody = purpose === 'forget' && (await findByAccount(ctx.db, gjPhone)) === null
  const code = isNobody ? null : drawCode()
  const wish = { phoneKey, purpose, address, isProven: proof !== undefined }
  const id = await reserve(ctx, wish, code && macOf(ctx, { phoneKey, purpose, code }))
  if (code === null) return {}
  const sent = ctx.messages.sendText({ to: `+${phoneKey}`, text: codeText(code, language) })
  if (purpose === 'forget') {
    // How long a provider takes would tell that there is an account.
    sent.catch((error: unknown) => ctx.log.error({ err: error }, 'code not sent'))
    return {}
  }
  await sent.catch(async (error: unknown) => {
    ctx.log.error({ err: error }, 'code not sent')
    await ctx.db.delete(codes).where(eq(codes.id, id))
    throw fail('message_failed')
  })
  return {}
}

/** Whether this is the newest code of the number, for this purpose, fresh and unused. Every try counts before it is looked at. */
export async function takeCode(
  ctx: Context,
  { phone, purpose, code }: { phone: string; purpose: CodePurpose; code: string },
): Promise<boolean> {
  const phoneKey = accountKey(phone).key
  const newest = ctx.db
    .select({ id: codes.id })
    .from(codes)
    .where(and(eq(codes.phoneKey, phoneKey), eq(codes.purpose, purpose)))
    .orderBy(desc(codes.id))
    .limit(1)
  const fresh = gt(codes.sentAt, new Date(ctx.now().getTime() - limits.validMs))
  const [tried] = await ctx.db
    .update(codes)
    .set({ tries: sql`${codes.tries} + 1` })
    .where(and(eq(codes.id, newest), isNull(codes.usedAt), lt(codes.tries, limits.tries), fresh))
    .returning({ id: codes.id, codeMac: codes.codeMac })
  if (!tried?.codeMac || !equal(tried.codeMac, macOf(ctx, { phoneKey, purpose, code }))) return false
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

type Wish = { phoneKey: string; purpose: CodePurpose; address: string; isProven: boolean }

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

async function requireLimits(tx: Tx, { phoneKey, address, isProven }: Wish, now: Date): Promise<void> {
  const ofPhone = eq(codes.phoneKey, phoneKey)
  const [last] = await tx
    .select({ sentAt: codes.sentAt })
    .from(codes)
    .where(ofPhone)
    .orderBy(desc(codes.id))
    .limit(1)
  const waited = last ? now.getTime() - last.sentAt.getTime() : limits.resendMs
  if (waited < limits.resendMs) {
    throw fail('code_wait', { seconds: Math.ceil((limits.resendMs - waited) / 1000) })
  }
  const since = (ms: number): SQL => gt(codes.sentAt, new Date(now.getTime() - ms))
  const ofAddress = and(eq(codes.address, address), since(limits.perAddressMs))
  const rules: [SQL | undefined, number][] = [
    [and(ofPhone, since(limits.perPhoneMs)), limits.perPhone],
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

const macOf = (ctx: Context, parts: { phoneKey: string; purpose: CodePurpose; code: string }): string =>
  ctx.links.mac('code', [parts.phoneKey, parts.purpose, parts.code].join('\n'))
