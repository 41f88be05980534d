/** Making an account and getting back into one, both by a code sent to the phone. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { eq } from 'drizzle-orm'
import type { Guest } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import { sqlState } from '../../infra/db.ts'
import { requireOpen } from './access.ts'
import { accountKey, createUser, findByAccount } from './account.ts'
import { takeCode } from './codes.ts'
import * as password from './password.ts'
import * as session from './session.ts'
import { users } from './tables.ts'
import { requireProof } from './tries.ts'

const UNIQUE_VIOLATION = '23505'

/** Only who holds the phone learns that it has an account already: the code is asked for first. */
export async function register(
  ctx: Context,
  { phone, code, nickName, password: chosen, proof }: Parsed<'user/register'>,
  { address }: Guest,
): Promise<Answer<'user/register'>> {
  requireOpen(ctx)
  await requireProof(ctx, { accountMac: macOf(ctx, phone), address, proof, purpose: 'register' })
  if (!(await takeCode(ctx, { phone, purpose: 'register', code }))) throw fail('code_wrong')
  if (await findByAccount(ctx.db, phone)) throw fail('account_taken')
  try {
    const { id } = await createUser(ctx.db, {
      account: phone,
      password: chosen,
      nickName,
      agreedAt: ctx.now(),
    })
    await audit(ctx.db, { actor: id, action: 'account.register', subject: `user:${id}`, address })
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) throw fail('account_taken')
    throw error
  }
  return {}
}

/** A new password ends every session; signing in is the owner's next step. */
export async function forgetPassword(
  ctx: Context,
  { phone, code, password: chosen, proof }: Parsed<'user/forgetpwd'>,
  { address }: Guest,
): Promise<Answer<'user/forgetpwd'>> {
  requireOpen(ctx)
  await requireProof(ctx, { accountMac: macOf(ctx, phone), address, proof, purpose: 'forget' })
  if (!(await takeCode(ctx, { phone, purpose: 'forget', code }))) throw fail('code_wrong')
  const user = await findByAccount(ctx.db, phone)
  if (!user) throw fail('code_wrong')
  const passwordHash = await password.hash(chosen)
  await ctx.db.transaction(async (tx) => {
    await tx.update(users).set({ passwordHash }).where(eq(users.id, user.id))
    await session.end(ctx, tx, user.id, 'signed_out')
    await audit(tx, { actor: user.id, action: 'account.new_password', subject: `user:${user.id}`, address })
  })
  return {}
}

const macOf = (ctx: Context, phone: string): string => ctx.links.mac('account', accountKey(phone).key)
