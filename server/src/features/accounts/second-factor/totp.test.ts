import { describe, expect, it } from 'vitest'
import { addressOf, drawSecret, stepOf } from './totp.ts'

/** “12345678901234567890” of RFC 6238, appendix B, in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const at = (seconds: number) => new Date(seconds * 1000)

describe('codes of an authenticator app', () => {
  // The RFC prints eight digits; apps show the last six of them.
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('of second %i are those of RFC 6238', (seconds, digits) => {
    expect(stepOf(SECRET, digits.slice(-6), at(seconds))).toBe(Math.floor(seconds / 30))
  })

  it('count one step before and after their own, and no longer', () => {
    const step = Math.floor(1_234_567_890 / 30)
    const found = [-61, -30, 0, 30, 61].map((shift) => stepOf(SECRET, '005924', at(step * 30 + shift)))
    expect(found).toEqual([null, step, step, step, null])
  })

  it('of another secret, too short or too long are none', () => {
    const now = at(59)
    for (const code of ['287083', '28708', '2870820', '', 'abcdef'])
      expect(stepOf(SECRET, code, now)).toBeNull()
    expect(stepOf(drawSecret(), '287082', at(1))).toBeNull()
  })

  it('have a secret of 160 bits, in an address that says whose it is', () => {
    const secret = drawSecret()
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(drawSecret()).not.toBe(secret)
    const address = new URL(addressOf(secret, 'nurse@hospital.example'))
    expect(address.protocol).toBe('otpauth:')
    expect(decodeURIComponent(address.pathname)).toContain('Neuroloom:nurse@hospital.example')
    expect(Object.fromEntries(address.searchParams)).toEqual({
      ...{ issuer: 'Neuroloom', secret, algorithm: 'SHA1', digits: '6', period: '30' },
    })
  })
})
