/** Who may make a call. What a caller may do with one thing is decided in the feature's access.ts. */
import type { Language } from '@neuroloom/contract/language'

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
}

/** A signed-in caller. */
export type Caller = {
  user: SessionUser
  /** Opaque id of the session, for what must end with it. */
  sessionId: string
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
