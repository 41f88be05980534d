/** Reads NIfTI-1 and -2, either byte order: in one file (`.nii`, `.nii.gz`), or in two, as Analyze before it. */
import type { DataType, ViewNote } from '@neuroloom/contract/viewing'
import {
  bytesOf,
  checkSize,
  countOf,
  type Geometry,
  length,
  plainScan,
  type Refusal,
  refuse,
  type Scan,
  samplesOf,
  scale,
  type Triple,
  triple,
} from '../model.ts'
import { takeData } from '../picture/packed.ts'

const types: Record<number, { type: DataType; channels: 1 | 3 | 4 }> = {
  2: { type: 'uint8', channels: 1 },
  4: { type: 'int16', channels: 1 },
  8: { type: 'int32', channels: 1 },
  16: { type: 'float32', channels: 1 },
  64: { type: 'float64', channels: 1 },
  128: { type: 'uint8', channels: 3 },
  256: { type: 'int8', channels: 1 },
  512: { type: 'uint16', channels: 1 },
  768: { type: 'uint32', channels: 1 },
  1024: { type: 'int64', channels: 1 },
  1280: { type: 'uint64', channels: 1 },
  2304: { type: 'uint8', channels: 4 },
}

/** Of 32, 64 and 128 bits a part. */
const complexTypes: ReadonlySet<number> = new Set([32, 1792, 2048])
const otherTypes: Record<number, string> = { 0: 'no type', 1: '1 bit', 1536: '128-bit float' }

const unreadable = (type: number): Refusal =>
  complexTypes.has(type)
    ? refuse('complex_values')
    : refuse('number_type_unknown', { kind: `NIfTI, ${otherTypes[type] ?? type}` })

/** What the two versions say in different places. */
type Header = {
  dims: number[]
  datatype: number
  pixdims: number[]
  offset: number
  slope: number
  intercept: number
  units: number
  qform: { code: number; quaternion: number[]; offset: number[] }
  sform: { code: number; rows: number[][] }
  isLittle: boolean
}

/** Whether the bytes begin as a NIfTI file does, or as one of its kin. */
export function niftiVersion(bytes: Buffer): 1 | 2 | null {
  if (bytes.length < 348) return null
  if ([bytes.readInt32LE(0), bytes.readInt32BE(0)].includes(348)) return 1
  return [bytes.readInt32LE(0), bytes.readInt32BE(0)].includes(540) ? 2 : null
}

export function readNifti(bytes: Buffer, limitBytes: number): Scan {
  const version = niftiVersion(bytes)
  if (version === null) throw refuse('not_this_kind', { kind: 'NIfTI' })
  const header = version === 1 ? readFirst(bytes) : readSecond(bytes)
  const start = Math.max(header.offset, version === 1 ? 348 : 540)
  return scanOf(header, { bytes, start }, limitBytes)
}

/** Header and numbers in two files. Analyze says neither how the patient lay nor how values are scaled. */
export function readNiftiPair(head: Buffer, bytes: Buffer, limitBytes: number): Scan {
  const version = niftiVersion(head)
  if (version === null) throw refuse('not_this_kind', { kind: 'Analyze' })
  if (version === 2) return scanOf(readSecond(head, true), { bytes, start: 0 }, limitBytes)
  const isNifti = head.subarray(344, 347).toString('latin1') === 'ni1'
  const header = readFirst(head, true)
  const start = Math.max(header.offset, 0)
  if (isNifti) return scanOf(header, { bytes, start }, limitBytes)
  const unsaid = {
    slope: 0,
    intercept: 0,
    units: 2,
    qform: { ...header.qform, code: 0 },
    sform: { ...header.sform, code: 0 },
  }
  return { ...scanOf({ ...header, ...unsaid }, { bytes, start }, limitBytes), format: 'analyze' }
}

