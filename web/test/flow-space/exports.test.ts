/** What of a view in space goes into files: its words, and the pictures of a film. */
import i18next from 'i18next'
import { expect, it } from 'vitest'
import type { Beat, Change, Painter } from '../../src/features/flow/space/part.ts'
import { reelsOf } from '../../src/features/flow/space/reels.ts'
import { spaceCaption } from '../../src/features/flow/space/space-exports.tsx'
import type { T } from '../../src/features/flow/space/words.ts'

const watch = { onProgress: () => {}, signal: new AbortController().signal }
const canvas = {} as HTMLCanvasElement

function filming(beat: Beat | null) {
  const painted: Change[] = []
  const reels = reelsOf({ beat, paint: (change) => () => void painted.push(change) })
  return { painted, reels }
}

it('turns once round, evenly, and ends where the next loop begins', async () => {
  const { painted, reels } = filming(null)
  expect(reels).toHaveLength(1)
  for (const paint of await reels[0].paints(watch)) paint(canvas)
  const turns = painted.map(({ turn }) => turn ?? Number.NaN)
  expect(turns).toHaveLength(reels[0].count)
  expect(turns[0]).toBe(0)
  const steps = turns.map((turn, at) => (turns[at + 1] ?? 360) - turn)
  expect(new Set(steps)).toEqual(new Set([360 / reels[0].count]))
})

it('films the lines of each moment, asked for one after the other, first of all', async () => {
  const asked: number[] = []
  const changeAt = async (at: number) => {
    asked.push(at)
    return { foot: [`${at}`] }
  }
  const { painted, reels } = filming({ count: 3, seconds: 0.04, changeAt })
  expect(reels.map(({ name, seconds }) => [name, seconds])).toEqual([
    ['beat', 0.04],
    ['turn', null],
  ])
  const shares: number[] = []
  const paints = await reels[0].paints({ ...watch, onProgress: (share) => shares.push(share) })
  for (const paint of paints) paint(canvas)
  expect(asked).toEqual([0, 1, 2])
  expect(painted).toEqual([{ foot: ['0'] }, { foot: ['1'] }, { foot: ['2'] }])
  expect(shares.at(-1)).toBe(1)
})

it('stops where the film is stopped', async () => {
  const stopping = new AbortController()
  const changeAt = async () => {
    stopping.abort()
    return {}
  }
  const { reels } = filming({ count: 3, seconds: null, changeAt })
  await expect(reels[0].paints({ ...watch, signal: stopping.signal })).rejects.toThrow()
})

it('names below the picture what is shown: study, lines, side, moment and colours, without the notice', async () => {
  await i18next.loadNamespaces(['flow-space', 'flow-view'])
  const t = i18next.getFixedT('en', ['flow-space', 'flow-view']) as T
  const shown = { foot: ['Aorta 12', '120 ms', 'For research'], bar: { title: 'Speed', unit: 'cm/s' } }
  // Of the painter this much is read.
  const painter = { shown, angles: { turn: 25, tilt: -15 } } as unknown as Painter
  expect(spaceCaption(t, painter, 'streams')).toBe(
    'Aorta 12 · 3D, Streamlines · turned 25°, tilted -15° · 120 ms · Speed (cm/s)',
  )
})
