import { expect, it } from 'vitest'
import { flowOf, type Section } from '../../src/features/flow/viewer/numbers/cross-section.ts'
import { above, angiogram, largestPart, otsu } from '../../src/features/flow/viewer/numbers/mask.ts'
import { readMeasured, velocityAt } from '../../src/features/flow/viewer/numbers/measured.ts'
import { velocityNoise } from '../../src/features/flow/viewer/numbers/noise.ts'
import { openSession } from '../../src/features/flow/viewer/numbers/session.ts'
import {
  cutSlice,
  gridPlace,
  letterOf,
  type PlaneName,
  patientPlace,
  patientVector,
  shownPlace,
  viewPlane,
} from '../../src/features/flow/viewer/numbers/view-plane.ts'
import { makeBytes, makeHead, makeStudy } from './make-study.ts'

const out = new Float64Array(3)

it('turns what was measured along three directions into the axes of the grid', () => {
  // Not upright on each other: 0.6·x + 0.8·y, y, and z the other way round.
  const directions = [
    [0.6, 0.8, 0],
    [0, 1, 0],
    [0, 0, -1],
  ] as const
  const truth = [0.3, -0.2, 0.1] as const
  const measured = makeStudy({
    head: { directions: directions.map((row) => [...row]) as never },
    velocity: () => [0.6 * truth[0] + 0.8 * truth[1], truth[1], -truth[2]],
  })
  velocityAt(measured, { voxel: 5, frame: 1 }, out)
  for (const axis of [0, 1, 2]) expect(out[axis]).toBeCloseTo(truth[axis] ?? 0, 2)
})

it('has no velocity where one component has no value', () => {
  const measured = makeStudy({ velocity: ([x]) => (x === 3 ? null : [0.1, 0, 0]) })
  velocityAt(measured, { voxel: 3, frame: 0 }, out)
  expect([...out].every(Number.isNaN)).toBe(true)
  velocityAt(measured, { voxel: 4, frame: 0 }, out)
  expect(out[0]).toBeCloseTo(0.1)
})

it('refuses a file that is cut off, and one of other numbers', () => {
  const bytes = makeBytes({ velocity: () => [0, 0, 0] })
  expect(() => readMeasured(bytes.subarray(0, bytes.length - 2))).toThrow('cut off')
  expect(() => readMeasured(bytes.subarray(0, 5))).toThrow('no head')
  const text = new TextDecoder('latin1').decode(bytes).replace('"I16"', '"F32"')
  expect(() => readMeasured(Uint8Array.from(text, (letter) => letter.charCodeAt(0)))).toThrow('not I16')
})

/** Radiologists’ way: the left of the patient on the right, the front above, the head above. */
it.each([
  ['transversal', 'L', 'P', 'H'],
  ['coronal', 'L', 'F', 'P'],
  ['sagittal', 'P', 'F', 'R'],
] as const)('shows the %s plane with %s on the right and %s below', (name, right, down, away) => {
  // A sagittal acquisition: columns to the back, rows to the feet, slices to the right.
  const sagittal = makeHead({
    size: [5, 6, 7],
    head: {
      affine: [
        [0, 0, 2, -6],
        [-2, 0, 0, 4],
        [0, -2, 0, 8],
      ],
    },
  })
  for (const head of [makeHead({}), sagittal]) {
    const plane = viewPlane(head, name)
    expect(letterOf(head, plane.right)).toBe(right)
    expect(letterOf(head, plane.down)).toBe(down)
    expect(letterOf(head, plane.away)).toBe(away)
    const place = gridPlace(head, plane, { column: 1, row: 2, slice: 3 })
    expect(shownPlace(head, plane, place)).toEqual({ column: 1, row: 2, slice: 3 })
  }
})

it('shows a study that lies nowhere in a patient along its own axes', () => {
  const head = makeHead({ head: { isPlaced: false } })
  const plane = viewPlane(head, 'z')
  expect([letterOf(head, plane.right), letterOf(head, plane.down), letterOf(head, plane.away)]).toEqual([
    '+x',
    '+y',
    '+z',
  ])
})

it('tells places and velocities in the axes of the patient', () => {
  const head = makeHead({})
  expect(patientPlace(head, [1, 2, 3])).toEqual([8, 16, 36])
  // Along growing columns is to the left.
  expect(patientVector(head, [0.5, 0, 0])[0]).toBeCloseTo(-0.5)
})

it('cuts a slice so that flow to the left of the patient goes to the right of the picture', () => {
  // Columns of this grid lead to the left.
  const measured = makeStudy({ velocity: () => [0.4, 0.1, -0.2] })
  const plane = viewPlane(measured.head, 'coronal')
  const slice = cutSlice(measured, { plane, slice: 2, frame: 0, mask: null })
  expect(slice.u[0]).toBeCloseTo(0.4)
  // Rows of the picture lead to the feet; z of the grid to the head.
  expect(slice.v[0]).toBeCloseTo(0.2)
  expect(slice.w[0]).toBeCloseTo(0.1)
})

it('finds the vessel by magnitude and speed, and the largest part of it', () => {
  const measured = makeStudy({
    velocity: ([x]) => (x < 3 || x === 6 ? [0, 0, 0.5] : [0, 0, 0.01]),
  })
  const vessel = angiogram(measured)
  const level = otsu(vessel.values, vessel.top)
  const mask = above(vessel, level)
  expect(mask.reduce((sum, is) => sum + is, 0)).toBe(4 * 8 * 4)
  expect(largestPart(mask, measured.head.size).reduce((sum, is) => sum + is, 0)).toBe(3 * 8 * 4)
})

