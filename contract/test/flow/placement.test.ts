import { arrowCount, arrowsOf } from '@neuroloom/contract/flow/arrows'
import { evenLines, separation } from '@neuroloom/contract/flow/even-lines'
import { percentile, referenceSpeed, referenceSpeedOf } from '@neuroloom/contract/flow/percentile'
import { poissonSeeds } from '@neuroloom/contract/flow/seeds'
import type { Slice, Three } from '@neuroloom/contract/flow/slice'
import type { Line } from '@neuroloom/contract/flow/streamlines'
import { mulberry32 } from '@neuroloom/contract/statistics/random'
import { describe, expect, it } from 'vitest'
import { lambOseen, sliceOf, taylorGreen, volumeOf, vortexSlice } from './phantoms.ts'

const pitch = (2 * Math.PI) / 64
const flows = {
  'Taylor–Green': sliceOf(taylorGreen, { width: 64, spacing: [pitch, pitch] }),
  'Lamb–Oseen': vortexSlice(6, 64),
}

const pointsOf = ({ points }: Line): [number, number][] =>
  Array.from({ length: points.length / 3 }, (_, at) => [points[3 * at] ?? 0, points[3 * at + 1] ?? 0])

/** Of a place to the nearest piece of lines, in voxels; beyond `reach` it is Infinity. `but` leaves one line out. */
function distancesTo(lines: readonly [number, number][][], reach: number) {
  const keyOf = (x: number, y: number) => 1000 * Math.floor(y / reach) + Math.floor(x / reach)
  const pieces = new Map<number, { of: number; from: [number, number]; to: [number, number] }[]>()
  for (const [of, line] of lines.entries()) {
    for (const [at, from] of line.entries()) {
      const key = keyOf(...from)
      pieces.set(key, [...(pieces.get(key) ?? []), { of, from, to: line[at + 1] ?? from }])
    }
  }
  return ([x, y]: readonly [number, number], but = -1): number => {
    let least = Number.POSITIVE_INFINITY
    // Pieces are shorter than the reach, and each lies with its beginning.
    for (const dx of [-2, -1, 0, 1, 2]) {
      for (const dy of [-2, -1, 0, 1, 2]) {
        for (const piece of pieces.get(keyOf(x + dx * reach, y + dy * reach)) ?? []) {
          if (piece.of !== but) least = Math.min(least, toPiece([x, y], piece.from, piece.to))
        }
      }
    }
    return least
  }
}

type Place = readonly [number, number]

function toPiece([x, y]: Place, [ax, ay]: Place, [bx, by]: Place): number {
  const [dx, dy] = [bx - ax, by - ay]
  const square = dx * dx + dy * dy
  const share = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / square))
  return Math.hypot(ax + share * dx - x, ay + share * dy - y)
}

describe.each(Object.entries(flows))('13: even lines of %s', (_, slice) => {
  const reference = referenceSpeed([slice])
  const densities = [0.5, 1, 2]
  const drawn = densities.map((density) => evenLines(slice, { density, reference }).map(pointsOf))

  it('are nowhere nearer than 0.48 separations to each other', () => {
    for (const [turn, lines] of drawn.entries()) {
      const apart = separation(slice, densities[turn] ?? 1) / slice.spacing[0]
      const distance = distancesTo(lines, apart)
      const gaps = lines.flatMap((line, one) => line.map((place) => distance(place, one)))
      expect(gaps.reduce((least, gap) => Math.min(least, gap), apart) / apart).toBeGreaterThanOrEqual(0.48)
    }
  })

  it('leave no place farther than one separation, but for one in a hundred', () => {
    for (const [turn, lines] of drawn.entries()) {
      const apart = separation(slice, densities[turn] ?? 1) / slice.spacing[0]
      const random = mulberry32(5)
      const places = Array.from({ length: 1500 }, () => [random() * 63, random() * 63] as const)
      const distance = distancesTo(lines, apart)
      const near = places.filter((place) => distance(place) <= apart)
      expect(near.length / places.length).toBeGreaterThanOrEqual(0.99)
    }
  })

  it('are twice as many at twice the density, to a fifth', () => {
    const [half = 0, whole = 0, double = 0] = drawn.map(({ length }) => length)
    for (const ratio of [whole / half, double / whole])
      expect(Math.abs(ratio / 2 - 1)).toBeLessThanOrEqual(0.2)
  })

  it('are the same each time', () => {
    expect(evenLines(slice, { density: 1, reference }).map(pointsOf)).toEqual(drawn[1])
  })
})

