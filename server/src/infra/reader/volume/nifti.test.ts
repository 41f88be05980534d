/** NIfTI headers that say twice where the image lies. */
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { niftiVolume } from '../../../../test/images.ts'
import { readNifti } from './nifti.ts'

/** An upright volume of 1 × 1 × 2 mm by both ways; `change` moves one of them. */
function notesOf(change: (header: Buffer) => void): unknown[] {
  const bytes = gunzipSync(niftiVolume({ size: [6, 5, 4], spacing: [1, 1, 2] }))
  bytes.writeInt16LE(1, 252)
  bytes.writeFloatLE(1, 76)
  change(bytes)
  return readNifti(bytes, 1_000_000).notes.filter(({ name }) => name === 'places_disagree')
}

it('both ways that agree, or differ by rounding, are no matter', () => {
  expect(notesOf(() => undefined)).toEqual([])
  expect(notesOf((header) => header.writeFloatLE(0.3, 268))).toEqual([])
})

it('ways that lead elsewhere are told with the distance at the farthest corner', () => {
  const moved = notesOf((header) => header.writeFloatLE(30, 268))
  expect(moved).toEqual([{ name: 'places_disagree', params: { mm: 30 } }])
  // Turned by 90 degrees round the long axis: the corner of five and four steps goes 4 + 5 to one side, 5 − 4 to another.
  const turned = notesOf((header) => header.writeFloatLE(Math.SQRT1_2, 264))
  expect(turned).toEqual([{ name: 'places_disagree', params: { mm: 9.06 } }])
})

it('a way that the header does not vouch for says nothing', () => {
  const unsaid = (header: Buffer) => {
    header.writeFloatLE(30, 268)
    header.writeInt16LE(0, 252)
  }
  expect(notesOf(unsaid)).toEqual([])
})
