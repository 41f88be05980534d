import { describe, expect, it } from 'vitest'
import { shortName } from '../src/names/short-name.ts'

describe('a short name', () => {
  it('keeps a name of up to 32 characters whole', () => {
    expect(shortName('a.png')).toBe('a.png')
    const longest = `${'a'.repeat(28)}.png`
    expect(shortName(longest)).toBe(longest)
  })

  it('of a longer name is its first 8 and its last 12 characters', () => {
    expect(shortName(`136000dc${'0'.repeat(60)}a261.png`)).toBe('136000dc…0000a261.png')
  })

  it('never cuts through a slash: a folder is whole, cut by itself, or left out', () => {
    expect(shortName(`b/136000dc${'0'.repeat(60)}a261.png`)).toBe('b/136000dc…0000a261.png')
    expect(shortName('slide_07/patient-0012/region-3/cell-0042.png')).toBe('…/region-3/cell-0042.png')
    expect(shortName(`patient-${'0'.repeat(30)}17/image.png`)).toBe('patient-…000000000017/image.png')
  })

  it('does not cut a character in two', () => {
    expect(shortName(`${'😀'.repeat(33)}`)).toBe(`${'😀'.repeat(8)}…${'😀'.repeat(12)}`)
  })
})
