/** A member's authenticator app, and signing in with it. */
import { secondFactor as limits } from '@neuroloom/contract/limits'
import { Secret, TOTP } from 'otpauth'
import { PASSWORD, type Reply, type Session, type TestServer } from './harness.ts'

type App = {
  /** Of the present step, or of one so many steps later. */
  code(later?: number): string
  recoveryCodes: string[]
}

/** Turns the second factor on, as the personal centre does. The code of the present step is used up by it. */
export async function setUpFactor(server: TestServer, who: Session): Promise<App> {
  const { data } = await server.call('user/secondFactorStart', { password: PASSWORD }, who)
  const code = codesOf(server, data.secret)
  const confirmed = await server.call('user/secondFactorConfirm', { code: code() }, who)
  return { code, recoveryCodes: confirmed.data.recoveryCodes }
}

export function codesOf(server: TestServer, secret: string): App['code'] {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), digits: limits.digits })
  return (later = 0) =>
    totp.generate({ timestamp: server.ctx.now().getTime() + later * limits.periodSeconds * 1000 })
}

/** The first step of a sign-in, and its ticket. Without the slider, whose puzzles take their time; so none was left out before. */
export async function ticketFor(server: TestServer, account: string, password = PASSWORD): Promise<string> {
  await server.ctx.pool.query(`delete from sign_in_tries where kind = 'unproven'`)
  const { data } = await server.call('user/login', { account, password })
  return String(data.params?.ticket)
}

export const secondStep = (
  server: TestServer,
  ticket: string,
  code: string,
): Promise<Reply<'user/secondFactor'>> => server.call('user/secondFactor', { ticket, code })

/** The clock at the begin of a later step, so that a code that was used does not stand in the way. */
export const nextStep = (server: TestServer): void => server.forward(limits.periodSeconds * 1000)
