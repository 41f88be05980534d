import type { Three } from '@neuroloom/contract/flow/slice'
import { expect, it } from 'vitest'
import { turnedField } from '../../src/features/flow/space/numbers/field.ts'
import {
  countOf,
  lineAt,
  type PackedLines,
  particlesAt,
  STRIDE,
} from '../../src/features/flow/space/numbers/pack.ts'
import { pathsFrom, type SpacePaths } from '../../src/features/flow/space/numbers/paths.ts'
import { MOST_LINES, seedsIn, streamsIn } from '../../src/features/flow/space/numbers/streams.ts'
import type { Measured } from '../../src/features/flow/viewer/numbers/measured.ts'
import { openSession } from '../../src/features/flow/viewer/numbers/session.ts'
import { makeStudy } from '../flow-view/make-study.ts'

/** Voxels of 2 mm; a pipe along z with 0.1 m/s at every moment, 4 frames of a second. */
const isInside = ([x = 0, y = 0]: readonly number[]) => Math.hypot(x - 7.5, y - 7.5) < 5
const pipe = (gating: 'retrospective' | 'prospective' = 'retrospective') =>
  makeStudy({
    size: [16, 16, 40],
    frames: 4,
    velocity: (place) => (isInside(place) ? [0, 0, 0.1] : [0, 0, 0]),
    head: { period: 1, gating, times: [0, 0.25, 0.5, 0.75] },
  })
const mask = Uint8Array.from({ length: 16 * 16 * 40 }, (_, voxel) =>
  isInside([voxel % 16, Math.floor(voxel / 16) % 16]) ? 1 : 0,
)

/** x, y, z in metres from the middle, speed and time. */
function pointsOf(lines: PackedLines, index: number): number[][] {
  const { from, to } = lineAt(lines, index)
  return Array.from({ length: to - from }, (_, at) => [
    ...lines.points.subarray(STRIDE * (from + at), STRIDE * (from + at + 1)),
    lines.times[from + at] ?? 0,
  ])
}
const linesOf = (lines: PackedLines) => Array.from({ length: countOf(lines) }, (_, at) => pointsOf(lines, at))

const fieldsOf = (measured: Measured, inside: Uint8Array | null) =>
  Array.from({ length: measured.head.frames }, (_, frame) => turnedField(measured, frame, inside))
const pipeFields = () => fieldsOf(pipe(), mask)

const steady = pipe()
const pipeLines = (density: number, seed: number) => {
  const seeds = seedsIn(steady, { mask, density, seed })
  if (seeds === null) throw new Error('too many')
  return streamsIn(steady, { mask, frame: 0, reference: 0.1, seeds })
}

it('gives the same lines for the same seed, and others for another', () => {
  const [one, again, other] = [pipeLines(1, 3), pipeLines(1, 3), pipeLines(1, 4)]
  expect(countOf(one)).toBeGreaterThan(20)
  expect(again.points).toEqual(one.points)
  expect(again.starts).toEqual(one.starts)
  expect(other.points).not.toEqual(one.points)
})

it('follows the flow through the mask and never leaves it', () => {
  const lines = pipeLines(1.4, 1)
  let [outside, aside, far] = [0, 0, 0]
  for (const points of linesOf(lines)) {
    const [[x = 0, y = 0] = []] = points
    for (const [a = 0, b = 0, c = 0] of points) {
      const [column, row] = [Math.round(a / 0.002 + 7.5), Math.round(b / 0.002 + 7.5)]
      if (!mask[row * 16 + column]) outside++
      aside = Math.max(aside, Math.hypot(a - x, b - y))
      far = Math.max(far, Math.abs(c))
    }
  }
  expect(outside).toBe(0)
  expect(aside).toBeLessThan(1e-6)
  // Half a voxel beyond the middle of the last one.
  expect(far).toBeLessThanOrEqual(0.0401)
  expect(far).toBeGreaterThan(0.038)
  // Seeds fill a volume: twice as dense would be eight times as many.
  expect(countOf(pipeLines(1.4, 1)) / countOf(pipeLines(0.7, 1))).toBeGreaterThan(4)
  expect([lines.mean, lines.fastest].every((speed) => Math.abs(speed - 0.1) < 1e-3)).toBe(true)
})

it('closes the lines of a steady rotation, on the radius of their seed', () => {
  const turning = makeStudy({
    size: [48, 48, 1],
    frames: 1,
    velocity: ([x, y]) => [-0.02 * (y - 23.5), 0.02 * (x - 23.5), 0],
  })
  // A file keeps steps of 1 mm/s: a tenth of a voxel is what that moves a loop by.
  const lines = streamsIn(turning, { mask: null, frame: 0, reference: 0.4, seeds: [[38.5, 23.5, 0]] })
  const [points = []] = linesOf(lines)
  const radii = points.map(([x = 0, y = 0]) => Math.hypot(x, y) / 0.002)
  expect(Math.max(...radii) - Math.min(...radii)).toBeLessThan(0.1)
  const [first = [], last = []] = [points[0], points.at(-1)]
  expect(Math.hypot((first[0] ?? 0) - (last[0] ?? 0), (first[1] ?? 0) - (last[1] ?? 0)) / 0.002).toBeLessThan(
    0.25,
  )
  // Once around, in steps of half a voxel.
  expect(points.length / (2 * 2 * Math.PI * 15)).toBeCloseTo(1, 1)
})

