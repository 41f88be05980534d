import { sharing as limits } from '@neuroloom/contract/limits'
import { and, eq, isNull } from 'drizzle-orm'
import type { SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { findByAccount } from '../../accounts/access.ts'
import { type UserRow, users } from '../../accounts/tables.ts'
import { guess } from './tries.ts'

/** The account that somebody typed. Those that do not exist are counted, so that nobody finds out who is here. */
export async function findRecipient(ctx: Context, user: SessionUser, account: string): Promise<UserRow> {
  const bound = {
    kind: 'account',
    key: user.id,
    limit: limits.accountTries,
    windowMs: limits.accountTriesMs,
  } as const
  const member = await guess(ctx, [bound], (tx) => findByAccount(tx, account))
  if (!member) throw fail('account_missing')
  if (member.id === user.id) throw fail('share_self')
  return member
}

/** Stays until the transaction ends. */
export async function requireThere(tx: Tx, userId: string): Promise<void> {
  const [found] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.cancelledAt)))
    .for('key share')
  if (!found) throw fail('account_missing')
}
