/** Who may make a call. What a caller may do with one thing is decided in the feature's access.ts. */
import { roles } from '@neuroloom/contract/accounts/roles'
import type { Language } from '@neuroloom/contract/language'
import { secondFactor } from '@neuroloom/contract/limits'
import type { Context } from '../infra/context.ts'
import { fail } from './fail.ts'

/** Open to everybody, written out on purpose. */
export const anyone = 'anyone'
export const signedIn = 'signedIn'
export const administrator = 'administrator'

export type SessionUser = {
  id: string
  role: number
  vipLevel: number
  vipSuper: number
  nickName: string
  photo: string
}

/** A signed-in caller. */
export type Caller = {
  user: SessionUser
  /** Opaque id of the session, for what must end with it. */
  sessionId: string
  /** When the second factor was last given in this session; null for an account without one. */
  secondFactorAt: Date | null
  address: string
  language: Language
}

/** Somebody at a call that is open to everybody. */
export type Guest = {
  address: string
  /** Somebody sits at the very machine of the server, and no proxy stands between. */
  isAtServer: boolean
  language: Language
  /** Browser and system, as the browser says; empty = a program. */
  agent: string
  /** The headers a browser adds by itself at a sign-in from a page: such sessions get a cookie as well. */
  browser: boolean
  /** Sets or (null) clears the cookie that belongs to a browser's session. */
  setSessionCookie(secret: string | null): void
  /** What a browser keeps so that it is known again; empty = none. */
  device: string
  setDeviceCookie(secret: string): void
}

/** What an administrator has to do before the back-office opens. */
export function secondFactorAsked(
  { config, now }: Pick<Context, 'config' | 'now'>,
  { secondFactorAt }: Pick<Caller, 'secondFactorAt'>,
): 'setUp' | 'code' | 'nothing' {
  if (secondFactorAt === null) return config.adminSecondFactor === 'required' ? 'setUp' : 'nothing'
  return now().getTime() - secondFactorAt.getTime() >= secondFactor.againMs ? 'code' : 'nothing'
}

/** The one place that decides who is let into the back-office. */
export function requireAdministrator(
  ctx: Pick<Context, 'config' | 'now'>,
  caller: Pick<Caller, 'user' | 'secondFactorAt'>,
): void {
  if (caller.user.role !== roles.administrator) throw fail('not_allowed')
  const asked = secondFactorAsked(ctx, caller)
  if (asked === 'setUp') throw fail('second_factor_first')
  if (asked === 'code') throw fail('second_factor_again')
}
