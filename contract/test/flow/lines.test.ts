import { fieldOfFrame, fieldOfSlice, movingField } from '@neuroloom/contract/flow/field'
import { pathlines } from '@neuroloom/contract/flow/pathlines'
import type { Three } from '@neuroloom/contract/flow/slice'
import { makeStepper, streamline } from '@neuroloom/contract/flow/streamlines'
import { mulberry32 } from '@neuroloom/contract/statistics/random'
import { describe, expect, it } from 'vitest'
import { abc, sliceOf, taylorGreen, volumeOf } from './phantoms.ts'

const rotation = sliceOf((x, y) => [-y, x], { width: 65, origin: [-32, -32] })

describe('9: solid rotation at a radius of 20 voxels', () => {
  /** How far from its beginning the line is after one turn, in so many steps of a voxel's length. */
  const gap = (perVoxel: number) => {
    const { advance } = makeStepper(fieldOfSlice(rotation))
    const at = Float64Array.of(52, 32, 0)
    const steps = Math.round(2 * Math.PI * 20) * perVoxel
    for (let turn = 0; turn < steps; turn++) expect(advance(at, (2 * Math.PI * 20) / steps)).toBe(true)
    return Math.hypot((at[0] ?? 0) - 52, (at[1] ?? 0) - 32)
  }
  it('comes back to its beginning, by the fourth power of the step', () => {
    const [whole, half, quarter] = [gap(1), gap(2), gap(4)]
    expect(half).toBeLessThanOrEqual(1e-6)
    for (const ratio of [whole / half, half / quarter]) expect(Math.abs(ratio - 16)).toBeLessThanOrEqual(2)
  })
  it('is one closed line, along the flow', () => {
    const line = streamline(fieldOfSlice(rotation), [52, 32, 0], { reference: 20 })
    expect(line?.ends).toEqual(['closed', 'closed'])
    const points = line?.points ?? new Float64Array()
    expect(points.length / 3).toBeCloseTo(2 * Math.PI * 20 * 2, -1)
    expect([...points.slice(-3)]).toEqual([52, 32, 0])
    expect(points[4]).toBeGreaterThan(32)
  })
})

describe('10: a streamline of Taylor–Green', () => {
  it.each([
    [16, 0.005],
    [32, 0.0005],
  ])('on %i voxels keeps its stream function over four box lengths to %f', (n, most) => {
    const pitch = (2 * Math.PI) / n
    const field = fieldOfSlice(sliceOf(taylorGreen, { width: n, spacing: [pitch, pitch] }))
    const { advance } = makeStepper(field)
    const psi = (x: number, y: number) => Math.sin(x * pitch) * Math.sin(y * pitch)
    const at = Float64Array.of(n / 4 + n / 10, n / 4, 0)
    const first = psi(n / 4 + n / 10, n / 4)
    let drift = 0
    for (let step = 0; step < 8 * n; step++) {
      expect(advance(at, pitch / 2)).toBe(true)
      drift = Math.max(drift, Math.abs(psi(at[0] ?? 0, at[1] ?? 0) / first - 1))
    }
    expect(drift).toBeLessThanOrEqual(most)
  })
})

describe('11: Arnold, Beltrami and Childress', () => {
  const seeds = insideSeeds(100)
  /** Largest distance of an end point after T = 1 from the true one, in metres. */
  const worst = (n: number) => {
    const pitch = (2 * Math.PI) / n
    const volume = volumeOf(abc, { size: [n, n, n], spacing: [pitch, pitch, pitch] })
    const places = seeds.map((seed) => seed.map((x) => x / pitch) as unknown as Three)
    const { lines, lost, refused } = pathlines(movingField(volume), {
      seeds: places,
      emitAt: [0],
      lifeFrames: 1,
      isPeriodic: true,
    })
    expect([lost, refused]).toEqual([0, 0])
    return Math.max(
      ...lines.map(({ points, seed }) => {
        const truth = exactEnd(seeds[seed] ?? [0, 0, 0])
        return Math.hypot(...truth.map((x, axis) => x - (points[points.length - 3 + axis] ?? 0) * pitch))
      }),
    )
  }
  it('ends where it should, by the second power of the pitch', () => {
    const errors = [16, 32, 64, 128].map((n) => ({ n, metres: worst(n) }))
    for (const [index, { n, metres }] of errors.entries()) {
      expect(metres / ((2 * Math.PI) / n)).toBeLessThanOrEqual(0.06)
      const before = errors[index - 1]
      if (!before) continue
      expect(before.metres / metres).toBeGreaterThan(3.4)
      expect(before.metres / metres).toBeLessThan(4.8)
    }
  })
})

