import { describe, expect, it } from 'vitest'
import { agreementOf, outlineDice } from '../src/social/opinion-agreement.ts'
import type { Outline } from '../src/social/opinions.ts'

type Said = Parameters<typeof agreementOf>[0][number]

/** A digit a study. */
const reader = (readerId: string, said: string): Said[] =>
  [...said].map((answer, position) => ({ readerId, position, answer: Number(answer), outline: null }))

const ofTwo = (one: string, other: string) =>
  agreementOf([...reader('a', one), ...reader('b', other)], { studies: one.length, classes: 2 })

describe('agreement of readers', () => {
  it('is Cohen’s kappa of two', () => {
    // 20 studies: both 0 in 8, both 1 in 6; 4 and 2 differ. Observed 0.7; by chance (12/20 · 10/20) + (8/20 · 10/20) = 0.5.
    const found = ofTwo('00000000000011111111', '00000000111100111111')
    expect(found).toMatchObject({ method: 'cohen', studies: 20, same: 14, why: null })
    expect(found.kappa?.value).toBeCloseTo(0.4, 10)
  })

  it('is Fleiss’ kappa of more', () => {
    // 10 studies, 3 readers: 4 times all 0, 4 times all 1, twice 0 0 1. Observed (8 + 2 · 1/3) / 10 = 13/15.
    // 0 was said 16 times of 30: by chance (16/30)² + (14/30)² = 452/900. Kappa = (13/15 − 452/900) / (1 − 452/900).
    const answers = [...reader('a', '0000111100'), ...reader('b', '0000111100'), ...reader('c', '0000111111')]
    const found = agreementOf(answers, { studies: 10, classes: 2 })
    expect(found).toMatchObject({ method: 'fleiss', readers: ['a', 'b', 'c'], same: 8 })
    expect(found.kappa?.value).toBeCloseTo((13 / 15 - 452 / 900) / (1 - 452 / 900), 10)
  })

  it('is no number below ten studies, of one reader, or where all say one and the same', () => {
    expect(ofTwo('010101010', '010101010')).toMatchObject({ kappa: null, why: 'few_studies', same: 9 })
    expect(ofTwo('0000000000', '0000000000')).toMatchObject({ kappa: null, why: 'one_answer', same: 10 })
    const alone = agreementOf(reader('a', '0101010101'), { studies: 10, classes: 2 })
    expect(alone).toMatchObject({ kappa: null, why: 'few_readers' })
  })

  it('leaves out whoever has not answered everything', () => {
    const answers = [...reader('a', '0101010101'), ...reader('b', '0101010101'), ...reader('c', '01')]
    const found = agreementOf(answers, { studies: 10, classes: 2 })
    expect(found).toMatchObject({ readers: ['a', 'b'], method: 'cohen', same: 10 })
    expect(found.kappa?.value).toBe(1)
  })
})

describe('Dice of outlines', () => {
  const square = (x: number, y: number, side: number): Outline['points'] => [
    [x, y],
    [x + side, y],
    [x + side, y + side],
    [x, y + side],
  ]

  it('is twice the common area over the sum of both', () => {
    expect(outlineDice(square(0, 0, 10), square(0, 0, 10))).toBeCloseTo(1, 6)
    expect(outlineDice(square(0, 0, 10), square(5, 0, 10))).toBeCloseTo(0.5, 6)
    expect(outlineDice(square(0, 0, 10), square(20, 0, 10))).toBe(0)
    // A triangle is half of its square.
    const triangle: Outline['points'] = [
      [0, 0],
      [10, 0],
      [0, 10],
    ]
    expect(outlineDice(square(0, 0, 10), triangle)).toBeCloseTo((2 * 50) / 150, 2)
  })

  it('compares outlines of one slice alone', () => {
    const on = (readerId: string, slice: number, points: Outline['points']): Said => ({
      ...{ readerId, position: 0, answer: 0 },
      outline: { plane: 'axial', slice, frame: 0, points },
    })
    const count = { studies: 1, classes: 2 }
    const same = agreementOf([on('a', 1, square(0, 0, 10)), on('b', 1, square(5, 0, 10))], count)
    expect(same.dice).toMatchObject([{ one: 'a', other: 'b', studies: 1, apart: 0 }])
    expect(same.dice[0]?.mean).toBeCloseTo(0.5, 6)
    const apart = agreementOf([on('a', 1, square(0, 0, 10)), on('b', 2, square(0, 0, 10))], count)
    expect(apart.dice).toMatchObject([{ mean: null, studies: 0, apart: 1 }])
  })
})
