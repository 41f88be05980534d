/** Masks on a slice: pixels and outlines, whichever way the file is stored. */
import { describe, expect, it } from 'vitest'
import { colourOfLabel, edgesOf, pixelsOf, sliceOf } from '../../src/features/files/viewer/overlay/labels.ts'

describe('a slice of labels', () => {
  // Three columns, two rows, two slices.
  const bytes = Uint8Array.from({ length: 12 }, (_, at) => at)

  it('is read in the order of the plane', () => {
    const axial = { start: 6, column: 1, row: 3, size: [3, 2] as const }
    expect([...sliceOf(bytes, axial, 0, 12)]).toEqual([6, 7, 8, 9, 10, 11])
    const turned = { start: 2 + 3, column: -1, row: -3, size: [3, 2] as const }
    expect([...sliceOf(bytes, turned, 0, 12)]).toEqual([5, 4, 3, 2, 1, 0])
    const coronal = { start: 3, column: 1, row: 6, size: [3, 2] as const }
    expect([...sliceOf(bytes, coronal, 0, 12)]).toEqual([3, 4, 5, 9, 10, 11])
  })

  it('of one point in time is that of all; of several each has its own', () => {
    const order = { start: 0, column: 1, row: 3, size: [3, 2] as const }
    expect([...sliceOf(bytes, order, 1, 12)]).toEqual([0, 1, 2, 3, 4, 5])
    expect([...sliceOf(bytes, order, 1, 6)]).toEqual([6, 7, 8, 9, 10, 11])
  })
})

it('pixels have the colours of their labels, and those without are clear', () => {
  const pixels = pixelsOf(Uint8Array.of(0, 1, 2), [[10, 20, 30], null])
  expect([...pixels]).toEqual([0, 0, 0, 0, 10, 20, 30, 255, 0, 0, 0, 0])
  expect(colourOfLabel({ colour: '#40c080' }, 3)).toEqual([64, 192, 128])
  expect(colourOfLabel({ colour: null }, 0)).toEqual([230, 159, 0])
})

describe('an outline', () => {
  it('runs once around a square, in as few lines as it has sides', () => {
    const square = Uint8Array.of(0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0)
    const edges = edgesOf(square, 4)
    expect([...edges.keys()]).toEqual([1])
    expect(new Set(edges.get(1)?.map(String))).toEqual(
      new Set(
        [
          [1, 1, 3, 1],
          [1, 3, 3, 3],
          [1, 1, 1, 3],
          [3, 1, 3, 3],
        ].map(String),
      ),
    )
  })

  it('between two labels belongs to both, and the picture’s edge ends it', () => {
    const edges = edgesOf(Uint8Array.of(1, 2), 2)
    expect(edges.get(1)?.map(String)).toContain(String([1, 0, 1, 1]))
    expect(edges.get(2)?.map(String)).toContain(String([1, 0, 1, 1]))
    expect(edges.get(1)).toHaveLength(4)
  })
})
