/**
 * DICOM segmentations (PS3.3 A.51, C.8.20): one file an image, a frame of bits for each segment and slice that it reaches. They name the
 * series that they were drawn on by its identifiers; like all that is made of images here, they name no patient.
 */
import type { LabelClass } from '@neuroloom/contract/labelling/classes'
import type { Segment } from '@neuroloom/contract/labelling/things'
import { dicomBytes, type Entry, sequence, tagValue } from '../../../../infra/reader/dicom/bytes.ts'
import { labOf } from '../../../../infra/reader/dicom/cielab.ts'
import { EXPLICIT } from '../../../../infra/reader/dicom/file.ts'
import type { DicomSource } from '../../../../infra/reader/dicom/source.ts'
import type { Geometry } from '../../../../infra/reader/model.ts'
import { decimal, newUid } from '../../../../infra/reader/write/dicom.ts'
import { flat } from '../flat.ts'
import type { Crop } from '../rle.ts'
import { cropOf, extentsOf } from '../segments.ts'
import type { LabelledImage, LabelledSet, Piece } from '../shapes.ts'
import { type Code, codeOf } from './dicom-codes.ts'

const SEGMENTATION_STORAGE = '1.2.840.10008.5.1.4.1.1.66.4'

export async function* writeDicomSeg({ name, classes, images, now }: LabelledSet): AsyncIterable<Piece> {
  const known = new Map(classes.map((one) => [one.id, one]))
  for await (const image of images) {
    const { dicom, geometry, size } = image
    if (!dicom || !geometry?.axes) continue
    const segments = segmentsOf(image, known)
    // A segmentation without a segment is none.
    if (segments.length === 0) continue
    const frames = segments.flatMap(({ frames: own }, index) =>
      own.map((one) => ({ ...one, number: index + 1 })),
    )
    const among = places(frames)
    const entries: Entry[] = [
      ...wholeEntries({ name, dicom, now, size }),
      ['00280008', 'IS', String(frames.length)],
      ['00620002', 'SQ', sequence(...segments.map(segmentEntries))],
      ['52009229', 'SQ', sequence(sharedEntries(geometry, geometry.axes))],
      ['52009230', 'SQ', sequence(...frames.map((frame) => frameEntries(frame, dicom, among)))],
      ['7fe00010', 'OB', bitsOf(frames, size)],
    ]
    const path = `segmentations/${image.stem}.dcm`
    for (const bytes of dicomBytes(EXPLICIT, entries)) yield { path, bytes }
  }
}

type Frame = { slice: number; crop: Crop }
type Body = { class: LabelClass; by: Segment['by']; frames: Frame[] }
type NumberedFrame = Frame & { number: number }

/** In the order of their numbers; in the file they count from 1 without gaps. */
function segmentsOf(image: LabelledImage, known: ReadonlyMap<string, LabelClass>): Body[] {
  const { pixels, segments } = flat(image)
  const found = new Map<number, Body>()
  for (const extent of extentsOf(pixels)) {
    const segment = segments.get(extent.number)
    const owner = known.get(segment?.class ?? '')
    if (!segment || !owner) continue
    const body = found.get(extent.number) ?? { class: owner, by: segment.by, frames: [] }
    body.frames.push({ slice: extent.slice, crop: cropOf(pixels, extent) })
    found.set(extent.number, body)
  }
  return [...found.entries()].sort(([one], [other]) => one - other).map(([, body]) => body)
}

/** Bits of all frames one after the other without gaps, the first pixel in the lowest bit (PS3.5 8.1.1). */
function bitsOf(frames: readonly NumberedFrame[], [width, height]: LabelledImage['size']): Buffer {
  const bits = Buffer.alloc(Math.ceil((frames.length * width * height) / 8))
  for (const [index, { crop }] of frames.entries())
    for (let at = 0; at < crop.values.length; at++) {
      if (crop.values[at] === 0) continue
      const row = crop.y + Math.floor(at / crop.width)
      const bit = (index * height + row) * width + crop.x + (at % crop.width)
      const byte = Math.floor(bit / 8)
      bits[byte] = (bits[byte] ?? 0) | (1 << (bit % 8))
    }
  return bits
}

/** Slices that have a frame, each with its place among them from 1 on. */
const places = (frames: readonly NumberedFrame[]): Map<number, number> => {
  const slices = [...new Set(frames.map(({ slice }) => slice))].sort((one, other) => one - other)
  return new Map(slices.map((slice, index) => [slice, index + 1]))
}

type Whole = { name: string; dicom: DicomSource; now: Date; size: LabelledImage['size'] }

