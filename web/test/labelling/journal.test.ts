import 'fake-indexeddb/auto'
import { fromBase64 } from '@neuroloom/contract/labelling/base64'
import type { KeptStep } from '@neuroloom/contract/labelling/labelling'
import { marksFrom, noMarks } from '@neuroloom/contract/labelling/marks'
import { applyPatch } from '@neuroloom/contract/labelling/patch'
import { fillRow, makePixels, type PixelMap, segmentAt } from '@neuroloom/contract/labelling/pixels'
import type { Step } from '@neuroloom/contract/labelling/steps'
import { describe, expect, it } from 'vitest'
import { sweep } from '../../src/features/labelling/canvas/brush.ts'
import { paintPixels } from '../../src/features/labelling/canvas/paint-pixels.ts'
import { fillSpan, planeOf, readSpan } from '../../src/features/labelling/canvas/plane.ts'
import { fitted, toImage, toScreen, zoomed } from '../../src/features/labelling/canvas/view.ts'
import { earlierStrokes } from '../../src/features/labelling/journal/earlier.ts'
import { Journal } from '../../src/features/labelling/journal/journal.ts'
import { openKept } from '../../src/features/labelling/journal/kept-steps.ts'
import { Recordings } from '../../src/features/labelling/journal/recording.ts'

const size = [700, 600, 1] as const

function makeJournal() {
  const steps: Step[] = []
  const journal = new Journal({
    marks: marksFrom(size, noMarks()),
    add: (step) => steps.push(step),
    waiting: () => [],
    onChange: () => undefined,
    earlier: async () => null,
  })
  const draw = (rows: number[], segment: number) => {
    journal.begin('brush')
    for (const y of rows)
      fillRow(journal.marks.pixels, { y, z: 0, from: 100, to: 400, segment }, journal.keep)
    journal.end()
  }
  return { journal, steps, draw, at: (y: number) => segmentAt(journal.marks.pixels, 200, y, 0) }
}

describe('the journal of a reading', () => {
  it('says what each stroke left, also when the next one has drawn over it already', () => {
    const { journal, steps, draw } = makeJournal()
    draw([10, 11], 1)
    draw([11, 12], 2)
    journal.settle()
    const map = makePixels(size)
    const seen = steps.map(({ deed }) => {
      if (deed.do === 'pixels') applyPatch(map, fromBase64(deed.patch))
      return [10, 11, 12].map((y) => segmentAt(map, 200, y, 0))
    })
    expect(seen).toEqual([
      [1, 1, 0],
      [1, 2, 2],
    ])
  })

  it('brings another moment back as one stroke, and makes none where nothing differs', async () => {
    const { journal, steps, draw, at } = makeJournal()
    draw([10], 1)
    const then = marksFrom(size, noMarks())
    fillRow(then.pixels, { y: 20, z: 0, from: 100, to: 400, segment: 2 }, () => undefined)
    expect(journal.restore(then)).toBe(true)
    journal.settle()
    expect([at(10), at(20), steps.at(-1)?.tool]).toEqual([0, 2, 'restore'])
    const made = steps.length
    expect(journal.restore(then)).toBe(false)
    journal.settle()
    expect(steps.length).toBe(made)
    await journal.undo()
    expect([at(10), at(20)]).toEqual([1, 0])
  })

  it('takes strokes back one after the other, and brings them again', async () => {
    const { journal, steps, draw, at } = makeJournal()
    draw([10], 1)
    draw([10, 20], 2)
    await journal.undo()
    expect([at(10), at(20)]).toEqual([1, 0])
    await journal.undo()
    expect(at(10)).toBe(0)
    expect(await journal.undo()).toBe(false)
    journal.redo()
    journal.redo()
    journal.settle()
    expect([at(10), at(20)]).toEqual([2, 2])
    expect(steps.map(({ tool }) => tool)).toEqual(['brush', 'brush', 'undo', 'undo', 'redo', 'redo'])
  })

  it('puts strokes of other pages below those that the server does not know yet', () => {
    const { journal, steps, draw, at } = makeJournal()
    draw([10], 1)
    const other = makeJournal()
    other.draw([10, 20], 3)
    other.journal.settle()
    const missed = other.steps.map((step, seq) => ({ ...step, seq, keptAt: '' }))
    const waiting = new Journal({
      marks: journal.marks,
      add: () => undefined,
      waiting: () => steps,
      onChange: () => undefined,
      earlier: async () => null,
    })
    journal.settle()
    waiting.take(missed)
    expect([at(10), at(20)]).toEqual([1, 3])
  })

  it('parts a stroke that is too long for one step', () => {
    const map = makePixels(size)
    const recordings = new Recordings(map)
    for (let y = 0; y < 600; y++)
      fillRow(map, { y, z: 0, from: y % 2, to: 700, segment: 1 + (y % 3) }, recordings.keep)
    recordings.close()
    const told = recordings.next(1000)
    let step = told.next()
    while (!step.done) step = told.next()
    expect(step.value.length).toBeGreaterThan(1)
    const again = makePixels(size)
    for (const patch of step.value) applyPatch(again, fromBase64(patch))
    expect(rowsOf(again)).toEqual(rowsOf(map))
  })
})

