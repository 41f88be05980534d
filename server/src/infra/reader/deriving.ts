/** Makes of DICOM what networks read: the very bytes that a conversion makes, without being asked for one by one. */
import { join } from 'node:path'
import type { DicomReason, DicomWindow } from '@neuroloom/contract/dicom-data'
import type { ViewNote } from '@neuroloom/contract/viewing'
import { layOnSeries, type SegmentValues } from './dicom/segments-on-series.ts'
import { Refusal, type Samples, type Scan } from './model.ts'
import { isScaleLost } from './notes.ts'
import { readImage, type Source } from './read.ts'
import { writePictures, writeStored } from './write/pictures.ts'
import { writeNifti, writeStack } from './write/volumes.ts'

export type Unfit = { reason: DicomReason; params: Record<string, string | number> }
export type DerivedFile = { made: string; notes: readonly ViewNote[] } | { unfit: Unfit }

/**
 * Of a mask the stored numbers count, not what a screen shows of them. Values are those of the pictures in a file, in
 * Hounsfield units and the like, for whoever works on with them. Segments are the mask of a series, on the grid of its volume.
 */
export type DerivedKind = 'picture' | 'mask' | 'values' | 'volume' | 'segments'

type Image = {
  files: Source['files']
  window: DicomWindow | null
  /** Of each segmentation, which are the last files, what stands for its segments. */
  segments?: SegmentValues[] | undefined
}
type Order = Omit<Image, 'files'> & { kind: DerivedKind; name: string }

type Orders = {
  kind: Order['kind']
  /** Each a picture or a series of its own. */
  images: Image[]
  out: string
  limitBytes: number
}

/** One after the other: each alone may take all the memory there is. */
export async function deriveAll({ kind, images, out, limitBytes }: Orders): Promise<DerivedFile[]> {
  const derived: DerivedFile[] = []
  for (const [index, { files, ...asked }] of images.entries()) {
    const name = `made${index}.${kind === 'volume' || kind === 'segments' ? 'nii.gz' : 'png'}`
    const source: Source = { files, siblings: new Map(), limitBytes, folder: out }
    derived.push(await derive(source, { ...asked, kind, name }))
  }
  return derived
}

/** A PNG of one picture or mask, or a NIfTI volume of a series; else why not. */
async function derive(source: Source, { kind, window, name, segments = [] }: Order): Promise<DerivedFile> {
  try {
    if (kind === 'segments') return await deriveSegments(source, { name, segments })
    const { scan } = await readImage(source)
    const unfit = unfitByScale(scan, kind) ?? unfitAs[kind](scan)
    if (unfit) return { unfit }
    const path = join(source.folder, name)
    if (kind === 'volume') await writeNifti(scan, path, 6)
    else if (kind === 'mask') await writeStored(scan, path)
    else if (kind === 'values' && scan.channels === 1) await writeStack(scan, path)
    else await writePictures(scan, { format: 'png', depth: 'eight', window, quality: 92 }, () => path)
    return { made: name, notes: scan.notes }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { unfit: unreadable(error) }
  }
}

/** The mask on the grid of its series, where every slice of it lies on one of the series. */
async function deriveSegments(
  source: Source,
  { name, segments }: { name: string; segments: SegmentValues[] },
): Promise<DerivedFile> {
  const count = source.files.length - segments.length
  const { scan } = await readImage({ ...source, files: source.files.slice(0, count) })
  const unfit = unfitAsVolume(scan)
  if (unfit) return { unfit }
  const laid = await layOnSeries(scan, { source, files: source.files.slice(count), segments })
  if ('away' in laid)
    return {
      unfit: { reason: 'dicom_segments_elsewhere', params: { count: laid.away, frames: laid.frames } },
    }
  const mask: Scan = { ...scan, samples: laid.samples, slope: 1, intercept: 0, dataType: 'uint8', bits: 8 }
  await writeNifti(mask, join(source.folder, name), 6)
  return { made: name, notes: laid.notes }
}

const noPictures: ReadonlySet<string> = new Set([
  ...[
    'dicom_report',
    'dicom_plan',
    'dicom_structures',
    'dicom_directory',
    'dicom_document',
    'dicom_no_image',
  ],
])

const unreadable = ({ reason }: Refusal): Unfit => ({
  reason: noPictures.has(reason) ? 'dicom_no_picture' : 'dicom_unreadable',
  params: {},
})

/** Of a mask the stored numbers count. */
const unfitByScale = (scan: Scan, kind: DerivedKind): Unfit | null =>
  kind !== 'mask' && isScaleLost(scan) ? { reason: 'dicom_scale', params: {} } : null

function unfitAsPicture({ size }: Scan): Unfit | null {
  const count = size[2] * size[3]
  return count > 1 ? { reason: 'dicom_frames', params: { count } } : null
}

/** Colours of several pictures lie in no file that is made here. */
const unfitAsValues = (scan: Scan): Unfit | null => (scan.channels === 3 ? unfitAsPicture(scan) : null)

function unfitAsMask(scan: Scan): Unfit | null {
  const unfit = unfitAsPicture(scan)
  if (unfit || scan.channels === 3) return unfit
  const wrong = strayValue(scan.samples)
  return wrong === undefined ? null : { reason: 'dicom_mask_values', params: { value: wrong } }
}

/** What is no class number. */
function strayValue(samples: Samples): number | undefined {
  for (const value of samples) if (!Number.isInteger(value) || value < 0 || value > 65_535) return value
  return undefined
}

function unfitAsVolume(scan: Scan): Unfit | null {
  const { size, channels, geometry, notes } = scan
  const note = (name: string) => notes.find((one) => one.name === name)?.params
  if (scan.parts > 1) return { reason: 'dicom_parts', params: { count: scan.parts } }
  if (channels !== 1) return { reason: 'dicom_colour', params: {} }
  const leftOut = note('slices_left_out')
  if (leftOut) return { reason: 'dicom_sizes', params: { count: Number(leftOut.count) } }
  if (size[3] > 1) return { reason: 'dicom_times', params: { count: size[3] } }
  const gaps = note('slice_gaps')
  if (gaps) return { reason: 'dicom_slice_missing', params: { count: Number(gaps.count) } }
  const uneven = note('slice_spacing_uneven')
  if (uneven) {
    const [spacing, otherSpacing] = [String(uneven.least), String(uneven.greatest)]
    return { reason: 'dicom_two_spacings', params: { spacing, otherSpacing } }
  }
  const isPlaced = geometry?.axes != null && scan.layout !== 'stack' && !note('slices_twice')
  return isPlaced ? null : { reason: 'dicom_unplaced', params: {} }
}

const unfitAs: Record<DerivedKind, (scan: Scan) => Unfit | null> = {
  picture: unfitAsPicture,
  mask: unfitAsMask,
  values: unfitAsValues,
  volume: unfitAsVolume,
  segments: unfitAsVolume,
}
