import { getsTexts } from '@neuroloom/contract/accounts/form-rules'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { LinkClaims } from '../../infra/links.ts'
import { findActive } from './sign-in/session.ts'
import type { UserRow } from './tables.ts'

/** Whom a signed address is made for: it ends with that session. */
export type Holder = Pick<Caller, 'user' | 'sessionId'>

/** What every signed address says of its holder; `verifyLink` asks for it. */
export const holderClaims = ({ user, sessionId }: Holder) => ({ userId: user.id, session: sessionId })

/** What a signed address says, refused when it is too old, altered, or when its session has ended. */
export async function verifyLink(ctx: Context, query: unknown, kind: string): Promise<LinkClaims> {
  const claims = ctx.links.verify(query, kind)
  const holder = await findActive(ctx, claims.session ?? '')
  if (holder?.user.id !== claims.userId) throw fail('link_expired')
  return claims
}

/** Accounts are made by their owners on a public server that can reach them; elsewhere by the administrator. */
export const isOpen = ({ config, messages }: Context): boolean =>
  config.deployment === 'public' && (messages.canText || messages.canMail)

/** Whether people make their own accounts here now; passwords are renewed also while administrators have switched that off. */
export const canRegister = (ctx: Context): boolean => isOpen(ctx) && !ctx.modules.isOff('registration')

export function requireRegistration(ctx: Context): void {
  if (!canRegister(ctx)) throw fail('registration_closed')
}

export function requireOpen(ctx: Context): void {
  if (!isOpen(ctx)) throw fail('registration_closed')
}

/** Area codes of the countries that codes are sent to by text message. */
export const textCountries = ({ config, messages }: Context): string[] =>
  messages.canText ? config.smsCountries : []

export function requireTexts(ctx: Context, phone: string): void {
  if (!getsTexts(phone, textCountries(ctx))) throw fail('country_closed')
}

export function requireMail({ messages }: Context): void {
  if (!messages.canMail) throw fail('registration_closed')
}

// What features to the right may use besides.
export { accountKey, findByAccount } from './account.ts'
export { levelAt } from './level.ts'
export { acceptProof } from './sign-in/challenge.ts'
export { hash as hashPassword, verify as verifyPassword } from './sign-in/password.ts'
export { requireProof } from './sign-in/tries.ts'

/** Where letters to a member go: by what they sign in, else what they gave; null where neither is, and of a closed account. */
export function mailAddressOf(
  member: Pick<UserRow, 'emailKey' | 'email' | 'cancelledAt'> | undefined,
): string | null {
  if (!member || member.cancelledAt) return null
  return member.emailKey ?? (member.email || null)
}
