/** How DICOM writes one data element: byte order, explicit or implicit value representation; reading and writing headers. */
import { Refusal } from './refusal.ts'
import type { Source } from './source.ts'

export type Encoding = { isExplicit: boolean; isLittle: boolean }
export type Header = {
  tag: number
  /** Two letters; '' where the encoding does not say. */
  vr: string
  start: number
  valueStart: number
  /** Null = undefined length, ended by a delimiter. */
  length: number | null
}

export const implicitLittle: Encoding = { isExplicit: false, isLittle: true }
export const explicitLittle: Encoding = { isExplicit: true, isLittle: true }
export const explicitBig: Encoding = { isExplicit: true, isLittle: false }

export const itemTag = 0xfffee000
export const itemEndTag = 0xfffee00d
export const sequenceEndTag = 0xfffee0dd
const undefinedLength = 0xffffffff

/** Representations whose length has four bytes, after two that are reserved. */
const long = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'SQ', 'SV', 'UC', 'UN', 'UR', 'UT', 'UV'])
const short = new Set('AE AS AT CS DA DS DT FD FL IS LO LT PN SH SL SS ST TM UI UL US'.split(' '))

export function readHeader(source: Source, start: number, end: number, encoding: Encoding): Header {
  if (start + 8 > end) throw new Refusal(end < source.length ? 'broken' : 'truncated')
  const bytes = source.read(start, Math.min(12, end - start))
  const tag = readTag(bytes, encoding)
  const isDelimiter = tag >>> 16 === 0xfffe
  if (!encoding.isExplicit || isDelimiter) {
    return { tag, vr: '', start, valueStart: start + 8, ...lengthOf(uint32(bytes, 4, encoding)) }
  }
  const vr = String.fromCharCode(bytes[4] ?? 0, bytes[5] ?? 0)
  if (short.has(vr)) {
    return { tag, vr, start, valueStart: start + 8, length: uint16(bytes, 6, encoding) }
  }
  if (!long.has(vr)) throw new Refusal('broken', 'value representation')
  if (bytes.length < 12) throw new Refusal('truncated')
  return { tag, vr, start, valueStart: start + 12, ...lengthOf(uint32(bytes, 8, encoding)) }
}

/** A header with its value; values of an odd length get the padding that their representation wants. */
export function element(
  { tag, vr, encoding }: { tag: number; vr: string; encoding: Encoding },
  value: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const padded = value.length + (value.length % 2)
  const header = elementHeader({ tag, vr, encoding }, padded)
  const bytes = new Uint8Array(header.length + padded)
  bytes.set(header)
  bytes.set(value, header.length)
  if (padded > value.length) bytes[bytes.length - 1] = vr === 'UI' || vr === 'OB' || vr === 'UN' ? 0 : 0x20
  return bytes
}

/** The header alone; a length of null is written as undefined. */
export function elementHeader(
  { tag, vr, encoding }: { tag: number; vr: string; encoding: Encoding },
  length: number | null,
): Uint8Array<ArrayBuffer> {
  const { isExplicit, isLittle } = encoding
  const hasVr = isExplicit && tag >>> 16 !== 0xfffe
  const isLong = hasVr && long.has(vr)
  if (hasVr && !isLong && (length ?? 0x10000) > 0xffff) throw new Refusal('broken', 'too long for its kind')
  const bytes = new Uint8Array(isLong ? 12 : 8)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, tag >>> 16, isLittle)
  view.setUint16(2, tag & 0xffff, isLittle)
  if (hasVr) bytes.set([vr.charCodeAt(0), vr.charCodeAt(1)], 4)
  const written = length ?? undefinedLength
  if (isLong) view.setUint32(8, written, isLittle)
  else if (hasVr) view.setUint16(6, written, isLittle)
  else view.setUint32(4, written, isLittle)
  return bytes
}

/** What the data set really is: writers are known to name one encoding and to use the other. */
export function guessEncoding(source: Source, start: number, said: Encoding): Encoding {
  if (start + 8 > source.length) return said
  const bytes = source.read(start, 8)
  const vr = String.fromCharCode(bytes[4] ?? 0, bytes[5] ?? 0)
  const isExplicit = short.has(vr) || long.has(vr)
  return isExplicit ? { isExplicit, isLittle: said.isLittle } : implicitLittle
}

function uint16(bytes: Uint8Array, offset: number, { isLittle }: Encoding): number {
  const [first = 0, second = 0] = [bytes[offset], bytes[offset + 1]]
  return isLittle ? first + second * 0x100 : first * 0x100 + second
}

function uint32(bytes: Uint8Array, offset: number, encoding: Encoding): number {
  const [first, second] = [uint16(bytes, offset, encoding), uint16(bytes, offset + 2, encoding)]
  return encoding.isLittle ? first + second * 0x10000 : first * 0x10000 + second
}

const readTag = (bytes: Uint8Array, encoding: Encoding) =>
  uint16(bytes, 0, encoding) * 0x10000 + uint16(bytes, 2, encoding)

const lengthOf = (written: number) => ({ length: written === undefinedLength ? null : written })
