/** What a reader should know of an image beside its pixels. */
import type { ViewNote } from '@neuroloom/contract/viewing'
import type { Scan } from './model.ts'

export function notesOf(scan: Scan): ViewNote[] {
  const isCut = scan.channels === 3 && scan.samples.BYTES_PER_ELEMENT > 1
  const isTold = scan.notes.some(({ name }) => name === 'shown_in_eight_bits')
  const liesAnyhow = scan.layout === 'volume' && scan.geometry !== null && scan.geometry.axes === null
  const isUnsquare = scan.pixelAspect !== 1
  return [
    ...scan.notes,
    ...(isCut && !isTold ? [{ name: 'shown_in_eight_bits' as const, params: {} }] : []),
    ...(liesAnyhow ? [{ name: 'orientation_unknown' as const, params: {} }] : []),
    ...(isUnsquare
      ? [{ name: 'pixel_aspect' as const, params: { aspect: Math.round(scan.pixelAspect * 1000) / 1000 } }]
      : []),
  ]
}

/** Without its scale, what was stored for Hounsfield units, uptake or dose stands for nothing; a picture alone still shows. */
export const isScaleLost = ({ notes, modality }: Scan): boolean =>
  measured.has(modality) && notes.some(({ name }) => name === 'scale_unreadable')

const measured: ReadonlySet<string> = new Set(['CT', 'PT', 'NM', 'RTDOSE'])
