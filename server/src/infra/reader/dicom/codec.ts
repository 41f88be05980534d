/** Unpacks compressed DICOM frames: run lengths here, the JPEG family by GDCM, high-throughput JPEG 2000 by OpenJPH. */
import { constants } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { refuse } from '../model.ts'
import { dicomBytes } from './bytes.ts'
import { RLE } from './file.ts'

/** What is needed to know where a frame's numbers lie. */
export type FrameShape = {
  transferSyntax: string
  rows: number
  columns: number
  channels: 1 | 3
  bitsAllocated: number
  bitsStored: number
  isSigned: boolean
  photometric: string
}

/** JPEG baseline and extended, lossless, LS, 2000. */
const gdcm = /^1\.2\.840\.10008\.1\.2\.4\.(50|51|57|70|80|81|90|91|92|93)$/
const htj2k = /^1\.2\.840\.10008\.1\.2\.4\.20[123]$/

const names: Record<string, string> = {
  '50': 'JPEG',
  '51': 'JPEG, 12 bit',
  '57': 'JPEG lossless',
  '70': 'JPEG lossless',
  '80': 'JPEG-LS',
  '81': 'JPEG-LS, near-lossless',
  '90': 'JPEG 2000 lossless',
  '91': 'JPEG 2000',
  '92': 'JPEG 2000 lossless',
  '93': 'JPEG 2000',
  '201': 'HTJ2K lossless',
  '202': 'HTJ2K lossless',
  '203': 'HTJ2K',
}

export const compressionName = (transferSyntax: string): string => {
  if (transferSyntax === RLE) return 'RLE'
  return names[/^1\.2\.840\.10008\.1\.2\.4\.(\d+)$/.exec(transferSyntax)?.[1] ?? ''] ?? ''
}

export const isLossy = (transferSyntax: string): boolean =>
  /^1\.2\.840\.10008\.1\.2\.4\.(50|51|81|91|93|203)$/.test(transferSyntax)

/** All frames one after the other, little-endian, colours of a place together. `folder` is for passing files on. */
export async function unpackFrames(frames: Buffer[], shape: FrameShape, folder: string): Promise<Buffer> {
  const { transferSyntax } = shape
  if (transferSyntax === RLE) return Buffer.concat(frames.map((frame) => unpackRuns(frame, shape)))
  if (htj2k.test(transferSyntax)) return unpackHtj2k(frames, shape)
  if (gdcm.test(transferSyntax)) return unpackByGdcm(frames, shape, folder)
  throw refuse('compression_unknown', { kind: nameOfUnknown(transferSyntax) })
}

function nameOfUnknown(transferSyntax: string): string {
  if (/^1\.2\.840\.10008\.1\.2\.4\.10\d$/.test(transferSyntax)) return 'DICOM (MPEG)'
  if (/^1\.2\.840\.10008\.1\.2\.4\.11\d$/.test(transferSyntax)) return 'DICOM (JPEG XL)'
  return `DICOM ${transferSyntax.slice(0, 64)}`
}

const frameBytes = ({ rows, columns, channels, bitsAllocated }: FrameShape): number =>
  rows * columns * channels * (bitsAllocated / 8)

/** PS3.5 annex G: up to 15 segments, each one byte of every sample, the highest first. */
function unpackRuns(frame: Buffer, shape: FrameShape): Buffer {
  const { rows, columns, channels, bitsAllocated } = shape
  const width = bitsAllocated / 8
  const segments = frame.length >= 64 ? frame.readUInt32LE(0) : 0
  if (segments !== width * channels) throw refuse('data_damaged')
  const out = Buffer.alloc(frameBytes(shape))
  const stride = channels * width
  for (let segment = 0; segment < segments; segment += 1) {
    const start = frame.readUInt32LE(4 + segment * 4)
    const end = segment + 1 < segments ? frame.readUInt32LE(8 + segment * 4) : frame.length
    const channel = Math.floor(segment / width)
    const byte = width - 1 - (segment % width)
    unpackSegment(frame.subarray(start, end), {
      out,
      at: channel * width + byte,
      stride,
      count: rows * columns,
    })
  }
  return out
}

