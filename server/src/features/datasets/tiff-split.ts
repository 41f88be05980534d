/** Takes a TIFF file of several pages apart, without unpacking a pixel: each page becomes a file of its own. */
import { Refusal } from '../../infra/reader/model.ts'
import {
  fieldWidths,
  numbersOf,
  readFields,
  type TiffField,
  type TiffFields,
  type TiffLayout,
} from '../../infra/reader/picture/tiff-pages.ts'

/** What describes pixels; the rest (names, notes of cameras, places of other pages) is left out. */
const KEPT: ReadonlySet<number> = new Set([
  ...[256, 257, 258, 259, 262, 266, 273, 274, 277, 278, 279, 280, 281, 282, 283, 284, 292, 293, 296],
  ...[317, 320, 322, 323, 324, 325, 332, 338, 339, 347, 530, 531, 532],
])
const [WIDTH, HEIGHT, SUBFILE] = [256, 257, 254]
/** Places of strips and of tiles, with what says how long they are. */
const PLACES = [
  { offsets: 273, counts: 279 },
  { offsets: 324, counts: 325 },
]
const LONG = 4
const MOST_PAGES = 10_000

/** Pages of the first one's size that are no previews; null of what is no classic TIFF, or is damaged. */
export function tiffPages(bytes: Buffer): Buffer[] | null {
  try {
    const { layout, pages } = readFields(bytes)
    if (layout.isBig || pages.length > MOST_PAGES) return null
    const [first] = pages
    const same = pages.filter(
      (page) =>
        [WIDTH, HEIGHT].every((tag) => numberIn(layout, page, tag) === numberIn(layout, first, tag)) &&
        (numberIn(layout, page, SUBFILE) & 1) === 0,
    )
    refuseShared(layout, same)
    return same.map((page) => written(layout, page))
  } catch (error) {
    // What the reader of TIFF refuses, and numbers that lead out of the file.
    if (error instanceof Refusal || error instanceof RangeError) return null
    throw error
  }
}

const numberIn = (layout: TiffLayout, page: TiffFields | undefined, tag: number): number =>
  numbersOf(layout, page?.get(tag))[0] ?? 0

/** Pages of a small file could all lead to the same strips or the same tables, and be gigabytes one by one. */
function refuseShared(layout: TiffLayout, pages: readonly TiffFields[]): void {
  const most = layout.bytes.length
  let [described, pixels] = [0, 0]
  for (const page of pages)
    for (const [tag, { type, count }] of page)
      if (KEPT.has(tag)) described += count * (fieldWidths[type] ?? 1)
  // Before any list is read.
  if (described > most) throw new RangeError('Pages that share their fields')
  for (const page of pages)
    for (const { counts } of PLACES)
      for (const length of numbersOf(layout, page.get(counts))) pixels += length
  if (pixels > most) throw new RangeError('Pages that share their pixels')
}

/** A field with its values, as the new file holds it. */
type Field = Pick<TiffField, 'type' | 'count'> & { tag: number; value: Buffer }

/** The header, the fields, what does not fit into them, then the strips or tiles. */
function written(layout: TiffLayout, page: TiffFields): Buffer {
  const blocks: Buffer[] = []
  const fields = new Map<number, Field>()
  for (const [tag, field] of page) if (KEPT.has(tag)) fields.set(tag, copied(layout, tag, field))
  for (const { offsets, counts } of PLACES) {
    const [places, lengths] = [page.get(offsets), page.get(counts)]
    if (!places && !lengths) continue
    if (!places || !lengths || places.count !== lengths.count) throw new RangeError('Places without lengths')
    const sizes = numbersOf(layout, lengths)
    for (const [index, from] of numbersOf(layout, places).entries()) {
      const end = from + (sizes[index] ?? 0)
      if (end > layout.bytes.length) throw new RangeError('Pixels beyond the end of the file')
      blocks.push(layout.bytes.subarray(from, end))
    }
    const { count } = places
    fields.set(offsets, { tag: offsets, type: LONG, count, value: Buffer.alloc(4 * count) })
  }
  if (blocks.length === 0) throw new RangeError('A page without pixels')
  return assembled(layout, { fields: [...fields.values()].sort((one, other) => one.tag - other.tag), blocks })
}

function copied({ bytes }: TiffLayout, tag: number, { type, count, at }: TiffField): Field {
  const end = at + count * (fieldWidths[type] ?? 1)
  if (end > bytes.length) throw new RangeError('A field beyond the end of the file')
  return { tag, type, count, value: bytes.subarray(at, end) }
}

function assembled(
  { isLittle }: TiffLayout,
  { fields, blocks }: { fields: Field[]; blocks: Buffer[] },
): Buffer {
  const head = Buffer.alloc(8 + 2 + fields.length * 12 + 4)
  const putShort = (value: number, at: number): number =>
    isLittle ? head.writeUInt16LE(value, at) : head.writeUInt16BE(value, at)
  const putLong = (bytes: Buffer, value: number, at: number): number =>
    isLittle ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at)
  head.write(isLittle ? 'II*\0' : 'MM\0*', 0, 'latin1')
  putLong(head, 8, 4)
  putShort(fields.length, 8)
  const isFar = ({ value }: Field): boolean => value.length > 4
  let start = fields.filter(isFar).reduce((sum, { value }) => sum + even(value.length), head.length)
  const starts = blocks.map((block) => {
    const own = start
    start += even(block.length)
    return own
  })
  const offsets = new Set(PLACES.map((place) => place.offsets))
  for (const { tag, value } of fields)
    if (offsets.has(tag)) for (const [index, own] of starts.entries()) putLong(value, own, index * 4)
  const far: Buffer[] = []
  let at = head.length
  for (const [index, field] of fields.entries()) {
    const place = 10 + index * 12
    putShort(field.tag, place)
    putShort(field.type, place + 2)
    putLong(head, field.count, place + 4)
    if (isFar(field)) {
      putLong(head, at, place + 8)
      far.push(padded(field.value))
      at += even(field.value.length)
    } else field.value.copy(head, place + 8)
  }
  return Buffer.concat([head, ...far, ...blocks.map(padded)])
}

const even = (length: number): number => length + (length % 2)
const padded = (bytes: Buffer): Buffer =>
  bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)])
