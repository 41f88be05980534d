import { fieldOfFrame } from '@neuroloom/contract/flow/field'
import type { Three } from '@neuroloom/contract/flow/slice'
import { expect, it } from 'vitest'
import { alongPlane, startChoice, tilted, turned } from '../../src/features/flow/viewer/choice.ts'
import { numbersIn, velocitiesIn } from '../../src/features/flow/viewer/numbers/cuts.ts'
import { metresOf, velocityAt, voxelsOf } from '../../src/features/flow/viewer/numbers/measured.ts'
import { fieldOfMeasured } from '../../src/features/flow/viewer/numbers/measured-field.ts'
import { openSession } from '../../src/features/flow/viewer/numbers/session.ts'
import { anglesAlong, sightOf } from '../../src/features/flow/viewer/numbers/sight.ts'
import { makeHead, makeStudy } from './make-study.ts'

const heads = {
  placed: makeHead({ size: [7, 9, 5] }),
  sagittal: makeHead({
    size: [5, 6, 7],
    head: {
      affine: [
        [0, 0, 2, -6],
        [-2, 0, 0, 4],
        [0, -2, 0, 8],
      ],
    },
  }),
}

/** From the front, from the left, from the feet. */
it.each([
  ['coronal', { turn: 0, tilt: 0 }],
  ['sagittal', { turn: 90, tilt: 0 }],
  ['transversal', { turn: 0, tilt: 90 }],
] as const)('is the %s plane at its angles, sample by sample', (plane, angles) => {
  for (const head of Object.values(heads)) {
    const grid = sightOf(head, { plane, angles: null })
    const oblique = sightOf(head, { plane: 'oblique', angles })
    expect(oblique.shown).toEqual(grid.shown)
    expect(oblique.letters).toEqual(grid.letters)
    const sample = { column: 1, row: 3, slice: 2 }
    const place = grid.toGrid(sample)
    const { slice } = oblique.toShown(place)
    const again = oblique.toGrid({ ...sample, slice })
    for (const axis of [0, 1, 2]) expect(again[axis]).toBeCloseTo(place[axis] ?? 0)
    const found = anglesAlong(head, grid.away)
    expect([found.turn, found.tilt]).toEqual([expect.closeTo(angles.turn), expect.closeTo(angles.tilt)])
  }
})

it('is as it was after there and back, whatever the angles, and right × down = away', () => {
  for (const turn of [-150, -20, 35]) {
    for (const tilt of [-80, 10, 60]) {
      const { right, down, away, toGrid, toShown } = sightOf(heads.placed, {
        plane: 'oblique',
        angles: { turn, tilt },
      })
      const [a, b, c] = right
      const [x, y, z] = down
      const cross = [b * z - c * y, c * x - a * z, a * y - b * x]
      for (const axis of [0, 1, 2]) expect(cross[axis]).toBeCloseTo(away[axis] ?? 0)
      const sample = toShown(toGrid({ column: 2, row: 1, slice: 4.5 }))
      expect([sample.column, sample.row, sample.slice].map((one) => one.toFixed(6))).toEqual([
        '2.000000',
        '1.000000',
        '4.500000',
      ])
    }
  }
})

/** Torn, masked and turned against the grid. */
const study = () => {
  let state = 5
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647 - 0.5
  }
  return makeStudy({
    size: [9, 8, 7],
    velocity: ([x]) => (x === 4 && random() > 0 ? null : [random(), random(), random()]),
    head: {
      directions: [
        [0, 1, 0],
        [0.8, 0, 0.6],
        [-0.6, 0, 0.8],
      ],
    },
  })
}

it('reads velocities between voxels as the field of the contract does', () => {
  const measured = study()
  const { head } = measured
  const voxels = voxelsOf(head)
  const mask = Uint8Array.from({ length: voxels }, (_, voxel) => (voxel % 5 === 0 ? 0 : 1))
  const values = new Float32Array(3 * voxels)
  const out = new Float64Array(3)
  for (let voxel = 0; voxel < voxels; voxel++) {
    velocityAt(measured, { voxel, frame: 1 }, out)
    for (const axis of [0, 1, 2]) values[axis * voxels + voxel] = out[axis] ?? 0
  }
  const volume = { size: head.size, spacing: metresOf(head), frames: 1, frameSeconds: 1, values, scale: 1 }
  for (const inside of [mask, null]) {
    const expected = fieldOfFrame({ ...volume, mask: inside }, 0)
    const field = fieldOfMeasured(measured, 1, inside)
    const [one, other] = [new Float64Array(3), new Float64Array(3)]
    let known = 0
    for (let turn = 0; turn < 2000; turn++) {
      const place = [0.37 * turn, 0.53 * turn, 0.71 * turn].map(
        (value, axis) => (value % ((head.size[axis] ?? 1) + 1)) - 1,
      )
      const [x = 0, y = 0, z = 0] = place
      const is = expected.at(x, y, z, one)
      expect(field.at(x, y, z, other)).toBe(is)
      if (!is) continue
      known++
      for (const axis of [0, 1, 2]) expect(other[axis]).toBeCloseTo(one[axis] ?? 0, 5)
    }
    expect(known).toBeGreaterThan(400)
    expect([...field.known]).toEqual([...expected.known])
  }
})

