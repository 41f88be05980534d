import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { compare } from './checks.ts'
import { openDicom } from './dicom/file.ts'
import { headOfDicom } from './dicom/head.ts'
import { factsOf } from './facts.ts'
import { plainScan, type Samples, type Scan, type Triple, typeOf } from './model.ts'
import { readImage } from './read.ts'
import { writeDicomSeries } from './write/dicom.ts'

const folder = mkdtempSync(join(tmpdir(), 'neuroloom-values-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A volume of eight columns and eight rows. */
const scanOf = (samples: Samples, parts: Partial<Scan> = {}): Scan => ({
  ...plainScan,
  format: 'nifti',
  size: [8, 8, samples.length / 64, 1],
  samples,
  dataType: typeOf(samples),
  bits: samples.BYTES_PER_ELEMENT * 8,
  windows: [],
  notes: [],
  ...parts,
})

const ramp = (from: number, step: number, count = 512): number[] =>
  Array.from({ length: count }, (_, index) => from + index * step)

describe('the values first shown', () => {
  it.each([
    ['a single outlier', [...ramp(0, 0.01, 511), 1e30], 0, 5.2],
    ['one at the dark end', [-1e9, ...ramp(0, 0.01, 511)], 0, 5.2],
    ['numbers that are none', [Number.NaN, Number.POSITIVE_INFINITY, 1e6, ...ramp(0, 0.01, 509)], 0, 5.2],
  ])('leave out %s', (_what, values, least, greatest) => {
    const { usual, range } = factsOf(scanOf(Float32Array.from(values)))
    expect(usual?.min).toBeGreaterThanOrEqual(least)
    expect(usual?.max).toBeLessThan(greatest)
    expect(usual?.max).toBeGreaterThan(greatest * 0.9)
    expect((range?.max ?? 0) - (range?.min ?? 0)).toBeGreaterThan(1e5)
  })

  it('are those of what is there, not of the dark around it', () => {
    const values = new Int16Array(64 * 64)
    for (let index = 0; index < 40; index += 1) values[index * 100] = 1000 + index
    values[1] = 30_000
    expect(factsOf(scanOf(values)).usual).toMatchObject({ min: 0 })
    expect(factsOf(scanOf(values)).usual?.max).toBeGreaterThan(1030)
    expect(factsOf(scanOf(values)).usual?.max).toBeLessThan(1040)
  })

  it('are all, where none stands apart, where they are labels, and where they are few', () => {
    expect(factsOf(scanOf(Float32Array.from(ramp(-3, 0.5)))).usual).toEqual({ min: -3, max: 252.5 })
    const labels = new Uint8Array(512)
    labels[7] = 9
    expect(factsOf(scanOf(labels)).usual).toEqual({ min: 0, max: 9 })
    expect(factsOf({ ...scanOf(Float32Array.of(1, 2, 900)), size: [3, 1, 1, 1] }).usual?.max).toBe(900)
    expect(factsOf(scanOf(new Float32Array(64).fill(Number.NaN))).usual).toBeNull()
  })
})

const pathOf = (index: number): string => join(folder, `${index}.dcm`)

/** Written as DICOM, read again: what is said of the values. */
async function throughDicom(scan: Scan) {
  const paths = await writeDicomSeries(scan, { description: 'test', now: new Date(0) }, pathOf)
  const files = paths.map((path) => ({ path, name: 'a.dcm' }))
  const { scan: again } = await readImage({ files, siblings: new Map(), limitBytes: 1e8, folder })
  const options = { joinSeries: true, window: null, depth: 'eight', quality: 92 } as const
  const check = compare(scan, again, { format: 'dicom', options }).find(({ what }) => what === 'values')
  return { check, values: Array.from(again.samples, (value) => value * again.slope + again.intercept) }
}
/** So that slices have an order. */
const geometry: Scan['geometry'] = { spacing: [1, 1, 1], origin: null, axes: null }

describe('a series that is written', () => {
  const headOf = async (scan: Partial<Scan>) => {
    const written = scanOf(Uint8Array.from(ramp(0, 1, 64)), scan)
    const [path = ''] = await writeDicomSeries(written, { description: 'test', now: new Date(0) }, pathOf)
    return openDicom(readFileSync(path), { limitBytes: 1e8 })
  }
  const placed = (axes: [Triple, Triple, Triple]): Scan['geometry'] => ({
    spacing: [1, 1, 1],
    origin: null,
    axes,
  })

  it('has numbers to be filed under, and tells of no patient', async () => {
    const [one, other] = [await headOf({}), await headOf({})]
    expect(one.text('00100020')).toMatch(/^ANON-[0-9A-F]{12}$/)
    expect(other.text('00100020')).not.toBe(one.text('00100020'))
    expect(one.text('00200010')).toMatch(/^[0-9A-F]{12}$/)
    expect(headOfDicom(one)).toMatchObject({ patient: '', namesPatient: false })
  })

  it('says where rows and columns lead, and leaves empty what is unknown', async () => {
    const orientationOf = async (scan: Partial<Scan>): Promise<[unknown, string]> => {
      const file = await headOf(scan)
      for (const tag of ['00200060', '00200020']) expect(file.element(tag)).toBeDefined()
      return [file.text('00200060'), file.text('00200020')]
    }
    expect(await orientationOf({ layout: 'slice' })).toEqual(['', ''])
    const straight = placed([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ])
    expect(await orientationOf({ geometry: straight })).toEqual(['', 'L\\P'])
    const oblique = placed([
      [-0.6, 0.8, 0],
      [0, 0, -1],
      [-0.8, -0.6, 0],
    ])
    expect(await orientationOf({ geometry: oblique })).toEqual(['', 'PR\\F'])
  })
})

describe('values in DICOM', () => {
  it.each([
    ['large whole numbers', Int32Array.from(ramp(-100_000, 100))],
    ['whole numbers in floats', Float32Array.from(ramp(-2000, 7))],
    ['halves', Float32Array.from(ramp(-10, 0.5))],
    ['tenths, which floats hold only nearly', Float32Array.from(ramp(-3.7, 0.1))],
    ['hundredths in doubles', Float64Array.from(ramp(0, 1), (value) => value / 100)],
  ])('are kept where they are %s', async (_what, samples) => {
    const { check, values } = await throughDicom(scanOf(samples, { geometry }))
    expect(check).toMatchObject({ state: 'kept', why: null })
    for (const [index, value] of values.entries()) expect(value).toBeCloseTo(samples[index] ?? 0, 5)
  })

  it('that cannot be kept are told with the greatest error in their unit', async () => {
    const samples = Float32Array.from(ramp(0, 1), (value) => Math.sqrt(value) * 1000)
    const { check } = await throughDicom(scanOf(samples, { geometry, unit: 'HU' }))
    const { most } = check?.why?.params ?? {}
    expect(check?.why?.name).toBe('rounded')
    expect(most).toMatch(/^0\.\d+ HU$/)
    // Half a step of 65,535 between 0 and the greatest.
    expect(Number.parseFloat(String(most))).toBeCloseTo(22_605.3 / 65_535 / 2, 2)
  })

  it('that are no numbers are counted, and what became of them is told', async () => {
    const samples = Float32Array.from(ramp(5, 1))
    samples.set([Number.NaN, Number.NaN, Number.POSITIVE_INFINITY], 10)
    const { check, values } = await throughDicom(scanOf(samples, { geometry }))
    expect(check?.why).toEqual({ name: 'no_numbers', params: { count: 3, as: '5 / 516', most: '0' } })
    expect(values.slice(9, 14)).toEqual([14, 5, 5, 516, 18])
  })

  it('nearly as far apart as numbers go are spread without an infinite step', async () => {
    const samples = Float64Array.from(ramp(-1, 2 / 511), (value) => (value / 4) * Number.MAX_VALUE)
    const { check, values } = await throughDicom(scanOf(samples, { geometry }))
    expect(check?.why?.name).toBe('rounded')
    expect(values.every(Number.isFinite)).toBe(true)
  })
})