/** Places whose particles stay inside of all grids for T = 1. */
function insideSeeds(count: number): Three[] {
  const random = mulberry32(3)
  const seeds: Three[] = []
  while (seeds.length < count) {
    const seed: Three = [random() * 6, random() * 6, random() * 6]
    const path = [0, 0.25, 0.5, 0.75, 1].map((time) => exactEnd(seed, time))
    if (path.flat().every((x) => x > 0.3 && x < 2 * Math.PI - 0.7)) seeds.push(seed)
  }
  return seeds
}

function exactEnd(seed: Three, time = 1): Three {
  let at = seed
  const steps = 200
  const h = time / steps
  const moved = ([x, y, z]: Three, [a, b, c]: Three, by: number): Three => [
    x + by * a,
    y + by * b,
    z + by * c,
  ]
  for (let step = 0; step < steps; step++) {
    const k1 = abc(...at)
    const k2 = abc(...moved(at, k1, h / 2))
    const k3 = abc(...moved(at, k2, h / 2))
    const k4 = abc(...moved(at, k3, h))
    at = moved(moved(moved(moved(at, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6)
  }
  return at
}

describe('pathlines', () => {
  const [n, top, period] = [20, 0.5, 1]
  const pulsating = volumeOf((_x, _y, _z, frame) => [top * Math.sin((2 * Math.PI * frame) / n), 0, 0], {
    size: [90, 3, 3],
    spacing: [0.002, 0.002, 0.002],
    frames: n,
    frameSeconds: period / n,
  })
  const emit = (more: Partial<Parameters<typeof pathlines>[1]> = {}) =>
    pathlines(movingField(pulsating), {
      seeds: [[1, 1, 1]],
      emitAt: [0],
      lifeFrames: n / 2,
      isPeriodic: true,
      ...more,
    })

  it('14: of 20 frames fall short by (2π/n)²/12 after half a cycle', () => {
    const { lines } = emit()
    const way = ((lines[0]?.points.at(-3) ?? 0) - 1) * 0.002
    const short = way / ((top * period) / Math.PI) - 1
    expect(Math.abs(short + 0.0082)).toBeLessThanOrEqual(0.0005)
    expect(short).toBeCloseTo(-(((2 * Math.PI) / n) ** 2) / 12, 4)
  })

  it('come back after a whole cycle where time is periodic, and end with the last frame where it is not', () => {
    const whole = emit({ lifeFrames: n }).lines[0]
    expect(whole?.points.at(-3)).toBeCloseTo(1, 4)
    const open = emit({ lifeFrames: n, isPeriodic: false }).lines[0]
    expect((open?.points.length ?? 0) / 3).toBe(1 + (n - 1) * (open?.perFrame ?? 0))
  })

  it('leave from each seed at each time; those that get lost and seeds outside are counted', () => {
    const { lines, lost, refused } = emit({
      seeds: [
        [1, 1, 1],
        [80, 1, 1],
        [200, 1, 1],
      ],
      emitAt: [0, 10],
    })
    expect(lines).toHaveLength(4)
    // From the left end against the stream, and from the right end with it.
    expect(lines.filter(({ isLost }) => isLost).map(({ seed, begin }) => [seed, begin])).toEqual([
      [1, 0],
      [0, 10],
    ])
    expect([lost, refused]).toEqual([2, 2])
    for (const { points, speeds } of lines) expect(points).toHaveLength(3 * speeds.length)
  })

  it('of one frame are those of a steady flow', () => {
    const steady = volumeOf(() => [1, 0, 0], { size: [9, 3, 3] })
    const [line] = pathlines(movingField(steady), {
      seeds: [[1, 1, 1]],
      emitAt: [0],
      lifeFrames: 5,
      isPeriodic: true,
    }).lines
    expect(line?.points.at(-3)).toBeCloseTo(6, 10)
  })
})

describe('what stops a line', () => {
  const wind = sliceOf(() => [1, 0], { width: 20, height: 9, spacing: [0.002, 0.002] })

  it('is the edge of the mask, on both sides', () => {
    const mask = Uint8Array.from(wind.u, (_, at) => (at % 20 >= 5 && at % 20 <= 14 ? 1 : 0))
    const line = streamline(fieldOfSlice({ ...wind, mask }), [10, 4, 0], { reference: 1 })
    expect(line?.ends).toEqual(['edge', 'edge'])
    const xs = [...(line?.points ?? [])].filter((_, index) => index % 3 === 0)
    expect(Math.min(...xs)).toBeGreaterThanOrEqual(4.5)
    expect(Math.min(...xs)).toBeLessThanOrEqual(5)
    expect(Math.max(...xs)).toBeLessThan(14.5)
    expect(xs).toEqual(xs.toSorted((a, b) => a - b))
    expect(xs[line?.seed ?? -1]).toBe(10)
  })

  it('is the longest length', () => {
    const line = streamline(fieldOfSlice(wind), [10, 4, 0], { reference: 1, longest: 0.006 })
    expect(line?.ends).toEqual(['length', 'length'])
    expect([line?.points[0], line?.points.at(-3)]).toEqual([expect.closeTo(7, 9), expect.closeTo(13, 9)])
  })

  it('is a speed below a hundredth of v_ref', () => {
    const fading = sliceOf((x) => [Math.exp(-x), 0], { width: 20, height: 3 })
    const line = streamline(fieldOfSlice(fading), [1, 1, 0], { reference: 1 })
    expect(line?.ends).toEqual(['edge', 'slow'])
    expect(line?.points.at(-3)).toBeLessThan(Math.log(100))
    expect(streamline(fieldOfSlice(fading), [6, 1, 0], { reference: 1 })).toBeNull()
  })

  it('is where there is nothing: no seed outside, in an empty mask, in NaN, in a field at rest', () => {
    const nothing = new Float64Array(180)
    const seed = [10, 4, 0] as const
    const at = (slice: typeof wind, place: Three = seed) =>
      streamline(fieldOfSlice(slice), place, { reference: 1 })
    expect(at(wind, [30, 4, 0])).toBeNull()
    expect(at({ ...wind, mask: new Uint8Array(180) })).toBeNull()
    expect(at({ ...wind, u: nothing.map(() => Number.NaN) })).toBeNull()
    expect(at({ ...wind, u: nothing })).toBeNull()
    expect(streamline(fieldOfSlice({ ...wind, u: nothing }), seed, { reference: 0 })).toBeNull()
  })
})

describe('between the middles of voxels', () => {
  const out = new Float64Array(3)
  const linear = (x: number, y: number, z: number): Three => [x + 2 * y - z, 3 * x - y, 0.5 * z]

  it('a linear field is itself, also stored as whole numbers', () => {
    const volume = volumeOf(linear, { size: [5, 6, 7] })
    const whole = { ...volume, values: Int16Array.from(volume.values, (value) => value * 100), scale: 0.01 }
    for (const given of [volume, whole]) {
      expect(fieldOfFrame(given, 0).at(1.25, 3.5, 4.75, out)).toBe(true)
      for (const [axis, value] of linear(1.25, 3.5, 4.75).entries()) expect(out[axis]).toBeCloseTo(value, 6)
    }
  })

  it('nothing from outside of the mask reaches in', () => {
    const mask = Uint8Array.from({ length: 64 }, (_, at) => (at % 4 < 2 ? 1 : 0))
    const volume = volumeOf((x) => (x < 2 ? [1, 2, 3] : [900, 900, 900]), { size: [4, 4, 4], mask })
    const { at } = fieldOfFrame(volume, 0)
    expect(at(1.4, 1.5, 1.5, out)).toBe(true)
    expect([...out]).toEqual([1, 2, 3].map((value) => expect.closeTo(value, 12)))
    expect(at(1.6, 1.5, 1.5, out)).toBe(false)
    expect(at(-0.4, 1, 3.4, out)).toBe(true)
    expect(at(-0.6, 1, 1, out)).toBe(false)
  })
})
