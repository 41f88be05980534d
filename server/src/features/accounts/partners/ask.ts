/** A partner's own server asks for a link that signs one of its members in. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { partners as limits, loginKey } from '@neuroloom/contract/limits'
import { and, eq, gt } from 'drizzle-orm'
import type { Guest } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { digest, linkTo, makeKey } from '../sign-in/link-key.ts'
import { loginKeys, partners } from '../tables.ts'

/** Requests of one partner wait for each other at its row, so exactly as many are answered as may be. */
export async function ask(
  ctx: Context,
  { partner: id, secret, account, path }: Parsed<'partner/key'>,
  { address }: Guest,
): Promise<Answer<'partner/key'>> {
  const link = linkTo(path)
  const now = ctx.now()
  const made = await ctx.db.transaction(async (tx) => {
    const isIt = and(eq(partners.id, id), eq(partners.secretHash, digest(secret)))
    const [partner] = await tx.select({ id: partners.id }).from(partners).where(isIt).for('no key update')
    if (!partner) throw fail('partner_refused')
    const since = new Date(now.getTime() - MINUTE_MS + loginKey.validMs)
    const isLate = and(eq(loginKeys.partnerId, id), gt(loginKeys.expiresAt, since))
    if ((await tx.$count(loginKeys, isLate)) >= limits.keysPerMinute) throw fail('rate_limited')
    await tx.update(partners).set({ usedAt: now }).where(eq(partners.id, id))
    return makeKey(tx, { account, now, madeBy: null, address, partnerId: id })
  })
  return { ...made, url: link(made.key, ctx.config.publicUrl) }
}

const MINUTE_MS = 60_000
