import { describe, expect, it } from 'vitest'
import { outlineOf } from '../src/features/demo/outline.ts'
import { overlapOf } from '../src/features/demo/overlap.ts'
import {
  hasRoom,
  maskOf,
  randomOf,
  render,
  SIZE,
  someCell,
  someField,
} from '../src/features/demo/pictures.ts'
import { countRegions } from '../src/features/demo/regions.ts'

describe('a drawn picture', () => {
  it('is the same for the same seed and another for the next', () => {
    expect(render(someField(5))).toEqual(render(someField(5)))
    expect(render(someField(5))).not.toEqual(render(someField(6)))
  })

  it('is brighter where its mask says that a cell is', () => {
    const field = someField(7)
    const [pixels, mask] = [render(field), maskOf(field)]
    const mean = (wanted: number) => {
      const values = pixels.filter((_, index) => mask[index] === wanted)
      return values.reduce((sum, value) => sum + value, 0) / values.length
    }
    expect(mean(1)).toBeGreaterThan(2 * mean(0))
  })

  it('changes only around a cell that is added', () => {
    const field = someField(8)
    const cell = someCell(randomOf(1), { x: 96, y: 96 })
    const [before, after] = [render(field), render({ ...field, cells: [...field.cells, cell] })]
    const changed = [...after.keys()].filter((index) => after[index] !== before[index])
    const far = changed.filter((index) => Math.hypot((index % SIZE) - 96, Math.floor(index / SIZE) - 96) > 50)
    expect(changed.length).toBeGreaterThan(100)
    expect(far).toEqual([])
  })

  it('has room for a cell that stands clear of the others', () => {
    const cell = someCell(randomOf(1), { x: 50, y: 50 })
    expect(hasRoom({ ...cell, x: 120 }, [cell])).toBe(true)
    expect(hasRoom({ ...cell, x: 60 }, [cell])).toBe(false)
  })
})

describe('counting', () => {
  it.each([
    { name: 'nothing', boxes: [], count: 0 },
    {
      name: 'two apart',
      boxes: [
        [2, 2, 6, 6],
        [12, 2, 6, 6],
      ],
      count: 2,
    },
    {
      name: 'two that touch as one',
      boxes: [
        [2, 2, 6, 6],
        [8, 2, 6, 6],
      ],
      count: 1,
    },
    {
      name: 'no corner as a touch',
      boxes: [
        [2, 2, 6, 6],
        [8, 8, 6, 6],
      ],
      count: 2,
    },
    { name: 'no speck', boxes: [[2, 2, 5, 5]], count: 0 },
    {
      name: 'no touch around the border',
      boxes: [
        [0, 4, 6, 6],
        [14, 3, 6, 6],
      ],
      count: 2,
    },
  ])('sees $name', ({ boxes, count }) => {
    expect(countRegions(boxesOn(20, boxes), 20)).toBe(count)
  })
})

describe('the outline', () => {
  it('closes around a region: every end is another beginning', () => {
    const segments = outlineOf(boxesOn(12, [[3, 4, 5, 4]]), 12)
    const ends = segments.flatMap(([x1, y1, x2, y2]) => [`${x1} ${y1}`, `${x2} ${y2}`])
    expect(segments.length).toBe(18)
    expect(ends.every((end) => ends.filter((other) => other === end).length === 2)).toBe(true)
  })

  it('lies between pixels by their values', () => {
    // Three columns 0, 0.8, 0.8: one half lies at 5/8 of the way.
    const values = [0, 0.8, 0.8, 0, 0.8, 0.8]
    expect(outlineOf(values, 3)).toEqual([[0.625, 0, 0.625, 1]])
  })
})

it.each([
  { found: [1, 1, 0, 0], overlap: 1 },
  { found: [1, 0, 1, 0], overlap: 0.5 },
  { found: [0, 0, 1, 1], overlap: 0 },
])('the overlap of $found with a truth of two pixels is $overlap', ({ found, overlap }) => {
  expect(overlapOf(found, [1, 1, 0, 0])).toBe(overlap)
})

/** Ones in boxes of left, top, width, height. */
function boxesOn(width: number, boxes: number[][]): Float32Array {
  return Float32Array.from({ length: width * width }, (_, index) => {
    const [x, y] = [index % width, Math.floor(index / width)]
    const isInside = boxes.some(
      ([left = 0, top = 0, wide = 0, high = 0]) => x >= left && x < left + wide && y >= top && y < top + high,
    )
    return isInside ? 1 : 0
  })
}
