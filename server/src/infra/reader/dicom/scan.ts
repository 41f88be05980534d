/** Makes one image out of a DICOM file, or out of the files of a series. */
import type { ImageFacts, ViewNote, ViewReasonName } from '@neuroloom/contract/viewing'
import {
  checkSize,
  countOf,
  makeSamples,
  plainScan,
  refuse,
  type Samples,
  type Scan,
  typeOf,
} from '../model.ts'
import { separated } from './acquisitions.ts'
import { isLossy } from './codec.ts'
import type { DicomFile } from './file.ts'
import { byPalette, hasPixels, packingOf, readAll, type Stored, shapeOf, toColours } from './pixels.ts'
import { type Arranged, arrange, type Plane, planesOf, stacked } from './planes.ts'
import { numberNotes, pixelAspectOf, regionsOf, scaleNotes } from './scale.ts'

type Limits = { limitBytes: number; folder: string }

/** `part`: which of the images that lie in the files; null = what a page shows of them. */
export async function readDicom(
  files: readonly DicomFile[],
  limits: Limits,
  part: number | null = null,
): Promise<Scan> {
  const [first] = files
  if (!first) throw refuse('empty')
  for (const file of files) if (!hasPixels(file)) throw refuse(reasonWithoutPixels(file))
  const { alike, leftOut, arranged, parts } = arrangedOf(files, limits.limitBytes, part)
  const stored = await readAll(alike, limits)
  const colours = stored.map((one, index) => inColours(alike[index] ?? first, one))
  const { samples, slope, intercept, isBaked } = joined(colours, arranged, stored)
  const [shape] = stored
  if (!shape) throw refuse('empty')
  const channels = colours[0]?.channels ?? 1
  const size: Scan['size'] = [shape.shape.columns, shape.shape.rows, arranged.slices, arranged.times]
  const film = filmSeconds(first)
  const regions = regionsOf(first)
  const isScaleLost = arranged.planes.some((plane) => plane.isScaleLost)
  const notes: ViewNote[] = [
    ...(regions.length > 0
      ? [
          ...arranged.notes.filter(({ name }) => name !== 'spacing_unknown'),
          { name: 'spacing_regions' as const, params: {} },
        ]
      : arranged.notes),
    ...scaleNotes(first),
    ...numberNotes(alike),
    ...(isScaleLost ? [{ name: 'scale_unreadable' as const, params: {} }] : []),
    ...(leftOut > 0 ? [{ name: 'slices_left_out' as const, params: { count: leftOut } }] : []),
    ...(colours[0]?.isConverted ? [{ name: 'colours_converted' as const, params: {} }] : []),
    ...(isLossy(first.transferSyntax) || first.text('00282110') === '01'
      ? [{ name: 'lossy' as const, params: {} }]
      : []),
    ...(shape.dataType === 'bit' ? [{ name: 'one_bit' as const, params: {} }] : []),
    ...(isBaked ? [{ name: 'values_scaled' as const, params: {} }] : []),
    ...(!arranged.isBody && film !== null && arranged.slices > 1
      ? [{ name: 'frames_are_time' as const, params: {} }]
      : []),
  ]
  return {
    ...plainScan,
    format: 'dicom',
    size,
    layout: layoutOf(arranged),
    channels,
    samples,
    dataType: shape.dataType,
    bits: shape.shape.bitsStored,
    slope,
    intercept,
    geometry: arranged.geometry,
    slicePlaces: arranged.places,
    planeFiles: files.length > 1 ? filesOf(arranged.planes, alike, files) : null,
    pixelAspect: arranged.planes[0]?.spacing ? 1 : pixelAspectOf(first),
    parts,
    regions,
    frameSeconds: arranged.isBody || arranged.slices === 1 ? null : film,
    windows: windowsOf(first),
    unit: isScaleLost ? '' : unitOf(first),
    photometric: shape.shape.photometric,
    modality: first.text('00080060'),
    compression: packingOf(first),
    notes,
  }
}

/** Planes name their file by its place among those that are alike. */
function filesOf(
  planes: readonly Plane[],
  alike: readonly DicomFile[],
  files: readonly DicomFile[],
): number[] {
  const places = new Map(files.map((file, index) => [file, index]))
  const own = alike.map((file) => places.get(file) ?? -1)
  return planes.map(({ file }) => own[file] ?? -1)
}

/** The files that make up the image, and where each of their frames lies in it. */
export function arrangedOf(files: readonly DicomFile[], limitBytes: number, part: number | null = null) {
  const { alike, leftOut } = alikeOnes(files, limitBytes)
  const planes = alike.flatMap((file, index) => planesOf(file, index, shapeOf(file, limitBytes).frames))
  const parts = separated(planes)
  const [main = []] = parts
  // A file with pictures in several directions is shown whole, one picture after the other.
  const isShownWhole = part === null && parts.length > 1 && alike.length === 1
  const own = isShownWhole ? planes : (parts[part ?? 0] ?? main)
  const arranged = isShownWhole ? stacked(planes) : arrange(own)
  const notes: ViewNote[] =
    parts.length === 1
      ? []
      : [
          {
            name: isShownWhole ? 'parts_in_row' : 'parts_separate',
            params: { count: parts.length, left: planes.length - own.length },
          },
        ]
  return {
    alike,
    leftOut,
    parts: parts.length,
    arranged: { ...arranged, notes: [...notes, ...arranged.notes] },
  }
}

