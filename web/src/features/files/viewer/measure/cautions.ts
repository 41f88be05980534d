/** What is unsure about lengths in an image: names of sentences, worst first. Pure. */
import type { View } from '@neuroloom/contract/viewing'

export type Caution =
  | 'pixels'
  | 'regions'
  | 'detector'
  | 'calibrated'
  | 'assumed'
  | 'uneven'
  | 'dicom'
  | 'nifti'
  | 'millimetres'

export function cautionsOf({ facts, notes }: Pick<View, 'facts' | 'notes'>): Caution[] {
  const has = (name: View['notes'][number]['name']): boolean => notes.some((note) => note.name === name)
  if (facts && facts.regions.length > 0) return ['regions']
  if (!facts?.spacing || has('spacing_unknown')) return ['pixels']
  const unsure: Caution[] = [
    ...(has('spacing_detector') ? (['detector'] as const) : []),
    ...(has('spacing_calibrated') ? (['calibrated'] as const) : []),
    ...(has('spacing_unit_assumed') ? (['assumed'] as const) : []),
    ...(has('slice_spacing_uneven') ? (['uneven'] as const) : []),
  ]
  return unsure.length > 0 ? unsure : [saidBy[facts.format] ?? 'millimetres']
}

/** Where formats say how large a pixel is. */
const saidBy: Record<string, Caution> = { dicom: 'dicom', nifti: 'nifti' }
