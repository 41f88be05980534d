import { describe, expect, it } from 'vitest'
import { fill } from '../../src/features/labelling/assist/fill.ts'
import { flood } from '../../src/features/labelling/assist/flood.ts'
import type { Mask, Point } from '../../src/features/labelling/assist/plane.ts'
import { proposeRange, thresholdBrush } from '../../src/features/labelling/assist/threshold.ts'
import { wandColour, wandGrey } from '../../src/features/labelling/assist/wand.ts'
import { drawn, makeRandom, noise, rowsOf } from './drawn.ts'

describe('filling what is empty', () => {
  const ring = drawn('......', '.1111.', '.1..1.', '.1.11.', '.111.1')

  it('fills what is enclosed, alone', () => {
    const { mask, reachesRim } = fill(ring, { x: 3, y: 2 })
    expect(rowsOf(mask)).toEqual(['......', '......', '..11..', '..1...', '......'])
    expect(reachesRim).toBe(false)
  })

  it.each([
    { seed: { x: 0, y: 0 }, pixels: 13, reachesRim: true },
    { seed: { x: 4, y: 4 }, pixels: 1, reachesRim: true },
    { seed: { x: 1, y: 1 }, pixels: 0, reachesRim: false },
    { seed: { x: 9, y: 0 }, pixels: 0, reachesRim: false },
  ])(
    'from $seed fills $pixels pixels and tells whether the rim is reached',
    ({ seed, pixels, reachesRim }) => {
      const region = fill(ring, seed)
      expect(region.mask.values.reduce((sum, value) => sum + value, 0)).toBe(pixels)
      expect(region.reachesRim).toBe(reachesRim)
    },
  )

  it('finds what a walk from pixel to pixel finds', () => {
    const random = makeRandom(1)
    for (let round = 0; round < 100; round++) {
      const open = noise(1 + random(20), 1 + random(20), () => Number(random(10) < 6))
      const seed = { x: random(open.width), y: random(open.height) }
      expect(rowsOf(flood(open, seed).mask)).toEqual(rowsOf(walked(open, seed)))
    }
  })
})

function walked(open: Mask, seed: Point): Mask {
  const { width, height } = open
  const values = new Uint8Array(width * height)
  const waiting = [seed]
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { x, y } = next
    if (x < 0 || y < 0 || x >= width || y >= height) continue
    const at = y * width + x
    if (open.values[at] !== 1 || values[at] === 1) continue
    values[at] = 1
    waiting.push({ x: x - 1, y }, { x: x + 1, y }, { x, y: y - 1 }, { x, y: y + 1 })
  }
  return { width, height, values }
}

describe('the wand', () => {
  const grey = drawn('55559', '56419', '99999', '55555')

  it.each([
    { tolerance: 0, rows: ['1111.', '1....', '.....', '.....'] },
    { tolerance: 1, rows: ['1111.', '111..', '.....', '.....'] },
    { tolerance: 4, rows: ['11111', '11111', '11111', '11111'] },
  ])('takes what differs by at most $tolerance and hangs together', ({ tolerance, rows }) => {
    expect(rowsOf(wandGrey(grey, { x: 0, y: 0 }, { tolerance }))).toEqual(rows)
  })

  it('works on floats, and takes nothing that is no number', () => {
    const values = Float32Array.from([0.1, 0.15, Number.NaN, 0.1])
    const plane = { width: 4, height: 1, values }
    expect(rowsOf(wandGrey(plane, { x: 0, y: 0 }, { tolerance: 0.1 }))).toEqual(['11..'])
    expect(rowsOf(wandGrey(plane, { x: 2, y: 0 }, { tolerance: 0.1 }))).toEqual(['....'])
  })

  it('compares colours by the channel that differs most', () => {
    const values = Uint8ClampedArray.from([9, 9, 9, 255, 12, 9, 9, 0, 9, 9, 14, 255, 9, 9, 9, 255])
    const plane = { width: 4, height: 1, values }
    expect(rowsOf(wandColour(plane, { x: 0, y: 0 }, { tolerance: 3 }))).toEqual(['11..'])
    expect(rowsOf(wandColour(plane, { x: 0, y: 0 }, { tolerance: 5 }))).toEqual(['1111'])
  })

  it('sees through noise when it smooths', () => {
    const random = makeRandom(2)
    const values = Float32Array.from(
      { length: 40 * 40 },
      (_, at) => (at % 40 < 20 ? 100 : 200) + random(60) - 30,
    )
    const plane = { width: 40, height: 40, values }
    const seed = { x: 5, y: 20 }
    const count = (smoothing: number) =>
      wandGrey(plane, seed, { tolerance: 30, smoothing }).values.reduce((sum, value) => sum + value, 0)
    expect(count(0)).toBeLessThan(700)
    expect(count(2)).toBeGreaterThan(740)
    expect(count(2)).toBeLessThan(860)
  })
})

