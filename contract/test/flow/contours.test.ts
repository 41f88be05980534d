import { colourAt, colourMaps, contrast, rgbOf, shareOf, tableOf } from '@neuroloom/contract/flow/colours'
import { contoursOf, risingLevels, type ScalarMap, symmetricLevels } from '@neuroloom/contract/flow/contours'
import { topMagnitude } from '@neuroloom/contract/flow/percentile'
import { describe, expect, it } from 'vitest'

const contourLines = (map: ScalarMap, level: number) => contoursOf(map).lines(level)
const areaAbove = (map: ScalarMap, level: number) => contoursOf(map).above(level)

const mapOf = (width: number, height: number, value: (x: number, y: number) => number) => ({
  width,
  height,
  values: Float64Array.from({ length: width * height }, (_, at) => value(at % width, Math.floor(at / width))),
})

/** By the even-odd rule, of rings that do not cross: what lies inside an even number of others counts, else it is taken away. */
function areaOf(rings: readonly Float64Array[]): number {
  return Math.abs(rings.reduce((sum, ring) => sum + signedArea(ring), 0))
}

function signedArea(ring: Float64Array): number {
  let sum = 0
  for (let at = 0; at + 3 < ring.length; at += 2) {
    sum += (ring[at] ?? 0) * (ring[at + 3] ?? 0) - (ring[at + 2] ?? 0) * (ring[at + 1] ?? 0)
  }
  return sum / 2
}

describe('8: the contour ω = ω₀/e of a Lamb–Oseen vortex of core radius 8', () => {
  const [cx, cy] = [30.3, 29.6]
  const map = mapOf(61, 61, (x, y) => Math.exp(-((x - cx) ** 2 + (y - cy) ** 2) / 64))
  const lines = contourLines(map, Math.exp(-1))

  it('is one closed line at a radius of 8 voxels, without a shift by half of one', () => {
    expect(lines).toHaveLength(1)
    expect(lines[0]?.isClosed).toBe(true)
    const points = lines[0]?.points ?? new Float64Array()
    const off = Array.from({ length: points.length / 2 }, (_, at) =>
      Math.abs(Math.hypot((points[2 * at] ?? 0) - cx, (points[2 * at + 1] ?? 0) - cy) - 8),
    )
    expect(off.length).toBeGreaterThan(40)
    expect(off.reduce((sum, value) => sum + value, 0) / off.length).toBeLessThanOrEqual(0.02)
    expect(Math.max(...off)).toBeLessThanOrEqual(0.05)
  })

  it('bounds bands that fill the whole map without a gap', () => {
    const levels = [Number.NEGATIVE_INFINITY, 0.1, 0.3, 0.5, 0.9, Number.POSITIVE_INFINITY]
    const areas = levels.slice(1).map((to, at) => {
      const from = levels[at] ?? 0
      return areaOf(areaAbove(map, from)) - areaOf(areaAbove(map, to))
    })
    expect(areas.reduce((sum, area) => sum + area, 0)).toBeCloseTo(3600, 9)
    // Between two radii: π·64·ln(0.5/0.3).
    expect(Math.abs((areas[2] ?? 0) / (Math.PI * 64 * Math.log(0.5 / 0.3)) - 1)).toBeLessThan(0.01)
    expect(contoursOf(map).band(0.3, 0.5)).toHaveLength(2)
    expect(contoursOf(map).band(0.9, Number.POSITIVE_INFINITY)).toHaveLength(1)
    expect(contoursOf(map).band(2, 3)).toEqual([])
  })
})

describe('what is no number', () => {
  const hole = mapOf(12, 10, (x, y) => (x === 6 && y === 5 ? Number.NaN : x))

  it('is outside: lines end at it, areas go around it', () => {
    const lines = contourLines(hole, 5.5)
    expect(lines.map(({ isClosed }) => isClosed)).toEqual([false, false])
    const ends = lines
      .flatMap(({ points }) => [points[1], points.at(-1)])
      .toSorted((a, b) => (a ?? 0) - (b ?? 0))
    expect(ends).toEqual([0, 4, 6, 9])
    expect(areaOf(areaAbove(hole, Number.NEGATIVE_INFINITY))).toBeCloseTo(11 * 9 - 4, 12)
    expect(areaOf(areaAbove(hole, 5.5))).toBeCloseTo(5.5 * 9 - 3, 12)
  })

  it('everywhere gives nothing, as does a level that is not reached', () => {
    const none = mapOf(8, 8, () => Number.NaN)
    expect(contourLines(none, 0)).toEqual([])
    expect(areaAbove(none, Number.NEGATIVE_INFINITY)).toEqual([])
    expect(
      contourLines(
        mapOf(8, 8, () => 0),
        1,
      ),
    ).toEqual([])
    expect(
      areaAbove(
        mapOf(1, 8, () => 1),
        0,
      ),
    ).toEqual([])
  })

  it('may leave two parts that touch in one sample', () => {
    const corners = mapOf(5, 5, (x, y) => ((x - 2) * (y - 2) >= 0 ? 1 : Number.NaN))
    expect(areaOf(areaAbove(corners, 0))).toBeCloseTo(8, 12)
  })
})

