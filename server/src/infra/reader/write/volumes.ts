/** Writes NIfTI, NRRD and MetaImage: one file each, packed, every number as it is. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createDeflate, createGzip } from 'node:zlib'
import { type Geometry, refuse, type Samples, type Scan, type Triple, typeOf } from '../model.ts'
import { asSeen, plainValues } from '../values.ts'

const PIECE_BYTES = 4 * 1024 * 1024

/** In pieces: a copy of the whole would take its memory once more. */
function* pieces(samples: Samples): Iterable<Buffer> {
  for (let at = 0; at < samples.byteLength; at += PIECE_BYTES) {
    const length = Math.min(PIECE_BYTES, samples.byteLength - at)
    yield Buffer.from(samples.buffer, samples.byteOffset + at, length)
  }
}

const niftiTypes = {
  uint8: 2,
  int16: 4,
  int32: 8,
  float32: 16,
  float64: 64,
  int8: 256,
  uint16: 512,
  uint32: 768,
} as const

/** `level` of the packing: 1 is quick, 6 is small. */
export async function writeNifti(scan: Scan, path: string, level: number): Promise<void> {
  const inEight = scan.channels === 3 && !(scan.samples instanceof Uint8Array)
  const samples = inEight ? Uint8Array.from(scan.samples, (value) => value >> 8) : scan.samples
  const source = [niftiHeader({ ...scan, samples }), ...pieces(samples)]
  await pipeline(Readable.from(source), createGzip({ level }), createWriteStream(path))
}

/** In the header's place for a description: no volume, each slice is a picture of its own (engine: `PICTURES`). */
const PICTURES = 'neuroloom pictures'

/** Pictures with their values, quick to write and to read again. */
export async function writeStack(scan: Scan, path: string): Promise<void> {
  const [x, y, z, t] = scan.size
  const flat: Scan = { ...asSeen(scan), size: [x, y, z * t, 1], geometry: null, frameSeconds: null }
  const header = niftiHeader(flat)
  header.write(PICTURES, 148, 'latin1')
  await pipeline(
    Readable.from([header, ...pieces(flat.samples)]),
    createGzip({ level: 1 }),
    createWriteStream(path),
  )
}

/** What headers say; of the samples the type alone counts. */
export type HeaderOf = Pick<
  Scan,
  'size' | 'samples' | 'channels' | 'geometry' | 'slope' | 'intercept' | 'frameSeconds'
> & { pixelAspect?: number }

export function niftiHeader(scan: HeaderOf): Buffer {
  const { size, samples, channels, geometry, slope, intercept, frameSeconds, pixelAspect = 1 } = scan
  if (size.some((side) => side > 32_767)) throw refuse('too_large', { limit: 32_767 })
  const header = Buffer.alloc(352)
  const type = typeOf(samples)
  const [x, y, z, t] = size
  const spacing = geometry?.spacing ?? [1, pixelAspect, 1]
  header.writeInt32LE(348, 0)
  for (const [index, side] of [t > 1 ? 4 : 3, x, y, z, t, 1, 1, 1].entries())
    header.writeInt16LE(side, 40 + 2 * index)
  header.writeInt16LE(channels === 3 ? 128 : niftiTypes[type], 70)
  header.writeInt16LE(samples.BYTES_PER_ELEMENT * 8 * channels, 72)
  for (const [index, step] of [1, ...spacing, frameSeconds ?? 1].entries())
    header.writeFloatLE(step, 76 + 4 * index)
  header.writeFloatLE(352, 108)
  header.writeFloatLE(slope, 112)
  header.writeFloatLE(intercept, 116)
  // Millimetres and seconds; nothing where the file says nothing.
  header.writeUInt8((geometry ? 2 : 0) | (t > 1 ? 8 : 0), 123)
  if (geometry?.axes) writeRows(header, geometry, geometry.axes)
  header.write('n+1\0', 344, 'latin1')
  return header
}

/** The way from voxels to the patient, in NIfTI's directions: right and front instead of left and back. */
function writeRows(header: Buffer, { spacing, origin }: Geometry, [i, j, k]: [Triple, Triple, Triple]): void {
  header.writeInt16LE(1, 254)
  const start = origin ?? [0, 0, 0]
  for (const [row, sign] of [-1, -1, 1].entries()) {
    const values = [
      (i[row] ?? 0) * spacing[0],
      (j[row] ?? 0) * spacing[1],
      (k[row] ?? 0) * spacing[2],
      start[row] ?? 0,
    ]
    for (const [column, value] of values.entries())
      header.writeFloatLE(value * sign + 0, 280 + 16 * row + 4 * column)
  }
}

const nrrdTypes = {
  uint8: 'unsigned char',
  int8: 'signed char',
  int16: 'short',
  uint16: 'unsigned short',
  int32: 'int',
  uint32: 'unsigned int',
  float32: 'float',
  float64: 'double',
} as const