describe('the threshold brush', () => {
  const plane = drawn('12345', '23456', '34567', '45678', '56789')

  it('takes values in the range within its disc', () => {
    const mask = thresholdBrush(plane, { centre: { x: 2, y: 2 }, radius: 2, range: { low: 4, high: 6 } })
    expect(rowsOf(mask)).toEqual(['.....', '..11.', '.111.', '.11..', '.....'])
  })

  it('may stand half outside the picture, or between pixels', () => {
    const range = { low: 0, high: 9 }
    const corner = thresholdBrush(plane, { centre: { x: 0, y: 0 }, radius: 1, range })
    expect(rowsOf(corner).slice(0, 2)).toEqual(['11...', '1....'])
    const between = thresholdBrush(plane, { centre: { x: 1.5, y: 1.5 }, radius: 0.8, range })
    expect(rowsOf(between)).toEqual(['.....', '.11..', '.11..', '.....', '.....'])
  })
})

describe('a proposed range', () => {
  const all = (length: number) => ({ width: length, height: 1, values: new Uint8Array(length).fill(1) })

  it('is the side of the threshold on which the seed lies', () => {
    const values = Float32Array.from([10, 11, 12, 11, 90, 91, 92, 90])
    const plane = { width: 8, height: 1, values }
    const [dark, bright] = [0, 6].map((x) => proposeRange(plane, all(8), { x, y: 0 }))
    expect(dark?.low).toBe(10)
    expect(dark?.high).toBeGreaterThan(12)
    expect(dark?.high).toBeLessThan(90)
    expect(bright).toEqual({ low: dark?.high, high: 92 })
  })

  it('parts the values so that the classes differ most, as trying every threshold tells', () => {
    const random = makeRandom(7)
    for (let round = 0; round < 20; round++) {
      const values = Uint8Array.from({ length: 300 }, () => random(100) + (random(3) === 0 ? 100 : 0))
      values.set([0, 255])
      const found = proposeRange({ width: 300, height: 1, values }, all(300), { x: 1, y: 0 })
      const best = [...Array(255).keys()].map((at) => between(values, at + 1))
      expect(between(values, Math.ceil(found?.low ?? 0))).toBeCloseTo(Math.max(...best), 6)
    }
  })

  it('is none where all values are the same, or nothing is chosen', () => {
    const plane = { width: 3, height: 1, values: new Float32Array(3) }
    expect(proposeRange(plane, all(3), { x: 0, y: 0 })).toBe(null)
    expect(
      proposeRange({ ...plane, values: Float32Array.from([1, 2, 3]) }, drawn('...'), { x: 0, y: 0 }),
    ).toBe(null)
  })
})

/** Variance between the values below a threshold and the others. */
function between(values: Uint8Array, threshold: number): number {
  const [low, high] = [
    values.filter((value) => value < threshold),
    values.filter((value) => value >= threshold),
  ]
  const mean = (of: Uint8Array) => of.reduce((sum, value) => sum + value, 0) / of.length
  return low.length === 0 || high.length === 0 ? 0 : low.length * high.length * (mean(low) - mean(high)) ** 2
}
