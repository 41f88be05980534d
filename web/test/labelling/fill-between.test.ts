import type { Three } from '@neuroloom/contract/labelling/distance'
import { describe, expect, it } from 'vitest'
import { fillBetween } from '../../src/features/labelling/assist/fill-between.ts'

const size: Three = [24, 20, 10]
const spacing: Three = [1, 1, 2]
const indexOf = (x: number, y: number, z: number) => (z * size[1] + y) * size[0] + x

/** A volume in which each slice is drawn by a function of column and row, or not at all. */
function volumeOf(slices: Record<number, (x: number, y: number) => number>) {
  const values = new Uint8Array(size[0] * size[1] * size[2])
  for (const [slice, segmentAt] of Object.entries(slices)) {
    for (let y = 0; y < size[1]; y++) {
      for (let x = 0; x < size[0]; x++) values[indexOf(x, y, Number(slice))] = segmentAt(x, y)
    }
  }
  return { size, values }
}

const disc =
  (centre: number, radius: number, segment = 1) =>
  (x: number, y: number) =>
    Math.hypot(x - centre, y - 9.5) <= radius ? segment : 0

function sliceOf(values: Uint8Array, z: number): number[] {
  return [...values.subarray(indexOf(0, 0, z), indexOf(0, 0, z + 1))]
}
const count = (values: number[], segment = 1) => values.filter((value) => value === segment).length
const centreOf = (values: number[]) =>
  values.reduce((sum, value, at) => sum + (value > 0 ? at % size[0] : 0), 0) / values.filter(Boolean).length

const z = { axis: 2, spacing, segments: [1] } as const

describe('filling between slices', () => {
  it('leaves drawn slices as they are, adds nothing outside them and does not touch what it was given', () => {
    const volume = volumeOf({ 2: disc(10, 6), 5: disc(10, 4) })
    const before = volume.values.slice()
    const filled = fillBetween(volume, z)
    expect(volume.values).toEqual(before)
    for (const slice of [0, 1, 2, 5, 6, 9]) {
      expect(sliceOf(filled ?? before, slice)).toEqual(sliceOf(before, slice))
    }
  })

  it('goes from one size to the other', () => {
    const filled = fillBetween(volumeOf({ 2: disc(10, 7), 5: disc(10, 4) }), z) ?? new Uint8Array()
    const sizes = [2, 3, 4, 5].map((slice) => count(sliceOf(filled, slice)))
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
    expect(new Set(sizes).size).toBe(4)
  })

  it('repeats a shape that does not change', () => {
    const filled = fillBetween(volumeOf({ 1: disc(10, 5.2), 6: disc(10, 5.2) }), z) ?? new Uint8Array()
    for (const slice of [2, 3, 4, 5]) expect(sliceOf(filled, slice)).toEqual(sliceOf(filled, 1))
  })

  it('follows a vessel that has left its place before the next drawn slice', () => {
    const filled = fillBetween(volumeOf({ 0: disc(5, 2.3), 4: disc(17, 2.3) }), z) ?? new Uint8Array()
    expect(centreOf(sliceOf(filled, 2))).toBeCloseTo(11, 0)
    expect(count(sliceOf(filled, 2))).toBeGreaterThan(0.8 * count(sliceOf(filled, 0)))
  })

  it('lets one segment go over into another without a gap, half the way each', () => {
    const volume = volumeOf({ 1: disc(10, 6), 4: disc(10, 6, 2) })
    const filled = fillBetween(volume, { ...z, segments: [1, 2] }) ?? new Uint8Array()
    expect(sliceOf(filled, 2)).toEqual(sliceOf(filled, 1))
    expect(sliceOf(filled, 3)).toEqual(sliceOf(filled, 4))
  })

  it('keeps what another segment holds already', () => {
    const volume = volumeOf({ 1: disc(10, 6), 2: (x) => (x === 10 ? 7 : 0), 3: disc(10, 6) })
    const filled = fillBetween(volume, z) ?? new Uint8Array()
    expect(filled[indexOf(10, 9, 2)]).toBe(7)
    expect(filled[indexOf(9, 9, 2)]).toBe(1)
  })

  it.each([0, 1, 2] as const)('works across axis %i alike', (axis) => {
    const side = 9
    const steps = [1, side, side * side]
    const [across = 1, down = 1] = steps.filter((_, index) => index !== axis)
    const values = new Uint16Array(side ** 3)
    for (const slice of [2, 5]) {
      for (let v = 2; v < 7; v++) {
        for (let u = 1; u < 6; u++) values[slice * (steps[axis] ?? 1) + v * down + u * across] = 300
      }
    }
    const volume = { size: [side, side, side] as const, values }
    const filled = fillBetween(volume, { axis, spacing: [1, 1, 1], segments: [300] }) ?? values
    expect(filled.filter((value) => value === 300)).toHaveLength(4 * 25)
  })

  it('changes nothing with fewer than two drawn slices, and answers null once it is cancelled', () => {
    const volume = volumeOf({ 3: disc(10, 6) })
    expect(fillBetween(volume, z)).toEqual(volume.values)
    expect(fillBetween({ ...volume, values: new Uint8Array(volume.values.length) }, z)).toHaveLength(4800)
    expect(fillBetween(volumeOf({ 0: disc(9, 5), 3: disc(9, 5) }), { ...z, isCancelled: () => true })).toBe(
      null,
    )
  })
})
