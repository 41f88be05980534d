/** What every reader makes of an image and every writer starts from. Pure data; x runs fastest, then y, z, t. */
import type { DataType, ImageFacts, ViewNote, ViewReasonName } from '@neuroloom/contract/viewing'

export type Samples =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array

export type Triple = [number, number, number]

/** In DICOM's directions: x to the left, y to the back, z to the head, all in millimetres. */
export type Geometry = {
  spacing: Triple
  /** Of the first voxel's middle; null = the file does not say. */
  origin: Triple | null
  /** Where columns, rows and slices lead: three unit vectors, of sheared stacks not upright; null = the file does not say. */
  axes: [Triple, Triple, Triple] | null
}

export type Scan = {
  format: string
  size: [number, number, number, number]
  layout: ImageFacts['layout']
  channels: 1 | 3
  /** Colours of one place lie together. */
  samples: Samples
  /** As in the file; `samples` may be wider. */
  dataType: DataType
  bits: number
  /** Value = slope × sample + intercept. */
  slope: number
  intercept: number
  geometry: Geometry | null
  /** Where the first voxel of each slice lies by its own header; null where one geometry says it of all. */
  slicePlaces: readonly Triple[] | null
  /** Of a series: which of its files each plane was read from, by time, then by place; null of all else. */
  planeFiles: readonly number[] | null
  /** Height of a pixel for a width of one, where its size in millimetres is not known. */
  pixelAspect: number
  /** How many images lie in the source; this is the largest, or the one that was asked for. */
  parts: number
  regions: readonly ImageFacts['regions'][number][]
  frameSeconds: number | null
  windows: ImageFacts['windows']
  unit: string
  photometric: string
  modality: string
  compression: string
  notes: ViewNote[]
}

/** What most images are; readers name what differs. */
export const plainScan = {
  layout: 'volume',
  channels: 1,
  slope: 1,
  intercept: 0,
  geometry: null,
  slicePlaces: null,
  planeFiles: null,
  pixelAspect: 1,
  parts: 1,
  regions: [],
  frameSeconds: null,
  unit: '',
  photometric: '',
  modality: '',
  compression: '',
} as const

/** The file cannot be shown, for a reason that its owner can understand. */
export class Refusal extends Error {
  readonly reason: ViewReasonName
  readonly params: Record<string, string | number>

  constructor(reason: ViewReasonName, params: Record<string, string | number>) {
    super(reason)
    this.reason = reason
    this.params = params
  }
}

export const refuse = (reason: ViewReasonName, params: Record<string, string | number> = {}): Refusal =>
  new Refusal(reason, params)

const arrays = {
  bit: Uint8Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: Float64Array,
  uint64: Float64Array,
  float32: Float32Array,
  float64: Float64Array,
} as const

export const makeSamples = (type: DataType, length: number): Samples => new arrays[type](length)

const widths: Record<DataType, number> = {
  bit: 1,
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  int64: 8,
  uint64: 8,
  float32: 4,
  float64: 8,
}
export const bytesOf = (type: DataType): number => widths[type]

/** Little-endian bytes lie in our arrays as they are; others are turned in place first. */
export function samplesOf(bytes: Buffer, type: DataType, isLittle: boolean): Samples {
  const width = bytesOf(type)
  const length = Math.floor(bytes.length / width)
  const own = aligned(bytes.subarray(0, length * width))
  if (!isLittle && width > 1) turn(own, width)
  if (type === 'int64') return narrow(new BigInt64Array(own.buffer, own.byteOffset, length))
  if (type === 'uint64') return narrow(new BigUint64Array(own.buffer, own.byteOffset, length))
  return new arrays[type](own.buffer, own.byteOffset, length)
}

/** Typed arrays begin at multiples of their width; the bytes are turned and kept, so they are our own. */
function aligned(bytes: Buffer): Buffer<ArrayBuffer> {
  const copy = Buffer.from(new ArrayBuffer(bytes.length))
  bytes.copy(copy)
  return copy
}

function turn(bytes: Buffer, width: number): void {
  if (width === 2) bytes.swap16()
  else if (width === 4) bytes.swap32()
  else bytes.swap64()
}

function narrow(values: BigInt64Array | BigUint64Array): Float64Array {
  const result = new Float64Array(values.length)
  for (let index = 0; index < values.length; index += 1) result[index] = Number(values[index])
  return result
}

/** The type in which an array's values are written. */
export function typeOf(samples: Samples): Exclude<DataType, 'bit' | 'int64' | 'uint64'> {
  if (samples instanceof Int8Array) return 'int8'
  if (samples instanceof Uint8Array) return 'uint8'
  if (samples instanceof Int16Array) return 'int16'
  if (samples instanceof Uint16Array) return 'uint16'
  if (samples instanceof Int32Array) return 'int32'
  if (samples instanceof Uint32Array) return 'uint32'
  return samples instanceof Float32Array ? 'float32' : 'float64'
}

/** Least, greatest and mean of the values as shown; null when none is a number. */
export function rangeOf({ samples, slope, intercept }: Scan): ImageFacts['range'] {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  let sum = 0
  let count = 0
  for (const value of samples) {
    if (!Number.isFinite(value)) continue
    if (value < min) min = value
    if (value > max) max = value
    sum += value
    count += 1
  }
  if (count === 0) return null
  const [low, high] = [min * slope + intercept, max * slope + intercept]
  return { min: Math.min(low, high), max: Math.max(low, high), mean: (sum / count) * slope + intercept }
}

/** Such as `LPS`: where columns, rows and slices lead, each by its greatest part. */
export function orientationOf(geometry: Geometry | null): string | null {
  if (!geometry?.axes) return null
  const letters = [
    ['L', 'R'],
    ['P', 'A'],
    ['S', 'I'],
  ] as const
  return geometry.axes
    .map((axis) => {
      const size = axis.map(Math.abs)
      const main = size.indexOf(Math.max(...size))
      return letters[main]?.[(axis[main] ?? 0) < 0 ? 1 : 0] ?? '?'
    })
    .join('')
}

/** Of the samples, every frame and colour included. */
export const countOf = ([x, y, z, t]: Scan['size'], channels: number): number => x * y * z * t * channels

/** A size as the file claims it: whole numbers from one on, and no more than we take. */
export function checkSize(size: readonly number[], bytesEach: number, limitBytes: number): void {
  if (size.some((side) => !Number.isInteger(side) || side < 1))
    throw refuse('size_impossible', { size: size.join(' × ') })
  const bytes = size.reduce((product, side) => product * side, bytesEach)
  if (bytes > limitBytes) throw refuse('too_large', { limit: Math.round(limitBytes / 1024 ** 2) })
}

export const length = (vector: Triple): number => Math.hypot(...vector)
export const cross = ([a, b, c]: Triple, [d, e, f]: Triple): Triple => [
  b * f - c * e,
  c * d - a * f,
  a * e - b * d,
]
export const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
export const scale = ([x, y, z]: Triple, by: number): Triple => [x * by, y * by, z * by]
export const triple = ([x = 0, y = 0, z = 0]: readonly number[]): Triple => [x, y, z]
