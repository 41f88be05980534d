/** Who is calling: language, address and session of a request. What makes a session valid is the accounts feature's to say. */

import type {} from '@fastify/cookie'
import { type Language, languageSchema } from '@neuroloom/contract/language'
import { knownDevice } from '@neuroloom/contract/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../infra/context.ts'
import type { Caller, Guest } from './access.ts'
import { agentText } from './agent.ts'
import { isAtThisMachine } from './loopback.ts'

export type Credentials = {
  token: string
  /** Of the browser's session cookie. */
  cookie: string | undefined
  /** Whom the caller says it is, in the header; must be the session's user. */
  userId: string
  /** The same in the body, where it is said there too. */
  userIdInBody: string | undefined
  address: string
} & Asking

/** What a call asks of its caller. */
type Asking = {
  /** Whether this call keeps an idle session alive. */
  keepsSession: boolean
  /** Whether it is open to somebody who has to change a password first that others may know. */
  beforePassword: boolean
}

type Member = Pick<Caller, 'user' | 'sessionId' | 'secondFactorAt'>

/** Who may come in. One feature knows, for calls and for live connections. */
export type Gate = {
  /** Checks a token; refuses as `not_signed_in`, `session_replaced`, `not_allowed` or `password_first`. */
  enter(ctx: Context, credentials: Credentials): Promise<Member>
  /** Takes a ticket to a live connection, once; null when it is none, used, too old or of an ended session. */
  redeem(ctx: Context, ticket: string): Promise<Member | null>
  /** The member of a session as it is now; null when it has ended. */
  current(ctx: Context, sessionId: string): Promise<Member | null>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in caller, for byte routes too; refuses everybody else. */
    caller(asking?: Partial<Asking>): Promise<Caller>
  }
}

export function addCallers(app: FastifyInstance, ctx: Context, gate: Gate): void {
  app.decorateRequest('caller', async function (this: FastifyRequest, asking: Partial<Asking> = {}) {
    const strict = { keepsSession: true, beforePassword: false }
    const who = await gate.enter(ctx, { ...credentialsOf(this, ctx), ...strict, ...asking })
    return { ...who, address: this.ip, language: languageOf(this) }
  })
}

function credentialsOf(request: FastifyRequest, ctx: Context): Omit<Credentials, keyof Asking> {
  const body = request.body
  const inBody = typeof body === 'object' && body !== null && 'userId' in body ? body.userId : undefined
  return {
    token: String(request.headers.token ?? ''),
    cookie: request.cookies[cookieName(request, ctx)],
    userId: String(request.headers.userid ?? ''),
    userIdInBody: inBody === undefined || inBody === '' ? undefined : textOfId(inBody),
    address: request.ip,
  }
}

/** A list or an object is nobody's id: to write it out as text could take as long as it is deep. */
const textOfId = (id: unknown): string => (typeof id === 'object' && id !== null ? '[object]' : String(id))

export function guestOf(request: FastifyRequest, reply: FastifyReply, ctx: Context): Guest {
  const { headers } = request
  const secure = isSecure(request, ctx)
  return {
    address: request.ip,
    isAtServer: isAtThisMachine(request, ctx.config),
    language: languageOf(request),
    agent: agentText(headers['user-agent']),
    // Browsers leave Sec-Fetch-Site out on plain http outside this machine, but never Origin on a POST.
    browser: headers['sec-fetch-site'] !== undefined || headers.origin !== undefined,
    setSessionCookie(secret) {
      const name = cookieName(request, ctx)
      const options = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const
      if (secret === null) reply.clearCookie(name, options)
      else reply.setCookie(name, secret, options)
    },
    device: request.cookies[DEVICE] ?? '',
    setDeviceCookie(secret) {
      const maxAge = knownDevice.keepMs / 1000
      reply.setCookie(DEVICE, secret, {
        path: DEVICE_PATH,
        httpOnly: true,
        sameSite: 'strict',
        secure,
        maxAge,
      })
    },
  }
}

/** The page's language, else the browser's, else English. */
export function languageOf(request: FastifyRequest): Language {
  const chosen = languageSchema.safeParse(request.headers.language)
  if (chosen.success) return chosen.data
  const accepted = String(request.headers['accept-language'] ?? '').split(',')
  const known = accepted.map((one) => languageSchema.safeParse(one.trim().slice(0, 2).toLowerCase()))
  return known.find((one) => one.success)?.data ?? 'en'
}

/** Sent to the calls around signing in alone. */
const DEVICE = 'device'
const DEVICE_PATH = '/AI/api/user'

/** Browsers bind a `__Host-` cookie to this very host, but only over https. */
const cookieName = (request: FastifyRequest, ctx: Context): string =>
  isSecure(request, ctx) ? '__Host-session' : 'session'

const isSecure = (request: FastifyRequest, ctx: Context): boolean =>
  request.protocol === 'https' || (ctx.config.publicUrl?.startsWith('https:') ?? false)