function scanOf(
  header: Header,
  { bytes, start }: { bytes: Buffer; start: number },
  limitBytes: number,
): Scan {
  const size = sizeOf(header)
  const found = types[header.datatype]
  if (!found) throw unreadable(header.datatype)
  const { type, channels } = found
  checkSize(size, bytesOf(type) * channels, limitBytes)
  const count = countOf(size, channels)
  if (!Number.isInteger(start)) throw refuse('header_damaged', { kind: 'NIfTI' })
  const samples = samplesOf(takeData(bytes, start, count * bytesOf(type)), type, header.isLittle)
  const isScaled = Number.isFinite(header.slope) && header.slope !== 0 && Number.isFinite(header.intercept)
  const geometry = geometryOf(header)
  return {
    ...plainScan,
    format: 'nifti',
    size,
    layout: size[2] === 1 ? 'slice' : 'volume',
    channels: channels === 1 ? 1 : 3,
    samples: channels === 4 ? withoutFourth(samples) : samples,
    dataType: type,
    bits: bytesOf(type) * 8,
    slope: isScaled ? header.slope : 1,
    intercept: isScaled ? header.intercept : 0,
    geometry,
    frameSeconds: size[3] > 1 ? secondsOf(header) : null,
    windows: [],
    notes: [
      ...(geometry === null ? [{ name: 'spacing_unknown' as const, params: {} }] : []),
      ...(geometry !== null && (header.units & LENGTHS) === 0
        ? [{ name: 'spacing_unit_assumed' as const, params: {} }]
        : []),
      ...disagreement(header, size, geometry),
      ...(channels === 4 ? [{ name: 'transparency_dropped' as const, params: {} }] : []),
    ],
  }
}

function readFirst(bytes: Buffer, isPair = false): Header {
  const isLittle = bytes.readInt32LE(0) === 348
  const magic = bytes.subarray(344, 348).toString('latin1')
  if (!isPair && !magic.startsWith('n+1')) throw refuse('header_damaged', { kind: 'NIfTI' })
  const { short, float } = numbers(bytes, isLittle)
  const floats = (at: number, count: number) => range(count).map((index) => float(at + 4 * index))
  return {
    dims: range(8).map((index) => short(40 + 2 * index)),
    datatype: short(70),
    pixdims: floats(76, 8),
    offset: float(108),
    slope: float(112),
    intercept: float(116),
    units: bytes.readUInt8(123),
    qform: { code: short(252), quaternion: floats(256, 3), offset: floats(268, 3) },
    sform: { code: short(254), rows: [floats(280, 4), floats(296, 4), floats(312, 4)] },
    isLittle,
  }
}

