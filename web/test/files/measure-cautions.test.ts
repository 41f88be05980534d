/** What is said of lengths: which unit they have, and where that is known from. */
import type { ImageFacts, View } from '@neuroloom/contract/viewing'
import { expect, it } from 'vitest'
import { cautionsOf } from '../../src/features/files/viewer/measure/cautions.ts'

const facts: ImageFacts = {
  ...{ format: 'dicom', size: [4, 4, 1, 1], layout: 'slice', channels: 1, dataType: 'uint8', bits: 8 },
  ...{ spacing: [1, 1, 1], orientation: null, range: null, usual: null, windows: [], unit: '' },
  ...{ photometric: '', modality: '', compression: '', regions: [], frameSeconds: null },
}
type Case = [string, Partial<ImageFacts>, View['notes'][number]['name'][], string[]]

it.each<Case>([
  ['a slice of CT', {}, [], ['dicom']],
  ['a radiograph', {}, ['spacing_detector'], ['detector']],
  ['a calibrated one', {}, ['spacing_calibrated'], ['calibrated']],
  ['a volume in NIfTI', { format: 'nifti' }, [], ['nifti']],
  ['a volume without a unit', { format: 'nifti' }, ['spacing_unit_assumed'], ['assumed']],
  ['a volume in NRRD', { format: 'nrrd' }, [], ['millimetres']],
  ['a photograph', { format: 'png', spacing: null }, [], ['pixels']],
  ['uneven slices', {}, ['slice_spacing_uneven'], ['uneven']],
])('of lengths in %s', (_, more, notes, said) => {
  const view = { facts: { ...facts, ...more }, notes: notes.map((name) => ({ name, params: {} })) }
  expect(cautionsOf(view)).toEqual(said)
})
