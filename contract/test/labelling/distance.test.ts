import { squaredDistances, type Three } from '@neuroloom/contract/labelling/distance'
import { describe, expect, it } from 'vitest'
import { makeRandom } from '../network/random.ts'

/** Every voxel with every drawn one. */
function byHand(mask: Uint8Array, size: Three, spacing: Three): number[] {
  const placeOf = (index: number) => [
    (index % size[0]) * spacing[0],
    (Math.floor(index / size[0]) % size[1]) * spacing[1],
    Math.floor(index / size[0] / size[1]) * spacing[2],
  ]
  const places = [...mask.keys()].filter((index) => mask[index] === 1).map(placeOf)
  return [...mask.keys()].map((index) => {
    const here = placeOf(index)
    return Math.min(
      ...places.map((place) => place.reduce((sum, value, side) => sum + (value - (here[side] ?? 0)) ** 2, 0)),
    )
  })
}

describe('distances to a mask', () => {
  it.each([
    { size: [13, 9, 1], spacing: [1, 1, 1], share: 20 },
    { size: [7, 11, 1], spacing: [0.5, 1.7, 3], share: 9 },
    { size: [6, 5, 7], spacing: [0.9, 0.4, 2.5], share: 12 },
    { size: [5, 8, 4], spacing: [1, 1, 5], share: 2 },
    { size: [1, 1, 9], spacing: [1, 1, 0.3], share: 3 },
  ] as { size: Three; spacing: Three; share: number }[])(
    'are those found by looking at all pairs: $size',
    ({ size, spacing, share }) => {
      const random = makeRandom(share)
      const mask = Uint8Array.from({ length: size[0] * size[1] * size[2] }, () =>
        Number(random.below(share) === 0),
      )
      mask[random.below(mask.length)] = 1
      const expected = byHand(mask, size, spacing)
      squaredDistances(mask, { size, spacing }).forEach((value, index) => {
        expect(value).toBeCloseTo(expected[index] ?? Number.NaN, 4)
      })
    },
  )

  it('are infinite where nothing is drawn, and zero where all is', () => {
    const grid = { size: [3, 2, 1], spacing: [1, 1, 1] } as const
    expect([...squaredDistances(new Uint8Array(6), grid)]).toEqual(Array(6).fill(Number.POSITIVE_INFINITY))
    expect([...squaredDistances(new Uint8Array(6).fill(1), grid)]).toEqual(Array(6).fill(0))
  })
})