it('goes by speed alone where the study has no magnitude', () => {
  const measured = makeStudy({ velocity: ([x]) => [x === 2 ? 0.5 : 0, 0, 0], magnitude: () => 0 })
  const vessel = angiogram(measured)
  expect(vessel.hasMagnitude).toBe(false)
  expect(above(vessel, 0.5).reduce((sum, is) => sum + is, 0)).toBe(8 * 4)
})

it('measures the noise of still tissue within a tenth', () => {
  let state = 1
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())
  const measured = makeStudy({
    size: [16, 16, 8],
    frames: 20,
    velocity: ([x]) => (x < 3 ? [0, 0, 0.8] : [0.02 * normal(), 0.02 * normal(), 0.02 * normal()]),
    magnitude: ([x]) => (x < 12 ? 100 : 2),
  })
  const noise = velocityNoise(measured, angiogram(measured)) ?? 0
  expect(Math.abs(noise / 0.02 - 1)).toBeLessThan(0.1)
})

/** A tube along z, 10 voxels across, in which all flows alike. */
const tube = () =>
  makeStudy({
    size: [20, 20, 8],
    frames: 4,
    velocity: ([x, y], frame) => (Math.hypot(x - 9.5, y - 9.5) < 5 ? [0, 0, 0.5 * (frame + 1)] : [0, 0, 0]),
  })
const across: Section = {
  plane: { centre: [0.019, 0.019, 0.008], normal: [0, 0, 1] },
  region: 'vessel',
  rule: 'voxels',
}

it('measures what flows through the part of the mask around the centre', () => {
  const measured = tube()
  const mask = above(angiogram(measured), 0.3)
  const voxels = mask.reduce((sum, is) => sum + is, 0) / 8
  const answer = flowOf(measured, mask, across)
  if (typeof answer === 'string') throw new Error(answer)
  // Corners of the stairs are cut by an eighth of a voxel.
  expect(Math.abs(answer.area / (voxels * 4e-6) - 1)).toBeLessThan(0.02)
  for (const [frame, { flow }] of answer.frames.entries()) {
    expect(flow).toBeCloseTo(0.5 * (frame + 1) * voxels * 4e-6, 9)
  }
  expect(Math.abs(answer.across - 10)).toBeLessThan(0.3)
})

it('measures the same through a circle, and against its normal the other way', () => {
  const circle = { ...across, region: 0.008, plane: { ...across.plane, normal: [0, 0, -1] as const } }
  const answer = flowOf(tube(), null, { ...circle, plane: { ...circle.plane, normal: [0, 0, -1] } })
  if (typeof answer === 'string') throw new Error(answer)
  expect(answer.frames[0]?.flow).toBeLessThan(0)
  expect(answer.area).toBeCloseTo(Math.PI * 0.008 ** 2, 6)
})

it('says when the centre lies in no vessel', () => {
  const measured = tube()
  const outside: Section = { ...across, plane: { ...across.plane, centre: [0, 0, 0.008] } }
  expect(flowOf(measured, above(angiogram(measured), 0.3), outside)).toBe('no_vessel')
})

const ask = {
  ...{ plane: 'transversal' as PlaneName, angles: null, slice: 4, frame: 1, hasVortex: true },
  ...{ hasContours: true, isBefore: false, map: null },
  ...{ mask: { isOn: true, isGiven: false, level: 0.3, isLargest: false }, window: 5, order: 1 as const },
  ...{ arrows: { pitch: 1, scaling: 1 }, density: 1 },
}

it('draws nothing outside of the mask', () => {
  // All turns around the middle; only what is bright flows for the mask.
  const measured = makeStudy({
    size: [24, 24, 6],
    velocity: ([x, y]) => [-0.02 * (y - 11.5), 0.02 * (x - 11.5), 0.3],
    magnitude: ([x, y]) => (Math.hypot(x - 11.5, y - 11.5) < 8 ? 500 : 0),
  })
  const picture = openSession(measured).picture(ask)
  const isOutside = (x: number, y: number) => Math.hypot(x - 11.5, y - 11.5) > 8.8
  expect(picture.voxels).toBeGreaterThan(500)
  for (const [at, value] of picture.speed.entries()) {
    if (isOutside(at % 24, Math.floor(at / 24))) expect(value).toBeNaN()
  }
  const places = [
    ...(picture.lines ?? []).flatMap(pairs),
    ...(picture.vortex?.bands?.areas ?? []).flatMap(({ rings }) => rings.flatMap(pairs)),
    ...(picture.vortex?.bands?.lines ?? []).flatMap(({ points }) => points.flatMap(pairs)),
    ...[...(picture.arrows?.x ?? [])].map((x, at) => [x, picture.arrows?.y[at] ?? 0] as const),
  ]
  expect(places.length).toBeGreaterThan(500)
  expect(places.filter(([x, y]) => isOutside(x, y))).toEqual([])
  // 2·0.02 m/s a voxel of 2 mm, everywhere, with the clock on the screen.
  const omega = [...(picture.vortex?.omega ?? [])].filter(Number.isFinite)
  expect(Math.min(...omega)).toBeCloseTo(20, 2)
  expect(Math.max(...omega)).toBeCloseTo(20, 2)
})

it('keeps the colours of one moment for all', () => {
  const measured = makeStudy({ frames: 4, velocity: (_, frame) => [0.2 * (frame + 1), 0, 0] })
  const session = openSession(measured)
  const off = { ...ask, slice: 1, mask: { isOn: false, isGiven: false, level: 0, isLargest: false } }
  const references = [0, 3].map((frame) => session.picture({ ...off, frame }).reference)
  expect(references[0]).toBeCloseTo(0.8)
  expect(references[1]).toBe(references[0])
})

const pairs = (points: ArrayLike<number>): (readonly [number, number])[] =>
  Array.from({ length: points.length / 2 }, (_, at) => [points[2 * at] ?? 0, points[2 * at + 1] ?? 0])
