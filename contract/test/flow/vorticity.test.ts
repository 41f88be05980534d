import type { Samples, Slice } from '@neuroloom/contract/flow/slice'
import { vorticity } from '@neuroloom/contract/flow/vorticity'
import {
  planeSlopeBias,
  slopeWeights,
  vortexBias,
  vorticityNoise,
} from '@neuroloom/contract/flow/window-weights'
import { mulberry32 } from '@neuroloom/contract/statistics/random'
import { describe, expect, it } from 'vitest'
import { gaussian, sliceOf, taylorGreen, vortexSlice } from './phantoms.ts'

const windows = [3, 5, 7, 9, 11, 13, 15]

/** ∂v/∂x − ∂u/∂y = 2.9. */
const linear = (x: number, y: number) => [0.4 + 0.3 * x - 1.2 * y, -0.7 + 1.7 * x + 0.9 * y] as const
const OMEGA = 2.9

function worstOf(omega: Samples, truth: number): number {
  const known = [...omega].filter(Number.isFinite)
  expect(known.length).toBeGreaterThan(100)
  return known.reduce((worst, value) => Math.max(worst, Math.abs(value / truth - 1)), 0)
}

function withRandomMask(slice: Slice, share: number): Slice {
  const random = mulberry32(7)
  return { ...slice, mask: Uint8Array.from(slice.u, () => (random() < share ? 1 : 0)) }
}

describe('1: a linear field', () => {
  for (const spacing of [
    [1, 1],
    [0.5, 2],
  ] as const) {
    for (const [bits, most] of [
      [64, 1e-10],
      [32, 2e-5],
    ] as const) {
      const slice = sliceOf(linear, { width: 48, height: 40, spacing, bits })
      it.each(windows)(`is exact with ${bits} bits, voxels of ${spacing} and a window of %i`, (window) => {
        const masked = withRandomMask(slice, 0.5)
        expect(worstOf(vorticity(slice, { window, order: 1 }), OMEGA)).toBeLessThan(most)
        expect(worstOf(vorticity(masked, { window, order: 1 }), OMEGA)).toBeLessThan(most)
        if (window < 5) return
        expect(worstOf(vorticity(slice, { window, order: 3 }), OMEGA)).toBeLessThan(most)
        if (window > 5) expect(worstOf(vorticity(masked, { window, order: 3 }), OMEGA)).toBeLessThan(most)
      })
    }
  }
})

describe('a vortex', () => {
  const middle = (window: number, order: 1 | 3) =>
    (vorticity(vortexSlice(6, 41), { window, order })[840] ?? 0) - 1

  it.each([
    [3, -0.0228],
    [5, -0.0709],
    [7, -0.1363],
    [9, -0.2126],
    [11, -0.2935],
  ])('2: planes over %i are low in its middle by %f', (window, bias) => {
    expect(Math.abs(middle(window, 1) - bias)).toBeLessThan(0.003)
  })

  it.each([
    [5, -0.0023],
    [7, -0.01],
    [9, -0.0261],
  ])('3: cubics over %i are low in its middle by %f', (window, bias) => {
    expect(Math.abs(middle(window, 3) - bias)).toBeLessThan(0.001)
  })

  it('4: the bias told beforehand is the one that comes, as long as N·h/r_c ≤ 0.85', () => {
    const cases = [6, 8, 12, 18].flatMap((core) => windows.map((window) => ({ core, window })))
    const told = cases.filter(({ core, window }) => window / core <= 0.85)
    expect(told.length).toBeGreaterThan(8)
    for (const { core, window } of told) {
      const found = (vorticity(vortexSlice(core, 41), { window, order: 1 })[840] ?? 0) - 1
      const closed = -((3 * window ** 2 - 7) / 40 + (window ** 2 - 1) / 24) / core ** 2
      const bias = vortexBias({ window, order: 1, spacing: [1, 1] }, core)
      expect(bias).toBeCloseTo(closed, 12)
      expect(Math.abs(found / bias - 1)).toBeLessThan(0.1)
    }
  })

  it('7: circulation within three core radii is that of the vortex', () => {
    for (const core of [4, 6, 8]) {
      const width = 8 * core + 1
      const omega = vorticity(vortexSlice(core, width), { window: 5, order: 1 })
      const inside = [...omega].filter((_, at) => {
        const [x, y] = [(at % width) - 4 * core, Math.floor(at / width) - 4 * core]
        return Math.hypot(x, y) <= 3 * core
      })
      const circulation = inside.reduce((sum, value) => sum + value, 0)
      const truth = Math.PI * core ** 2 * -Math.expm1(-9)
      expect(Math.abs(circulation / truth - 1)).toBeLessThan(0.005)
    }
  })

  it('a cubic is biased by the fourth power of h/r_c, as told', () => {
    for (const window of [5, 7, 9]) {
      const found = (vorticity(vortexSlice(14, 41), { window, order: 3 })[840] ?? 0) - 1
      expect(Math.abs(found / vortexBias({ window, order: 3, spacing: [1, 1] }, 14) - 1)).toBeLessThan(0.1)
    }
  })
})