it('shows flow along an oblique plane as long as it is, and through it with its sign', () => {
  const flow: Three = [0.3, -0.2, 0.4]
  const measured = makeStudy({ size: [16, 16, 16], velocity: () => [...flow] })
  const sight = sightOf(measured.head, { plane: 'oblique', angles: { turn: 30, tilt: 40 } })
  const cut = velocitiesIn(measured, { sight, slice: (sight.slices - 1) / 2, frame: 0, mask: null })
  const middle = Math.floor(cut.height / 2) * cut.width + Math.floor(cut.width / 2)
  const along = (way: Three) => way.reduce((sum, part, axis) => sum + part * (flow[axis] ?? 0), 0)
  expect(cut.u[middle]).toBeCloseTo(along(sight.right), 3)
  expect(cut.v[middle]).toBeCloseTo(along(sight.down), 3)
  expect(cut.w[middle]).toBeCloseTo(along(sight.away), 3)
  // Beside the study there is no value.
  expect(cut.u[0]).toBeNaN()
})

it('reads a map between voxels, and has none where the nearest voxel has none', () => {
  const head = makeHead({ size: [12, 12, 12] })
  const sight = sightOf(head, { plane: 'oblique', angles: { turn: 20, tilt: 15 } })
  const x = (voxel: number) => (voxel % 12 === 3 ? Number.NaN : voxel % 12)
  const slice = (sight.slices - 1) / 2
  const values = numbersIn(head, { sight, slice }, x)
  let checked = 0
  for (const [at, value] of values.entries()) {
    const place = sight.toGrid({
      column: at % sight.shown.width,
      row: Math.floor(at / sight.shown.width),
      slice,
    })
    const isIn = place.every((one) => one >= 0 && one <= 11)
    if (!isIn) continue
    checked++
    if (Math.round(place[0]) === 3) expect(value).toBeNaN()
    else if (place[0] < 2 || place[0] > 4) expect(value).toBeCloseTo(place[0], 4)
  }
  expect(checked).toBeGreaterThan(60)
})

it('turns vorticity with the plane: of a whirl along its axis all, across it none', () => {
  // 40 1/s about z.
  const measured = makeStudy({
    size: [24, 24, 24],
    velocity: ([x, y]) => [-0.04 * (y - 11.5), 0.04 * (x - 11.5), 0],
  })
  const session = openSession(measured)
  const start = {
    ...startChoice(session.facts),
    mask: { isOn: false, isGiven: false, level: 0, isLargest: false },
  }
  const omegaAt = (angles: { turn: number; tilt: number }): number => {
    const { away, shown, slices } = sightOf(measured.head, { plane: 'oblique', angles })
    const picture = session.picture({
      ...{ plane: 'oblique', angles, slice: (slices - 1) / 2, frame: 0, isBefore: false, map: null },
      ...{ mask: start.mask, hasVortex: true, hasContours: false, window: 5, order: 1, arrows: null },
      density: null,
    })
    const middle = Math.floor(shown.height / 2) * shown.width + Math.floor(shown.width / 2)
    return (picture.vortex?.omega[middle] ?? Number.NaN) / (away[2] || 1)
  }
  expect(omegaAt({ turn: 0, tilt: 90 })).toBeCloseTo(40, 1)
  expect(omegaAt({ turn: 25, tilt: 50 })).toBeCloseTo(40, 1)
  expect(Math.abs(omegaAt({ turn: 40, tilt: 0 }))).toBeLessThan(0.1)
})

it('begins an oblique plane as the plane before it, and comes back to a voxel', () => {
  const { facts } = openSession(makeStudy({ size: [16, 12, 10], velocity: ([x]) => [0, 0, x / 16] }))
  const start = startChoice(facts)
  const oblique = turned(facts.head, { ...start, plane: 'sagittal', place: [3, 4, 5] }, 'oblique')
  expect(oblique.angles.turn).toBeCloseTo(90)
  expect(oblique.place).toEqual([3, 4, 5])
  const further = tilted(facts.head, { ...oblique, place: [3.4, 4.2, 20] }, { turn: 70, tilt: 10 })
  expect(turned(facts.head, further, 'coronal').place).toEqual([3, 4, 9])
})

it('begins as the plane before it where nothing tells of a patient, too', () => {
  const head = makeHead({ size: [7, 9, 5], head: { isPlaced: false } })
  const { facts } = openSession(makeStudy({ size: [7, 9, 5], velocity: () => [0, 0, 1], head }))
  for (const plane of ['x', 'y', 'z'] as const) {
    const grid = sightOf(head, { plane, angles: null })
    const { angles } = turned(facts.head, { ...startChoice(facts), plane }, 'oblique')
    expect(sightOf(head, { plane: 'oblique', angles }).letters.away).toBe(grid.letters.away)
    if (plane !== 'x') expect(sightOf(head, { plane: 'oblique', angles }).letters).toEqual(grid.letters)
  }
})

it('looks along a plane across a vessel', () => {
  const { facts } = openSession(makeStudy({ size: [16, 12, 10], velocity: ([x]) => [0, 0, x / 16] }))
  const normal: Three = [0.6, -0.48, 0.64]
  const choice = alongPlane(facts.head, startChoice(facts), { centre: [0.004, 0.006, 0.01], normal })
  const { away, toShown } = sightOf(facts.head, { plane: 'oblique', angles: choice.angles })
  const cosine = away.reduce((sum, part, axis) => sum + part * (normal[axis] ?? 0), 0)
  expect(Math.abs(cosine)).toBeCloseTo(1)
  expect(choice.place).toEqual([2, 3, 5])
  expect(Number.isFinite(toShown(choice.place).slice)).toBe(true)
})
