/** DICOM segmentations drawn here: frames of segments, each with its place, as programs write them. */
import { dicomBytes, type Entry, sequence } from '../src/infra/reader/dicom/bytes.ts'
import { EXPLICIT } from '../src/infra/reader/dicom/file.ts'

export type DrawnFrame = {
  segment: number
  z: number
  /** The stored number of each pixel: of bits 0 or 1. */
  at: (x: number, y: number) => number
}
export type DrawnSegmentation = {
  size: [number, number]
  /** Names of the segments, by their number from 1 on. */
  names: string[]
  frames: DrawnFrame[]
  /** The series that it says it was drawn on; null = it names none. */
  of?: string | null
  kind?: 'BINARY' | 'FRACTIONAL' | 'LABELMAP'
  spacing?: [number, number]
  /** Of the first pixel, beside its z. */
  corner?: [number, number]
  /** Where rows and columns lead. */
  directions?: string
  uid?: string
  frameUid?: string
  patientId?: string
}

export function drawSegmentation(drawn: DrawnSegmentation): Buffer {
  const { size, names, frames, of = '2.25.70', kind = 'BINARY', spacing = [0.5, 0.5] } = drawn
  const { corner = [0, 0], directions = '1\\0\\0\\0\\1\\0', uid = '2.25.900' } = drawn
  const [width, height] = size
  const isBits = kind === 'BINARY'
  const entries: Entry[] = [
    ['00080016', 'UI', `1.2.840.10008.5.1.4.1.1.66.${kind === 'LABELMAP' ? 7 : 4}`],
    ['00080018', 'UI', `${uid}.1`],
    ['00080060', 'CS', 'SEG'],
    ...(of === null ? [] : ([['00081115', 'SQ', sequence([['0020000e', 'UI', of]])]] as const)),
    ['00100020', 'LO', drawn.patientId ?? ''],
    ['0020000d', 'UI', '2.25.50'],
    ['0020000e', 'UI', uid],
    ['00200052', 'UI', drawn.frameUid ?? ''],
    ['00280002', 'US', 1],
    ['00280004', 'CS', 'MONOCHROME2'],
    ['00280008', 'IS', String(frames.length)],
    ['00280010', 'US', height],
    ['00280011', 'US', width],
    ['00280100', 'US', isBits ? 1 : 8],
    ['00280101', 'US', isBits ? 1 : 8],
    ['00280102', 'US', isBits ? 0 : 7],
    ['00280103', 'US', 0],
    ['00620001', 'CS', kind],
    [
      '00620002',
      'SQ',
      sequence(
        ...names.map((name, index): Entry[] => [
          ['00620004', 'US', index + 1],
          ['00620005', 'LO', name],
        ]),
      ),
    ],
    ...(kind === 'FRACTIONAL' ? ([['0062000e', 'US', 200]] as const) : []),
    [
      '52009229',
      'SQ',
      sequence([
        ['00209116', 'SQ', sequence([['00200037', 'DS', directions]])],
        [
          '00289110',
          'SQ',
          sequence([
            ['00180050', 'DS', '2.5'],
            ['00280030', 'DS', `${spacing[1]}\\${spacing[0]}`],
          ]),
        ],
      ]),
    ],
    [
      '52009230',
      'SQ',
      sequence(
        ...frames.map(({ segment, z }): Entry[] => [
          ['00209113', 'SQ', sequence([['00200032', 'DS', `${corner[0]}\\${corner[1]}\\${z}`]])],
          ['0062000a', 'SQ', sequence([['0062000b', 'US', segment]])],
        ]),
      ),
    ],
    ['7fe00010', 'OB', isBits ? packed(valuesOf(drawn)) : even(Buffer.from(valuesOf(drawn)))],
  ]
  return Buffer.concat(dicomBytes(EXPLICIT, entries))
}

const valuesOf = ({ size: [width, height], frames }: DrawnSegmentation): number[] =>
  frames.flatMap(({ at }) =>
    Array.from({ length: width * height }, (_, index) => at(index % width, Math.floor(index / width))),
  )

/** The lowest bit first; a frame begins where the one before ends, in the middle of a byte, too. */
function packed(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil(values.length / 8))
  for (const [index, value] of values.entries())
    if (value) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7))
  return even(bytes)
}

const even = (bytes: Buffer): Buffer =>
  bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)])