function unpackSegment(
  bytes: Buffer,
  { out, at: first, stride, count }: { out: Buffer; at: number; stride: number; count: number },
): void {
  let at = first
  let left = count
  let index = 0
  while (left > 0 && index < bytes.length) {
    const control = bytes.readInt8(index)
    index += 1
    if (control === -128) continue
    const length = Math.min(control >= 0 ? control + 1 : 1 - control, left)
    for (let step = 0; step < length; step += 1) {
      const byte = bytes[control >= 0 ? index + step : index]
      if (byte === undefined) throw refuse('data_damaged')
      out[at] = byte
      at += stride
    }
    index += control >= 0 ? control + 1 : 1
    left -= length
  }
  if (left > 0) throw refuse('data_short', { percent: Math.floor((100 * (count - left)) / count) })
}

/** All frames as one file of nothing but pixels: GDCM then neither scales nor colours them. */
async function unpackByGdcm(frames: Buffer[], shape: FrameShape, folder: string): Promise<Buffer> {
  const path = join(folder, 'frames.dcm')
  await writeFile(path, dicomBytes(shape.transferSyntax, pixelFile(frames, shape)))
  allowConstants()
  const { gdcmReadImageNode } = await import('@itk-wasm/image-io')
  const { couldRead, image } = await gdcmReadImageNode(path).catch(() => ({ couldRead: false, image: null }))
  const data: unknown = image?.data
  if (!couldRead || !ArrayBuffer.isView(data)) throw refuse('data_damaged')
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  if (bytes.length !== frameBytes(shape) * frames.length) throw refuse('header_contradicts')
  return bytes
}

function pixelFile(frames: Buffer[], shape: FrameShape) {
  const { rows, columns, channels, bitsAllocated, bitsStored, isSigned } = shape
  return [
    ['00080016', 'UI', '1.2.840.10008.5.1.4.1.1.7'],
    ['00080018', 'UI', '2.25.1'],
    ['00280002', 'US', channels],
    ['00280004', 'CS', channels === 1 ? 'MONOCHROME2' : declared(shape)],
    ...(channels === 3 ? ([['00280006', 'US', 0]] as const) : []),
    ['00280008', 'IS', String(frames.length)],
    ['00280010', 'US', rows],
    ['00280011', 'US', columns],
    ['00280100', 'US', bitsAllocated],
    ['00280101', 'US', bitsStored],
    ['00280102', 'US', bitsStored - 1],
    ['00280103', 'US', isSigned ? 1 : 0],
    ['7fe00010', 'OB', frames],
  ] as const
}

/** Called red, green and blue, JPEG's own colours stay as they are; JPEG 2000 turns them by itself. */
const declared = ({ photometric }: FrameShape): string =>
  /^YBR_(RCT|ICT)$/.test(photometric) ? photometric : 'RGB'

/** The library asks Node for file constants by a way that is closed to this process. */
function allowConstants(): void {
  const binding = (name: string): object => {
    if (name === 'constants') return { fs: constants }
    throw new Error(`No binding ${name}`)
  }
  Object.defineProperty(process, 'binding', { value: binding, configurable: true })
}

async function unpackHtj2k(frames: Buffer[], shape: FrameShape): Promise<Buffer> {
  const { default: openjph } = await import('@cornerstonejs/codec-openjph/wasmjs')
  const codec = await openjph()
  const decoder = new codec.HTJ2KDecoder()
  try {
    return Buffer.concat(
      frames.map((frame) => {
        decoder.getEncodedBuffer(frame.length).set(frame)
        decoder.decode()
        // A view of the decoder's memory, which the next frame overwrites.
        const bytes = Buffer.from(decoder.getDecodedBuffer())
        if (bytes.length !== frameBytes(shape)) throw refuse('header_contradicts')
        return bytes
      }),
    )
  } catch (error) {
    if (error instanceof Error && 'reason' in error) throw error
    throw refuse('data_damaged')
  } finally {
    decoder.delete()
  }
}
