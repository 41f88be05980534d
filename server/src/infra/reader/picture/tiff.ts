/** Reads TIFF files, one page or a stack: pages by their tags, pixels by libvips. */
import type { DataType, ViewNote } from '@neuroloom/contract/viewing'
import sharp from 'sharp'
import {
  bytesOf,
  checkSize,
  type Geometry,
  makeSamples,
  plainScan,
  refuse,
  type Samples,
  type Scan,
  samplesOf,
} from '../model.ts'
import { failureOf } from '../pictures.ts'
import { readPages, type TiffPage } from './tiff-pages.ts'
import { isPlainPage, readPlainPage } from './tiff-plain.ts'

type Depth = 'uchar' | 'char' | 'ushort' | 'short' | 'uint' | 'int' | 'float' | 'double'

export async function readTiff(bytes: Buffer, limitBytes: number): Promise<Scan> {
  const pages = readPages(bytes)
  const [first] = pages
  if (!first) throw refuse('data_short', { percent: 0 })
  const type = typeOf(first)
  // Previews and labels of other sizes lie in some files.
  const alike = pages.flatMap((page, index) => (isLike(page, first) ? [index] : []))
  const channels = first.channels >= 3 || first.photometric === 3 ? 3 : 1
  const order = arrangementOf(first, alike.length, channels)
  const size: Scan['size'] = [first.width, first.height, order.slices, order.times]
  checkSize([first.width, first.height, alike.length], bytesOf(type) * channels, limitBytes)
  const each = first.width * first.height * channels
  const samples = makeSamples(type, each * order.slices * order.times)
  for (let index = 0; index < order.slices * order.times; index += 1) {
    const page = alike[order.pageAt(index)] ?? index
    const there = pages[page]
    const isPlain = there !== undefined && isPlainPage(there, type)
    samples.set(
      isPlain
        ? readPlainPage(there, { bytes, isLittle: bytes[0] === 0x49, type })
        : await readPage(bytes, page, { type, each, channels }),
      index * each,
    )
  }
  const isTurned = channels === 3 && first.photometric !== 2
  const notes: ViewNote[] = [
    ...(pages.length > alike.length
      ? [{ name: 'pages_left_out' as const, params: { count: pages.length - alike.length } }]
      : []),
    ...(order.geometry === null ? [{ name: 'spacing_unknown' as const, params: {} }] : []),
    ...(order.bands > 1 ? [{ name: 'channels_in_row' as const, params: { count: order.bands } }] : []),
    ...(order.isContradicted ? [{ name: 'axes_contradict' as const, params: { count: alike.length } }] : []),
    ...(isTurned ? [{ name: 'colours_converted' as const, params: {} }] : []),
    ...(first.compression === 7 ? [{ name: 'lossy' as const, params: {} }] : []),
    ...(type === 'bit' ? [{ name: 'one_bit' as const, params: {} }] : []),
    ...(first.channels === 4 && first.photometric === 2
      ? [{ name: 'transparency_dropped' as const, params: {} }]
      : []),
  ]
  return {
    ...plainScan,
    format: 'tiff',
    size,
    layout: layoutOf(order),
    channels,
    samples,
    dataType: type,
    bits: first.bits,
    geometry: order.geometry,
    windows: [],
    compression: compressionOf(first),
    notes,
  }
}

const isLike = (page: TiffPage, first: TiffPage): boolean =>
  (['width', 'height', 'bits', 'channels', 'sampleFormat'] as const).every(
    (what) => page[what] === first[what],
  )

function typeOf({ bits, sampleFormat, photometric }: TiffPage): DataType {
  if (photometric === 3 || (bits > 1 && bits < 8)) return 'uint8'
  if (bits === 1) return 'bit'
  const types: Record<string, DataType> = {
    '1 8': 'uint8',
    '1 16': 'uint16',
    '1 32': 'uint32',
    '2 8': 'int8',
    '2 16': 'int16',
    '2 32': 'int32',
    '3 32': 'float32',
    '3 64': 'float64',
  }
  const type = types[`${sampleFormat === 4 ? 1 : sampleFormat} ${bits}`]
  if (!type) throw refuse('compression_unknown', { kind: `TIFF (${bits} bit)` })
  return type
}

const compressionOf = ({ compression }: TiffPage): string =>
  ({
    1: 'raw',
    4: 'CCITT G4',
    3: 'CCITT G3',
    5: 'LZW',
    7: 'JPEG',
    8: 'Deflate',
    32946: 'Deflate',
    32773: 'PackBits',
  })[compression] ?? String(compression)

const depths: Record<string, Depth> = {
  bit: 'uchar',
  uint8: 'uchar',
  int8: 'char',
  uint16: 'ushort',
  int16: 'short',
  uint32: 'uint',
  int32: 'int',
  float32: 'float',
  float64: 'double',
}

