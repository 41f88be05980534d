import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Guest } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { enter, welcome } from '../sign-in/sign-in.ts'
import { withCode } from './take-code.ts'
import { takeTicket, tryTicket } from './tickets.ts'

/** Whoever gave the password, or the key of a link, gives the code. */
export async function secondStep(
  ctx: Context,
  { ticket, code }: Parsed<'user/secondFactor'>,
  guest: Guest,
): Promise<Answer<'user/secondFactor'>> {
  const tried = await tryTicket(ctx, ticket)
  if (!tried) throw fail('second_factor_late')
  const signedIn = await withCode(ctx, { userId: tried.userId, code, guest }, async (tx, user) => {
    const first = await takeTicket(tx, ticket, user)
    if (!first) throw fail('second_factor_late')
    return enter(ctx, tx, { user, first, guest, secondFactorAt: ctx.now() })
  })
  return welcome(ctx, signedIn, guest)
}
