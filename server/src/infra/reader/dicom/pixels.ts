/** The numbers of a DICOM image as they are stored: every packing, sign and width; then colours as red, green, blue. */

import type { DataType } from '@neuroloom/contract/viewing'
import dicomParser, { type Element } from 'dicom-parser'
import { checkSize, refuse, type Samples, samplesOf } from '../model.ts'
import { short } from '../picture/packed.ts'
import { compressionName, type FrameShape, unpackFrames } from './codec.ts'
import { BIG_ENDIAN, DEFLATED, type DicomFile, EXPLICIT, IMPLICIT } from './file.ts'

const PIXELS = '7fe00010'
const FLOATS = '7fe00008'
const DOUBLES = '7fe00009'

export type Stored = {
  shape: FrameShape
  frames: number
  samples: Samples
  dataType: DataType
}

const native: ReadonlySet<string> = new Set([IMPLICIT, EXPLICIT, DEFLATED, BIG_ENDIAN])

export const hasPixels = (file: DicomFile): boolean =>
  [PIXELS, FLOATS, DOUBLES].some((tag) => file.element(tag))

/** As the header claims, looked at before anything is unpacked. */
export function shapeOf(file: DicomFile, limitBytes: number): { shape: FrameShape; frames: number } {
  const number = (tag: string, otherwise: number): number => file.numbers(tag)[0] ?? otherwise
  const bitsAllocated = file.element(DOUBLES) ? 64 : file.element(FLOATS) ? 32 : number('00280100', 0)
  const shape: FrameShape = {
    transferSyntax: file.transferSyntax,
    rows: number('00280010', 0),
    columns: number('00280011', 0),
    channels: number('00280002', 1) === 3 ? 3 : 1,
    bitsAllocated,
    bitsStored: file.element(PIXELS) ? number('00280101', bitsAllocated) : bitsAllocated,
    isSigned: number('00280103', 0) === 1,
    photometric: file.text('00280004'),
  }
  const frames = number('00280008', 1)
  if (![1, 8, 16, 32, 64].includes(bitsAllocated) || ![1, 3].includes(number('00280002', 1)))
    throw refuse('compression_unknown', { kind: `DICOM (${bitsAllocated} bit)` })
  if (!Number.isInteger(frames) || shape.bitsStored < 1 || shape.bitsStored > bitsAllocated)
    throw refuse('header_damaged', { kind: 'DICOM' })
  checkSize([shape.columns, shape.rows, frames], shape.channels * Math.max(bitsAllocated / 8, 1), limitBytes)
  return { shape, frames }
}

type Limits = { limitBytes: number; folder: string }

/** Of a series: what is packed in one way is unpacked in one go, for starting the library takes longer than a slice. */
export async function readAll(files: readonly DicomFile[], limits: Limits): Promise<Stored[]> {
  const shapes = files.map((file) => shapeOf(file, limits.limitBytes))
  const bytes = shapes.reduce((sum, { shape, frames }) => sum + bytesIn(shape) * frames, 0)
  if (bytes > limits.limitBytes)
    throw refuse('too_large', { limit: Math.round(limits.limitBytes / 1024 ** 2) })
  const [first] = shapes
  const isOneWay = first && shapes.every(({ shape }) => JSON.stringify(shape) === JSON.stringify(first.shape))
  if (!first || !isOneWay || files.length === 1 || native.has(first.shape.transferSyntax)) {
    const all: Stored[] = []
    for (const file of files) all.push(await readStored(file, limits))
    return all
  }
  const packed = files.map((file, index) => framesOf(file, pixelsOf(file), shapes[index]?.frames ?? 1))
  const unpacked = await unpackFrames(packed.flat(), first.shape, limits.folder)
  const dataType = typeOf(first.shape)
  let at = 0
  return files.map((file, index) => {
    const frames = shapes[index]?.frames ?? 1
    const part = unpacked.subarray(at, at + bytesIn(first.shape) * frames)
    at += part.length
    const samples = masked(samplesOf(part, dataType, true), first.shape, highBitOf(file, first.shape))
    return { shape: first.shape, frames, samples, dataType }
  })
}

const bytesIn = ({ rows, columns, channels, bitsAllocated }: FrameShape): number =>
  rows * columns * channels * Math.max(bitsAllocated / 8, 1)

function pixelsOf(file: DicomFile): Element {
  const element = file.element(PIXELS) ?? file.element(FLOATS) ?? file.element(DOUBLES)
  if (!element) throw refuse('dicom_no_image')
  return element
}

