import { movingField } from '@neuroloom/contract/flow/field'
import { axesOf, type ObliquePlane, sliceThrough } from '@neuroloom/contract/flow/plane'
import { areaOf, coverage, latticeAround, type Point } from '@neuroloom/contract/flow/region'
import { flowThrough, type RegionRule, summarise } from '@neuroloom/contract/flow/through'
import { mulberry32 } from '@neuroloom/contract/statistics/random'
import { describe, expect, it } from 'vitest'
import { volumeOf } from './phantoms.ts'
import {
  axisOf,
  bessel,
  circle,
  poiseuille,
  sideOf,
  type Tube,
  tubeVolume,
  VOXEL,
  womersley,
} from './tubes.ts'

function tubesOf(across: number, count: number): Tube[] {
  const random = mulberry32(across)
  return Array.from({ length: count }, () => ({
    radius: across / 2,
    offset: [random() - 0.5, random() - 0.5],
  }))
}

/** Across the tube, its centre off the axis. */
const planeOf = (tube: Tube): ObliquePlane => {
  const middle = ((sideOf(tube) - 1) / 2) * VOXEL
  return { centre: [middle, middle, VOXEL], normal: [0, 0, 1] }
}

const lumenOf = ({ offset, radius }: Tube): Point[] =>
  circle([offset[0] * VOXEL, offset[1] * VOXEL], radius * VOXEL)

describe('15: Poiseuille’s flow', () => {
  const errors = (across: number, rule: RegionRule) =>
    tubesOf(across, 12).map((tube) => {
      const moving = movingField(tubeVolume(tube, [poiseuille]))
      const [found] = flowThrough(moving, { plane: planeOf(tube), polygons: [lumenOf(tube)], rule })
      return (found?.flow ?? 0) / ((Math.PI / 2) * (tube.radius * VOXEL) ** 2) - 1
    })

  it.each([
    [6, 0.06],
    [8, 0.035],
    [10, 0.025],
    [16, 0.01],
  ])('in a tube %i voxels across is right to a share of %f', (across, most) => {
    const worst = Math.max(...errors(across, 'exact').map(Math.abs))
    expect(worst).toBeLessThanOrEqual(most)
  })

  it('by whole voxels is nearer', () => {
    for (const across of [8, 10]) {
      const found = errors(across, 'voxels')
      const mean = found.reduce((sum, error) => sum + error, 0) / found.length
      expect(Math.abs(mean)).toBeLessThan(0.015)
    }
  })

  it('is the same through a tilted plane', () => {
    const tube: Tube = { radius: 8, offset: [0.2, -0.3] }
    const side = sideOf(tube)
    const flat = tubeVolume(tube, [poiseuille])
    // As many slices as a tilt by 30° needs.
    const values = new Float32Array(3 * side * side * 21)
    for (let z = 0; z < 21; z++)
      values.set(flat.values.subarray(6 * side * side, 7 * side * side), (42 + z) * side * side)
    const moving = movingField({ ...flat, size: [side, side, 21], values })
    const [x, y] = axisOf(tube)
    const plane: ObliquePlane = {
      centre: [x * VOXEL, y * VOXEL, 10 * VOXEL],
      normal: [Math.sin(Math.PI / 6), 0, Math.cos(Math.PI / 6)],
    }
    // The lumen is longer by 1/cos 30° along x.
    const { along } = axesOf(plane)
    const stretch = 1 / Math.cos(Math.PI / 6)
    const polygon = circle([0, 0], 8 * VOXEL).map(
      ([a, b]): Point => (along[1] === 1 ? [a, b * stretch] : [a * stretch, b]),
    )
    const [found] = flowThrough(moving, { plane, polygons: [polygon], rule: 'exact' })
    expect(Math.abs((found?.flow ?? 0) / ((Math.PI / 2) * (8 * VOXEL) ** 2) - 1)).toBeLessThanOrEqual(0.01)
    expect(found?.peak).toBeCloseTo(1, 1)
    expect(found?.unknown).toBe(0)
  })
})

