import type { ImageFacts } from '@neuroloom/contract/viewing'
import { describe, expect, it } from 'vitest'
import { digitsOf, formatValue } from '../../src/features/files/viewer/format-value.ts'
import { boundsOf, firstWindow, stepOf } from '../../src/features/files/viewer/window.ts'

const facts = (parts: Partial<ImageFacts>): ImageFacts => ({
  format: 'nifti',
  size: [8, 8, 8, 1],
  layout: 'volume',
  channels: 1,
  dataType: 'float32',
  bits: 32,
  spacing: [1, 1, 1],
  regions: [],
  frameSeconds: null,
  orientation: null,
  range: { min: 0, max: 1e30, mean: 1e28 },
  usual: { min: 0, max: 5 },
  windows: [],
  unit: '',
  photometric: '',
  modality: '',
  compression: '',
  ...parts,
})

describe('the window of a volume', () => {
  it('begins with the file’s own, else without single outliers', () => {
    expect(firstWindow(facts({}))).toEqual([0, 5])
    const windows = [{ center: 40, width: 400, name: '' }]
    expect(firstWindow(facts({ windows, usual: { min: -100, max: 300 } }))).toEqual([-160, 240])
    expect(firstWindow(facts({ usual: null, range: null }))).toEqual([0, 1])
    // A series that a file's own window shows nearly black; Hounsfield units are believed.
    const dark = { windows: [{ center: 470, width: 950, name: '' }], usual: { min: 2, max: 194 } }
    expect(firstWindow(facts({ ...dark, unit: '' }))).toEqual([2, 194])
    expect(firstWindow(facts({ ...dark, unit: 'HU' }))).toEqual([-5, 945])
  })

  it('moves in steps that fit what is seen, not the outlier', () => {
    expect(boundsOf(facts({}), false)).toEqual([0, 10])
    expect(stepOf(facts({}), false)).toBe(0.01)
    expect(boundsOf(facts({}), true)[1]).toBe(1e30)
    expect(stepOf(facts({}), true)).toBe(1e27)
  })

  it('moves by one where values are whole, and finer where they are few or fractions', () => {
    const range = { min: -1024, max: 3071, mean: 0 }
    const whole = facts({ dataType: 'int16', range, usual: { min: -1024, max: 1500 } })
    expect(stepOf(whole, false)).toBe(1)
    const labels = { min: 0, max: 4, mean: 1 }
    expect(stepOf(facts({ dataType: 'uint8', range: labels, usual: labels }), false)).toBe(0.002)
    const small = { min: 0, max: 0.00012, mean: 0 }
    expect(stepOf(facts({ range: small, usual: small }), false)).toBe(1e-7)
    expect(boundsOf(facts({ range: small, usual: small }), false)).toEqual([0, 0.00012])
  })
})

it('shows values with the digits that their step needs', () => {
  expect(digitsOf(0.002)).toBe(3)
  expect(digitsOf(1)).toBe(0)
  expect(formatValue(0.1234, 2)).toBe('0.12')
  expect(formatValue(1e30)).toBe('1.00e+30')
  expect(formatValue(0.000_012, 7)).toBe('0.000012')
  expect(formatValue(0.000_000_1)).toBe('1.00e-7')
})
