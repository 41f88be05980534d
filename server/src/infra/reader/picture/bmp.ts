/** Reads Windows bitmaps: 1 to 32 bits, palettes, bit fields, run lengths of 8 and 4 bits. */
import { images } from '@neuroloom/contract/limits'
import { checkSize, plainScan, refuse, type Scan } from '../model.ts'
import { short } from './packed.ts'

type Header = {
  width: number
  height: number
  isUpsideDown: boolean
  bits: number
  compression: number
  dataAt: number
  masks: [number, number, number]
  palette: { at: number; count: number; size: 3 | 4 }
}

const damaged = () => refuse('header_damaged', { kind: 'BMP' })

export function readBmp(bytes: Buffer): Scan {
  const header = readHeader(bytes)
  const { width, height, bits, compression } = header
  checkSize([width, height], 1, images.maxPixels)
  const isRuns = compression === 1 || compression === 2
  const indexes = bits <= 8 ? (isRuns ? runs(bytes, header) : packedIndexes(bytes, header)) : null
  return {
    ...plainScan,
    format: 'bmp',
    size: [width, height, 1, 1],
    layout: 'slice',
    channels: 3,
    samples: indexes ? byPalette(bytes, header, indexes) : direct(bytes, header),
    dataType: 'uint8',
    bits: Math.min(bits, 8),
    windows: [],
    compression: isRuns ? 'RLE' : 'raw',
    notes: [],
  }
}

function readHeader(bytes: Buffer): Header {
  if (bytes.length < 26 || bytes.toString('latin1', 0, 2) !== 'BM') throw damaged()
  const size = bytes.readUInt32LE(14)
  const isOld = size === 12
  if (bytes.length < 14 + size || (!isOld && size < 40)) throw damaged()
  const signedHeight = isOld ? bytes.readInt16LE(20) : bytes.readInt32LE(22)
  const bits = bytes.readUInt16LE(isOld ? 24 : 28)
  const compression = isOld ? 0 : bytes.readUInt32LE(30)
  if (![1, 4, 8, 16, 24, 32].includes(bits)) throw damaged()
  if (![0, 1, 2, 3, 6].includes(compression)) throw refuse('compression_unknown', { kind: 'BMP' })
  const masksAt = 54
  const hasMasks = compression === 3 || compression === 6
  const given = isOld ? 0 : bytes.readUInt32LE(46)
  return {
    width: isOld ? bytes.readInt16LE(18) : bytes.readInt32LE(18),
    height: Math.abs(signedHeight),
    isUpsideDown: signedHeight > 0,
    bits,
    compression,
    dataAt: bytes.readUInt32LE(10),
    masks: hasMasks
      ? readMasks(bytes, masksAt)
      : bits === 16
        ? [0x7c00, 0x3e0, 0x1f]
        : [0xff0000, 0xff00, 0xff],
    palette: {
      at: 14 + size + (hasMasks && size === 40 ? 12 : 0),
      count: given > 0 && given <= 256 ? given : 2 ** Math.min(bits, 8),
      size: isOld ? 3 : 4,
    },
  }
}

function readMasks(bytes: Buffer, at: number): Header['masks'] {
  if (bytes.length < at + 12) throw damaged()
  return [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4), bytes.readUInt32LE(at + 8)]
}

/** Rows fill up to four bytes. */
function rowOf(
  bytes: Buffer,
  { width, height, bits, dataAt, isUpsideDown }: Header,
): (row: number) => Buffer {
  const stride = Math.ceil((width * bits) / 32) * 4
  const used = Math.ceil((width * bits) / 8)
  // The last row may come without its filling.
  const needed = stride * (height - 1) + used
  if (bytes.length < dataAt + needed) throw short(Math.max(bytes.length - dataAt, 0), needed)
  return (row) => bytes.subarray(dataAt + (isUpsideDown ? height - 1 - row : row) * stride)
}

function packedIndexes(bytes: Buffer, header: Header): Uint8Array {
  const { width, height, bits } = header
  const row = rowOf(bytes, header)
  const indexes = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1) {
    const line = row(y)
    for (let x = 0; x < width; x += 1) {
      const bit = x * bits
      indexes[y * width + x] = ((line[bit >> 3] ?? 0) >> (8 - bits - (bit & 7))) & (2 ** bits - 1)
    }
  }
  return indexes
}

/** Pairs of count and value; a zero first is a command: end of line, end, jump, or plain values. */
function runs(bytes: Buffer, { width, height, bits, dataAt, isUpsideDown }: Header): Uint8Array {
  const indexes = new Uint8Array(width * height)
  let [at, x, y] = [dataAt, 0, 0]
  const put = (value: number): void => {
    if (x < width && y < height) indexes[(isUpsideDown ? height - 1 - y : y) * width + x] = value
    x += 1
  }
  const half = (byte: number, index: number): number =>
    bits === 8 ? byte : index % 2 === 0 ? byte >> 4 : byte & 15
  while (y < height) {
    const [count, value] = [bytes[at], bytes[at + 1]]
    if (count === undefined || value === undefined) throw short(y, height)
    at += 2
    if (count > 0) for (let index = 0; index < count; index += 1) put(half(value, index))
    else if (value === 0) {
      x = 0
      y += 1
    } else if (value === 1) break
    else if (value === 2) {
      x += bytes[at] ?? 0
      y += bytes[at + 1] ?? 0
      at += 2
    } else {
      const size = Math.ceil((value * bits) / 8)
      for (let index = 0; index < value; index += 1)
        put(half(bytes[at + (bits === 8 ? index : index >> 1)] ?? 0, index))
      at += size + (size % 2)
    }
  }
  return indexes
}

function byPalette(bytes: Buffer, { palette }: Header, indexes: Uint8Array): Uint8Array {
  const { at, count, size } = palette
  if (bytes.length < at + count * size) throw damaged()
  const colours = new Uint8Array(indexes.length * 3)
  for (const [place, index] of indexes.entries()) {
    const from = at + Math.min(index, count - 1) * size
    colours[place * 3] = bytes[from + 2] ?? 0
    colours[place * 3 + 1] = bytes[from + 1] ?? 0
    colours[place * 3 + 2] = bytes[from] ?? 0
  }
  return colours
}

function direct(bytes: Buffer, header: Header): Uint8Array {
  const { width, height, bits, masks } = header
  const row = rowOf(bytes, header)
  const width8 = bits / 8
  const parts = masks.map((mask) => {
    const shift = mask === 0 ? 0 : Math.log2(mask & -mask) | 0
    return { mask, shift: mask < 0 ? 31 : shift, top: Math.max(mask >>> (mask < 0 ? 31 : shift), 1) }
  })
  const colours = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y += 1) {
    const line = row(y)
    for (let x = 0; x < width; x += 1) {
      const pixel = line.readUIntLE(x * width8, width8)
      for (const [channel, { mask, shift, top }] of parts.entries()) {
        colours[(y * width + x) * 3 + channel] = Math.round((((pixel & mask) >>> shift) * 255) / top)
      }
    }
  }
  return colours
}