export async function readStored(file: DicomFile, { limitBytes, folder }: Limits): Promise<Stored> {
  const { shape, frames } = shapeOf(file, limitBytes)
  const element = pixelsOf(file)
  if (file.element(FLOATS))
    return { shape, frames, ...nativeSamples(file, element, { ...shape, frames }, 'float32') }
  if (file.element(DOUBLES))
    return { shape, frames, ...nativeSamples(file, element, { ...shape, frames }, 'float64') }
  const dataType = typeOf(shape)
  if (native.has(file.transferSyntax))
    return { shape, frames, ...nativeSamples(file, element, { ...shape, frames }, dataType) }
  const packed = framesOf(file, element, frames)
  const bytes = await unpackFrames(packed, shape, folder)
  const samples = masked(samplesOf(bytes, dataType, true), shape, highBitOf(file, shape))
  return { shape, frames, samples, dataType }
}

/** One buffer a frame, however it is cut into fragments. */
export function framesOf(file: DicomFile, element: Element, frames: number): Buffer[] {
  const fragments = element.fragments ?? []
  if (!element.encapsulatedPixelData || fragments.length === 0) throw refuse('header_contradicts')
  if (fragments.length < frames) throw refuse('frames_missing', { found: fragments.length, expected: frames })
  const { bytes } = file
  const isWhole = fragments.every(({ position, length }) => position + length <= bytes.length)
  if (!isWhole) throw refuse('data_short', { percent: 99 })
  const piece = ({ position, length }: (typeof fragments)[number]): Buffer =>
    bytes.subarray(position, position + length)
  if (fragments.length === frames) return fragments.map(piece)
  if (frames === 1) return [Buffer.concat(fragments.map(piece))]
  const given = element.basicOffsetTable ?? []
  // The library looks for the ends of JPEG pictures; it asks for the whole data set and reads its bytes alone.
  const offsets =
    given.length === frames ? given : dicomParser.createJPEGBasicOffsetTable(file.dataSet, element)
  if (offsets.length !== frames) throw refuse('frames_missing', { found: offsets.length, expected: frames })
  return offsets.map((start, index) => {
    const end = offsets[index + 1] ?? Number.POSITIVE_INFINITY
    return Buffer.concat(fragments.filter(({ offset }) => offset >= start && offset < end).map(piece))
  })
}

function typeOf({ bitsAllocated, isSigned }: FrameShape): DataType {
  if (bitsAllocated === 1) return 'bit'
  const types: Record<number, [DataType, DataType]> = {
    8: ['uint8', 'int8'],
    16: ['uint16', 'int16'],
    32: ['uint32', 'int32'],
    64: ['uint64', 'int64'],
  }
  return types[bitsAllocated]?.[isSigned ? 1 : 0] ?? 'uint16'
}

type Native = FrameShape & { frames: number }

function nativeSamples(
  file: DicomFile,
  { dataOffset, length, vr }: Element,
  native: Native,
  dataType: DataType,
): { samples: Samples; dataType: DataType } {
  const { rows, columns, channels, bitsAllocated, frames, photometric } = native
  const count = rows * columns * channels * frames
  const isHalved = photometric === 'YBR_FULL_422' || photometric === 'YBR_PARTIAL_422'
  const wanted = Math.ceil((count * bitsAllocated) / 8 / (isHalved && channels === 3 ? 1.5 : 1))
  const there = Math.min(length, file.bytes.length - dataOffset)
  // Some writers keep all colours of a place although they call them halved.
  const isFull = isHalved && there >= count * (bitsAllocated / 8)
  if (there < wanted) throw framesShort(there, wanted, frames)
  const bytes = file.bytes.subarray(dataOffset, dataOffset + (isFull ? count : wanted))
  if (bitsAllocated === 1) return { samples: bitsOf(bytes, count), dataType }
  const straight = !file.isLittle && bitsAllocated === 8 && vr === 'OW' ? Buffer.from(bytes).swap16() : bytes
  const stored = samplesOf(straight, dataType, file.isLittle)
  const samples = dataType.startsWith('float') ? stored : masked(stored, native, highBitOf(file, native))
  if (channels === 1) return { samples, dataType }
  if (isHalved && !isFull && samples instanceof Uint8Array)
    return { samples: widened(samples, count), dataType }
  const isPlanar = (file.numbers('00280006')[0] ?? 0) === 1
  return { samples: isPlanar ? woven(samples, rows * columns, frames) : samples, dataType }
}