const rowsOf = (map: PixelMap) =>
  Array.from({ length: 60 }, (_, row) => [0, 1, 300, 699].map((x) => segmentAt(map, x, row * 10, 0)))

describe('what was done before this visit', () => {
  const step = (seq: number, tool: string) => ({ seq, tool, stroke: `stroke${seq}` }) as KeptStep

  it.each([
    [
      ['brush', 'box'],
      ['stroke1', 'stroke0'],
    ],
    [['brush', 'box', 'undo'], ['stroke0']],
    [['brush', 'box', 'undo', 'undo', 'redo'], ['stroke0']],
    [['brush', 'undo', 'redo'], ['stroke0']],
    [['brush', 'undo', 'box'], ['stroke2']],
  ])('is undone in turn: %j', async (tools, expected) => {
    const all = tools.map((tool, seq) => step(seq, tool))
    const earlier = earlierStrokes({ steps: all.slice(2), next: 2 }, async () => ({
      steps: all.slice(0, 2),
      next: null,
    }))
    const found: (string | undefined)[] = []
    for (let stroke = await earlier.next(); stroke; stroke = await earlier.next())
      found.push(stroke[0]?.stroke)
    expect(found).toEqual(expected)
  })
})

describe('steps in the browser’s own database', () => {
  it('stay in their order until they are forgotten', async () => {
    const kept = await openKept('test')
    const steps = ['a', 'b', 'c'].map((id) => ({ id }) as Step)
    await kept?.keep('reading', steps)
    await kept?.keep('another', [{ id: 'd' } as Step])
    await kept?.forget(['b'])
    expect((await kept?.left('reading'))?.map(({ id }) => id)).toEqual(['a', 'c'])
    kept?.close()
  })
})

describe('planes and brushes', () => {
  it.each([0, 1, 2] as const)('rows across axis %i are read as they were filled', (axis) => {
    const map = makePixels([300, 280, 270])
    const plane = planeOf({ size: map.size, spacing: null, orientation: null }, axis, 259)
    fillSpan(map, plane, { v: 258, from: 200, to: 262, segment: 7 })
    const row = new Uint16Array(20)
    readSpan(map, plane, 250, 258, row)
    expect([...row]).toEqual([...new Array(12).fill(7), ...new Array(8).fill(0)])
  })

  it('a disc holds the pixels whose middles lie in it, and at least one', () => {
    let count = 0
    const from = { x: 50, y: 50 }
    sweep({ from, to: from, radius: 20, aspect: 1 }, (_, first, end) => {
      count += end - first
    })
    expect(count).toBeGreaterThan(1240)
    expect(count).toBeLessThan(1275)
    const rows: number[][] = []
    const tiny = { x: 3.9, y: 7.1 }
    sweep({ from: tiny, to: tiny, radius: 0.1, aspect: 1 }, (...row) => rows.push(row))
    expect(rows).toEqual([[7, 3, 4]])
  })

  it('what lies under the pointer stays there when one goes nearer, also where the image is turned over', () => {
    const body = { size: [400, 300, 10] as const, spacing: [1, 2, 3] as const, orientation: 'RAS' }
    const plane = planeOf(body, 2, 0)
    const area = { width: 800, height: 600 }
    const at = { x: 123, y: 456 }
    const before = fitted(plane, area)
    const after = zoomed(before, plane, { by: 3, at, area })
    const [one, other] = [toImage(before, plane, at), toImage(after, plane, at)]
    expect(other.x).toBeCloseTo(one.x)
    expect(other.y).toBeCloseTo(one.y)
    expect(toScreen(after, plane, other).y).toBeCloseTo(at.y)
  })

  it('marked pixels are painted where they are seen', () => {
    const map = makePixels([600, 600, 1])
    fillRow(map, { y: 300, z: 0, from: 250, to: 260, segment: 5 })
    const plane = planeOf({ size: map.size, spacing: null, orientation: null }, 2, 0)
    const colours = new Uint32Array(65_536)
    colours[5] = 9
    const out = new Uint32Array(40 * 20)
    const view = { x: 245, y: 295, scale: 2 }
    const rect = { left: 0, top: 0, right: 40, bottom: 20 }
    paintPixels({ map, plane, view, rect, colours, out, width: 40 })
    const painted = [...out.keys()].filter((index) => out[index] === 9)
    expect(painted).toHaveLength(2 * 20)
    expect([Math.min(...painted), Math.max(...painted)]).toEqual([10 * 40 + 10, 11 * 40 + 29])
  })
})
