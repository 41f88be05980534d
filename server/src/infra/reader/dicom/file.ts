/** Opens a DICOM file: its header as data, with or without preamble, deflated too. Decodes no pixels. */
import { constants, inflateRawSync } from 'node:zlib'
import dicomParser, { type DataSet, type Element } from 'dicom-parser'
import { numberOf } from '../decimals.ts'
import { refuse } from '../model.ts'
import { makeDecoder } from './text.ts'

export const IMPLICIT = '1.2.840.10008.1.2'
export const EXPLICIT = '1.2.840.10008.1.2.1'
export const DEFLATED = '1.2.840.10008.1.2.1.99'
export const BIG_ENDIAN = '1.2.840.10008.1.2.2'
export const RLE = '1.2.840.10008.1.2.5'

/** One set of elements: the file's own, or an item of a sequence. Tags are written as `00280010`. */
export type Group = {
  has(tag: string): boolean
  element(tag: string): Element | undefined
  /** The first value as text; '' when there is none. */
  text(tag: string): string
  /** Of decimal strings and binary numbers alike; empty when there is none. */
  numbers(tag: string): number[]
  items(tag: string): Group[]
  elements(): [string, Element][]
}

export type DicomFile = Group & {
  /** As parsed; of a deflated file, the inflated bytes. */
  bytes: Buffer
  /** As the library that parsed it wants it. */
  dataSet: DataSet
  transferSyntax: string
  isLittle: boolean
  decode(bytes: Uint8Array): string
}

/** `until`: reads no further than to this element. */
type Options = { limitBytes: number; untilPixels?: boolean; until?: string }

export function openDicom(
  bytes: Buffer,
  { limitBytes, untilPixels = false, until = untilPixels ? '7fe00010' : '' }: Options,
): DicomFile {
  const start = startWithoutPreamble(bytes)
  const { body, transferSyntax } =
    start === null ? bodyOf(bytes, limitBytes) : bareBody(bytes.subarray(start))
  const isBare = start !== null || transferSyntax === DEFLATED
  const dataSet = parse(body, {
    ...(isBare ? { TransferSyntaxUID: transferSyntax === IMPLICIT ? IMPLICIT : EXPLICIT } : {}),
    ...(until === '' ? {} : { untilTag: `x${until}` }),
  })
  // Packed pixels that do not come to their end.
  if (dataSet.warnings.length > 0 && dataSet.elements.x7fe00010) throw refuse('data_short', { percent: 99 })
  const isLittle = transferSyntax !== BIG_ENDIAN
  const decode = makeDecoder(dataSet.string('x00080005') ?? '')
  refuseUnknownTypes(dataSet)
  return {
    ...groupOf(dataSet, isLittle, decode),
    bytes: Buffer.from(dataSet.byteArray.buffer, dataSet.byteArray.byteOffset, dataSet.byteArray.length),
    dataSet,
    transferSyntax,
    isLittle,
    decode,
  }
}

/** `DICM` after 128 bytes, or elements from the start. */
export const isDicom = (bytes: Buffer): boolean =>
  bytes.subarray(128, 132).toString('latin1') === 'DICM' || startWithoutPreamble(bytes) !== null

/** Old archives wrote the elements alone, at times with a stray byte before them. */
function startWithoutPreamble(bytes: Buffer): number | null {
  if (bytes.subarray(128, 132).toString('latin1') === 'DICM') return null
  for (let at = 0; at < Math.min(4, bytes.length - 8); at += 1) {
    const [group, element] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2)]
    const isFirst = (group === 8 && element <= 0x18) || (group === 2 && element <= 0x10)
    const isSmall = isExplicitAt(bytes, at) || bytes.readUInt32LE(at + 4) < 4096
    if (isFirst && isSmall) return at
  }
  return null
}

const isExplicitAt = (bytes: Buffer, at: number): boolean =>
  types.has(bytes.subarray(at + 4, at + 6).toString('latin1'))

const bareBody = (bytes: Buffer) => ({
  body: bytes,
  transferSyntax: isExplicitAt(bytes, 0) ? EXPLICIT : IMPLICIT,
})

/** Of a deflated file, everything after the first group is packed; that group alone says so. */
function bodyOf(bytes: Buffer, limitBytes: number): { body: Buffer; transferSyntax: string } {
  let head: DataSet
  try {
    head = dicomParser.readPart10Header(bytes)
  } catch {
    throw refuse('header_damaged', { kind: 'DICOM' })
  }
  const transferSyntax = head.string('x00020010') ?? ''
  if (transferSyntax === '') throw refuse('header_damaged', { kind: 'DICOM' })
  if (transferSyntax !== DEFLATED) return { body: bytes, transferSyntax }
  const meta = Object.values(head.elements)
  const end = Math.max(...meta.map(({ dataOffset, length }) => dataOffset + length))
  return { body: inflateRest(bytes.subarray(end), limitBytes), transferSyntax }
}

