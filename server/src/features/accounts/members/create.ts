import { roles } from '@neuroloom/contract/accounts/roles'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { fail } from '../../../http/fail.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import { breaksUnique } from '../../../infra/db.ts'
import { createUser } from '../account.ts'
import { draw } from '../sign-in/password.ts'
import type { Doer } from './deed.ts'
import { memberOf } from './show.ts'

/** No agreement is recorded: the administrator answers for the account. */
export async function create(
  ctx: Context,
  { account, nickName, role, level }: Parsed<'members/create'>,
  { user, address }: Doer,
): Promise<Answer<'members/create'>> {
  const secret = draw()
  // Administrators are never held up by a level.
  const vipSuper = role === roles.administrator ? 1 : 0
  const fresh = {
    account,
    password: secret,
    nickName,
    mustChangePassword: true,
    role,
    vipLevel: level,
    vipSuper,
  }
  try {
    const id = await ctx.db.transaction(async (tx) => {
      const made = await createUser(tx, fresh)
      const actor = user?.id ?? null
      const after = { role, vipLevel: level, vipSuper }
      await audit(tx, { actor, action: 'member.create', subject: `user:${made.id}`, address, after })
      return made.id
    })
    return { member: await memberOf(ctx, ctx.db, id), password: secret }
  } catch (error) {
    const isTaken = breaksUnique(error, 'users_email_key_key') || breaksUnique(error, 'users_phone_key_key')
    throw isTaken ? fail('account_taken') : error
  }
}
