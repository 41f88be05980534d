import { diceOf, surfaceDistances } from '@neuroloom/contract/labelling/agreement'
import { describe, expect, it } from 'vitest'
import { makeRandom } from '../network/random.ts'
import { byChance, drawn } from './drawn.ts'

describe('Dice of two masks', () => {
  it.each([
    { first: ['##..'], other: ['.##.'], dice: 0.5 },
    { first: ['####'], other: ['####'], dice: 1 },
    { first: ['##..'], other: ['..##'], dice: 0 },
    { first: ['....'], other: ['....'], dice: 1 },
    { first: ['....'], other: ['#...'], dice: 0 },
    { first: ['###.'], other: ['#...'], dice: 0.5 },
  ])('of $first and $other is $dice', ({ first, other, dice }) => {
    expect(diceOf(drawn(...first).values, drawn(...other).values)).toBe(dice)
  })
})

describe('distances of surfaces', () => {
  const plane = (width: number, height: number, spacing: readonly [number, number] = [1, 1]) =>
    ({ size: [width, height, 1], spacing: [...spacing, 1] }) as const

  it('are zero for a mask and itself, and nothing where one is empty', () => {
    const { values } = drawn('.....', '.###.', '.###.')
    expect(surfaceDistances(values, values, plane(5, 3))).toEqual({ hausdorff95: 0, mean: 0 })
    expect(surfaceDistances(values, new Uint8Array(15), plane(5, 3))).toBe(null)
    expect(surfaceDistances(new Uint8Array(15), values, plane(5, 3))).toBe(null)
  })

  it('are in millimetres', () => {
    const [first, other] = [drawn('#......').values, drawn('....#..').values]
    expect(surfaceDistances(first, other, plane(7, 1, [0.5, 1]))).toEqual({ hausdorff95: 2, mean: 2 })
  })

  it('are those worked out by hand', () => {
    // From the first's three pixels 1, 0, 0 to the other's two; from those 0, 0: mean 1/5. The 95th percentile of
    // 0, 0, 1 lies at 0.95 · 2 = 1.9: 0 + 0.9 · 1.
    const { hausdorff95, mean } =
      surfaceDistances(drawn('###..').values, drawn('.##..').values, plane(5, 1)) ?? {}
    expect(hausdorff95).toBeCloseTo(0.9, 9)
    expect(mean).toBeCloseTo(0.2, 9)
  })

  it('see surfaces alone: what lies within does not count', () => {
    const ring = drawn('#####', '#...#', '#...#', '#...#', '#####')
    const full = drawn('#####', '#####', '#####', '#####', '#####')
    expect(surfaceDistances(ring.values, full.values, plane(5, 5))).toEqual({ hausdorff95: 0, mean: 0 })
  })

  it('are those of all pairs of surface voxels, in volumes too', () => {
    const random = makeRandom(11)
    const spacing = [0.7, 1.3, 2.5] as const
    const size = [9, 8, 5] as const
    const volume = () =>
      Uint8Array.from(
        [...Array(5)].flatMap(() => [...byChance(random, { width: 9, height: 8, rounds: 1 }).values]),
      )
    const [first, other] = [volume(), volume()]
    const [one, two] = [first, other].map((mask) => surfaceByHand(mask, size))
    const nearest = (from: number[][] = [], to: number[][] = []) =>
      from.map((place) =>
        Math.min(
          ...to.map((end) =>
            Math.hypot(...end.map((value, axis) => (value - (place[axis] ?? 0)) * (spacing[axis] ?? 1))),
          ),
        ),
      )
    const all = [...nearest(one, two), ...nearest(two, one)]
    const found = surfaceDistances(first, other, { size, spacing })
    expect(found?.mean).toBeCloseTo(all.reduce((sum, value) => sum + value, 0) / all.length, 5)
  })
})

function surfaceByHand(mask: Uint8Array, [width, height, depth]: readonly [number, number, number]) {
  const at = (x: number, y: number, z: number) =>
    x >= 0 && y >= 0 && z >= 0 && x < width && y < height && z < depth
      ? (mask[(z * height + y) * width + x] ?? 0)
      : 0
  return [...mask.keys()]
    .map(
      (index) =>
        [index % width, Math.floor(index / width) % height, Math.floor(index / width / height)] as const,
    )
    .filter(([x, y, z]) => at(x, y, z) === 1)
    .filter(
      ([x, y, z]) =>
        at(x - 1, y, z) +
          at(x + 1, y, z) +
          at(x, y - 1, z) +
          at(x, y + 1, z) +
          at(x, y, z - 1) +
          at(x, y, z + 1) <
        6,
    )
    .map((place) => [...place])
}
