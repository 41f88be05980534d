import { expectedGain, orderDifference } from '@neuroloom/contract/labelling/gain'
import { type Candidate, chooseNext, randomFrom } from '@neuroloom/contract/labelling/next'
import { describe, expect, it } from 'vitest'

const asked = { order: 'doubt', count: 4, round: 5, background: 0, seed: 1 } as const
const one = (id: number, ...doubt: number[]): Candidate => ({
  id: `${id}`,
  doubt,
  found: doubt.map((value) => value > 0),
})

describe('the next images to label', () => {
  it('are those that are doubted most, of each class in turn, once networks know something', () => {
    const frequent = Array.from({ length: 30 }, (_, index) => one(index, 0.9, index < 3 ? 0.8 : 0.05, 0))
    const rare = Array.from({ length: 10 }, (_, index) => one(100 + index, 0.9, 0, index < 2 ? 0.6 : 0.02))
    const chosen = chooseNext([...frequent, ...rare], asked)
    expect(chosen.filter((id) => Number(id) >= 100).length).toBe(2)
    expect(chosen.filter((id) => ['0', '1', '2'].includes(id)).length).toBe(2)
  })

  it('are mostly noise in the first round', () => {
    const candidates = Array.from({ length: 40 }, (_, index) => one(index, 0, 0.3 + index / 100))
    const firsts = Array.from({ length: 60 }, (_, seed) =>
      chooseNext(candidates, { ...asked, round: 0, count: 1, seed }),
    )
    expect(new Set(firsts.map(([id]) => id)).size).toBeGreaterThan(20)
  })

  it('come two of three from images in which something was found, where the order is random', () => {
    const candidates = Array.from({ length: 300 }, (_, index) => one(index, 0, index < 60 ? 0.1 : 0))
    const chosen = chooseNext(candidates, { ...asked, order: 'random', count: 60 })
    const found = chosen.filter((id) => Number(id) < 60).length
    expect(found).toBeGreaterThanOrEqual(40)
    expect(found).toBeLessThan(60)
    expect(new Set(chosen).size).toBe(60)
  })

  it('are the same for the same seed, and all there are where fewer are left', () => {
    const candidates = [one(1, 0, 0.5), one(2, 0, 0.4)]
    expect(chooseNext(candidates, asked)).toEqual(chooseNext(candidates, asked))
    expect(chooseNext(candidates, asked).sort()).toEqual(['1', '2'])
    expect(chooseNext([], asked)).toEqual([])
  })
})

describe('what further labels are worth', () => {
  const scores = (middle: number, seed: number): number[] => {
    const random = randomFrom(seed)
    return Array.from({ length: 40 }, () => Math.min(1, middle + (random() - 0.5) * 0.1))
  }
  const rounds = [10, 20, 40].map((labels) => ({ labels, scores: scores(0.9 - 0.6 / Math.sqrt(labels), 3) }))

  it('follows the rounds there were', () => {
    const told = expectedGain(rounds, { more: 20 })
    const truth = 0.6 / Math.sqrt(40) - 0.6 / Math.sqrt(60)
    expect(told?.gain).toBeCloseTo(truth, 2)
    expect(told && told.low <= truth && truth <= told.high).toBe(true)
  })

  it('is not told before two rounds on the same images', () => {
    expect(expectedGain(rounds.slice(0, 1), { more: 20 })).toBeNull()
    expect(expectedGain([...rounds, { labels: 80, scores: [1, 1] }], { more: 20 })).toBeNull()
    expect(expectedGain([{ labels: 9, scores: [1, 0] }], { more: 20 })).toBeNull()
  })

  it('is nothing where scores no longer rise, and never leads beyond 1', () => {
    const falling = [10, 20].map((labels) => ({ labels, scores: scores(0.9 - labels / 500, 3) }))
    expect(expectedGain(falling, { more: 20 })?.gain).toBe(0)
    const perfect = [10, 20].map((labels) => ({
      labels,
      scores: Array.from({ length: 9 }, () => 1 - 1 / labels ** 2),
    }))
    expect(expectedGain(perfect, { more: 1e6 })?.high).toBeLessThanOrEqual(0.01)
  })
})

describe('what the order is worth', () => {
  /** Rounds as the law has them, with steps by doubt that are worth `times` those at random. */
  const rounds = (times: number) => {
    const noise = randomFrom(3)
    const images = Array.from({ length: 40 }, () => noise() / 10)
    let score = 0.6
    return [8, 16, 24, 32, 40].map((labels, index) => {
      const order = index % 2 === 1 ? ('doubt' as const) : ('random' as const)
      const before = 8 * index
      if (index > 0)
        score += 0.5 * (1 / Math.sqrt(before) - 1 / Math.sqrt(labels)) * (order === 'doubt' ? times : 1)
      return { labels, order, scores: images.map((image) => score + image + noise() / 200) }
    })
  }

  it('is shown where steps by doubt brought more, and not where they brought as much', () => {
    const shown = orderDifference(rounds(3), { more: 8 })
    expect(shown?.low).toBeGreaterThan(0)
    const none = orderDifference(rounds(1), { more: 8 })
    expect(none?.low).toBeLessThan(0)
    expect(none?.high).toBeGreaterThan(0)
    expect(orderDifference(rounds(3), { more: 8 })).toEqual(shown)
  })

  it('is not told before both orders were tried, nor on four images', () => {
    expect(orderDifference(rounds(3).slice(0, 2), { more: 8 })).toBeNull()
    const few = rounds(3).map((round) => ({ ...round, scores: round.scores.slice(0, 4) }))
    expect(orderDifference(few, { more: 8 })).toBeNull()
  })
})