describe('even lines', () => {
  it('keep apart in metres where voxels are not square', () => {
    const slice = sliceOf(() => [0, 1], { width: 40, height: 20, spacing: [0.001, 0.003] })
    const lines = evenLines(slice, { density: 1, reference: 1 }).map(pointsOf)
    const columns = lines.map((line) => line[0]?.[0] ?? 0).toSorted((a, b) => a - b)
    expect(lines.length).toBeGreaterThan(15)
    for (const [at, column] of columns.entries()) {
      if (at > 0) expect(column - (columns[at - 1] ?? 0)).toBeGreaterThan(0.99 * 2)
    }
  })

  it('end a spiral where it comes round', () => {
    const turn = lambOseen(16)
    const inwards = (x: number, y: number) => {
      const [a, b] = turn(x, y)
      return [a - 0.02 * b, b + 0.02 * a] as const
    }
    const spiral = sliceOf(inwards, { width: 64, origin: [-32, -32] })
    // A turn is 2.3 voxels from the one before, d_test 3.6.
    const [first] = evenLines(spiral, { density: 0.3, reference: referenceSpeed([spiral]) })
    expect(first?.ends[1]).toBe('near')
    // Half a voxel a step.
    const ahead = (first?.points.length ?? 0) / 3 - (first?.seed ?? 0)
    expect(ahead / 2 / (2 * Math.PI * 18)).toBeGreaterThan(0.6)
    expect(ahead / 2 / (2 * Math.PI * 18)).toBeLessThan(1.2)
  })

  it('stay in the mask; there are none where nothing is known or moves', () => {
    const slice = flows['Lamb–Oseen']
    const mask = Uint8Array.from(slice.u, (_, at) => (at % 64 < 30 ? 1 : 0))
    const lines = evenLines({ ...slice, mask }, { density: 1, reference: 1 })
    expect(lines.length).toBeGreaterThan(5)
    expect(lines.flatMap(pointsOf).every(([x]) => x < 29.5)).toBe(true)
    const none = (given: Partial<Slice>) => evenLines({ ...slice, ...given }, { density: 1, reference: 1 })
    expect(none({ mask: new Uint8Array(4096) })).toEqual([])
    expect(none({ u: new Float64Array(4096).fill(Number.NaN) })).toEqual([])
    expect(none({ u: new Float64Array(4096), v: new Float64Array(4096) })).toEqual([])
  })
})

describe('seeds in a volume', () => {
  const size: Three = [20, 18, 16]
  const spacing: Three = [0.001, 0.001, 0.002]
  const mask = Uint8Array.from({ length: 5760 }, (_, at) => {
    const [x, y, z] = [at % 20, Math.floor(at / 20) % 18, Math.floor(at / 360)]
    return (x - 10) ** 2 + (y - 9) ** 2 + (2 * (z - 8)) ** 2 < 64 ? 1 : 0
  })
  const asked = { size, spacing, mask, distance: 0.003, seed: 4 }
  const seeds = poissonSeeds(asked)
  const metres = (one: Three, other: Three) =>
    Math.hypot(...one.map((x, axis) => (x - (other[axis] ?? 0)) * (spacing[axis] ?? 0)))

  it('are no nearer than asked, in the mask, and leave hardly a hole', () => {
    expect(seeds.length).toBeGreaterThan(50)
    for (const [at, seed] of seeds.entries()) {
      expect(seeds.slice(0, at).every((other) => metres(seed, other) >= 0.003)).toBe(true)
      const [x, y, z] = seed.map(Math.round)
      expect(mask[((z ?? 0) * 18 + (y ?? 0)) * 20 + (x ?? 0)]).toBe(1)
    }
    const inside = [...mask.keys()].filter((at) => mask[at])
    const left = inside.filter((at) => {
      const place: Three = [at % 20, Math.floor(at / 20) % 18, Math.floor(at / 360)]
      return seeds.every((seed) => metres(seed, place) > 0.003)
    })
    expect(left.length / inside.length).toBeLessThan(0.05)
  })

  it('are the same for the same seed, others for another, and as many as asked at most', () => {
    expect(poissonSeeds(asked)).toEqual(seeds)
    expect(poissonSeeds({ ...asked, seed: 5 })).not.toEqual(seeds)
    expect(poissonSeeds({ ...asked, most: 7 })).toEqual(seeds.slice(0, 7))
  })

  it('lie in a plane where there is one, and nowhere in an empty mask', () => {
    const flat = poissonSeeds({ size: [20, 20, 1], spacing, mask: null, distance: 0.004, seed: 1 })
    expect(flat.length).toBeGreaterThan(15)
    expect(flat.every(([, , z]) => z === 0)).toBe(true)
    expect(poissonSeeds({ ...asked, mask: new Uint8Array(5760) })).toEqual([])
    expect(() => poissonSeeds({ ...asked, distance: 0 })).toThrow(RangeError)
  })
})