/** Told in frames where whole ones are missing. */
function framesShort(there: number, wanted: number, frames: number) {
  const found = Math.floor((there / wanted) * frames)
  return frames > 1 ? refuse('frames_missing', { found, expected: frames }) : short(there, wanted)
}

/** The lowest bit first; frames follow without a gap. */
function bitsOf(bytes: Buffer, count: number): Uint8Array {
  const bits = new Uint8Array(count)
  for (let index = 0; index < count; index += 1) bits[index] = ((bytes[index >> 3] ?? 0) >> (index & 7)) & 1
  return bits
}

const highBitOf = (file: DicomFile, { bitsStored }: FrameShape): number =>
  file.numbers('00280102')[0] ?? bitsStored - 1

/** Bits beyond those that count may hold anything, such as overlays. */
function masked(
  samples: Samples,
  { bitsAllocated, bitsStored, isSigned }: FrameShape,
  highBit: number,
): Samples {
  if (bitsStored === bitsAllocated || bitsStored >= 32) return samples
  const low = Math.max(highBit + 1 - bitsStored, 0)
  const unused = 32 - bitsStored
  for (let index = 0; index < samples.length; index += 1) {
    const moved = ((samples[index] ?? 0) >> low) << unused
    samples[index] = isSigned ? moved >> unused : moved >>> unused
  }
  return samples
}

/** All red, then all green, then all blue: woven together. */
function woven(samples: Samples, places: number, frames: number): Samples {
  const out = samples.slice()
  for (let frame = 0; frame < frames; frame += 1) {
    const base = frame * places * 3
    for (let channel = 0; channel < 3; channel += 1) {
      for (let place = 0; place < places; place += 1) {
        out[base + place * 3 + channel] = samples[base + channel * places + place] ?? 0
      }
    }
  }
  return out
}

/** Two brightnesses share two colours: `Y1 Y2 B R`. */
function widened(samples: Uint8Array, count: number): Uint8Array {
  const out = new Uint8Array(count)
  for (let from = 0, to = 0; to < count; from += 4, to += 6) {
    const [first = 0, second = 0, blue = 0, red = 0] = samples.subarray(from, from + 4)
    out.set([first, blue, red, second, blue, red].slice(0, count - to), to)
  }
  return out
}

/** Brightness and two differences, full range (PS3.3 C.7.6.3.1.2), as red, green and blue; in place. */
export function toColours(samples: Samples): void {
  for (let at = 0; at + 2 < samples.length; at += 3) {
    const y = samples[at] ?? 0
    const b = (samples[at + 1] ?? 0) - 128
    const r = (samples[at + 2] ?? 0) - 128
    samples[at] = clamp(y + 1.402 * r)
    samples[at + 1] = clamp(y - 0.344136 * b - 0.714136 * r)
    samples[at + 2] = clamp(y + 1.772 * b)
  }
}

const clamp = (value: number): number => Math.max(0, Math.min(255, Math.round(value)))

/** Numbers of colours in a table, as the colours; null when the table is of a kind that is not read. */
export function byPalette(file: DicomFile, samples: Samples): Uint8Array | null {
  const tables = ['1', '2', '3'].map((end) => ({
    descriptor: file.numbers(`0028110${end}`),
    element: file.element(`0028120${end}`),
  }))
  const out = new Uint8Array(samples.length * 3)
  for (const [channel, { descriptor, element }] of tables.entries()) {
    const [entries = 0, first = 0, bits = 8] = descriptor
    const count = entries === 0 ? 65_536 : entries
    if (!element || element.length < count) return null
    const data = file.bytes.subarray(element.dataOffset, element.dataOffset + element.length)
    const isWide = bits > 8 && data.length >= count * 2
    const colours = samplesOf(
      data.subarray(0, count * (isWide ? 2 : 1)),
      isWide ? 'uint16' : 'uint8',
      file.isLittle,
    )
    // Eight bits written into sixteen are told by their size.
    const shift = isWide && colours.some((value) => value > 255) ? 8 : 0
    for (let index = 0; index < samples.length; index += 1) {
      const place = Math.max(0, Math.min(count - 1, (samples[index] ?? 0) - first))
      out[index * 3 + channel] = (colours[place] ?? 0) >> shift
    }
  }
  return out
}

export const packingOf = (file: DicomFile): string => compressionName(file.transferSyntax)
