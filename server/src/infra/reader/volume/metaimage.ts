/** Reads MetaImage (`.mha`, and `.mhd` with its data beside it): raw, zlib and text. */
import type { DataType } from '@neuroloom/contract/viewing'
import { decimalNotes, numberOf } from '../decimals.ts'
import {
  bytesOf,
  checkSize,
  type Geometry,
  length,
  plainScan,
  refuse,
  type Scan,
  scale,
  type Triple,
  triple,
} from '../model.ts'
import { HEADER_BYTES } from './detached.ts'
import { readBody, readDetached, type Siblings } from './text-header.ts'

const types: Record<string, DataType> = {
  MET_CHAR: 'int8',
  MET_UCHAR: 'uint8',
  MET_SHORT: 'int16',
  MET_USHORT: 'uint16',
  MET_INT: 'int32',
  MET_UINT: 'uint32',
  MET_LONG: 'int32',
  MET_ULONG: 'uint32',
  MET_LONG_LONG: 'int64',
  MET_ULONG_LONG: 'uint64',
  MET_FLOAT: 'float32',
  MET_DOUBLE: 'float64',
}

type Fields = ReadonlyMap<string, string>

/** By the first letters of a file; it has no sign of its own. */
export const isMetaImage = (text: string): boolean =>
  /^\s*(ObjectType|NDims|Comment|ObjectSubType)\s*=/.test(text)

export function readMetaImage(
  bytes: Buffer,
  { siblings, limitBytes }: { siblings: Siblings; limitBytes: number },
): Scan {
  const { fields, end } = readFields(bytes)
  const type = types[(fields.get('elementtype') ?? '').replace(/_ARRAY$/, '')]
  if (!type)
    throw refuse('number_type_unknown', {
      kind: `MetaImage ${(fields.get('elementtype') ?? '').slice(0, 40)}`,
    })
  const sides = numbersOf(fields, 'dimsize')
  const count = Number(fields.get('ndims'))
  if (count < 2 || count > 4 || sides.length !== count) throw refuse('header_damaged', { kind: 'MetaImage' })
  const [x = 1, y = 1, z = 1, t = 1] = sides
  const channels = Number(fields.get('elementnumberofchannels') ?? 1)
  if (channels !== 1 && channels !== 3)
    throw refuse('kind_not_yet', { kind: `MetaImage (${channels} channels)` })
  checkSize([x, y, z, t], bytesOf(type) * channels, limitBytes)
  const name = fields.get('elementdatafile') ?? ''
  const isLocal = /^local$/i.test(name)
  const body = isLocal ? bytes : readDetached(name, siblings)
  const headerSize = Number(fields.get('headersize') ?? 0)
  const isBig = isTrue(fields, 'binarydatabyteordermsb') || isTrue(fields, 'elementbyteordermsb')
  const samples = readBody({
    bytes: body,
    start: headerSize === -1 ? -1 : (isLocal ? end : 0) + Math.max(headerSize, 0),
    packing: packingOf(fields),
    type,
    count: x * y * z * t * channels,
    isLittle: !isBig,
  })
  const geometry = geometryOf(fields)
  return {
    ...plainScan,
    format: 'metaimage',
    size: [x, y, z, t],
    layout: z === 1 ? 'slice' : 'volume',
    channels,
    samples,
    dataType: type,
    bits: bytesOf(type) * 8,
    geometry,
    windows: [],
    compression: isTrue(fields, 'compresseddata') ? 'zlib' : 'raw',
    notes: [
      ...(geometry === null ? [{ name: 'spacing_unknown' as const, params: {} }] : []),
      ...decimalNotes(Object.entries(placeNames).map(([name, names]) => [name, textsOf(fields, names)])),
    ],
  }
}

/** `Key = value` lines up to the one that says where the data are. */
function readFields(bytes: Buffer): { fields: Fields; end: number } {
  const fields = new Map<string, string>()
  let at = 0
  while (at < Math.min(bytes.length, HEADER_BYTES)) {
    const next = bytes.indexOf(10, at)
    const lineEnd = next < 0 ? bytes.length : next
    const line = bytes.subarray(at, lineEnd).toString('utf8').trim()
    at = lineEnd + 1
    const match = /^(\w+)\s*=\s*(.*)$/.exec(line)
    if (!match?.[1]) {
      if (line === '') continue
      break
    }
    fields.set(match[1].toLowerCase(), match[2] ?? '')
    if (match[1].toLowerCase() === 'elementdatafile') return { fields, end: at }
  }
  throw refuse('not_this_kind', { kind: 'MetaImage' })
}

const isTrue = (fields: Fields, name: string): boolean => /^(true|1)$/i.test(fields.get(name) ?? '')

function packingOf(fields: Fields) {
  if (/^false$/i.test(fields.get('binarydata') ?? '')) return 'text'
  return isTrue(fields, 'compresseddata') ? 'gzip' : 'raw'
}

const numbersOf = (fields: Fields, ...names: string[]): number[] => {
  return textsOf(fields, names).map(numberOf)
}

const textsOf = (fields: Fields, names: readonly string[]): string[] => {
  const said = names.map((name) => fields.get(name)).find((value) => value !== undefined) ?? ''
  return said.trim() === '' ? [] : said.trim().split(/\s+/)
}

const placeNames = {
  ElementSpacing: ['elementspacing', 'elementsize'],
  TransformMatrix: ['transformmatrix', 'rotation', 'orientation'],
  Offset: ['offset', 'origin', 'position'],
} as const

function geometryOf(fields: Fields): Geometry | null {
  const count = Number(fields.get('ndims'))
  const [x = Number.NaN, y = Number.NaN, z = count === 2 ? 1 : Number.NaN] = numbersOf(
    fields,
    ...placeNames.ElementSpacing,
  )
  const spacing: Triple = [Math.abs(x), Math.abs(y), Math.abs(z)]
  if (!spacing.every((step) => Number.isFinite(step) && step > 0)) return null
  const matrix = numbersOf(fields, ...placeNames.TransformMatrix)
  const origin = numbersOf(fields, ...placeNames.Offset)
  if (count < 3 || matrix.length !== count * count || matrix.some(Number.isNaN))
    return { spacing, origin: null, axes: null }
  const row = (index: number): Triple => triple(matrix.slice(index * count, index * count + 3))
  const rows: [Triple, Triple, Triple] = [row(0), row(1), row(2)]
  if (rows.some((axis) => length(axis) < 1e-6)) return { spacing, origin: null, axes: null }
  const [i, j, k] = rows
  return {
    spacing,
    // What is not said is zero; what cannot be read is not known.
    origin: origin.some(Number.isNaN) ? null : origin.length >= 3 ? triple(origin) : [0, 0, 0],
    axes: [scale(i, 1 / length(i)), scale(j, 1 / length(j)), scale(k, 1 / length(k))],
  }
}