function wholeEntries({ name, dicom, now, size }: Whole): Entry[] {
  const iso = now.toISOString()
  const [date, time] = [iso.slice(0, 10).replaceAll('-', ''), iso.slice(11, 19).replaceAll(':', '')]
  const organisation: Entry = ['00209164', 'UI', newUid()]
  const index = (tag: string, group: string, label: string): Entry[] => [
    organisation,
    ['00209165', 'AT', tagValue(tag)],
    ['00209167', 'AT', tagValue(group)],
    ['00209421', 'LO', label],
  ]
  return [
    ['00080005', 'CS', 'ISO_IR 192'],
    ['00080008', 'CS', 'DERIVED\\PRIMARY'],
    ['00080016', 'UI', SEGMENTATION_STORAGE],
    ['00080018', 'UI', newUid()],
    ['00080020', 'DA', dicom.studyDate],
    ['00080023', 'DA', date],
    ['00080030', 'TM', dicom.studyTime],
    ['00080033', 'TM', time],
    ['00080050', 'SH', ''],
    ['00080060', 'CS', 'SEG'],
    ['00080070', 'LO', 'Neuroloom'],
    ['00080090', 'PN', ''],
    ['0008103e', 'LO', [...name.replaceAll('\\', ' ')].slice(0, 64).join('')],
    ['00081090', 'LO', 'Neuroloom'],
    ['00081115', 'SQ', sequence(referencedSeries(dicom))],
    ['00100010', 'PN', ''],
    ['00100020', 'LO', ''],
    ['00100030', 'DA', ''],
    ['00100040', 'CS', ''],
    ['00181000', 'LO', '0'],
    ['00181020', 'LO', '1'],
    ['0020000d', 'UI', dicom.studyUid],
    ['0020000e', 'UI', newUid()],
    ['00200010', 'SH', dicom.studyId],
    ['00200011', 'IS', '1'],
    ['00200013', 'IS', '1'],
    ['00200052', 'UI', dicom.frameOfReferenceUid || newUid()],
    ['00201040', 'LO', ''],
    ['00209221', 'SQ', sequence([organisation])],
    [
      '00209222',
      'SQ',
      sequence(
        index('0062000b', '0062000a', 'ReferencedSegmentNumber'),
        index('00200032', '00209113', 'ImagePositionPatient'),
      ),
    ],
    ['00280002', 'US', 1],
    ['00280004', 'CS', 'MONOCHROME2'],
    ['00280010', 'US', size[1]],
    ['00280011', 'US', size[0]],
    ['00280100', 'US', 1],
    ['00280101', 'US', 1],
    ['00280102', 'US', 0],
    ['00280103', 'US', 0],
    ['00282110', 'CS', '00'],
    ['00620001', 'CS', 'BINARY'],
    ['00620013', 'CS', 'NO'],
    ['00700080', 'CS', 'SEGMENTATION'],
    ['00700081', 'LO', ''],
    ['00700084', 'PN', ''],
  ]
}

/** Common Instance Reference (PS3.3 C.12.2). */
const referencedSeries = ({ seriesUid, slices }: DicomSource): Entry[] => [
  ['0020000e', 'UI', seriesUid],
  [
    '0008114a',
    'SQ',
    sequence(
      ...[...new Map(slices.map((slice) => [slice.sopInstanceUid, slice])).values()].map(
        ({ sopClassUid, sopInstanceUid }): Entry[] => [
          ['00081150', 'UI', sopClassUid],
          ['00081155', 'UI', sopInstanceUid],
        ],
      ),
    ),
  ],
]

const coded = ([value, meaning]: Code, scheme = 'SCT'): Buffer =>
  sequence([
    ['00080100', 'SH', value],
    ['00080102', 'SH', scheme],
    ['00080104', 'LO', meaning],
  ])

const algorithms = { hand: 'MANUAL', file: 'MANUAL', assist: 'SEMIAUTOMATIC', network: 'AUTOMATIC' } as const

function segmentEntries({ class: { name, colour }, by }: Body, index: number): Entry[] {
  const { category, type } = codeOf(name)
  return [
    ['00620003', 'SQ', coded(category)],
    ['00620004', 'US', index + 1],
    ['00620005', 'LO', [...name.replaceAll('\\', ' ')].slice(0, 64).join('')],
    ['00620008', 'CS', algorithms[by]],
    ...(algorithms[by] === 'MANUAL' ? [] : [['00620009', 'LO', 'Neuroloom'] as const]),
    ['0062000d', 'US', labOf(colour)],
    ['0062000f', 'SQ', coded(type)],
  ]
}

function sharedEntries({ spacing }: Geometry, [row, column]: NonNullable<Geometry['axes']>): Entry[] {
  const [x, y, z] = spacing.map(decimal)
  return [
    ['00209116', 'SQ', sequence([['00200037', 'DS', [...row, ...column].map(decimal).join('\\')]])],
    [
      '00289110',
      'SQ',
      sequence([
        ['00180050', 'DS', z ?? '1'],
        ['00180088', 'DS', z ?? '1'],
        ['00280030', 'DS', `${y}\\${x}`],
      ]),
    ],
  ]
}

function frameEntries(
  { slice, number }: NumberedFrame,
  { slices }: DicomSource,
  among: ReadonlyMap<number, number>,
): Entry[] {
  const source = slices[slice]
  const position = source?.position.map(decimal).join('\\') ?? ''
  return [
    ['00089124', 'SQ', source ? sequence(derivation(source)) : Buffer.alloc(0)],
    ['00209111', 'SQ', sequence([['00209157', 'UL', [number, among.get(slice) ?? 1]]])],
    ['00209113', 'SQ', sequence([['00200032', 'DS', position]])],
    ['0062000a', 'SQ', sequence([['0062000b', 'US', number]])],
  ]
}

/** Derivation Image (PS3.3 C.7.6.16.2.6): the very slice that the frame was drawn on. */
const derivation = ({ sopClassUid, sopInstanceUid, frame }: DicomSource['slices'][number]): Entry[] => [
  [
    '00082112',
    'SQ',
    sequence([
      ['00081150', 'UI', sopClassUid],
      ['00081155', 'UI', sopInstanceUid],
      ...(frame === null ? [] : [['00081160', 'IS', String(frame)] as const]),
      ['0028135a', 'CS', 'YES'],
      ['0040a170', 'SQ', coded(['121322', 'Source image for image processing operation'], 'DCM')],
    ]),
  ],
  ['00089215', 'SQ', coded(['113076', 'Segmentation'], 'DCM')],
]
