import { describe, expect, it } from 'vitest'
import { startInSeries, storedSlice, viewAtSlice } from '../../src/features/files/viewer/slice-start.ts'
import { plainView } from '../../src/features/files/viewer/view-address.ts'
import { makeFacts } from './make-facts.ts'

describe('a volume opened at a slice', () => {
  it.each([
    ['axial slices, stored towards the head', 'LPS', [30, 40, 20, 1], 16, 'axial', [15, 20, 15]],
    [
      'the same towards the feet: the number is counted towards the head all the same',
      'LPI',
      [30, 40, 20, 1],
      16,
      'axial',
      [15, 20, 15],
    ],
    [
      'sagittal slices: columns lead to the back, rows to the feet',
      'PIR',
      [30, 40, 20, 1],
      3,
      'sagittal',
      [2, 15, 20],
    ],
    ['coronal slices', 'LSA', [30, 40, 20, 1], 20, 'coronal', [15, 19, 20]],
    ['a file that does not say how it lies', null, [30, 40, 20, 1], 1, 'axial', [15, 20, 0]],
    ['a number beyond the last slice', 'RAS', [30, 40, 20, 1], 99, 'axial', [15, 20, 19]],
  ] as const)('shows %s', (_, orientation, size, number, plane, voxel) => {
    expect(viewAtSlice(number, { orientation, size: [...size] })).toEqual({ plane, voxel })
  })
})

describe('the slice under the cross', () => {
  it.each([
    ['RAS', 4],
    ['LPS', 4],
    ['LPI', 15],
    [null, 4],
  ] as const)('of a file in %s is stored as number %d', (orientation, stored) => {
    expect(storedSlice([9, 9, 4], { orientation, size: [30, 40, 20, 1] })).toBe(stored)
  })

  it('is nobody’s wish where no cross is', () => {
    expect(storedSlice(null, { orientation: 'LPS', size: [30, 40, 20, 1] })).toBeNull()
  })
})

describe('a series opened by one of its slices', () => {
  const series = { files: 20, description: '', isShown: true, opened: { slice: 4, frame: 1 } }

  it.each([
    ['LPS', [15, 20, 4]],
    ['LPI', [15, 20, 15]],
    ['PIR', [4, 15, 20]],
    [null, [15, 20, 4]],
  ] as const)('that lies in %s begins there', (orientation, voxel) => {
    const facts = makeFacts({ orientation, size: [30, 40, 20, 2] })
    expect(startInSeries(plainView, { facts, series })).toEqual({ ...plainView, voxel, frame: 1 })
  })

  it('begins where an address says, and a slice alone has no such place', () => {
    const facts = makeFacts({ size: [30, 40, 20, 2] })
    const there = { ...plainView, voxel: [1, 2, 3] as const }
    expect(startInSeries(there, { facts, series })).toBe(there)
    expect(startInSeries(plainView, { facts, series: { ...series, isShown: false } })).toBe(plainView)
    expect(startInSeries(plainView, { facts, series: { ...series, opened: null } })).toBe(plainView)
  })
})
