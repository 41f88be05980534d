import { describe, expect, it } from 'vitest'
import { shortName } from '../src/names/short-name.ts'

describe('a short name', () => {
  it('keeps a name of up to 32 characters whole', () => {
    expect(shortName('a.png')).toBe('a.png')
    const longest = `${'a'.repeat(28)}.png`
    expect(shortName(longest)).toBe(longest)
  })

  it('of a longer name is its first 8 and its last 12 characters', () => {
    expect(shortName('slide_07/patient-0012/region-3/cell-0042.png')).toBe('slide_07…ell-0042.png')
  })

  it('does not cut a character in two', () => {
    expect(shortName(`${'😀'.repeat(33)}`)).toBe(`${'😀'.repeat(8)}…${'😀'.repeat(12)}`)
  })
})