describe('22: Womersley’s flow', () => {
  const n = 20
  const phases = Array.from({ length: n }, (_, frame) => (2 * Math.PI * frame) / n)

  it('is made of Bessel functions as tables have them', () => {
    // ber 1 = 0.984382, bei 1 = 0.249566 (Abramowitz and Stegun 9.9): J₀(i^{3/2}·x) = ber x + i·bei x.
    const [re, im] = bessel(0, [-Math.SQRT1_2, Math.SQRT1_2])
    expect([re, im]).toEqual([expect.closeTo(0.984382, 6), expect.closeTo(0.249566, 6)])
    expect(bessel(1, [1, 0])[0]).toBeCloseTo(0.4400505857, 9)
  })

  it.each(
    [10, 15].flatMap((alpha) =>
      (
        [
          [8, 0.05, 0.033, 0.026],
          [10, 0.036, 0.024, 0.019],
          [16, 0.016, 0.012, 0.01],
        ] as const
      ).map((row) => [alpha, ...row] as const),
    ),
  )(
    'α = %i in a tube %i voxels across: curve, net volume and core',
    (alpha, across, ofPeak, ofNet, ofCore) => {
      const { velocity, flow } = womersley(alpha)
      const profiles = phases.map((phase) => tabled((share) => velocity(share, phase)))
      const [worst, net, core] = [[0], [0], [0]]
      for (const tube of tubesOf(across, 3)) {
        const moving = movingField(tubeVolume(tube, profiles, 1 / n))
        const found = flowThrough(moving, { plane: planeOf(tube), polygons: [lumenOf(tube)], rule: 'exact' })
        const truth = phases.map((phase) => flow(tube.radius * VOXEL, phase))
        const peak = Math.max(...truth.map(Math.abs))
        worst.push(...found.map((frame, at) => Math.abs(frame.flow - (truth[at] ?? 0)) / peak))
        const timing = { frameSeconds: 1 / n, isPeriodic: true }
        const [own, right] = [
          summarise(
            found.map(({ flow: q }) => q),
            timing,
          ),
          summarise(truth, timing),
        ]
        net.push(Math.abs((own?.net ?? 0) / (right?.net ?? 1) - 1))
        core.push(coreError(moving, tube, profiles))
      }
      expect(Math.max(...worst)).toBeLessThanOrEqual(ofPeak)
      expect(Math.max(...net)).toBeLessThanOrEqual(ofNet)
      expect(Math.max(...core)).toBeLessThanOrEqual(ofCore)
    },
  )

  /** Root of the mean square over all frames, beside the largest velocity, at voxels that lie in the tube as a whole. */
  function coreError(
    moving: ReturnType<typeof movingField>,
    tube: Tube,
    profiles: readonly ((share: number) => number)[],
  ): number {
    const side = sideOf(tube)
    const [x, y] = axisOf(tube)
    const lattice = {
      first: [-((side - 1) / 2) * VOXEL, -((side - 1) / 2) * VOXEL] as const,
      pitch: VOXEL,
      width: side,
      height: side,
    }
    let [wrong, count, top] = [0, 0, 0]
    for (const [frame, field] of moving.frames.entries()) {
      const { w } = sliceThrough(field, planeOf(tube), lattice)
      for (const [at, value] of w.entries()) {
        const r = Math.hypot((at % side) - x, Math.floor(at / side) - y)
        if (r > tube.radius - 1) continue
        const truth = profiles[frame]?.(r / tube.radius) ?? 0
        wrong += (value - truth) ** 2
        top = Math.max(top, Math.abs(truth))
        count++
      }
    }
    return Math.sqrt(wrong / count) / top
  }
})

/** Bessel series are slow, so they are read from a table of 400 steps. */
function tabled(profile: (share: number) => number): (share: number) => number {
  const table = Float64Array.from({ length: 401 }, (_, at) => profile(at / 400))
  return (share) => {
    const low = Math.min(399, Math.floor(share * 400))
    const part = share * 400 - low
    return (1 - part) * (table[low] ?? 0) + part * (table[low + 1] ?? 0)
  }
}

describe('a region', () => {
  const arrow: Point[] = [
    [0, 0],
    [4, 0],
    [4, 3],
    [2, 1],
    [0, 3],
  ]

  it('has its area, also where it is not convex, and shares of cells that add up to it', () => {
    expect(areaOf(arrow)).toBe(8)
    for (const pitch of [1, 0.37, 5]) {
      const lattice = latticeAround(arrow, { origin: [0.1, -0.3], pitch })
      const shares = coverage(arrow, lattice)
      expect(shares.reduce((sum, share) => sum + share, 0) * pitch * pitch).toBeCloseTo(8, 10)
      expect(shares.every((share) => share >= 0 && share <= 1 + 1e-12)).toBe(true)
    }
  })

  it('covers cells around whole places', () => {
    const square: Point[] = [
      [0.25, 0],
      [2, 0],
      [2, 1],
      [0.25, 1],
    ]
    const lattice = latticeAround(square, { origin: [0, 0], pitch: 1 })
    expect(lattice).toEqual({ first: [0, 0], pitch: 1, width: 3, height: 2 })
    expect([...coverage(square, lattice)]).toEqual([0.125, 0.5, 0.25, 0.125, 0.5, 0.25])
  })
})