async function readPage(
  bytes: Buffer,
  page: number,
  { type, each, channels }: { type: DataType; each: number; channels: 1 | 3 },
): Promise<Samples> {
  const depth = depths[type] ?? 'uchar'
  const isPlainType = depth === 'uchar' || depth === 'ushort'
  const grey = depth === 'ushort' ? 'grey16' : 'b-w'
  const colour = depth === 'ushort' ? 'rgb16' : 'srgb'
  const picture = sharp(bytes, { page, failOn: 'error', limitInputPixels: false, sequentialRead: true })
  const spaced = isPlainType
    ? picture.toColourspace(channels === 3 ? colour : grey)
    : picture.toColourspace('b-w')
  const { data } = await spaced
    .removeAlpha()
    .raw({ depth })
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => {
      throw failureOf(error, 'TIFF')
    })
  const samples = samplesOf(data, type, true)
  if (samples.length !== each) throw refuse('header_contradicts')
  return type === 'bit' ? samples.map((value) => (value > 0 ? 1 : 0)) : samples
}

/** The axes beside columns and rows as a file names them, the fastest first: channels, slices, points in time. */
type Axes = { order: string; channels: number; slices: number; times: number; geometry: Geometry | null }

type Order = {
  slices: number
  /** Points in time, each with its channels one after the other. */
  times: number
  bands: number
  geometry: Geometry | null
  /** Which page lies where, counted by slices, then by times. */
  pageAt: (index: number) => number
  /** The file names other numbers of pages than it has. */
  isContradicted: boolean
}

const layoutOf = ({ slices, times, bands, geometry }: Order): Scan['layout'] => {
  if (slices * times === 1) return 'slice'
  return geometry === null || (slices === 1 && bands > 1) ? 'stack' : 'volume'
}

/** What ImageJ or OME wrote about their stacks; else the pages are only pages. */
function arrangementOf({ description, resolution }: TiffPage, pages: number, samples: 1 | 3): Order {
  const axes = description.startsWith('ImageJ=')
    ? imageJ(description, resolution, pages)
    : ome(description, samples)
  const plain = {
    slices: pages,
    times: 1,
    bands: 1,
    geometry: axes?.geometry ?? null,
    pageAt: (at: number) => at,
  }
  if (!axes) return { ...plain, isContradicted: false }
  const { order, channels, slices, times, geometry } = axes
  if (channels * slices * times !== pages) return { ...plain, isContradicted: channels * times > 1 }
  const sides: Record<string, number> = { C: channels, Z: slices, T: times }
  const strides = new Map<string, number>()
  let stride = 1
  for (const axis of order) {
    strides.set(axis, stride)
    stride *= sides[axis] ?? 1
  }
  const pageAt = (index: number): number => {
    const [slice, rest] = [index % slices, Math.floor(index / slices)]
    const [channel, time] = [rest % channels, Math.floor(rest / channels)]
    return (
      slice * (strides.get('Z') ?? 0) + channel * (strides.get('C') ?? 0) + time * (strides.get('T') ?? 0)
    )
  }
  return { slices, times: channels * times, bands: channels, geometry, pageAt, isContradicted: false }
}

const millimetres: Record<string, number> = {
  mm: 1,
  cm: 10,
  m: 1000,
  nm: 1e-6,
  micron: 0.001,
  um: 0.001,
  µm: 0.001,
  '\\u00B5m': 0.001,
}

/** Channels run fastest, then slices, then frames, whatever their numbers. */
function imageJ(description: string, resolution: number | null, pages: number): Axes {
  const value = (name: string): string =>
    new RegExp(`^${name}=(.*)$`, 'm').exec(description)?.[1]?.trim() ?? ''
  const count = (name: string): number | null => positive(Number(value(name)))
  const [channels, times] = [count('channels') ?? 1, count('frames') ?? 1]
  const slices = count('slices') ?? Math.max(Math.floor((count('images') ?? pages) / (channels * times)), 1)
  const axes = { order: 'CZT', channels, slices, times }
  const unit = millimetres[value('unit')]
  const step = Number(value('spacing'))
  if (unit === undefined || resolution === null || resolution <= 0) return { ...axes, geometry: null }
  const side = unit / resolution
  return { ...axes, geometry: geometryOf(side, side, step > 0 ? step * unit : side) }
}

const positive = (value: number): number | null => (Number.isInteger(value) && value > 0 ? value : null)

/** `samples`: of a pixel; colours that lie in one page count as channels there. */
function ome(description: string, samples: 1 | 3): Axes | null {
  if (!description.includes('<OME')) return null
  const pixels = /<Pixels\b[^>]*>/.exec(description)?.[0] ?? ''
  const value = (name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(pixels)?.[1] ?? ''
  const count = (axis: string): number => positive(Number(value(`Size${axis}`))) ?? 1
  const side = (axis: string): number =>
    Number(value(`PhysicalSize${axis}`)) *
    (millimetres[value(`PhysicalSize${axis}Unit`) || 'µm'] ?? Number.NaN)
  const [x, y, z] = [side('X'), side('Y'), side('Z')]
  const named = /^XY([CZT]{3})$/.exec(value('DimensionOrder'))?.[1] ?? 'CZT'
  return {
    order: named,
    channels: Math.max(Math.floor(count('C') / samples), 1),
    slices: count('Z'),
    times: count('T'),
    geometry: x > 0 && y > 0 ? geometryOf(x, y, z > 0 ? z : x) : null,
  }
}

const geometryOf = (x: number, y: number, z: number): Geometry => ({
  spacing: [x, y, z],
  origin: null,
  axes: null,
})
