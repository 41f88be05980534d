import type { Shape, Thing } from '@neuroloom/contract/labelling/things'
import { describe, expect, it } from 'vitest'
import { framesOf, shapeBetween, thingsBetween } from '../../src/features/labelling/tools/tracks.ts'

const box = (x: number, angle = 0): Shape => ({ kind: 'box', x, y: 0, width: 10, height: 20, angle })
const thing = (slice: number, shape: Shape, given: Partial<Thing> = {}): Thing => ({
  ...{ id: `at${slice}`, class: 'a', place: { axis: 2, slice }, shape, by: 'hand' },
  ...{ attributes: {}, track: 't', isLast: false, ...given },
})
let last = 0
const newId = () => `new${++last}`

describe('between two shapes', () => {
  it.each([
    ['a box moves', box(0), box(100), 0.25, box(25)],
    ['a box turns the shorter way', box(0, 350), box(0, 10), 0.5, box(0, 0)],
    [
      'a polygon moves corner by corner',
      { kind: 'outline', rings: [[0, 0, 10, 0, 10, 10]] },
      { kind: 'outline', rings: [[0, 0, 20, 0, 20, 20]] },
      0.5,
      { kind: 'outline', rings: [[0, 0, 15, 0, 15, 15]] },
    ],
    [
      'points keep what is seen of them',
      { kind: 'points', points: [0, 0], seen: [1] },
      { kind: 'points', points: [4, 8], seen: [2] },
      0.5,
      { kind: 'points', points: [2, 4], seen: [1] },
    ],
    [
      'nothing is where the corners are others',
      { kind: 'line', points: [0, 0, 1, 1] },
      { kind: 'line', points: [0, 0, 1, 1, 2, 2] },
      0.5,
      null,
    ],
    ['nothing is where the kinds are others', box(0), { kind: 'line', points: [0, 0, 1, 1] }, 0.5, null],
  ] as [string, Shape, Shape, number, Shape | null][])('%s', (_, one, other, part, expected) => {
    expect(shapeBetween(one, other, part)).toEqual(expected)
  })
})

describe('a thing in several frames', () => {
  it('is found in their order, and others are not', () => {
    const all = [thing(9, box(90)), thing(0, box(0)), thing(4, box(0), { track: 'other' })]
    expect(framesOf(all[0] as Thing, all).map(({ place }) => place.slice)).toEqual([0, 9])
    expect(framesOf(thing(3, box(0), { track: null }), all)).toHaveLength(1)
  })

  it('is on all frames between, made by an assist, as the same thing', () => {
    const made = thingsBetween([thing(2, box(0)), thing(6, box(40))], newId)
    expect(made.map(({ place, shape, by, track }) => [place.slice, shape, by, track])).toEqual([
      [3, box(10), 'assist', 't'],
      [4, box(20), 'assist', 't'],
      [5, box(30), 'assist', 't'],
    ])
    expect(new Set(made.map(({ id }) => id)).size).toBe(3)
  })

  it('is not there behind a frame on which it ended, nor where neighbours touch', () => {
    const frames = [thing(0, box(0), { isLast: true }), thing(5, box(5)), thing(6, box(6))]
    expect(thingsBetween(frames, newId)).toEqual([])
  })
})
