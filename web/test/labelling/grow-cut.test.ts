import { describe, expect, it } from 'vitest'
import { growCut } from '../../src/features/labelling/assist/grow-cut.ts'
import { asVolume } from '../../src/features/labelling/assist/plane.ts'
import { drawn, makeRandom, rowsOf } from './drawn.ts'

describe('growing segments from strokes', () => {
  it('parts them where brightness changes', () => {
    const grey = asVolume(drawn('111199999', '111119999', '111111999'))
    const seeds = asVolume(drawn('.........', '1.......2', '.........'))
    const grown = growCut(grey, seeds)
    expect(grown && rowsOf({ width: 9, height: 3, values: grown.values })).toEqual([
      '111122222',
      '111112222',
      '111111222',
    ])
  })

  it('leaves out what is drawn as background, and keeps seeds as they are', () => {
    const grey = asVolume(drawn('119911'))
    const grown = growCut(grey, asVolume(drawn('3.2..3')), { background: 3 })
    expect([...(grown?.values ?? [])]).toEqual([0, 0, 2, 2, 0, 0])
  })

  it('stays within a box around the strokes', () => {
    const values = new Uint8Array(40 * 40)
    const seeds = new Uint8Array(40 * 40)
    seeds[20 * 40 + 20] = 1
    const grown = growCut({ size: [40, 40, 1], values }, { size: [40, 40, 1], values: seeds })
    expect(grown?.values.reduce((sum, value) => sum + value, 0)).toBe(81)
  })

  it('gives each voxel the seed with the cheapest way, as relaxing all over and over finds it', () => {
    const random = makeRandom(12)
    const size = [6, 5, 4] as const
    for (let round = 0; round < 10; round++) {
      const values = Uint8Array.from({ length: 120 }, () => random(256))
      values.set([0, 255])
      const seeds = new Uint8Array(120)
      // Those in the corners make the box the whole volume.
      seeds.set([1], 0)
      seeds.set([2], 119)
      seeds[1 + random(118)] = 3
      const numbers = growCut({ size, values }, { size, values: seeds })?.values ?? new Uint16Array()
      const costs = [1, 2, 3].map((number) => relaxed(values, size, (index) => seeds[index] === number))
      numbers.forEach((number, index) => {
        const own = costs[number - 1]?.[index] ?? Number.NaN
        expect(own).toBe(Math.min(...costs.map((cost) => cost[index] ?? Number.NaN)))
      })
    }
  })

  it('answers null once it is cancelled, and nothing without strokes', () => {
    const grey = asVolume(drawn('12', '34'))
    expect(growCut(grey, asVolume(drawn('1.', '..')), { isCancelled: () => true })).toBe(null)
    expect(growCut(grey, asVolume(drawn('..', '..')))?.values).toEqual(new Uint16Array(4))
  })
})

/** Bellman and Ford's way: slow, and hard to get wrong. */
function relaxed(
  values: Uint8Array,
  size: readonly [number, number, number],
  isSeed: (index: number) => boolean,
) {
  const costs = [...values.keys()].map((index) => (isSeed(index) ? 0 : Number.POSITIVE_INFINITY))
  const placeOf = (index: number) => [
    index % size[0],
    Math.floor(index / size[0]) % size[1],
    Math.floor(index / size[0] / size[1]),
  ]
  const pairs = costs.flatMap((_, one) =>
    [...costs.keys()].flatMap((other) => {
      const away = placeOf(one).reduce(
        (sum, value, side) => sum + Math.abs(value - (placeOf(other)[side] ?? 0)),
        0,
      )
      return away === 1 ? [[one, other] as const] : []
    }),
  )
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false
    for (const [one, other] of pairs) {
      const cost = (costs[one] ?? 0) + 1 + Math.abs((values[one] ?? 0) - (values[other] ?? 0))
      if (cost >= (costs[other] ?? 0)) continue
      costs[other] = cost
      hasChanged = true
    }
  }
  return costs
}
