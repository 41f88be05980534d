/** Two studies looked at together: the same place, moment and colours, and what one has more than the other. */
import { expect, it } from 'vitest'
import { carried, followed, frameIn, isSameGrid, matchOf } from '../../src/features/flow/beside/follow.ts'
import { sharedTops, speedDifference } from '../../src/features/flow/beside/shared-tops.ts'
import { besideBytes } from '../../src/features/flow/beside/studies-beside.tsx'
import { askOf, type Choice, startChoice, tilted, turned } from '../../src/features/flow/viewer/choice.ts'
import { openSession, type Session } from '../../src/features/flow/viewer/numbers/session.ts'
import { patientPlace } from '../../src/features/flow/viewer/numbers/view-plane.ts'
import { makeHead, makeStudy, type Told } from './make-study.ts'

const facts = (head: ReturnType<typeof makeHead>) => ({
  ...{ head, level: 0.2, hasMagnitude: true, brightest: 100, noise: null, hasMask: true, hasDerived: false },
})
const looker = (head: ReturnType<typeof makeHead>, changes: Partial<Choice> = {}) => ({
  head,
  choice: { ...startChoice(facts(head)), ...changes },
})
const both = { isPlaceLinked: true, isTimeLinked: true }

/** The same body on a grid twice as fine that begins elsewhere and has its slices in another order. */
const coarse = makeHead({ size: [8, 8, 6] })
const fine = makeHead({
  size: [20, 16, 12],
  head: {
    spacing: [1, 1, 1],
    affine: [
      [-1, 0, 0, 12],
      [0, -1, 0, 20],
      [0, 0, -1, 41],
    ],
  },
})

it('matches places by the body where both say how they lie', () => {
  expect(matchOf(coarse, fine)).toBe('body')
  const place = carried(coarse, fine, [2, 3, 4])
  expect(patientPlace(fine, place)).toEqual(patientPlace(coarse, [2, 3, 4]))
  const seen = followed(looker(coarse, { place: [2, 3, 4], hasCursor: true }), looker(fine), both)
  expect(seen).toMatchObject({ place: [6, 6, 3], hasCursor: true })
})

it('matches places by millimetres of the grid where one of them does not, and says so', () => {
  const unplaced = makeHead({ size: [16, 16, 12], head: { isPlaced: false, spacing: [1, 1, 1] } })
  expect(matchOf(coarse, unplaced)).toBe('grid')
  const seen = followed(looker(coarse, { plane: 'coronal', place: [2, 3, 4] }), looker(unplaced), both)
  // Planes of the patient and of the grid are called differently.
  expect(seen).toMatchObject({ plane: 'y', place: [4, 6, 8] })
})

it('knows the same grid, also of another study of as many voxels', () => {
  expect(matchOf(coarse, makeHead({ size: [8, 8, 6], frames: 9 }))).toBe('sameGrid')
  expect(isSameGrid(coarse, makeHead({ size: [8, 8, 6], head: { spacing: [2, 2, 2.5] } }))).toBe(false)
  const moved = makeHead({ size: [8, 8, 6] })
  moved.affine[0][3] += 2
  expect(matchOf(coarse, moved)).toBe('body')
})

it('stays in the study where the other one ends', () => {
  const small = makeHead({ size: [4, 4, 2] })
  const seen = followed(looker(coarse, { place: [7, 7, 5] }), looker(small), both)
  expect(seen.place).toEqual([3, 3, 1])
})

it('turns oblique planes and zooms in along with it', () => {
  const begun = looker(coarse, { place: [2, 3, 4] })
  const oblique = tilted(coarse, begun.choice, { turn: 20, tilt: 35 })
  const seen = followed({ head: coarse, choice: oblique }, looker(fine), both)
  expect(seen).toMatchObject({ plane: 'oblique', angles: { turn: 20, tilt: 35 } })
  const sagittal = turned(coarse, begun.choice, 'sagittal')
  const near = { ...sagittal, view: { zoom: 3, column: 3, row: 2 } }
  const { view, plane } = followed({ head: coarse, choice: near }, looker(fine), both)
  expect(plane).toBe('sagittal')
  // Columns and rows of half the size: the third of 2 mm begins where two of 1 mm end, and both grids end at other places.
  expect(view.zoom).toBe(3)
  expect(view.column).toBeCloseTo(6)
  expect(view.row).toBeCloseTo(5)
})

