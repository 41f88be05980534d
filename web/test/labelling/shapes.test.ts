import type { Three } from '@neuroloom/contract/labelling/distance'
import { describe, expect, it } from 'vitest'
import { fillHoles } from '../../src/features/labelling/assist/holes.ts'
import { keepLargest, removeSmall } from '../../src/features/labelling/assist/islands.ts'
import { withMargin } from '../../src/features/labelling/assist/margin.ts'
import { asVolume, type Mask, type Volume } from '../../src/features/labelling/assist/plane.ts'
import { smoothByGaussian, smoothByMajority } from '../../src/features/labelling/assist/smooth.ts'
import { drawn, makeRandom, noise, rowsOf } from './drawn.ts'

const asRows = ({ size, values }: Volume<Uint8Array>) =>
  rowsOf({ width: size[0], height: size[1] * size[2], values })

describe('islands', () => {
  const mask = drawn('11..1', '11.1.', '....1', '1....')

  it.each([
    { byCorners: false, rows: ['11...', '11...', '.....', '.....'] },
    { byCorners: true, rows: ['11...', '11...', '.....', '.....'] },
  ])('keeps the largest (by corners: $byCorners)', ({ byCorners, rows }) => {
    expect(asRows(keepLargest(asVolume(mask), byCorners))).toEqual(rows)
  })

  it.each([
    { least: 2, byCorners: false, rows: ['11...', '11...', '.....', '.....'] },
    { least: 3, byCorners: true, rows: ['11..1', '11.1.', '....1', '.....'] },
    { least: 1, byCorners: false, rows: rowsOf(mask) },
    { least: 5, byCorners: true, rows: ['.....', '.....', '.....', '.....'] },
  ])('removes parts of fewer than $least pixels (by corners: $byCorners)', ({ least, byCorners, rows }) => {
    expect(asRows(removeSmall(asVolume(mask), { least, byCorners }))).toEqual(rows)
  })

  it('sees volumes as a whole', () => {
    const volume = { size: [3, 1, 2] as const, values: Uint8Array.from([1, 0, 1, 1, 0, 0]) }
    expect([...keepLargest(volume, false).values]).toEqual([1, 0, 0, 1, 0, 0])
    expect([...keepLargest({ ...volume, values: new Uint8Array(6) }, true).values]).toEqual([
      0, 0, 0, 0, 0, 0,
    ])
  })
})

describe('holes', () => {
  it('are filled, but not mouths at the rim', () => {
    const mask = drawn('11111', '1..11', '1.1.1', '11111', '1.111')
    expect(asRows(fillHoles(asVolume(mask)))).toEqual(['11111', '11111', '11111', '11111', '1.111'])
  })

  it('are closed where pixels touch at corners alone', () => {
    expect(asRows(fillHoles(asVolume(drawn('.....', '..1..', '.1.1.', '..1..', '.....'))))[2]).toBe('.111.')
  })

  it('of a volume are cavities; a tunnel to its face is none', () => {
    const values = new Uint8Array(27).fill(1)
    values[13] = 0
    expect(fillHoles({ size: [3, 3, 3], values }).values).toEqual(new Uint8Array(27).fill(1))
    values[22] = 0
    expect(fillHoles({ size: [3, 3, 3], values }).values).toEqual(values)
  })
})

describe('smoothing a border', () => {
  it('by majority takes specks and notches away and keeps a straight border', () => {
    const mask = drawn('1111....', '1111..1.', '11.1....', '1111....', '1111....')
    expect(rowsOf(smoothByMajority(mask, 1))).toEqual(Array(5).fill('1111....'))
  })

  it('by majority counts the square around each pixel', () => {
    const random = makeRandom(8)
    for (let round = 0; round < 30; round++) {
      const mask = noise(1 + random(14), 1 + random(14), () => random(2))
      const radius = 1 + random(4)
      expect(rowsOf(smoothByMajority(mask, radius))).toEqual(rowsOf(counted(mask, radius)))
    }
  })

  it('by a Gaussian takes specks away, rounds corners, and keeps a straight border', () => {
    expect(rowsOf(smoothByGaussian(drawn('.....', '..1..', '.....'), 1))).toEqual(Array(3).fill('.....'))
    expect(rowsOf(smoothByGaussian(drawn('111...', '111...', '111...', '111...'), 1))).toEqual(
      Array(4).fill('111...'),
    )
    const square = drawn('.......', '.11111.', '.11111.', '.11111.', '.11111.', '.11111.', '.......')
    expect(rowsOf(smoothByGaussian(square, 1))[1]).toBe('..111..')
  })
})

