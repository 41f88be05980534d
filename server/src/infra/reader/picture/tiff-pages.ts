/** The pages of a TIFF file by its tags: sizes, types, where strips lie. Classic and BigTIFF; decodes nothing. */
import { refuse } from '../model.ts'

export type TiffPage = {
  width: number
  height: number
  bits: number
  /** 1 unsigned, 2 signed, 3 floating point. */
  sampleFormat: number
  channels: number
  compression: number
  photometric: number
  description: string
  /** Pixels a unit. */
  resolution: number | null
  predictor: number
  /** Strips as wide as the page, or tiles. */
  blocks: { offsets: number[]; counts: number[]; width: number; height: number; isTiled: boolean }
}

/** More pages than anybody looks through. */
const MAX_PAGES = 20_000

export type TiffLayout = {
  bytes: Buffer
  isLittle: boolean
  /** BigTIFF: places have eight bytes. */
  isBig: boolean
}

export const isTiff = (bytes: Buffer): boolean =>
  /^(II[*+]\0|MM\0[*+])/.test(bytes.subarray(0, 4).toString('latin1'))

export function readPages(bytes: Buffer): TiffPage[] {
  const { layout, pages } = readFields(bytes)
  const read = pages.flatMap((fields) => pageOf(layout, fields) ?? [])
  if (read.length === 0) throw refuse('data_short', { percent: 0 })
  return read
}

/** The fields of each page, by their tags; decodes nothing. */
export function readFields(bytes: Buffer): { layout: TiffLayout; pages: TiffFields[] } {
  if (!isTiff(bytes)) throw refuse('not_this_kind', { kind: 'TIFF' })
  const isLittle = bytes[0] === 0x49
  const isBig = bytes[isLittle ? 2 : 3] === 43
  const layout: TiffLayout = { bytes, isLittle, isBig }
  const pages: TiffFields[] = []
  const seen = new Set<number>()
  let at = isBig ? long(layout, 8) : int(layout, 4)
  while (at !== 0) {
    if (seen.has(at)) throw refuse('pages_in_circle')
    seen.add(at)
    if (seen.size > MAX_PAGES) throw refuse('too_large', { limit: MAX_PAGES })
    const { fields, next } = fieldsAt(layout, at)
    pages.push(fields)
    at = next
  }
  return { layout, pages }
}

const damaged = () => refuse('header_damaged', { kind: 'TIFF' })

function within<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw damaged()
    throw error
  }
}

const short = ({ bytes, isLittle }: TiffLayout, at: number): number =>
  within(() => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)))
const int = ({ bytes, isLittle }: TiffLayout, at: number): number =>
  within(() => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)))
const long = ({ bytes, isLittle }: TiffLayout, at: number): number =>
  within(() => Number(isLittle ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at)))

/** `at`: where the values lie. */
export type TiffField = { type: number; count: number; at: number }
export type TiffFields = ReadonlyMap<number, TiffField>

/** Bytes of one value, by TIFF's numbers of kinds. */
export const fieldWidths: Record<number, number> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
  13: 4,
  16: 8,
  17: 8,
  18: 8,
}

function fieldsAt(layout: TiffLayout, start: number): { fields: TiffFields; next: number } {
  const { isBig } = layout
  const count = isBig ? long(layout, start) : short(layout, start)
  const [first, size] = isBig ? [start + 8, 20] : [start + 2, 12]
  if (count > 4096) throw damaged()
  const fields = new Map<number, TiffField>()
  for (let index = 0; index < count; index += 1) {
    const at = first + index * size
    const type = short(layout, at + 2)
    const values = isBig ? long(layout, at + 4) : int(layout, at + 4)
    const inline = at + (isBig ? 12 : 8)
    const isInline = values * (fieldWidths[type] ?? 1) <= (isBig ? 8 : 4)
    fields.set(short(layout, at), {
      type,
      count: values,
      at: isInline ? inline : isBig ? long(layout, inline) : int(layout, inline),
    })
  }
  const end = first + count * size
  return { fields, next: isBig ? long(layout, end) : int(layout, end) }
}

function pageOf(layout: TiffLayout, fields: TiffFields): TiffPage | null {
  const numbers = (tag: number): number[] => numbersOf(layout, fields.get(tag))
  const one = (tag: number, otherwise: number): number => numbers(tag)[0] ?? otherwise
  // A small copy of another page, or a mask.
  if ((one(254, 0) & 5) !== 0) return null
  const [width, height] = [one(256, 0), one(257, 0)]
  const isTiled = fields.has(324)
  const page: TiffPage = {
    width,
    height,
    bits: one(258, 1),
    sampleFormat: one(339, 1),
    channels: one(277, 1),
    compression: one(259, 1),
    photometric: one(262, 1),
    description: textOf(layout, fields.get(270)),
    resolution: fields.has(282) ? one(282, 0) : null,
    predictor: one(317, 1),
    blocks: {
      offsets: numbers(isTiled ? 324 : 273),
      counts: numbers(isTiled ? 325 : 279),
      width: Math.max(isTiled ? one(322, width) : width, 1),
      height: Math.max(isTiled ? one(323, height) : Math.min(one(278, height), height), 1),
      isTiled,
    },
  }
  refuseLies(layout, page, numbers(258))
  return page
}

/** Strips that lie outside of the file, or hold less than the page needs. */
function refuseLies(layout: TiffLayout, page: TiffPage, bits: number[]): void {
  const { width, height, channels, compression } = page
  const { offsets, counts, isTiled } = page.blocks
  if (width < 1 || height < 1 || offsets.length === 0 || offsets.length !== counts.length) throw damaged()
  const total = layout.bytes.length
  const inside = offsets.filter((offset, index) => offset + (counts[index] ?? 0) <= total).length
  if (inside < offsets.length)
    throw refuse('data_short', { percent: Math.floor((100 * inside) / offsets.length) })
  if (bits.length > 1 && bits.length < channels) throw damaged()
  const there = counts.reduce((sum, count) => sum + count, 0)
  const needed = Math.ceil((width * channels * page.bits) / 8) * height
  const isLoose = isTiled || page.photometric === 6
  if (compression === 1 && !isLoose && there !== needed) throw refuse('header_contradicts')
}

export function numbersOf(layout: TiffLayout, field: TiffField | undefined): number[] {
  if (!field) return []
  const { type, count, at } = field
  const width = fieldWidths[type] ?? 1
  if (at + count * width > layout.bytes.length) throw damaged()
  const read = (index: number): number => {
    const place = at + index * width
    if (width === 1) return layout.bytes[place] ?? 0
    if (type === 3) return short(layout, place)
    if (type === 5) return int(layout, place) / Math.max(int(layout, place + 4), 1)
    return width === 8 ? long(layout, place) : int(layout, place)
  }
  return Array.from({ length: Math.min(count, 4_000_000) }, (_, index) => read(index))
}

function textOf({ bytes }: TiffLayout, field: TiffField | undefined): string {
  if (field?.type !== 2) return ''
  return bytes
    .subarray(field.at, Math.min(field.at + field.count, field.at + 1_000_000))
    .toString('utf8')
    .replace(/\0+$/, '')
}
