/** The file around a data set: preamble, file meta information, the transfer syntax with its packing. */
import { ascii, concat } from './dummies.ts'
import {
  type Encoding,
  element,
  explicitBig,
  explicitLittle,
  guessEncoding,
  implicitLittle,
  readHeader,
} from './encoding.ts'
import { Refusal } from './refusal.ts'
import type { Source } from './source.ts'
import { binaryText } from './words.ts'

export type Container = {
  hasPreamble: boolean
  /** Null = the file begins with the data set. */
  meta: Meta | null
  dataStart: number
  encoding: Encoding
  isDeflated: boolean
}
export type Meta = { sopClass: string; sopInstance: string; transferSyntax: string }

export function readContainer(source: Source): Container {
  const hasPreamble = source.length >= 132 && binaryText(source.read(128, 4)) === 'DICM'
  const start = hasPreamble ? 132 : 0
  const { meta, end } = readMeta(source, start)
  if (!meta) {
    return { hasPreamble, meta, dataStart: start, isDeflated: false, encoding: guessBare(source, start) }
  }
  if (meta.sopClass === mediaDirectory) throw new Refusal('directory')
  const isDeflated = deflated.has(meta.transferSyntax)
  const said = encodings[meta.transferSyntax] ?? explicitLittle
  return {
    hasPreamble,
    meta,
    dataStart: end,
    isDeflated,
    encoding: isDeflated ? explicitLittle : guessEncoding(source, end, said),
  }
}

/** Everything before the data set, written anew: nothing in it may tell where the file comes from. */
export function writeHead({ hasPreamble, meta }: Container, sopInstance: string): Uint8Array<ArrayBuffer> {
  const preamble = hasPreamble ? concat([new Uint8Array(128), ascii('DICM')]) : new Uint8Array()
  if (!meta) return preamble
  const uid = (tag: number, value: string) =>
    value === '' ? new Uint8Array() : element({ tag, vr: 'UI', encoding: explicitLittle }, ascii(value))
  const content = concat([
    element({ tag: 0x00020001, vr: 'OB', encoding: explicitLittle }, Uint8Array.of(0, 1)),
    uid(0x00020002, meta.sopClass),
    uid(0x00020003, sopInstance),
    uid(0x00020010, meta.transferSyntax),
    uid(0x00020012, implementationClass),
    element({ tag: 0x00020013, vr: 'SH', encoding: explicitLittle }, ascii('NEUROLOOM 1')),
  ])
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, content.length, true)
  return concat([preamble, element({ tag: 0x00020000, vr: 'UL', encoding: explicitLittle }, length), content])
}

/** Mostly harmless when it is not there: some writers leave it out. */
function readMeta(source: Source, start: number): { meta: Meta | null; end: number } {
  const texts = new Map<number, string>()
  let offset = start
  while (offset + 8 <= source.length && isMetaGroup(source, offset)) {
    const { tag, valueStart, length } = readHeader(source, offset, source.length, explicitLittle)
    if (length === null || length > mostMetaBytes) throw new Refusal('broken', 'file meta information')
    if (valueStart + length > source.length) throw new Refusal('truncated')
    texts.set(tag, binaryText(source.read(valueStart, length)).replace(/[\0 ]+$/, ''))
    offset = valueStart + length
  }
  if (offset === start) return { meta: null, end: start }
  const text = (tag: number) => texts.get(tag) ?? ''
  return {
    meta: { sopClass: text(0x00020002), sopInstance: text(0x00020003), transferSyntax: text(0x00020010) },
    end: offset,
  }
}

const isMetaGroup = (source: Source, offset: number) => {
  const [low, high] = source.read(offset, 2)
  return low === 2 && high === 0
}

/** Without a word about it: the first group is a small number in the right byte order. */
function guessBare(source: Source, start: number): Encoding {
  const first = source.read(start, Math.min(2, source.length - start))
  const isBig = first[0] === 0 && first[1] !== 0
  return isBig ? explicitBig : guessEncoding(source, start, implicitLittle)
}

const mostMetaBytes = 1024 * 1024
const mediaDirectory = '1.2.840.10008.1.3.10'
/** Of this program, for the field that names the writer of a file. */
const implementationClass = '2.25.236846207311854904911216904387165429871'

const encodings: Partial<Record<string, Encoding>> = {
  '1.2.840.10008.1.2': implicitLittle,
  '1.2.840.10008.1.2.2': explicitBig,
  '1.2.840.113619.5.2': implicitLittle,
}
/** Deflated, and the two of JPIP that are deflated as well. */
const deflated = new Set(['1.2.840.10008.1.2.1.99', '1.2.840.10008.1.2.4.95', '1.2.840.10008.1.2.4.205'])
