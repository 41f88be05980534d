/** Links that sign somebody in: made by an administrator or asked for by a partner, good once, within a minute, for one member. */
import { createHash, randomBytes } from 'node:crypto'
import { roles } from '@neuroloom/contract/accounts/roles'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { loginKey as limits } from '@neuroloom/contract/limits'
import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail, failFields } from '../../../http/fail.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { findByAccount } from '../account.ts'
import { loginKeys } from '../tables.ts'

export async function key(
  ctx: Context,
  { account, path }: Parsed<'user/key'>,
  { user, address }: Caller,
): Promise<Answer<'user/key'>> {
  const link = linkTo(path)
  const made = await makeKey(ctx.db, { account, now: ctx.now(), madeBy: user.id, address })
  return { ...made, url: link(made.key, ctx.config.publicUrl) }
}

type Wish = {
  account: string
  now: Date
  madeBy: string | null
  address: string
  /** Who asks for one of its own members; others do not exist for it. */
  partnerId?: string
}

/** Never for an administrator's account: whoever may make links does not get another's rights by one. */
export async function makeKey(db: Db, { account, now, madeBy, address, partnerId }: Wish) {
  const member = await findByAccount(db, account)
  if (!member || (partnerId !== undefined && member.partnerId !== partnerId)) throw fail('account_missing')
  if (member.role === roles.administrator) throw fail('not_allowed')
  const secret = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + limits.validMs)
  await db.transaction(async (tx) => {
    const key = { hash: digest(secret), userId: member.id, madeBy, expiresAt }
    await tx.insert(loginKeys).values(partnerId === undefined ? key : { ...key, partnerId })
    await audit(tx, {
      ...{ actor: madeBy, action: 'key.make', subject: `user:${member.id}`, address },
      ...(partnerId === undefined ? {} : { action: 'key.ask', after: { partner: partnerId } }),
    })
  })
  return { key: secret, expiresAt: expiresAt.getTime() }
}

/** Whom the key signs in and who made it; null when it is none, used, or too old. Of two at once one gets it. */
export async function takeKey(
  tx: Tx,
  secret: string,
  now: Date,
): Promise<{ userId: string; madeBy: string | null } | null> {
  const [taken] = await tx
    .update(loginKeys)
    .set({ usedAt: now })
    .where(and(eq(loginKeys.hash, digest(secret)), isNull(loginKeys.usedAt), gt(loginKeys.expiresAt, now)))
    .returning({ userId: loginKeys.userId, madeBy: loginKeys.madeBy })
  return taken ?? null
}

/** How an address of this server gets its key. What a browser would read as another server's is refused. */
export function linkTo(path: string): (key: string, origin: string | undefined) => string {
  const nowhere = 'http://nowhere.invalid'
  const to = URL.canParse(path, nowhere) ? new URL(path, nowhere) : null
  if (to?.origin !== nowhere) throw failFields({ path: 'form.invalid' })
  return (secret, origin) => {
    to.searchParams.set('key', secret)
    const relative = to.pathname + to.search + to.hash
    return origin === undefined ? relative : new URL(relative, origin).href
  }
}

export const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest()