it('is at the same share of the beat, else at the same time', () => {
  const slow = makeHead({ frames: 20, head: { period: 1 } })
  const quick = makeHead({
    frames: 5,
    head: { period: 0.5, times: [0, 0.1, 0.2, 0.3, 0.4] },
  })
  expect(frameIn(looker(slow, { frame: 8 }), quick)).toBe(2)
  // The end of a beat is next to its beginning.
  expect(frameIn(looker(slow, { frame: 19 }), quick)).toBe(0)
  const prospective = makeHead({ frames: 5, head: { gating: 'prospective', times: [0, 0.1, 0.2, 0.3, 0.4] } })
  expect(frameIn(looker(slow, { frame: 6 }), prospective)).toBe(3)
  expect(frameIn(looker(slow, { frame: 3 }), makeHead({ frames: 1 }))).toBe(0)
})

it('goes its own way once it is not linked, with the same layers still', () => {
  const away = looker(coarse, { place: [1, 1, 1], frame: 1, colours: 'through', hasArrows: true })
  const here = looker(coarse, { place: [5, 5, 5], frame: 0 })
  const seen = followed(away, here, { isPlaceLinked: false, isTimeLinked: false })
  expect(seen).toMatchObject({ place: [5, 5, 5], frame: 0, colours: 'through', hasArrows: true })
})

/** A jet along z in half of the volume. */
const jet = (speed: number, changes: Partial<Told> = {}): Session =>
  openSession(makeStudy({ velocity: ([x]) => (x < 4 ? [0, 0, speed] : [0, 0, 0]), ...changes }))
const ask = (session: Session, tops?: ReturnType<typeof sharedTops>) => {
  const { facts: own } = session
  const choice: Choice = { ...startChoice(own), mask: { ...startChoice(own).mask, isOn: false } }
  return session.picture({ ...askOf(own.head, { ...choice, hasArrows: true }), ...(tops && { tops }) })
}

it('draws both in the colours of the faster one', () => {
  const [slow, fast] = [jet(0.4), jet(1.2)]
  const alone = [ask(slow), ask(fast)]
  expect(alone.map(({ reference }) => reference)).toEqual([expect.closeTo(0.4), expect.closeTo(1.2)])
  const tops = sharedTops(alone.map(({ own }) => own))
  expect(tops.speed).toBeCloseTo(1.2)
  const shared = [ask(slow, tops), ask(fast, tops)]
  for (const { reference, vortex } of shared) {
    expect(reference).toBeCloseTo(1.2)
    expect(vortex?.top).toBe(tops.vortex)
  }
  // What each has by itself stays known, so that the range does not stay large for ever.
  expect(shared[0]?.own).toEqual(alone[0]?.own)
  expect(sharedTops([undefined, { speed: 1, vortex: null, map: null }])).toEqual({
    ...{ speed: 1, vortex: null, map: null },
  })
})

it('tells how much faster the second is, where both have a value', () => {
  const holed = jet(0.4, { velocity: ([x, y]) => (y === 0 ? null : [0, 0, x < 4 ? 0.4 : 0]) })
  const [first, second] = [ask(holed), ask(jet(1.2))]
  const values = speedDifference(first, second)
  const known = [...(values ?? [])].filter(Number.isFinite)
  expect(known).toHaveLength(56)
  expect(Math.max(...known)).toBeCloseTo(0.8, 2)
  expect(Math.min(...known)).toBeCloseTo(0, 2)
  expect(speedDifference(first, { ...second, slice: first.slice + 1 })).toBeNull()
})

it('adds up what two studies of 64 × 64 × 32 × 20 take', () => {
  const head = makeHead({ size: [64, 64, 32], frames: 20 })
  expect(besideBytes(head, head)).toBe(2 * 12 * 64 * 64 * 32 * 20)
})
