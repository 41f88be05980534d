/** Reads the flat picture that Photoshop keeps at the end of its files (PSD, PSB); layers are not looked at. */
import { inflateSync } from 'node:zlib'
import { images } from '@neuroloom/contract/limits'
import type { ViewNote } from '@neuroloom/contract/viewing'
import { checkSize, plainScan, refuse, type Scan } from '../model.ts'
import { short } from './packed.ts'

const [GREY, INDEXED, RGB, CMYK, DUOTONE] = [1, 2, 3, 4, 8]
const colourChannels: Record<number, 1 | 3 | 4> = {
  [GREY]: 1,
  [INDEXED]: 1,
  [RGB]: 3,
  [CMYK]: 4,
  [DUOTONE]: 1,
}

export const isPhotoshop = (bytes: Buffer): boolean => bytes.subarray(0, 4).toString('latin1') === '8BPS'

export function readPhotoshop(bytes: Buffer): Scan {
  if (bytes.length < 30) throw refuse('header_damaged', { kind: 'Photoshop' })
  const isLarge = bytes.readUInt16BE(4) === 2
  const [channels, height, width] = [bytes.readUInt16BE(12), bytes.readUInt32BE(14), bytes.readUInt32BE(18)]
  const [depth, mode] = [bytes.readUInt16BE(22), bytes.readUInt16BE(24)]
  const used = colourChannels[mode]
  if (used === undefined || (depth !== 8 && depth !== 16))
    throw refuse('kind_not_yet', { kind: `Photoshop (${depth} bit, mode ${mode})` })
  checkSize([width, height], 1, images.maxPixels)
  if (channels < used || channels > 56) throw refuse('header_damaged', { kind: 'Photoshop' })
  const { palette, start } = sections(bytes, isLarge)
  const shape = { width, height, channels, used, bytesEach: depth / 8, isLarge }
  const planes = readPlanes(bytes, start, shape)
  const notes: ViewNote[] = [
    ...(channels > used ? [{ name: 'transparency_dropped' as const, params: {} }] : []),
    ...(mode === CMYK || mode === INDEXED ? [{ name: 'colours_converted' as const, params: {} }] : []),
  ]
  const isGrey = mode === GREY || mode === DUOTONE
  const isDeep = isGrey && depth === 16
  return {
    ...plainScan,
    format: 'psd',
    size: [width, height, 1, 1],
    layout: 'slice',
    channels: isGrey ? 1 : 3,
    samples: isDeep
      ? (planes[0]?.deep() ?? new Uint16Array())
      : coloursOf(planes, { mode, palette, count: width * height }),
    dataType: isDeep ? 'uint16' : 'uint8',
    bits: depth,
    windows: [],
    compression: '',
    notes: depth === 16 && !isDeep ? [...notes, { name: 'shown_in_eight_bits', params: {} }] : notes,
  }
}

/** Each begins with its length: colours, resources, layers; then the picture. */
function sections(bytes: Buffer, isLarge: boolean): { palette: Buffer; start: number } {
  const skip = (at: number, isWide: boolean): number => {
    const head = isWide ? 8 : 4
    if (at + head > bytes.length) throw short(at, at + head)
    const length = isWide ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at)
    if (at + head + length > bytes.length) throw short(bytes.length, at + head + length)
    return at + head + length
  }
  const resources = skip(26, false)
  const layers = skip(resources, false)
  return { palette: bytes.subarray(30, resources), start: skip(layers, isLarge) }
}

type Shape = {
  width: number
  height: number
  channels: number
  used: number
  bytesEach: number
  isLarge: boolean
}
type Plane = { at: (index: number) => number; deep: () => Uint16Array }

function readPlanes(bytes: Buffer, start: number, shape: Shape): Plane[] {
  if (start + 2 > bytes.length) throw short(bytes.length, start + 2)
  const packing = bytes.readUInt16BE(start)
  const { width, height, channels, used, bytesEach } = shape
  const planeBytes = width * height * bytesEach
  const data = unpacked(bytes, start + 2, { packing, shape, planeBytes })
  if (data.length < planeBytes * Math.min(channels, used)) throw short(data.length, planeBytes * used)
  return Array.from({ length: used }, (_, index) => {
    const plane = data.subarray(index * planeBytes, (index + 1) * planeBytes)
    return {
      at: (pixel) => plane[pixel * bytesEach] ?? 0,
      deep: () =>
        Uint16Array.from({ length: width * height }, (_value, pixel) => plane.readUInt16BE(pixel * 2)),
    }
  })
}

type Packing = { packing: number; shape: Shape; planeBytes: number }

function unpacked(bytes: Buffer, at: number, { packing, shape, planeBytes }: Packing): Buffer {
  if (packing === 0) return bytes.subarray(at)
  if (packing === 1) return unpackRows(bytes, at, shape)
  if (packing !== 2) throw refuse('compression_unknown', { kind: `Photoshop ${packing}` })
  try {
    return inflateSync(bytes.subarray(at), { maxOutputLength: planeBytes * shape.channels + 1 })
  } catch {
    throw refuse('data_damaged')
  }
}

/** PackBits, row by row; the lengths of all rows come first. */
function unpackRows(
  bytes: Buffer,
  at: number,
  { width, height, channels, used, bytesEach, isLarge }: Shape,
): Buffer {
  const lengthBytes = isLarge ? 4 : 2
  const rows = height * used
  let from = at + height * channels * lengthBytes
  if (from > bytes.length) throw short(bytes.length, from)
  const rowBytes = width * bytesEach
  const out = Buffer.alloc(rowBytes * rows)
  for (let row = 0; row < rows; row += 1) {
    const length = isLarge ? bytes.readUInt32BE(at + row * 4) : bytes.readUInt16BE(at + row * 2)
    if (from + length > bytes.length) throw short(row, rows)
    unpackRow(bytes.subarray(from, from + length), out.subarray(row * rowBytes, (row + 1) * rowBytes))
    from += length
  }
  return out
}

function unpackRow(packed: Buffer, out: Buffer): void {
  let [at, to] = [0, 0]
  while (at < packed.length && to < out.length) {
    const control = packed.readInt8(at)
    at += 1
    if (control === -128) continue
    const length = Math.min(control >= 0 ? control + 1 : 1 - control, out.length - to)
    if (control >= 0) packed.copy(out, to, at, at + length)
    else out.fill(packed[at] ?? 0, to, to + length)
    at += control >= 0 ? control + 1 : 1
    to += length
  }
}

type Colours = { mode: number; palette: Buffer; count: number }

function coloursOf([first, second, third, fourth]: Plane[], { mode, palette, count }: Colours): Uint8Array {
  const at = (plane: Plane | undefined, index: number): number => plane?.at(index) ?? 0
  if (mode === GREY || mode === DUOTONE)
    return Uint8Array.from({ length: count }, (_, index) => at(first, index))
  const colours = new Uint8Array(count * 3)
  for (let index = 0; index < count; index += 1) {
    const [red, green, blue] = [at(first, index), at(second, index), at(third, index)]
    if (mode === INDEXED) {
      // Three tables of 256, one a colour.
      for (const channel of [0, 1, 2]) colours[index * 3 + channel] = palette[channel * 256 + red] ?? 0
      continue
    }
    // Stored as what is left of the paper.
    const light = mode === CMYK ? at(fourth, index) / 255 : 1
    colours[index * 3] = Math.round(red * light)
    colours[index * 3 + 1] = Math.round(green * light)
    colours[index * 3 + 2] = Math.round(blue * light)
  }
  return colours
}