it('refuses more lines than can be told apart', () => {
  const fine = { mask: null, density: 5, seed: 1 }
  expect(seedsIn(makeStudy({ size: [32, 32, 32], frames: 1, velocity: () => [0.1, 0, 0] }), fine)).toBeNull()
  const session = openSession(pipe())
  const whole = { isOn: false, isGiven: false, level: 0, isLargest: false }
  expect(session.space({ frame: 0, mask: whole, density: 5, seed: 1 })).toBe('too_many')
  const ask = { fields: pipeFields(), reference: 0.1, emitter: emitter(), density: 3, seed: 1 }
  expect(pathsFrom(pipe().head, { ...ask, emitAt: [0] })).not.toBe('too_many')
  const often = Array.from({ length: 40 }, (_, at) => at % 4)
  expect(pathsFrom(pipe().head, { ...ask, emitAt: often })).toBe('too_many')
  expect(MOST_LINES).toBe(500)
})

/** Across the pipe at voxel 2. */
const emitter = () => ({
  plane: { centre: [0.015, 0.015, 0.004] as const, normal: [0, 0, 1] as const },
  outline: Array.from({ length: 32 }, (_, corner): Three => {
    const angle = (2 * Math.PI * corner) / 32
    return [7.5 + 3 * Math.cos(angle), 7.5 + 3 * Math.sin(angle), 2]
  }),
})

function found(paths: ReturnType<typeof pathsFrom>): SpacePaths {
  if (typeof paths === 'string') throw new Error(paths)
  return paths
}

it('follows particles from a plane for a beat, or to the end where frames do not close to one', () => {
  const ask = { fields: pipeFields(), reference: 0.1, emitter: emitter(), emitAt: [2], density: 2, seed: 1 }
  const far = (gating: 'retrospective' | 'prospective') => {
    const paths = found(pathsFrom(pipe(gating).head, ask))
    expect(countOf(paths)).toBeGreaterThan(10)
    const ways = linesOf(paths).map((points) => (points.at(-1)?.[2] ?? 0) - (points[0]?.[2] ?? 0))
    return { ...paths, ways }
  }
  // 0.1 m/s for a second would be 100 mm: all leave the mask at its end, 75 mm ahead.
  const round = far('retrospective')
  for (const way of round.ways) expect(Math.abs(way - 0.075)).toBeLessThan(0.002)
  expect(round.lost).toBe(countOf(round))
  expect(round.frames).toBeCloseTo(3, 0)
  // Frames 2 and 3 are a quarter of a second apart.
  const once = far('prospective')
  for (const way of once.ways) expect(way).toBeCloseTo(0.025, 3)
  expect([once.lost, once.frames]).toEqual([0, 1])
})

it('lets particles go at several moments, and tells where none could start or time is unknown', () => {
  const ask = {
    fields: pipeFields(),
    reference: 0.1,
    emitter: emitter(),
    emitAt: [0, 1, 2, 3],
    density: 2,
    seed: 1,
  }
  const all = found(pathsFrom(pipe().head, ask))
  const one = found(pathsFrom(pipe().head, { ...ask, emitAt: [0] }))
  expect(countOf(all)).toBe(4 * countOf(one))
  expect(new Set(linesOf(all).map((points) => points[0]?.[4]))).toEqual(new Set([0, 1, 2, 3]))
  expect(pathsFrom(pipe().head, { ...ask, fields: fieldsOf(pipe(), new Uint8Array(mask.length)) })).toBe(
    'nowhere',
  )
  const still = makeStudy({ frames: 1, velocity: () => [0, 0, 0.1] })
  expect(pathsFrom(still.head, { ...ask, fields: fieldsOf(still, null) })).toBe('no_time')
})

/** Test 14 of the brief: a uniform flow U₀·sin(2πt/T) in 20 frames, linear between them, goes (2π/20)²/12 = 0.82 % too short. */
it('moves a particle through half a beat as linear frames do, 0.82 % too short', () => {
  const [frames, top, period] = [20, 0.1, 1]
  const waving = makeStudy({
    size: [8, 8, 32],
    frames,
    velocity: (_, frame) => [0, 0, top * Math.sin((2 * Math.PI * frame) / frames)],
    // Steps of the file that are much finer than the error.
    head: { velocityScale: 1e-5, period, times: Array.from({ length: frames }, (_, at) => at / frames) },
  })
  const outline: Three[] = [
    [1, 1, 4],
    [6, 1, 4],
    [6, 6, 4],
    [1, 6, 4],
  ]
  const plane = { centre: [0.007, 0.007, 0.008] as const, normal: [0, 0, 1] as const }
  const ask = {
    fields: fieldsOf(waving, null),
    reference: top,
    emitter: { plane, outline },
    emitAt: [0],
    density: 2,
    seed: 1,
  }
  const paths = found(pathsFrom(waving.head, ask))
  const truth = (top * period) / Math.PI
  for (const points of linesOf(paths)) {
    const half = points.find(([, , , , time]) => time === frames / 2)
    const way = (half?.[2] ?? 0) - (points[0]?.[2] ?? 0)
    expect((100 * (way - truth)) / truth).toBeGreaterThan(-0.87)
    expect((100 * (way - truth)) / truth).toBeLessThan(-0.77)
  }
})

it('finds each particle on its line at any time, and none before or after it', () => {
  const paths = found(
    pathsFrom(pipe().head, {
      fields: pipeFields(),
      reference: 0.1,
      emitter: emitter(),
      emitAt: [0, 2],
      density: 2,
      seed: 1,
    }),
  )
  const early = particlesAt(paths, 1)
  expect(early).toHaveLength(4 * (countOf(paths) / 2))
  // A frame of a quarter of a second at 0.1 m/s: 25 mm after the plane at voxel 2 of 40.
  for (let at = 0; at < early.length; at += 4) {
    expect(early[at + 2]).toBeCloseTo((2 - 19.5) * 0.002 + 0.025, 4)
    expect(early[at + 3]).toBeCloseTo(0.1, 3)
  }
  expect(particlesAt(paths, -0.5)).toHaveLength(0)
  expect(particlesAt(paths, 40)).toHaveLength(0)
})
