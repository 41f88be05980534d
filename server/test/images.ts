/** Small medical images, made here: a volume, a slice of a series, a picture. */
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { dicomBytes } from '../src/infra/reader/dicom/bytes.ts'
import { EXPLICIT } from '../src/infra/reader/dicom/file.ts'

type Volume = {
  size: [number, number, number]
  spacing?: [number, number, number]
  seed?: number
  /** The value of each voxel, in place of numbers that do not repeat. */
  at?: (x: number, y: number, z: number) => number
}

/** 16-bit numbers, lying to the right, the front and the head. */
export function niftiVolume({ size, spacing = [1, 1, 1], seed = 1, at: valueAt }: Volume): Buffer {
  const [x, y, z] = size
  const bytes = Buffer.alloc(352 + x * y * z * 2)
  bytes.writeInt32LE(348, 0)
  for (const [index, side] of [3, x, y, z, 1, 1, 1, 1].entries()) bytes.writeInt16LE(side, 40 + 2 * index)
  bytes.writeInt16LE(4, 70)
  bytes.writeInt16LE(16, 72)
  for (const [index, step] of [1, ...spacing, 1].entries()) bytes.writeFloatLE(step, 76 + 4 * index)
  bytes.writeFloatLE(352, 108)
  bytes.writeFloatLE(1, 112)
  bytes.writeUInt8(10, 123)
  bytes.writeInt16LE(1, 254)
  for (const row of [0, 1, 2]) bytes.writeFloatLE(spacing[row] ?? 1, 280 + 16 * row + 4 * row)
  bytes.write('n+1\0', 344, 'latin1')
  let state = seed
  for (let index = 0; index < x * y * z; index += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) | 0
    const value = valueAt?.(index % x, Math.floor(index / x) % y, Math.floor(index / (x * y))) ?? state >> 16
    bytes.writeInt16LE(value, 352 + 2 * index)
  }
  return gzipSync(bytes)
}

type Slice = { number?: number; z?: number; value?: number; patient?: string; series?: string }

/** Four columns, three rows, half a millimetre. */
export function dicomSlice({
  number = 0,
  z = number,
  value = number,
  patient = 'Test^Patient',
  series = '2.25.7',
}: Slice = {}): Buffer {
  const pixels = Buffer.alloc(24)
  for (let index = 0; index < 12; index += 1) pixels.writeInt16LE(value + index, index * 2)
  return Buffer.concat(
    dicomBytes(EXPLICIT, [
      ['00080016', 'UI', '1.2.840.10008.5.1.4.1.1.4'],
      ['00080018', 'UI', `2.25.${1000 + number}.${z}`],
      ['00080060', 'CS', 'MR'],
      ['0008103e', 'LO', 'Test series'],
      ['00100010', 'PN', patient],
      ['0020000d', 'UI', '2.25.5'],
      ['0020000e', 'UI', series],
      ['00200013', 'IS', String(number + 1)],
      ['00200032', 'DS', `0\\0\\${z}`],
      ['00200037', 'DS', '1\\0\\0\\0\\1\\0'],
      ['00280002', 'US', 1],
      ['00280004', 'CS', 'MONOCHROME2'],
      ['00280010', 'US', 3],
      ['00280011', 'US', 4],
      ['00280030', 'DS', '0.5\\0.5'],
      ['00280100', 'US', 16],
      ['00280101', 'US', 16],
      ['00280102', 'US', 15],
      ['00280103', 'US', 1],
      ['7fe00010', 'OW', pixels],
    ]),
  )
}

export const tinyPng = (): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 6, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()

/** A PNG's head that promises far more pixels than anybody has memory for. */
export function hugePng(whole: Uint8Array): Buffer {
  const png = Buffer.from(whole)
  png.writeUInt32BE(60_000, 16)
  png.writeUInt32BE(60_000, 20)
  const crc = crc32(png.subarray(12, 29))
  png.writeUInt32BE(crc, 29)
  return png
}

/** Windows’ plainest: 24 bits, no packing, rows filled up to four bytes. */
export function bitmap(width: number, height: number): Buffer {
  const row = Math.ceil((width * 3) / 4) * 4
  const bytes = Buffer.alloc(54 + row * height, 120)
  bytes.write('BM', 0, 'latin1')
  bytes.writeUInt32LE(bytes.length, 2)
  bytes.writeUInt32LE(54, 10)
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(height, 22)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(24, 28)
  bytes.fill(0, 30, 54)
  return bytes
}

function crc32(bytes: Uint8Array): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}
