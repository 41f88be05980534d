import { videoFrames as limits } from '@neuroloom/contract/limits'
import { expect, it } from 'vitest'
import {
  countOf,
  type FramesChoice,
  firstChoice,
  problemOf,
  sizeOf,
  timesOf,
} from '../../src/features/files/convert/frames-plan.ts'

const film = { seconds: 10, width: 1920, height: 1080, rate: 25 }
const choose = (changes: Partial<FramesChoice>): FramesChoice => ({ ...firstChoice(film), ...changes })

it('counts what a choice comes to', () => {
  const table: [Partial<FramesChoice>, number][] = [
    [{}, 10],
    [{ perSecond: 0.5 }, 5],
    [{ perSecond: 4, from: 2, to: 4.5 }, 10],
    // Not more often than the film changes.
    [{ perSecond: 100 }, 250],
    [{ by: 'nth', nth: 1 }, 250],
    [{ by: 'nth', nth: 100 }, 3],
    // To the end, however late it was set.
    [{ to: 60 }, 10],
    [{ from: 9.9, to: 60 }, 1],
    [{ from: 4, to: 4 }, 0],
  ]
  expect(table.map(([changes]) => countOf(choose(changes), film))).toEqual(table.map(([, count]) => count))
})

it('asks for moments that lie within the chosen part', () => {
  expect(timesOf(choose({ perSecond: 2, from: 1, to: 2.6 }), film)).toEqual([1, 1.5, 2, 2.5])
})

it('refuses a part that is none, and more pictures than can be kept', () => {
  expect(problemOf(choose({}), film)).toBeNull()
  expect(problemOf(choose({ from: 5, to: 5 }), film)).toBe('badSpan')
  expect(problemOf(choose({ from: 12, to: 20 }), film)).toBe('badSpan')
  const long = { ...film, seconds: limits.frames }
  expect(problemOf({ ...firstChoice(long), perSecond: 2 }, long)).toBe('tooMany')
})

it('makes pictures smaller, never larger', () => {
  expect(sizeOf(film, 640)).toEqual({ width: 640, height: 360 })
  expect(sizeOf(film, null)).toEqual({ width: 1920, height: 1080 })
  expect(sizeOf({ ...film, width: 320, height: 240 }, 1920)).toEqual({ width: 320, height: 240 })
  expect(sizeOf({ ...film, width: 4320, height: 7680 }, null).height).toBe(limits.side)
})
