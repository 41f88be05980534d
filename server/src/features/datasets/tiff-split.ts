/** Takes a TIFF file of several pages apart, without unpacking a pixel: each page becomes a file of its own. */
import { fieldWidths } from '../../infra/reader/picture/tiff-pages.ts'

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
const [SHORT, LONG] = [3, 4]
const MOST_PAGES = 10_000

type Field = { tag: number; type: number; count: number; value: Buffer }
type Page = ReadonlyMap<number, Field>

/** Pages of the first one's size that are no previews; null of what is no classic TIFF, or is damaged. */
export function tiffPages(bytes: Buffer): Buffer[] | null {
  const order = bytes.subarray(0, 4).toString('latin1')
  if (order !== 'II*\0' && order !== 'MM\0*') return null
  const file = { bytes, isLittle: order === 'II*\0' }
  try {
    const pages = readPages(file)
    const [first] = pages
    const same = pages.filter(
      (page) =>
        [WIDTH, HEIGHT].every((tag) => numberIn(file, page, tag) === numberIn(file, first, tag)) &&
        (numberIn(file, page, SUBFILE) & 1) === 0,
    )
    if (pixelBytes(file, same) > bytes.length) throw new RangeError('Pages that share their pixels')
    return same.map((page) => written(file, page))
  } catch (error) {
    // Numbers that lead out of the file.
    if (error instanceof RangeError) return null
    throw error
  }
}

type File = { bytes: Buffer; isLittle: boolean }

const short = ({ bytes, isLittle }: File, at: number): number =>
  isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)
const long = ({ bytes, isLittle }: File, at: number): number =>
  isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)

function readPages(file: File): Page[] {
  const pages: Page[] = []
  const seen = new Set<number>()
  for (let at = long(file, 4); at !== 0; ) {
    if (seen.has(at) || seen.size >= MOST_PAGES) throw new RangeError('Pages in a circle')
    seen.add(at)
    const count = short(file, at)
    const fields = new Map<number, Field>()
    for (let index = 0; index < count; index += 1) {
      const field = fieldAt(file, at + 2 + index * 12)
      fields.set(field.tag, field)
    }
    pages.push(fields)
    at = long(file, at + 2 + count * 12)
  }
  return pages
}

function fieldAt(file: File, at: number): Field {
  const [tag, type, count] = [short(file, at), short(file, at + 2), long(file, at + 4)]
  const length = count * (fieldWidths[type] ?? 1)
  const from = length <= 4 ? at + 8 : long(file, at + 8)
  if (from + length > file.bytes.length) {
    // What is not kept may lead anywhere.
    if (KEPT.has(tag)) throw new RangeError('A field beyond the end of the file')
    return { tag, type, count, value: Buffer.alloc(0) }
  }
  return { tag, type, count, value: file.bytes.subarray(from, from + length) }
}

function numbersIn({ isLittle }: File, { type, count, value }: Field): number[] {
  const own = { bytes: value, isLittle }
  return Array.from({ length: count }, (_, index) => {
    if (type === SHORT) return short(own, index * 2)
    if (type === LONG) return long(own, index * 4)
    throw new RangeError('Places that are no numbers')
  })
}

function numberIn(file: File, page: Page | undefined, tag: number): number {
  const field = page?.get(tag)
  return field ? (numbersIn(file, field)[0] ?? 0) : 0
}

/** Pages of a small file could all lead to the same strips, and be gigabytes one by one. */
const pixelBytes = (file: File, pages: readonly Page[]): number =>
  pages
    .flatMap((page) => PLACES.map(({ counts }) => page.get(counts)))
    .reduce(
      (sum, lengths) => sum + (lengths ? numbersIn(file, lengths).reduce((all, one) => all + one, 0) : 0),
      0,
    )

/** The header, the fields, what does not fit into them, then the strips or tiles. */
function written(file: File, page: Page): Buffer {
  const blocks: Buffer[] = []
  const fields = new Map([...page].filter(([tag]) => KEPT.has(tag)))
  for (const { offsets, counts } of PLACES) {
    const [places, lengths] = [page.get(offsets), page.get(counts)]
    if (!places && !lengths) continue
    if (!places || !lengths || places.count !== lengths.count) throw new RangeError('Places without lengths')
    const sizes = numbersIn(file, lengths)
    for (const [index, from] of numbersIn(file, places).entries()) {
      const end = from + (sizes[index] ?? 0)
      if (end > file.bytes.length) throw new RangeError('Pixels beyond the end of the file')
      blocks.push(file.bytes.subarray(from, end))
    }
    fields.set(offsets, {
      tag: offsets,
      type: LONG,
      count: places.count,
      value: Buffer.alloc(4 * places.count),
    })
  }
  if (blocks.length === 0) throw new RangeError('A page without pixels')
  return assembled(file, { fields: [...fields.values()].sort((one, other) => one.tag - other.tag), blocks })
}

function assembled({ isLittle }: File, { fields, blocks }: { fields: Field[]; blocks: Buffer[] }): Buffer {
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