/** Beyond the rim as at the rim, like the product. */
function counted({ width, height, values }: Mask, radius: number): Mask {
  const steps = Array.from({ length: 2 * radius + 1 }, (_, step) => step - radius)
  const within = (place: number, length: number) => Math.min(length - 1, Math.max(0, place))
  const most = steps.length ** 2 / 2
  return {
    ...{ width, height },
    values: values.map((_, at) => {
      const [x, y] = [at % width, Math.floor(at / width)]
      const sum = steps
        .flatMap((dy) => steps.map((dx) => within(y + dy, height) * width + within(x + dx, width)))
        .reduce((total, place) => total + (values[place] ?? 0), 0)
      return Number(sum > most)
    }),
  }
}

describe('a margin', () => {
  it.each([
    { millimetres: 1, spacing: [1, 1, 1], rows: ['..1..', '.111.', '..1..'] },
    { millimetres: 1.5, spacing: [1, 1, 1], rows: ['.111.', '.111.', '.111.'] },
    { millimetres: 1.4, spacing: [0.7, 2, 1], rows: ['.....', '11111', '.....'] },
    { millimetres: 0, spacing: [1, 1, 1], rows: ['.....', '..1..', '.....'] },
  ] as { millimetres: number; spacing: Three; rows: string[] }[])(
    'of $millimetres mm at pixels of $spacing mm',
    ({ millimetres, spacing, rows }) => {
      const mask = asVolume(drawn('.....', '..1..', '.....'))
      expect(asRows(withMargin(mask, { spacing, millimetres }))).toEqual(rows)
    },
  )

  it('below 0 takes off, but not from the rim of the picture', () => {
    const mask = asVolume(drawn('1111.', '1111.', '1111.', '.....'))
    expect(asRows(withMargin(mask, { spacing: [1, 1, 1], millimetres: -1 }))).toEqual([
      '111..',
      '111..',
      '.....',
      '.....',
    ])
  })

  it('holds exactly what lies as near, in volumes whose voxels are no cubes', () => {
    const random = makeRandom(9)
    const size: Three = [9, 7, 5]
    const spacing: Three = [0.8, 1.1, 2.5]
    for (const millimetres of [1.2, 2.6, 4, -0.9, -1.2]) {
      const values = Uint8Array.from({ length: 315 }, () =>
        Number(random(millimetres > 0 ? 40 : 4) > 0 === millimetres < 0),
      )
      const grown = withMargin({ size, values }, { spacing, millimetres }).values
      expect([...grown]).toEqual(byHand({ size, values }, spacing, millimetres))
    }
  })

  it('changes nothing where nothing is drawn', () => {
    const empty = asVolume(drawn('...', '...'))
    expect(withMargin(empty, { spacing: [1, 1, 1], millimetres: 5 }).values).toEqual(empty.values)
  })
})

function byHand({ size, values }: Volume<Uint8Array>, spacing: Three, millimetres: number): number[] {
  const placeOf = (index: number) => [
    (index % size[0]) * spacing[0],
    (Math.floor(index / size[0]) % size[1]) * spacing[1],
    Math.floor(index / size[0] / size[1]) * spacing[2],
  ]
  const wanted = Number(millimetres > 0)
  const places = [...values.keys()].filter((index) => values[index] === wanted).map(placeOf)
  return [...values].map((value, index) => {
    const here = placeOf(index)
    const isNear = places.some(
      (place) =>
        Math.hypot(...place.map((at, side) => at - (here[side] ?? 0))) <= Math.abs(millimetres) + 1e-9,
    )
    return isNear ? wanted : value
  })
}
