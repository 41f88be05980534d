/** Reads PBM, PGM and PPM, as text or as bytes, of 8 or 16 bits; the first picture of a file. */
import { images } from '@neuroloom/contract/limits'
import { checkSize, plainScan, refuse, type Samples, type Scan } from '../model.ts'
import { readNumbers, takeData } from './packed.ts'

const HEADER_BYTES = 4096

export const isNetpbm = (bytes: Buffer): boolean =>
  /^P[1-6][\s#]/.test(bytes.subarray(0, 3).toString('latin1'))

export function readNetpbm(bytes: Buffer): Scan {
  const kind = (bytes[1] ?? 0) - 0x30
  const hasLevels = kind !== 1 && kind !== 4
  const { numbers, end } = readHeader(bytes, hasLevels ? 3 : 2)
  const [width = 0, height = 0, most = 1] = numbers
  if (most < 1 || most > 65_535) throw refuse('header_damaged', { kind: 'PGM / PPM' })
  checkSize([width, height], 1, images.maxPixels)
  const channels = kind === 3 || kind === 6 ? 3 : 1
  const isDeep = most > 255
  const samples = samplesOf(bytes, { kind, end, width, height, channels, isDeep })
  return {
    ...plainScan,
    format: kind === 1 || kind === 4 ? 'pbm' : channels === 3 ? 'ppm' : 'pgm',
    size: [width, height, 1, 1],
    layout: 'slice',
    channels,
    samples: spread(samples, channels === 3 || !isDeep ? most : 0),
    dataType: isDeep ? 'uint16' : hasLevels ? 'uint8' : 'bit',
    bits: Math.ceil(Math.log2(most + 1)),
    windows: [],
    compression: kind <= 3 ? 'text' : 'raw',
    notes: hasLevels ? [] : [{ name: 'one_bit', params: {} }],
  }
}

/** Numbers between blanks and comments; exactly one blank ends them. */
function readHeader(bytes: Buffer, count: number): { numbers: number[]; end: number } {
  const text = bytes.subarray(0, HEADER_BYTES).toString('latin1')
  const numbers: number[] = []
  const words = /(?:\s|#[^\n]*\n)+(\d{1,6})/y
  words.lastIndex = 2
  for (let word = words.exec(text); word && numbers.length < count; word = words.exec(text)) {
    numbers.push(Number(word[1]))
    if (numbers.length === count) return { numbers, end: words.lastIndex + 1 }
  }
  throw refuse('header_damaged', { kind: 'PGM / PPM' })
}

type Body = { kind: number; end: number; width: number; height: number; channels: 1 | 3; isDeep: boolean }

function samplesOf(bytes: Buffer, { kind, end, width, height, channels, isDeep }: Body): Samples {
  const count = width * height * channels
  if (kind === 1) {
    const signs = bytes.subarray(end).toString('latin1').replace(/[^01]/g, '')
    if (signs.length < count)
      throw refuse('data_short', { percent: Math.floor((100 * signs.length) / count) })
    return Uint8Array.from(signs.slice(0, count), (sign) => (sign === '1' ? 0 : 1))
  }
  if (kind <= 3) {
    const numbers = readNumbers(bytes.subarray(end), count)
    return isDeep ? Uint16Array.from(numbers) : Uint8Array.from(numbers)
  }
  if (kind === 4) {
    const rowBytes = Math.ceil(width / 8)
    const packed = takeData(bytes, end, rowBytes * height)
    // One is black.
    return Uint8Array.from({ length: count }, (_, index) => {
      const [row, column] = [Math.floor(index / width), index % width]
      return ((packed[row * rowBytes + (column >> 3)] ?? 0) >> (7 - (column & 7))) & 1 ? 0 : 1
    })
  }
  if (!isDeep) return new Uint8Array(takeData(bytes, end, count))
  const data = takeData(bytes, end, count * 2)
  return Uint16Array.from({ length: count }, (_, index) => data.readUInt16BE(index * 2))
}

/** To the full range of its bytes where these are shown as they are; deep greys keep their numbers. */
function spread(samples: Samples, most: number): Samples {
  if (most === 0 || most === 255 || most === 65_535) return samples
  const full = samples instanceof Uint16Array ? 65_535 : 255
  for (let index = 0; index < samples.length; index += 1)
    samples[index] = Math.round((Math.min(samples[index] ?? 0, most) / most) * full)
  return samples
}
