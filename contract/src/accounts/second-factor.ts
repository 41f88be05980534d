/** The second factor of a sign-in: codes of an authenticator app (TOTP, RFC 6238), and recovery codes for when it is lost. */
import * as z from 'zod'
import { secondFactor as limits } from '../limits.ts'
import { route } from '../route.ts'
import { signedInSchema } from './accounts.ts'

const userId = z.string().max(40).optional()
/** Six digits of the app, or a recovery code; people type spaces and hyphens between. */
const code = z.string().trim().min(1, 'form.enter_code').max(40)
const password = z.string().min(1).max(1000)
/** Shown once: only their digests are stored. */
const recoveryCodes = z.array(z.string()).length(limits.recoveryCodes)

export const secondFactorCalls = {
  'user/secondFactor': route({
    summary: 'The second step of a sign-in: the ticket of `second_factor_needed` with a code',
    request: z.object({ ticket: z.string().min(1).max(200), code }),
    response: signedInSchema,
    errors: ['second_factor_wrong', 'second_factor_late', 'second_factor_tries', 'account_blocked'],
    spread: true,
  }),
  'user/secondFactorState': route({
    summary: 'Whether the account has a second factor, and whether the back-office asks for it now',
    request: z.object({ userId }),
    response: z.object({
      isOn: z.boolean(),
      /** Recovery codes that were not used yet. */
      codesLeft: z.int(),
      /** What administrators must do before the back-office opens: set a factor up, enter a code, or nothing. */
      asks: z.enum(['setUp', 'code', 'nothing']),
    }),
    errors: [],
  }),
  'user/secondFactorStart': route({
    summary: 'A new secret for the authenticator app; nothing counts before it is confirmed by a code',
    request: z.object({ userId, password }),
    /** The secret in base32, and the same as an address that apps read from a QR code. */
    response: z.object({ secret: z.string(), address: z.string() }),
    errors: ['password_wrong', 'too_many_tries', 'second_factor_on'],
  }),
  'user/secondFactorConfirm': route({
    summary: 'Turn the second factor on, by a code of the app that has the secret',
    request: z.object({ userId, code }),
    response: z.object({ recoveryCodes }),
    errors: ['second_factor_wrong', 'second_factor_late', 'second_factor_tries', 'second_factor_on'],
  }),
  'user/secondFactorAgain': route({
    summary: 'A code once more, where the last one was given too long ago',
    request: z.object({ userId, code }),
    response: z.object({}),
    errors: ['second_factor_wrong', 'second_factor_tries', 'second_factor_off'],
  }),
  'user/secondFactorCodes': route({
    summary: 'New recovery codes; the ones of before are worth nothing any more',
    request: z.object({ userId, password, code }),
    response: z.object({ recoveryCodes }),
    errors: [
      'password_wrong',
      'too_many_tries',
      'second_factor_wrong',
      'second_factor_tries',
      'second_factor_off',
    ],
  }),
  'user/secondFactorOff': route({
    summary: 'Turn the second factor off, by password and code',
    request: z.object({ userId, password, code }),
    response: z.object({}),
    errors: [
      'password_wrong',
      'too_many_tries',
      'second_factor_wrong',
      'second_factor_tries',
      'second_factor_off',
    ],
  }),
}
