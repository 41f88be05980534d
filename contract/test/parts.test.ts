import { casesOf, isFewAside, keptBy } from '@neuroloom/contract/suggest/parts'
import { describe, expect, it } from 'vitest'

const usual = { train: 4, test: 1 }

describe('what a split keeps aside', () => {
  it('is a fifth of the pictures, and of the patients where they are known', () => {
    expect(keptBy({ items: 144, patients: null }, usual)).toEqual({ learn: 115, aside: 29, asideCases: null })
    expect(keptBy({ items: 144, patients: 60 }, usual)).toEqual({ learn: 115, aside: 29, asideCases: 12 })
  })

  it('is never nothing and never all', () => {
    expect(keptBy({ items: 3, patients: null }, { train: 99, test: 1 }).aside).toBe(1)
    expect(keptBy({ items: 3, patients: 2 }, { train: 1, test: 99 })).toMatchObject({
      learn: 1,
      asideCases: 1,
    })
  })

  it('counts pictures that nothing is known of as cases of their own', () => {
    const origin = { single: 46 } as Parameters<typeof casesOf>[0]['origin']
    expect(casesOf({ items: 144, patients: 97, origin })).toBe(143)
    expect(casesOf({ items: 144, patients: null, origin })).toBe(144)
  })

  it('is little below thirty pictures or ten patients', () => {
    expect(isFewAside({ learn: 0, aside: 29, asideCases: null })).toBe(true)
    expect(isFewAside({ learn: 0, aside: 30, asideCases: null })).toBe(false)
    expect(isFewAside({ learn: 0, aside: 80, asideCases: 9 })).toBe(true)
  })
})