function readSecond(bytes: Buffer, isPair = false): Header {
  if (bytes.length < 540) throw refuse('header_damaged', { kind: 'NIfTI' })
  const isLittle = bytes.readInt32LE(0) === 540
  const magic = bytes.subarray(4, 8).toString('latin1')
  if (!isPair && !magic.startsWith('n+2')) throw refuse('header_damaged', { kind: 'NIfTI' })
  const { short, int, long, double } = numbers(bytes, isLittle)
  const doubles = (at: number, count: number) => range(count).map((index) => double(at + 8 * index))
  return {
    dims: range(8).map((index) => long(16 + 8 * index)),
    datatype: short(12),
    pixdims: doubles(104, 8),
    offset: long(168),
    slope: double(176),
    intercept: double(184),
    units: int(500),
    qform: { code: int(344), quaternion: doubles(352, 3), offset: doubles(376, 3) },
    sform: { code: int(348), rows: [doubles(400, 4), doubles(432, 4), doubles(464, 4)] },
    isLittle,
  }
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

const numbers = (bytes: Buffer, isLittle: boolean) => ({
  short: (at: number) => (isLittle ? bytes.readInt16LE(at) : bytes.readInt16BE(at)),
  int: (at: number) => (isLittle ? bytes.readInt32LE(at) : bytes.readInt32BE(at)),
  long: (at: number) => Number(isLittle ? bytes.readBigInt64LE(at) : bytes.readBigInt64BE(at)),
  float: (at: number) => (isLittle ? bytes.readFloatLE(at) : bytes.readFloatBE(at)),
  double: (at: number) => (isLittle ? bytes.readDoubleLE(at) : bytes.readDoubleBE(at)),
})

/** Whatever runs beyond the third dimension counts as points in time. */
function sizeOf({ dims }: Header): Scan['size'] {
  const [count = 0] = dims
  if (count < 1 || count > 7) throw refuse('size_impossible', { size: String(count) })
  const sides = range(7).map((index) => (index < count ? (dims[index + 1] ?? 0) : 1))
  if (sides.some((side) => side < 1)) throw refuse('size_impossible', { size: sides.join(' × ') })
  const [x = 1, y = 1, z = 1, ...times] = sides
  return [x, y, z, times.reduce((product, side) => product * side, 1)]
}

/** Of the byte of units; the others are those of time. */
const LENGTHS = 7

/** NIfTI leads to the right and the front, DICOM to the left and the back. */
function geometryOf(header: Header): Geometry | null {
  const unit = unitOf(header.units)
  const affine = header.sform.code > 0 ? header.sform.rows : fromQuaternion(header)
  const column = (index: number): Triple =>
    scale(
      triple([-(affine?.[0]?.[index] ?? 0), -(affine?.[1]?.[index] ?? 0), affine?.[2]?.[index] ?? 0]),
      unit,
    )
  const columns: [Triple, Triple, Triple] = [column(0), column(1), column(2)]
  const lengths = triple(columns.map(length))
  if (affine && isSpacing(lengths)) {
    const [i, j, k] = columns
    return {
      spacing: lengths,
      origin: column(3),
      axes: [scale(i, 1 / lengths[0]), scale(j, 1 / lengths[1]), scale(k, 1 / lengths[2])],
    }
  }
  const spacing = scale(triple(header.pixdims.slice(1, 4).map(Math.abs)), unit)
  return isSpacing(spacing) ? { spacing, origin: null, axes: null } : null
}

/** Half a voxel or more between both ways of saying where the image lies, at the corner where they are farthest apart. */
function disagreement(header: Header, [x, y, z]: Scan['size'], geometry: Geometry | null): ViewNote[] {
  const { qform, sform, units } = header
  const quaternion = fromQuaternion(header)
  if (sform.code <= 0 || qform.code <= 0 || !quaternion || !geometry) return []
  const unit = unitOf(units)
  const farthest = Math.max(
    ...[0, x - 1].flatMap((i) =>
      [0, y - 1].flatMap((j) =>
        [0, z - 1].map((k) => length(apart(sform.rows, quaternion, [i, j, k, 1])) * unit),
      ),
    ),
  )
  if (!(farthest >= Math.min(...geometry.spacing) / 2)) return []
  return [{ name: 'places_disagree', params: { mm: Math.round(farthest * 100) / 100 } }]
}

const apart = (one: number[][], other: number[][], corner: readonly number[]): Triple =>
  triple(
    [0, 1, 2].map((row) =>
      corner.reduce(
        (sum, step, column) => sum + step * ((one[row]?.[column] ?? 0) - (other[row]?.[column] ?? 0)),
        0,
      ),
    ),
  )

/** Millimetres. */
const unitOf = (units: number): number => ({ 1: 1000, 3: 0.001 })[units & LENGTHS] ?? 1

const isSpacing = (spacing: Triple): boolean => spacing.every((step) => Number.isFinite(step) && step > 0)

function fromQuaternion({ qform, pixdims }: Header): number[][] | null {
  if (qform.code <= 0) return null
  const [b = 0, c = 0, d = 0] = qform.quaternion
  const a = Math.sqrt(Math.max(0, 1 - b * b - c * c - d * d))
  const [handed = 1, i = 0, j = 0, k = 0] = pixdims
  const flip = handed < 0 ? -1 : 1
  const [x = 0, y = 0, z = 0] = qform.offset
  return [
    [(a * a + b * b - c * c - d * d) * i, 2 * (b * c - a * d) * j, 2 * (b * d + a * c) * k * flip, x],
    [2 * (b * c + a * d) * i, (a * a + c * c - b * b - d * d) * j, 2 * (c * d - a * b) * k * flip, y],
    [2 * (b * d - a * c) * i, 2 * (c * d + a * b) * j, (a * a + d * d - c * c - b * b) * k * flip, z],
  ]
}

function secondsOf({ units, pixdims }: Header): number | null {
  const factor = { 8: 1, 16: 0.001, 24: 0.000_001 }[units & 0x38] ?? 1
  const step = pixdims[4] ?? 0
  return Number.isFinite(step) && step > 0 ? step * factor : null
}

function withoutFourth(samples: Scan['samples']): Uint8Array {
  const colours = new Uint8Array((samples.length / 4) * 3)
  for (let index = 0, at = 0; index < samples.length; index += 4, at += 3) {
    colours[at] = samples[index] ?? 0
    colours[at + 1] = samples[index + 1] ?? 0
    colours[at + 2] = samples[index + 2] ?? 0
  }
  return colours
}
