/** Labels on a slice: boxes, outlines and pixels where they lie, whichever way the file is stored. */
import { toBase64 } from '@neuroloom/contract/labelling/base64'
import { wholePatch } from '@neuroloom/contract/labelling/patch'
import { fillRow, makePixels } from '@neuroloom/contract/labelling/pixels'
import type { Thing } from '@neuroloom/contract/labelling/things'
import { describe, expect, it } from 'vitest'
import { bytesOfMarks, drawnOn } from '../../src/features/files/viewer/overlay/marks.ts'

const thing = (shape: Thing['shape'], place: Thing['place'] = { axis: 2, slice: 0 }): Thing => ({
  ...{ id: 'a', class: '2', place, shape, by: 'file', attributes: {}, track: null, isLast: false },
})
const box = { kind: 'box' as const, x: 1, y: 2, width: 3, height: 1, angle: 0 }

describe('a thing', () => {
  it('lies on a picture as the file says', () => {
    const order = { start: 0, column: 1, row: 10, size: [10, 8] as const }
    expect(drawnOn([thing(box)], order, [10, 8, 1])).toEqual([
      { label: 2, kind: 'box', rings: [[[1, 2], [4, 2], [4, 3], [1, 3]]] }, // biome-ignore format: a ring
    ])
  })

  it('lies on its slice alone, turned as the slice is shown', () => {
    const sides = [10, 8, 5] as const
    const things = [thing(box, { axis: 2, slice: 3 }), thing(box, { axis: 1, slice: 3 })]
    // The fourth slice, its columns from right to left, its rows from below.
    const axial = { start: 3 * 80 + 7 * 10 + 9, column: -1, row: -10, size: [10, 8] as const }
    const [first, ...rest] = drawnOn(things, axial, [...sides])
    expect(first?.rings[0]).toEqual([[9, 6], [6, 6], [6, 5], [9, 5]]) // biome-ignore format: a ring
    expect(rest).toEqual([])
    const coronal = { start: 3 * 10, column: 1, row: 80, size: [10, 5] as const }
    expect(drawnOn(things, coronal, [...sides]).map(({ rings }) => rings[0]?.[0])).toEqual([[1, 2]])
    // Rows of the file run across the screen.
    const turned = { start: 3 * 80, column: 10, row: 1, size: [8, 10] as const }
    expect(drawnOn(things, turned, [...sides])[0]?.rings[0]?.[0]).toEqual([2, 1])
  })

  it('of points shows those that are there', () => {
    const points = thing({ kind: 'points', points: [1, 1, 5, 5], seen: [2, 0] })
    const order = { start: 0, column: 1, row: 10, size: [10, 8] as const }
    expect(drawnOn([points], order, [10, 8, 1])[0]?.rings).toEqual([[[1, 1]]])
  })
})

it('pixels become bytes of their classes', () => {
  const map = makePixels([4, 2, 2])
  fillRow(map, { y: 1, z: 1, from: 1, to: 3, segment: 7 })
  const patch = wholePatch(map)
  const marks = { size: [4, 2, 2] as [number, number, number], tags: [], things: [] }
  const segments = [{ number: 7, class: '3', by: 'file' as const }]
  const bytes = bytesOfMarks({ ...marks, segments, pixels: patch ? toBase64(patch) : '' })
  expect([...(bytes ?? [])]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 3, 0])
  expect(bytesOfMarks({ ...marks, segments, pixels: '' })).toBeNull()
})
