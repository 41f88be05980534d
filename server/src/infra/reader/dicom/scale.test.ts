/** What lengths in DICOM pictures may be believed. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dicomBytes } from './bytes.ts'
import { type DicomFile, openDicom } from './file.ts'
import { regionsOf, scaleNotes } from './scale.ts'

const limitBytes = 1e9
const EXPLICIT = '1.2.840.10008.1.2.1'

const file = (elements: Record<string, [type: string, value: string]>): DicomFile =>
  openDicom(
    Buffer.concat(
      dicomBytes(
        EXPLICIT,
        Object.entries(elements).map(([tag, [type, value]]) => [tag, type, value]),
      ),
    ),
    { limitBytes },
  )

describe('a picture that rays were projected to', () => {
  const detector: [string, string] = ['DS', '0.14\\0.14']
  it.each([
    ['measured at the detector', { '00181164': detector }, 'spacing_detector'],
    ['given again for the body', { '00181164': detector, '00280030': detector }, 'spacing_detector'],
    ['alone, nobody knows where', { '00280030': detector }, 'spacing_detector'],
    [
      'other than at the detector',
      { '00181164': detector, '00280030': ['DS', '0.1\\0.1'] },
      'spacing_calibrated',
    ],
    ['calibrated', { '00280030': detector, '00280a02': ['CS', 'FIDUCIAL'] }, 'spacing_calibrated'],
  ] satisfies [string, Record<string, [string, string]>, string][])(
    'says of pixels %s: %s',
    (_, elements, expected) => {
      const notes = scaleNotes(file({ '00080060': ['CS', 'DX'], ...elements }))
      expect(notes.map(({ name }) => name)).toEqual([expected])
    },
  )

  it('says nothing without pixels, nor of slices', () => {
    expect(scaleNotes(file({ '00080060': ['CS', 'DX'] }))).toEqual([])
    expect(scaleNotes(file({ '00080060': ['CS', 'CT'], '00280030': detector }))).toEqual([])
    const other = scaleNotes(file({ '00080060': ['CS', 'OT'], '00181164': detector }))
    expect(other.map(({ name }) => name)).toEqual(['spacing_detector'])
  })
})

const sample = join(
  process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../../../../shared/data'),
  'formats/dicom/multiframe_30_us_jpeg-baseline_ybr.dcm',
)

it.skipIf(!existsSync(sample))('an ultrasound picture has the scale of its region', () => {
  const [region, ...others] = regionsOf(openDicom(readFileSync(sample), { limitBytes }))
  expect(others).toEqual([])
  expect(region?.box.every(Number.isInteger)).toBe(true)
  // As a heart of some 15 cm in 240 rows.
  expect(region?.spacing?.[1]).toBeGreaterThan(0.3)
  expect(region?.spacing?.[1]).toBeLessThan(1.5)
})
