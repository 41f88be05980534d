/**
 * The mask of a LabelMe shape: a grey PNG in base64 that covers a part of the image. It is opened without a picture library,
 * so that bytes inside a text meet zlib alone, which is told how much may come out.
 */
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import type { Runs } from '../shapes.ts'

type Part = { left: number; top: number; width: number; height: number }

const unpack = promisify(inflate)
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Where the first chunk says width, height, bits, kind of colour and interlacing. */
const HEAD = { width: 16, height: 20, bits: 24, colour: 25, interlaced: 28, end: 33 }
const GREY = 0
/** Runs of one mask: more of them are noise, not a drawing. */
const MOST_RUNS = 1_000_000

/** Null of anything but a whole grey PNG of this part of the image in which something is marked. */
export async function runsOfMask(
  text: string,
  { corners, mostPixels }: { corners: readonly (readonly [number, number])[]; mostPixels: number },
): Promise<Runs | null> {
  const bytes = Buffer.from(text, 'base64')
  const part = partOf(bytes, corners)
  if (!part || part.width * part.height > mostPixels) return null
  const bits = bytes[HEAD.bits] ?? 8
  const rowBytes = Math.ceil((part.width * bits) / 8)
  const rows = await unpacked(packedIn(bytes), (rowBytes + 1) * part.height)
  if (!rows || !unfilter(rows, { rowBytes, step: Math.max(1, bits / 8) })) return null
  const counts = countRuns(rows, { ...part, bits, rowBytes })
  return counts && { ...part, counts, along: 'rows' }
}

/** From the first corner on; the second one is the last pixel, or with some programs the one after it. */
function partOf(bytes: Buffer, corners: readonly (readonly [number, number])[]): Part | null {
  const [[x0, y0] = [Number.NaN, Number.NaN], [x1, y1] = [Number.NaN, Number.NaN]] = corners.map(
    ([x, y]) => [Math.trunc(x), Math.trunc(y)] as const,
  )
  if (bytes.length < HEAD.end || !bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return null
  if (bytes[HEAD.colour] !== GREY || bytes[HEAD.interlaced] !== 0) return null
  if (![1, 2, 4, 8, 16].includes(bytes[HEAD.bits] ?? 0)) return null
  const [width, height] = [bytes.readUInt32BE(HEAD.width), bytes.readUInt32BE(HEAD.height)]
  const isOf = (side: number, span: number): boolean => side > 0 && (side === span || side === span + 1)
  if (x0 < 0 || y0 < 0 || !isOf(width, x1 - x0) || !isOf(height, y1 - y0)) return null
  return { left: x0, top: y0, width, height }
}

/** What the chunks with pixels hold, one after the other. */
function packedIn(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = SIGNATURE.length; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)))
  return Buffer.concat(parts)
}

/** Null unless exactly so many bytes come out. */
async function unpacked(packed: Buffer, length: number): Promise<Buffer | null> {
  try {
    const bytes = await unpack(packed, { maxOutputLength: length })
    return bytes.length === length ? bytes : null
  } catch {
    return null
  }
}

/** Undoes, in place, what PNG calls filters: each byte is told as the difference to its neighbours. False of an unknown one. */
function unfilter(rows: Buffer, { rowBytes, step }: { rowBytes: number; step: number }): boolean {
  const stride = rowBytes + 1
  for (let start = 0; start < rows.length; start += stride) {
    const filter = rows[start] ?? 0
    if (filter > 4) return false
    if (filter === 0) continue
    for (let at = 1; at <= rowBytes; at += 1) {
      const left = at > step ? (rows[start + at - step] ?? 0) : 0
      const above = start > 0 ? (rows[start - stride + at] ?? 0) : 0
      const corner = start > 0 && at > step ? (rows[start - stride + at - step] ?? 0) : 0
      rows[start + at] = ((rows[start + at] ?? 0) + guessed(filter, left, above, corner)) & 0xff
    }
  }
  return true
}

function guessed(filter: number, left: number, above: number, corner: number): number {
  switch (filter) {
    case 1:
      return left
    case 2:
      return above
    case 3:
      return (left + above) >> 1
    default:
      return nearest(left, above, corner)
  }
}

/** The predictor of Paeth. */
function nearest(left: number, above: number, corner: number): number {
  const [byLeft, byAbove] = [Math.abs(above - corner), Math.abs(left - corner)]
  const byCorner = Math.abs(left + above - 2 * corner)
  if (byLeft <= byAbove && byLeft <= byCorner) return left
  return byAbove <= byCorner ? above : corner
}

type Rows = Part & { bits: number; rowBytes: number }

/** Background first, row by row; whatever is not 0 is marked. Null where nothing is, or hardly two pixels are alike. */
function countRuns(rows: Buffer, { width, height, bits, rowBytes }: Rows): Uint32Array | null {
  const counts: number[] = []
  let [run, isMarked] = [0, false]
  for (let row = 0; row < height; row += 1) {
    const start = row * (rowBytes + 1) + 1
    for (let column = 0; column < width; column += 1) {
      if ((valueAt(rows, { start, column, bits }) !== 0) !== isMarked) {
        if (counts.length >= MOST_RUNS) return null
        counts.push(run)
        run = 0
        isMarked = !isMarked
      }
      run += 1
    }
  }
  return counts.length > 0 ? Uint32Array.from([...counts, run]) : null
}

type At = { start: number; column: number; bits: number }

function valueAt(rows: Buffer, { start, column, bits }: At): number {
  if (bits >= 8) {
    const at = start + (column * bits) / 8
    return bits === 8 ? (rows[at] ?? 0) : (rows[at] ?? 0) | (rows[at + 1] ?? 0)
  }
  const place = column * bits
  return ((rows[start + (place >> 3)] ?? 0) >> (8 - bits - (place & 7))) & (2 ** bits - 1)
}
