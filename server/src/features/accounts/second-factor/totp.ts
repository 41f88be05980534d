/** Codes of an authenticator app: TOTP as RFC 6238 says, with what all apps take (SHA-1, six digits, 30 seconds). */
import { secondFactor as limits } from '@neuroloom/contract/limits'
import { Secret, TOTP } from 'otpauth'

const ISSUER = 'Neuroloom'

/** In base32, as people type it where no camera is. */
export const drawSecret = (): string => new Secret({ size: limits.secretBytes }).base32

/** What apps read from a QR code; `account` names the entry in the app's list. */
export const addressOf = (secret: string, account: string): string => totpOf(secret, account).toString()

/**
 * The step (of 30 seconds since 1970) that a code belongs to: the present one, or one beside it, because clocks of phones
 * differ. Null for a code of no such step.
 */
export function stepOf(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime()
  // Compares in constant time.
  const delta = totpOf(secret).validate({ token: code, timestamp, window: limits.window })
  return delta === null ? null : Math.floor(timestamp / 1000 / limits.periodSeconds) + delta
}

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({
    issuer: ISSUER,
    label,
    algorithm: 'SHA1',
    digits: limits.digits,
    period: limits.periodSeconds,
    secret: Secret.fromBase32(secret),
  })
