/** Making an account and getting back into one, both by a code that proves the phone or the e-mail address. */

import { getsTexts } from '@neuroloom/contract/accounts/form-rules'
import { memberFields } from '@neuroloom/contract/accounts/member-rules'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { eq } from 'drizzle-orm'
import type { Guest } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import { sqlState } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { addNotice } from '../../../infra/notices.ts'
import { requireMail, requireOpen, requireRegistration, requireTexts, textCountries } from '../access.ts'
import { accountKey, createUser, findByAccount, type NewUser } from '../account.ts'
import { ORDINARY } from '../level.ts'
import { columnsOf } from '../member.ts'
import { forgetDevices } from '../sign-in/devices.ts'
import * as password from '../sign-in/password.ts'
import * as session from '../sign-in/session.ts'
import { letIn } from '../sign-in/sign-in.ts'
import { requireProof } from '../sign-in/tries.ts'
import { users } from '../tables.ts'
import { takeCode } from './codes.ts'
import { requireCodes } from './profile-rules.ts'

const UNIQUE_VIOLATION = '23505'

type RegisterForm = Parsed<'user/register'>

/**
 * Only who holds the phone or reads the e-mail learns that it has an account already: the code is asked for first.
 * The code has proven as much as a password would: whoever made the account is signed in to it.
 */
export async function register(
  ctx: Context,
  form: RegisterForm,
  guest: Guest,
): Promise<Answer<'user/register'>> {
  const { address } = guest
  requireRegistration(ctx)
  const account = accountOf(ctx, form)
  const isMember = form.type === 1
  if (isMember) requireCodes(form)
  await requireProof(ctx, {
    accountMac: macOf(ctx, account),
    address,
    proof: form.proof,
    purpose: 'register',
  })
  if (!(await takeCode(ctx, { account, purpose: 'register', code: form.code }))) throw fail('code_wrong')
  if (await findByAccount(ctx.db, account)) throw fail('account_taken')
  const { nickName } = form
  const fresh = { account, password: form.password, nickName, agreedAt: ctx.now() }
  const user = await createUser(ctx.db, isMember ? { ...fresh, ...membership(ctx, form) } : fresh).catch(
    (error: unknown) => {
      throw sqlState(error) === UNIQUE_VIOLATION ? fail('account_taken') : error
    },
  )
  const opened = await ctx.db.transaction(async (tx) => {
    await audit(tx, { actor: user.id, action: 'account.register', subject: `user:${user.id}`, address })
    return session.open(ctx, tx, { userId: user.id, from: guest })
  })
  return letIn(ctx, { user, opened }, guest)
}

/** A new password ends every session; signing in is the owner's next step. */
export async function forgetPassword(
  ctx: Context,
  { phone, email, code, password: chosen, proof }: Parsed<'user/forgetpwd'>,
  { address }: Guest,
): Promise<Answer<'user/forgetpwd'>> {
  requireOpen(ctx)
  const account = phone || email
  await requireProof(ctx, { accountMac: macOf(ctx, account), address, proof, purpose: 'forget' })
  if (!(await takeCode(ctx, { account, purpose: 'forget', code }))) throw fail('code_wrong')
  const user = await findByAccount(ctx.db, account)
  if (!user) throw fail('code_wrong')
  const passwordHash = await password.hash(chosen)
  await ctx.db.transaction(async (tx) => {
    await tx.update(users).set({ passwordHash, mustChangePassword: false }).where(eq(users.id, user.id))
    await forgetDevices(tx, user.id)
    await session.end(ctx, tx, user.id, 'signed_out')
    await addNotice(ctx, tx, { userId: user.id, kind: 'password_changed', params: { address } })
    await audit(tx, { actor: user.id, action: 'account.new_password', subject: `user:${user.id}`, address })
  })
  return {}
}

/** What the account is called, and therefore what the code must have been sent to. */
function accountOf(ctx: Context, { type, phone, email }: RegisterForm): string {
  if (type === 0 && phone !== '') {
    requireTexts(ctx, phone)
    return phone
  }
  if (type === 1) {
    if (getsTexts(phone, textCountries(ctx))) return phone
    if (!ctx.messages.canMail) throw fail('country_closed')
  }
  requireMail(ctx)
  // Of several addresses the first is the main one.
  return email.split(';')[0]?.trim() ?? ''
}

/** The whole profile makes an ordinary member. */
function membership(ctx: Context, form: RegisterForm): Pick<NewUser, 'id' | 'profile' | 'vipLevel'> {
  const id = newId()
  const fields = [...memberFields, 'age', 'photo'] as const
  const given = Object.fromEntries(fields.map((field) => [field, form[field]]))
  return { id, profile: columnsOf(ctx, id, given), vipLevel: ORDINARY }
}

const macOf = (ctx: Context, account: string): string => ctx.links.mac('account', accountKey(account).key)