function parse(bytes: Buffer, options: object): DataSet {
  try {
    return dicomParser.parseDicom(bytes, options)
  } catch (error) {
    throw endsEarly(error)
      ? refuse('data_short', { percent: percentOf(error, bytes) })
      : refuse('header_damaged', { kind: 'DICOM' })
  }
}

/** The library throws texts, or objects with what it had read until then. */
const messageOf = (error: unknown): string => {
  if (typeof error === 'string') return error
  if (error instanceof Error) return error.message
  return typeof error === 'object' && error !== null && 'exception' in error ? messageOf(error.exception) : ''
}

const endsEarly = (error: unknown): boolean =>
  /past the end|attempt to (seek|read)|overrun|overread|missing item|end of (file|buffer)/i.test(
    messageOf(error),
  )

/** How much of the pixels is there, if it came to them. */
function percentOf(error: unknown, bytes: Buffer): number {
  const read = typeof error === 'object' && error !== null && 'dataSet' in error ? error.dataSet : null
  // Set by the library together with `exception`.
  const pixels = (read as DataSet | null)?.elements.x7fe00010
  if (!pixels || pixels.length <= 0) return 0
  return Math.max(0, Math.min(99, Math.floor((100 * (bytes.length - pixels.dataOffset)) / pixels.length)))
}

function inflateRest(bytes: Buffer, limitBytes: number): Buffer {
  try {
    return inflateRawSync(bytes, { maxOutputLength: limitBytes, finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    throw refuse('data_damaged')
  }
}

const types: ReadonlySet<string> = new Set(
  'AE AS AT CS DA DS DT FD FL IS LO LT OB OD OF OL OV OW PN SH SL SQ SS ST SV TM UC UI UL UN UR US UT UV'.split(
    ' ',
  ),
)

function refuseUnknownTypes(dataSet: DataSet): void {
  for (const { vr } of Object.values(dataSet.elements)) {
    if (vr !== undefined && !types.has(vr)) throw refuse('header_damaged', { kind: 'DICOM' })
  }
}

function groupOf(dataSet: DataSet, isLittle: boolean, decode: DicomFile['decode']): Group {
  const element = (tag: string): Element | undefined => dataSet.elements[`x${tag}`]
  const bytesOf = ({ dataOffset, length }: Element): Uint8Array =>
    dataSet.byteArray.subarray(dataOffset, dataOffset + Math.max(length, 0))
  return {
    has: (tag) => (element(tag)?.length ?? 0) > 0,
    element,
    text(tag) {
      const found = element(tag)
      return found && found.length > 0 ? decode(bytesOf(found)).trim() : ''
    },
    numbers(tag) {
      const found = element(tag)
      if (!found || found.length <= 0) return []
      return readNumbers(Buffer.from(bytesOf(found)), found.vr ?? implicitTypes[tag] ?? 'DS', isLittle)
    },
    items: (tag) =>
      (element(tag)?.items ?? []).flatMap(({ dataSet: item }) =>
        item ? [groupOf(item, isLittle, decode)] : [],
      ),
    elements: () =>
      Object.entries(dataSet.elements).map(([tag, found]): [string, Element] => [tag.slice(1), found]),
  }
}

/** Numbers that are not written as text, in files that do not name types. */
const implicitTypes: Record<string, string> = Object.fromEntries(
  '00280002 00280006 00280010 00280011 00280100 00280101 00280102 00280103 00281101 00281102 00281103'
    .split(' ')
    .map((tag) => [tag, 'US']),
)
implicitTypes['00209057'] = 'UL'
// Of enhanced images: velocities that are encoded, and the beat.
for (const tag of ['00189090', '00189091', '00189217', '00209153', '00209251', '00189070'])
  implicitTypes[tag] = 'FD'
implicitTypes['00209128'] = 'UL'

function readNumbers(bytes: Buffer, type: string, isLittle: boolean): number[] {
  const width = { US: 2, SS: 2, UL: 4, SL: 4, FL: 4, FD: 8, OW: 2 }[type]
  if (width === undefined) {
    const whole = bytes.toString('latin1').replace(/\0/g, '')
    // Blanks alone say as little as nothing.
    return whole.trim() === '' ? [] : whole.split('\\').map(numberOf)
  }
  if (!isLittle) bytes = turned(bytes, width)
  const reads: Record<string, (at: number) => number> = {
    US: (at) => bytes.readUInt16LE(at),
    OW: (at) => bytes.readUInt16LE(at),
    SS: (at) => bytes.readInt16LE(at),
    UL: (at) => bytes.readUInt32LE(at),
    SL: (at) => bytes.readInt32LE(at),
    FL: (at) => bytes.readFloatLE(at),
    FD: (at) => bytes.readDoubleLE(at),
  }
  const read = reads[type]
  const count = Math.floor(bytes.length / width)
  return read ? Array.from({ length: count }, (_, index) => read(index * width)) : []
}

function turned(bytes: Buffer, width: number): Buffer {
  const copy = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % width)))
  if (width === 2) return copy.swap16()
  return width === 4 ? copy.swap32() : copy.swap64()
}
