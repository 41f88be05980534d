import { NO_VALUE } from '@neuroloom/contract/flow/study'
import { expect, it } from 'vitest'
import { askOf, startChoice } from '../../src/features/flow/viewer/choice.ts'
import { readMeasured } from '../../src/features/flow/viewer/numbers/measured.ts'
import { readDerived, readMask } from '../../src/features/flow/viewer/numbers/run-files.ts'
import { openSession } from '../../src/features/flow/viewer/numbers/session.ts'
import { container, makeBytes, makeHead, makeStudy } from './make-study.ts'

const size: [number, number, number] = [6, 5, 4]
const voxels = 120
const flows = ([x]: readonly number[]): [number, number, number] => [0.1 * ((x ?? 0) + 1), 0, 0.2]
const head = makeHead({ size })

const maskBytes = (inside: (voxel: number) => boolean) =>
  container(
    {},
    { mask: ['I8', [4, 5, 6], Int8Array.from({ length: voxels }, (_, at) => (inside(at) ? 1 : 0))] },
  )

const derivedBytes = (scale: unknown) => {
  const q = Int16Array.from({ length: 2 * voxels }, (_, at) => (at % 6 === 0 ? NO_VALUE : at % 6))
  const lambda2 = q.map((value) => (value === NO_VALUE ? NO_VALUE : -value))
  const shape = [2, 4, 5, 6]
  return container(
    { scale: JSON.stringify(scale) },
    { q: ['I16', shape, q], lambda2: ['I16', shape, lambda2] },
  )
}

const opened = () => {
  const mask = readMask(
    maskBytes((at) => at % 6 < 4),
    head,
  )
  const derived = readDerived(derivedBytes({ q: 50, lambda2: 20 }), head)
  return openSession(makeStudy({ size, velocity: flows }), { mask, derived })
}

it('takes the mask of the run first, and the level where a person asks for it', () => {
  const { facts, picture } = opened()
  const choice = startChoice(facts)
  expect(choice.mask.isGiven).toBe(true)
  const ask = askOf(facts.head, choice)
  expect(picture(ask).voxels).toBe(80)
  const byLevel = picture({ ...ask, mask: { ...ask.mask, isGiven: false, level: 0 } })
  expect(byLevel.voxels).toBe(voxels)
})

it('begins with the options of the run', () => {
  const { facts } = opened()
  const { settings } = startChoice(facts)
  const start = {
    kinds: ['fluidLine'] as const,
    settings: { ...settings, linDensity: 2 },
    fitOrder: 3 as const,
  }
  const choice = startChoice(facts, start)
  expect(askOf(facts.head, choice)).toMatchObject({ hasVortex: false, density: 2, order: 3 })
  expect(choice.colours).toBe('speed')
})

it('refuses a mask of another grid, and maps without their unit', () => {
  expect(() =>
    readMask(
      maskBytes(() => true),
      makeHead({ size: [5, 6, 4] }),
    ),
  ).toThrow('not I8')
  expect(() => readDerived(derivedBytes({ q: 50 }), head)).toThrow('lambda2')
  expect(readDerived(derivedBytes(3), head).q.scale).toBe(3)
})

it('draws Q and λ2 in their unit, with no value where the file has none or the mask ends', () => {
  const { facts, picture } = opened()
  const choice = { ...startChoice(facts), plane: 'transversal' as const }
  for (const [colours, unit] of [
    ['q', 50],
    ['lambda2', -20],
  ] as const) {
    const { map } = picture(askOf(facts.head, { ...choice, colours }))
    // Columns of the grid lead to the left of the patient, as those of the picture.
    const row = [...(map?.values.slice(0, 6) ?? [])]
    expect(row[0]).toBeNaN()
    expect(row.slice(1, 4)).toEqual([unit, 2 * unit, 3 * unit])
    expect(row.slice(4).every(Number.isNaN)).toBe(true)
    expect(map?.top).toBeCloseTo(3 * Math.abs(unit))
  }
})

it('draws the density of kinetic energy: ½ · 1060 · v²', () => {
  const { facts, picture } = opened()
  const { map } = picture(askOf(facts.head, { ...startChoice(facts), colours: 'energy' }))
  const v2 = 0.1 ** 2 + 0.2 ** 2
  expect(map?.values[0]).toBeCloseTo(530 * v2, 2)
  expect(map?.values[5]).toBeNaN()
})

it('shows the study before its corrections along the grid, whatever the directions it was measured along', () => {
  const session = opened()
  const before = readMeasured(
    makeBytes({
      size,
      head: {
        directions: [
          [0, 0, -1],
          [0, 1, 0],
          [1, 0, 0],
        ],
      },
      velocity: (place) => {
        const [x, y, z] = flows(place)
        return [-z, y + 0.3, x]
      },
    }),
  )
  session.setBefore(before)
  const ask = askOf(session.facts.head, startChoice(session.facts))
  const [after, earlier] = [session.picture(ask), session.picture({ ...ask, isBefore: true })]
  expect(earlier.voxels).toBe(after.voxels)
  for (const [at, speed] of after.speed.entries()) {
    if (Number.isNaN(speed)) expect(earlier.speed[at]).toBeNaN()
    else expect(earlier.speed[at]).toBeCloseTo(Math.hypot(speed, 0.3), 2)
  }
  expect(session.probe({ voxel: [1, 0, 0], isBefore: true }).velocities[0]?.[1]).toBeCloseTo(-0.3)
  expect(session.probe({ voxel: [1, 0, 0], isBefore: false }).velocities[0]?.[1]).toBeCloseTo(0)
  expect(() => session.setBefore(makeStudy({ velocity: () => [0, 0, 0] }))).toThrow('another grid')
})