/** What a DICOM file without an image is, for a sentence to its owner. */
export function reasonWithoutPixels(file: DicomFile): ViewReasonName {
  const sopClass = file.text('00080016') || file.text('00020002')
  const base = '1.2.840.10008.5.1.4.1.1.'
  if (sopClass === '1.2.840.10008.1.3.10') return 'dicom_directory'
  if (sopClass.startsWith(`${base}88.`)) return 'dicom_report'
  if (sopClass === `${base}481.3`) return 'dicom_structures'
  if (sopClass === `${base}481.5` || sopClass === `${base}481.8`) return 'dicom_plan'
  return sopClass.startsWith(`${base}104.`) ? 'dicom_document' : 'dicom_no_image'
}

function layoutOf({ isBody, slices, times }: Arranged): Scan['layout'] {
  if (slices * times === 1) return 'slice'
  return isBody && slices > 1 ? 'volume' : 'stack'
}

/** Scouts and pictures of other sizes lie in some series: what most are makes the volume. */
function alikeOnes(files: readonly DicomFile[], limitBytes: number): { alike: DicomFile[]; leftOut: number } {
  const groups = new Map<string, DicomFile[]>()
  for (const file of files) {
    const { shape } = shapeOf(file, limitBytes)
    const { rows, columns, channels, bitsAllocated, isSigned } = shape
    const [position] = planesOf(file, 0, 1)
    const directions =
      position?.directions
        ?.flat()
        .map((value) => Math.round(value * 100))
        .join() ?? ''
    const key = [rows, columns, channels, bitsAllocated, isSigned, directions].join(' ')
    groups.set(key, [...(groups.get(key) ?? []), file])
  }
  const [alike = []] = [...groups.values()].sort((a, b) => b.length - a.length)
  return { alike, leftOut: files.length - alike.length }
}

type Coloured = { samples: Samples; channels: 1 | 3; isConverted: boolean }

/** Stored numbers as grey, or as red, green and blue. */
export function inColours(file: DicomFile, { samples, shape }: Stored): Coloured {
  if (shape.photometric === 'PALETTE COLOR') {
    const coloured = byPalette(file, samples)
    if (!coloured) throw refuse('compression_unknown', { kind: 'DICOM (segmented palette)' })
    return { samples: coloured, channels: 3, isConverted: true }
  }
  if (shape.channels === 1) return { samples, channels: 1, isConverted: false }
  const isTurned = /^YBR_(FULL|FULL_422|PARTIAL_422)$/.test(shape.photometric)
  if (isTurned) toColours(samples)
  return { samples, channels: 3, isConverted: isTurned }
}

/** All planes in their order; of planes that are scaled differently, the values themselves. */
function joined(colours: Coloured[], { planes, slices, times }: Arranged, stored: Stored[]) {
  const [first] = colours
  const [shape] = stored
  if (!first || !shape) throw refuse('empty')
  const { slope = 1, intercept = 0 } = planes[0] ?? {}
  const isBaked = planes.some((plane) => plane.slope !== slope || plane.intercept !== intercept)
  const places = shape.shape.rows * shape.shape.columns * first.channels
  if (
    colours.length === 1 &&
    !isBaked &&
    isInOrder(planes) &&
    first.samples.length === places * planes.length
  )
    return { samples: first.samples, slope, intercept, isBaked }
  const type = isBaked ? 'float32' : typeOf(first.samples)
  checkSize([places, slices, times], isBaked ? 4 : first.samples.BYTES_PER_ELEMENT, Number.MAX_SAFE_INTEGER)
  const samples = makeSamples(type, countOf([places, 1, slices, times], 1))
  for (const [index, plane] of planes.entries()) {
    const part = colours[plane.file]?.samples.subarray(plane.frame * places, (plane.frame + 1) * places)
    if (!part) continue
    samples.set(
      isBaked ? Float32Array.from(part, (value) => value * plane.slope + plane.intercept) : part,
      index * places,
    )
  }
  return isBaked ? { samples, slope: 1, intercept: 0, isBaked } : { samples, slope, intercept, isBaked }
}

const isInOrder = (planes: Plane[]): boolean => planes.every(({ frame }, index) => frame === index)

function windowsOf(file: DicomFile): ImageFacts['windows'] {
  const frame =
    file.items('52009230')[0]?.items('00289132')[0] ?? file.items('52009229')[0]?.items('00289132')[0] ?? file
  const [centers, widths] = [frame.numbers('00281050'), frame.numbers('00281051')]
  const names = frame.text('00281055').split('\\')
  return centers.flatMap((center, index) => {
    const width = widths[index] ?? 0
    return Number.isFinite(center) && width > 0 ? [{ center, width, name: names[index]?.trim() ?? '' }] : []
  })
}

function unitOf(file: DicomFile): string {
  const said = file.text('00281054') || file.text('00541001') || file.text('30040002')
  if (said !== '' && said !== 'US') return said
  return file.text('00080060') === 'CT' && file.has('00281053') ? 'HU' : ''
}

/** From one frame to the next. */
function filmSeconds(file: DicomFile): number | null {
  const milliseconds = file.numbers('00181063')[0] ?? file.numbers('00181065')[1]
  if (milliseconds !== undefined && milliseconds > 0) return milliseconds / 1000
  const rate = file.numbers('00180040')[0] ?? file.numbers('00082144')[0]
  return rate !== undefined && rate > 0 ? 1 / rate : null
}