describe('a plane', () => {
  it('along the grid has the grid’s directions, and any other two that stand upright on it', () => {
    const at = { centre: [0, 0, 0] as const }
    expect(axesOf({ ...at, normal: [0, 0, 2] })).toEqual({
      along: [1, 0, 0],
      across: [0, 1, 0],
      normal: [0, 0, 1],
    })
    const { along, across, normal } = axesOf({ ...at, normal: [1, -2, 0.5] })
    const dot = (a: readonly number[], b: readonly number[]) =>
      a.reduce((sum, x, axis) => sum + x * (b[axis] ?? 0), 0)
    for (const [a, b] of [
      [along, across],
      [along, normal],
      [across, normal],
    ] as const) {
      expect(dot(a, b)).toBeCloseTo(0, 12)
      expect(dot(a, a)).toBeCloseTo(1, 12)
    }
    expect(() => axesOf({ ...at, normal: [0, 0, 0] })).toThrow(RangeError)
  })

  it('reads a linear field exactly at any angle, and nothing outside of the volume', () => {
    const volume = volumeOf((x, y, z) => [x + y, z - y, 2 * x], { size: [9, 9, 9], spacing: [1, 0.5, 2] })
    const [field] = movingField(volume).frames
    const plane = { centre: [4, 2, 8] as const, normal: [1, 1, 1] as const }
    const lattice = { first: [-1, -1] as const, pitch: 0.5, width: 5, height: 5 }
    const { along, across, normal } = axesOf(plane)
    const slice = sliceThrough(field, plane, lattice)
    for (let at = 0; at < 25; at++) {
      const [a, b] = [-1 + (at % 5) * 0.5, -1 + Math.floor(at / 5) * 0.5]
      const [x = 0, y = 0, z = 0] = [0, 1, 2].map(
        (axis) => (plane.centre[axis] ?? 0) + a * (along[axis] ?? 0) + b * (across[axis] ?? 0),
      )
      expect(slice.w[at]).toBeCloseTo((x + y) * normal[0] + (z - y) * normal[1] + 2 * x * normal[2], 4)
    }
    const far = sliceThrough(field, { ...plane, centre: [400, 2, 8] }, lattice)
    expect([...far.u, ...far.v, ...far.w].every(Number.isNaN)).toBe(true)
  })
})

describe('flow through a region', () => {
  const square = (size: number): Point[] => [
    [-size, -size],
    [size, -size],
    [size, size],
    [-size, size],
  ]
  const moving = movingField(
    volumeOf((_x, _y, _z, frame) => [3, 0, [1, 2, -1][frame] ?? 0], { size: [21, 21, 3], frames: 3 }),
  )
  const plane: ObliquePlane = { centre: [10, 10, 1], normal: [0, 0, 1] }

  it('is velocity times area, in regions that may move', () => {
    const one = flowThrough(moving, { plane, polygons: [square(2)], rule: 'exact' })
    expect(one.map(({ flow }) => flow)).toEqual([16, 32, -16].map((flow) => expect.closeTo(flow, 5)))
    expect(one[0]).toMatchObject({
      area: expect.closeTo(16, 9),
      meanVelocity: expect.closeTo(1, 6),
      unknown: 0,
    })
    expect(one[0]?.peak).toBeCloseTo(Math.sqrt(10), 5)
    const polygons = [square(1), square(2), square(3)]
    const three = flowThrough(moving, { plane, polygons, rule: 'exact' })
    expect(three.map(({ flow }) => flow)).toEqual([4, 32, -36].map((flow) => expect.closeTo(flow, 5)))
    // Of 5 × 5 voxels those at the corners lie inside by 0.36 alone.
    const [whole] = flowThrough(moving, { plane, polygons: [square(2.1)], rule: 'voxels' })
    expect(whole?.area).toBeCloseTo(21, 9)
  })

  it('says what share of a region has no value', () => {
    const [half] = flowThrough(moving, {
      plane: { ...plane, centre: [20.5, 10, 1] },
      polygons: [square(2)],
      rule: 'exact',
    })
    expect(half?.unknown).toBeGreaterThan(0.4)
    expect(half?.unknown).toBeLessThan(0.6)
    const [none] = flowThrough(moving, {
      plane: { ...plane, centre: [90, 10, 1] },
      polygons: [square(2)],
      rule: 'exact',
    })
    expect(none).toMatchObject({ flow: 0, unknown: 1, peak: Number.NaN })
  })

  it('refuses a region without area, and as many as do not fit the frames', () => {
    const through = (polygons: Point[][]) => () => flowThrough(moving, { plane, polygons, rule: 'exact' })
    expect(through([[]])).toThrow(RangeError)
    expect(
      through([
        [
          [0, 0],
          [1, 1],
        ],
      ]),
    ).toThrow(RangeError)
    expect(through([square(1), square(1)])).toThrow(RangeError)
  })
})

describe('a curve', () => {
  it('is summed up forwards and backwards, around the end where time is periodic', () => {
    const flows = [2, 4, -1, -1]
    expect(summarise(flows, { frameSeconds: 0.5, isPeriodic: true })).toEqual({
      forward: 3,
      backward: 1,
      net: 2,
      regurgitantFraction: 1 / 3,
      largest: 4,
      smallest: -1,
      mean: 1,
      pulsatility: 5,
    })
    expect(summarise(flows, { frameSeconds: 0.5, isPeriodic: false })).toMatchObject({
      forward: 2.5,
      backward: 0.75,
    })
  })

  it('of one frame, of none and at rest', () => {
    expect(summarise([2], { frameSeconds: 0.5, isPeriodic: true })?.net).toBe(1)
    expect(summarise([2], { frameSeconds: 0.5, isPeriodic: false })?.net).toBe(0)
    expect(summarise([], { frameSeconds: 0.5, isPeriodic: true })).toBeNull()
    expect(summarise([0, 0], { frameSeconds: 0.5, isPeriodic: true })).toMatchObject({
      regurgitantFraction: null,
      pulsatility: null,
    })
  })
})