describe('5: white noise', () => {
  const random = mulberry32(11)
  const slice = sliceOf(() => [gaussian(random), gaussian(random)], { width: 600 })
  /** Over full windows. */
  const deviation = (window: number, order: 1 | 3) => {
    const edge = (window - 1) / 2
    const isInner = (at: number) => {
      const [x, y] = [at % 600, Math.floor(at / 600)]
      return Math.min(x, y) >= edge && Math.max(x, y) < 600 - edge
    }
    const known = vorticity(slice, { window, order }).filter((_, at) => isInner(at))
    return Math.sqrt([...known].reduce((sum, value) => sum + value * value, 0) / known.length)
  }
  it.each([3, 5, 7, 9, 11])('comes through planes over %i as told', (window) => {
    const told = vorticityNoise({ window, order: 1, spacing: [1, 1] }, 1)
    expect(told).toBeCloseTo(Math.sqrt(24 / (window ** 2 * (window ** 2 - 1))), 12)
    expect(Math.abs(deviation(window, 1) / told - 1)).toBeLessThan(0.03)
  })
  it.each([
    [5, 0.648],
    [7, 0.298],
    [9, 0.175],
    [11, 0.115],
  ])('comes through cubics over %i as told: %f', (window, published) => {
    const told = vorticityNoise({ window, order: 3, spacing: [1, 1] }, 1)
    expect(Math.abs(told / published - 1)).toBeLessThan(0.01)
    expect(Math.abs(deviation(window, 3) / told - 1)).toBeLessThan(0.03)
  })
})

describe('6: Taylor–Green', () => {
  /** Root of the mean square over full windows, beside that of the truth. */
  const error = (n: number, window: number, order: 1 | 3) => {
    const pitch = (2 * Math.PI) / n
    const slice = sliceOf(taylorGreen, { width: n, spacing: [pitch, pitch] })
    const omega = vorticity(slice, { window, order })
    let [wrong, whole] = [0, 0]
    const edge = (window - 1) / 2
    for (let row = edge; row < n - edge; row++) {
      for (let column = edge; column < n - edge; column++) {
        const truth = 2 * Math.sin(column * pitch) * Math.sin(row * pitch)
        wrong += ((omega[row * n + column] ?? 0) - truth) ** 2
        whole += truth ** 2
      }
    }
    return Math.sqrt(wrong / whole)
  }
  it.each([
    [1, 2, 0.1, 1.6e-2],
    [3, 4, 0.15, 7e-5],
  ] as const)('with order %i falls with the power %i of the pitch', (order, power, within, most) => {
    for (const window of [5, 7]) {
      const [coarse, middle, fine] = [32, 64, 128].map((n) => error(n, window, order))
      for (const ratio of [(coarse ?? 0) / (middle ?? 1), (middle ?? 0) / (fine ?? 1)]) {
        expect(Math.abs(Math.log2(ratio) - power)).toBeLessThanOrEqual(within)
      }
    }
    expect(error(64, 5, order)).toBeLessThanOrEqual(most)
  })
})

describe('what is not there', () => {
  const slice = sliceOf(linear, { width: 12, height: 9 })
  const all = (values: Samples, is: (value: number) => boolean) => [...values].every(is)

  it('has no value: an empty mask, nothing known, three samples in a row', () => {
    for (const order of [1, 3] as const) {
      expect(
        all(vorticity({ ...slice, mask: new Uint8Array(108) }, { window: 5, order }), Number.isNaN),
      ).toBe(true)
      const unknown = new Float32Array(108).fill(Number.NaN)
      expect(all(vorticity({ ...slice, u: unknown, v: unknown }, { window: 5, order }), Number.isNaN)).toBe(
        true,
      )
      const line = new Uint8Array(108).fill(1, 48, 60)
      expect(all(vorticity({ ...slice, mask: line }, { window: 9, order }), Number.isNaN)).toBe(true)
    }
  })

  it('is no 0: what stands outside the mask is not fitted, whatever it holds', () => {
    const mask = Uint8Array.from(slice.u, (_, at) => (at % 12 < 7 ? 1 : 0))
    const u = Float64Array.from(slice.u, (value, at) => (mask[at] ? value : 1e6))
    const omega = vorticity({ ...slice, u, mask }, { window: 5, order: 1 })
    expect(
      omega.every((value, at) => (mask[at] ? Math.abs(value - OMEGA) < 1e-9 : Number.isNaN(value))),
    ).toBe(true)
  })

  it('does not spoil its neighbours: one infinite sample', () => {
    const u = slice.u.slice()
    u[40] = Number.POSITIVE_INFINITY
    const omega = vorticity({ ...slice, u }, { window: 3, order: 1 })
    expect([...omega.keys()].filter((at) => Number.isNaN(omega[at] ?? 0))).toContain(40)
    expect(Math.abs((omega[41] ?? 0) - OMEGA)).toBeLessThan(1e-9)
  })

  it('of a field at rest is 0', () => {
    const still = sliceOf(() => [0, 0], { width: 9 })
    expect(all(vorticity(still, { window: 5, order: 1 }), (value) => value === 0)).toBe(true)
  })

  it('windows that cannot be are refused', () => {
    for (const window of [4, 1, 11, 5.5]) {
      expect(() => vorticity(slice, { window, order: 1 })).toThrow(RangeError)
    }
    expect(() => slopeWeights(3, 3)).toThrow(RangeError)
  })
})

it('the bias of a slope is that of the plane in a cubic field', () => {
  const slice = sliceOf((x, y) => [0, x ** 3 / 6 + (x * y * y) / 2], {
    width: 21,
    spacing: [0.5, 0.25],
    origin: [-5, -2.5],
  })
  const omega = vorticity(slice, { window: 7, order: 1 })
  expect(omega[220]).toBeCloseTo(planeSlopeBias({ window: 7, spacing: [0.5, 0.25] }, { xxx: 1, xyy: 1 }), 10)
})