describe('a saddle', () => {
  const saddle = (mean: number) => mapOf(2, 2, (x, y) => (x === y ? mean + 1 : mean - 1))
  it('hangs together where the mean of its corners is above the level, and else not', () => {
    expect(areaAbove(saddle(0.1), 0)).toHaveLength(1)
    expect(areaAbove(saddle(-0.1), 0)).toHaveLength(2)
    for (const mean of [0.1, -0.1]) expect(contourLines(saddle(mean), 0)).toHaveLength(2)
    // Joined: 1 less two corners of (0.9/2)²/2.
    expect(areaOf(areaAbove(saddle(0.1), 0))).toBeCloseTo(1 - 0.45 ** 2, 12)
    expect(areaOf(areaAbove(saddle(-0.1), 0))).toBeCloseTo(0.45 ** 2, 12)
  })
})

describe('levels', () => {
  it('are 11 about 0, without that at 0', () => {
    const levels = symmetricLevels(50)
    expect(levels).toEqual([-50, -40, -30, -20, -10, 10, 20, 30, 40, 50])
    expect(symmetricLevels(50, 'with')).toHaveLength(11)
    expect(risingLevels(11)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  })
  it('are none of a field at rest', () => {
    const top = topMagnitude([new Float32Array(100), new Float32Array([Number.NaN])])
    expect(top).toBe(0)
    expect([...symmetricLevels(top), ...risingLevels(top)]).toEqual([])
  })
  it('end at the 99th percentile of what is known in all frames', () => {
    const values = Float32Array.from({ length: 101 }, (_, at) => (at % 2 ? at : -at))
    expect(topMagnitude([values.subarray(0, 40), values.subarray(40), new Float32Array([Number.NaN])])).toBe(
      99,
    )
  })
})

describe('colours', () => {
  /** Lightness of OKLab (Ottosson 2020). */
  const lightness = (colour: readonly number[]) => {
    const [r = 0, g = 0, b = 0] = colour.map((value) => {
      const share = value / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    return 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  }

  it('of speed become lighter all the way, so that nobody needs the hue', () => {
    const light = colourMaps.speed.anchors.map((colour) => lightness(rgbOf(colour)))
    for (const [at, value] of light.entries())
      if (at > 0) expect(value).toBeGreaterThan((light[at - 1] ?? 1) + 0.02)
  })

  it('of vorticity are lightest at 0, even on both sides, and blue against orange', () => {
    const { anchors } = colourMaps.vorticity
    const light = anchors.map((colour) => lightness(rgbOf(colour)))
    for (let at = 0; at < 8; at++) {
      expect(Math.abs((light[at] ?? 0) - (light[16 - at] ?? 0))).toBeLessThan(0.01)
      expect((light[at + 1] ?? 0) - (light[at] ?? 0)).toBeGreaterThan(0.05)
      // Blue less red: what people without red or green cones still see.
      const [below, above] = [rgbOf(anchors[at] ?? ''), rgbOf(anchors[16 - at] ?? '')]
      expect(below[2] - below[0]).toBeGreaterThan(30)
      expect(above[0] - above[2]).toBeGreaterThan(30)
    }
  })

  it('lie between the anchors; what is no number has none', () => {
    expect(colourAt('speed', 0)).toEqual([0x44, 0x01, 0x54])
    expect(colourAt('speed', 7)).toEqual([0xfd, 0xe7, 0x25])
    expect(colourAt('vorticity', shareOf('vorticity', 0, 40))).toEqual([0xf2, 0xf2, 0xf2])
    expect(colourAt('vorticity', shareOf('vorticity', -40, 40))).toEqual([0, 0x3c, 0x79])
    expect(colourAt('speed', Number.NaN)).toBeNull()
    expect(colourAt('vorticity', shareOf('vorticity', 0, 0))).toBeNull()
    expect([...tableOf('speed').slice(-3)]).toEqual([0xfd, 0xe7, 0x25])
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 9)
    expect(contrast('#808080', '#FFD400')).toBeCloseTo(2.77, 1)
  })
})