export async function writeNrrd(scan: Scan, path: string): Promise<void> {
  const plain = plainValues(scan)
  await pipeline(
    Readable.from(
      joined(Buffer.from(nrrdHeader(plain), 'utf8'), pieces(plain.samples), createGzip({ level: 6 })),
    ),
    createWriteStream(path),
  )
}

/** `pairs`: what programs say besides, as `key:=value`. */
export function nrrdHeader(
  { size: [x, y, z, t], channels, samples, geometry }: HeaderOf,
  pairs: readonly string[] = [],
): string {
  const hasTime = t > 1
  const sizes = [...(channels === 3 ? [3] : []), x, y, z, ...(hasTime ? [t] : [])]
  const kinds = [
    ...(channels === 3 ? ['RGB-color'] : []),
    'domain',
    'domain',
    'domain',
    ...(hasTime ? ['time'] : []),
  ]
  const vector = (values: readonly number[]): string => `(${values.map(number).join(',')})`
  const axes = geometry?.axes
  const directions = axes?.map((axis, index) =>
    vector(axis.map((part) => part * (geometry?.spacing[index] ?? 1))),
  )
  const around = (middle: string[]): string =>
    [...(channels === 3 ? ['none'] : []), ...middle, ...(hasTime ? ['none'] : [])].join(' ')
  const spacings = geometry?.spacing.map(number)
  return [
    'NRRD0005',
    `type: ${nrrdTypes[typeOf(samples)]}`,
    `dimension: ${sizes.length}`,
    ...(directions ? ['space: left-posterior-superior'] : []),
    `sizes: ${sizes.join(' ')}`,
    ...(directions ? [`space directions: ${around(directions)}`] : []),
    ...(!directions && spacings ? [`spacings: ${around(spacings).replaceAll('none', 'nan')}`] : []),
    `kinds: ${kinds.join(' ')}`,
    'endian: little',
    'encoding: gzip',
    ...(directions && geometry?.origin ? [`space origin: ${vector(geometry.origin)}`] : []),
    ...pairs,
    '',
    '',
  ].join('\n')
}

const number = (value: number): string => String(Object.is(value, -0) ? 0 : value)

const metaTypes = {
  uint8: 'MET_UCHAR',
  int8: 'MET_CHAR',
  int16: 'MET_SHORT',
  uint16: 'MET_USHORT',
  int32: 'MET_INT',
  uint32: 'MET_UINT',
  float32: 'MET_FLOAT',
  float64: 'MET_DOUBLE',
} as const

/** The header says how many packed bytes follow, so they are packed before it is written. */
export async function writeMetaImage(scan: Scan, path: string): Promise<void> {
  const plain = plainValues(scan)
  const packed: Buffer[] = []
  for await (const part of joined(Buffer.alloc(0), pieces(plain.samples), createDeflate({ level: 6 })))
    packed.push(part)
  const bytes = packed.reduce((sum, part) => sum + part.length, 0)
  await pipeline(Readable.from([Buffer.from(metaHeader(plain, bytes)), ...packed]), createWriteStream(path))
}

function metaHeader(
  { size: [x, y, z, t], channels, samples, geometry, frameSeconds }: Scan,
  bytes: number,
): string {
  const sides = [x, y, z, ...(t > 1 ? [t] : [])]
  const count = sides.length
  const axes = geometry?.axes
  const matrix = Array.from({ length: count * count }, (_, index) => {
    const [row, column] = [Math.floor(index / count), index % count]
    return row > 2 || column > 2 ? (row === column ? 1 : 0) : (axes?.[row]?.[column] ?? 0)
  })
  const along = (values: readonly number[], fourth: number): string =>
    [...values, ...(t > 1 ? [fourth] : [])].map(number).join(' ')
  return [
    'ObjectType = Image',
    `NDims = ${count}`,
    'BinaryData = True',
    'BinaryDataByteOrderMSB = False',
    'CompressedData = True',
    `CompressedDataSize = ${bytes}`,
    ...(axes ? [`TransformMatrix = ${matrix.map(number).join(' ')}`] : []),
    ...(axes ? [`Offset = ${along(geometry?.origin ?? [0, 0, 0], 0)}`] : []),
    ...(geometry ? [`ElementSpacing = ${along(geometry.spacing, frameSeconds ?? 1)}`] : []),
    `DimSize = ${sides.join(' ')}`,
    ...(channels === 3 ? ['ElementNumberOfChannels = 3'] : []),
    `ElementType = ${metaTypes[typeOf(samples)]}`,
    'ElementDataFile = LOCAL',
    '',
  ].join('\n')
}

/** A head as it is, then the pieces packed. */
async function* joined(
  head: Buffer,
  body: Iterable<Buffer>,
  packer: ReturnType<typeof createGzip>,
): AsyncIterable<Buffer> {
  if (head.length > 0) yield head
  // A packer gives buffers.
  for await (const part of Readable.from(body).pipe(packer)) yield part as Buffer
}