describe('arrows', () => {
  const slice = sliceOf(() => [0.3, 0.4, 1.2], { width: 11, height: 8, spacing: [0.002, 0.001] })

  it('stand on a lattice in the middle, as long as their share of v_ref', () => {
    const arrows = arrowsOf(slice, { pitch: 4, scaling: 2, reference: 1 })
    expect([...arrows.x]).toEqual([1, 5, 9, 1, 5, 9])
    expect([...arrows.y]).toEqual([1, 1, 1, 5, 5, 5])
    expect(arrowCount(slice, 4)).toBe(6)
    // 2 · 0.9 · 4 mm · 0.5 along the plane.
    const [dx = 0, dy = 0] = [arrows.dx[0], arrows.dy[0]]
    expect(Math.hypot(dx * 0.002, dy * 0.001)).toBeCloseTo(0.0036, 8)
    expect((dy * 0.001) / (dx * 0.002)).toBeCloseTo(4 / 3, 5)
    expect([arrows.through[0], arrows.speed[0]]).toEqual([expect.closeTo(1.2, 6), expect.closeTo(1.3, 6)])
  })

  it('are three pitches at most', () => {
    const { dx, dy } = arrowsOf(slice, { pitch: 2, scaling: 5, reference: 0.1 })
    expect(Math.hypot((dx[0] ?? 0) * 0.002, (dy[0] ?? 0) * 0.001)).toBeCloseTo(0.006, 8)
  })

  it('are none where nothing is known or moves', () => {
    const none = (given: Partial<Slice>, reference = 1) =>
      arrowsOf({ ...slice, ...given }, { pitch: 1, scaling: 1, reference }).x
    expect(none({})).toHaveLength(88)
    expect(none({ mask: new Uint8Array(88) })).toHaveLength(0)
    expect(none({ w: new Float64Array(88).fill(Number.NaN) })).toHaveLength(0)
    expect(none({ u: new Float64Array(88), v: new Float64Array(88) })).toHaveLength(0)
    expect(none({}, 0)).toHaveLength(0)
  })
})

describe('the speed all is measured by', () => {
  it('is the 99th percentile over all frames, in the mask', () => {
    const frame = (top: number) => sliceOf((x) => [0, 0, (x * top) / 100], { width: 101, height: 1 })
    const [slow, fast] = [frame(1), frame(3)]
    const speeds = [...slow.w, ...fast.w].map(Math.abs).toSorted((a, b) => a - b)
    // numpy: place 0.99 · 201.
    const truth = (speeds[198] ?? 0) + 0.99 * ((speeds[199] ?? 0) - (speeds[198] ?? 0))
    expect(referenceSpeed([slow, fast])).toBeCloseTo(truth, 6)
    const mask = Uint8Array.from({ length: 101 }, (_, at) => (at === 50 ? 1 : 0))
    expect(referenceSpeed([{ ...fast, mask }])).toBeCloseTo(1.5, 6)
    expect(referenceSpeed([{ ...fast, mask: new Uint8Array(101) }])).toBe(0)
    const volume = volumeOf((x, _y, _z, at) => [0, 0, (x * (1 + 2 * at)) / 100], {
      size: [101, 1, 1],
      frames: 2,
    })
    expect(referenceSpeedOf(volume)).toBeCloseTo(truth, 6)
  })

  it('by selection is that by sorting', () => {
    const random = mulberry32(2)
    for (const length of [1, 2, 3, 10, 101, 1000]) {
      const values = Float64Array.from({ length }, () => Math.floor(random() * 50))
      const sorted = values.toSorted()
      for (const share of [0, 0.25, 0.5, 0.99, 1]) {
        const place = (length - 1) * share
        const [low = 0, high = low] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
        expect(percentile(values.slice(), share)).toBeCloseTo(
          low + (place - Math.floor(place)) * (high - low),
          9,
        )
      }
    }
    expect(percentile(new Float64Array(), 0.5)).toBeNull()
  })
})
