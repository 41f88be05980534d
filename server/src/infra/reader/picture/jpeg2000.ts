/** Reads JPEG 2000 pictures (`.jp2`, `.j2k`): the codestream is found here and unpacked by the decoder that DICOM uses. */
import { images } from '@neuroloom/contract/limits'
import { unpackFrames } from '../dicom/codec.ts'
import { bytesOf, checkSize, plainScan, refuse, type Scan, samplesOf } from '../model.ts'

const CODESTREAM = Buffer.from([0xff, 0x4f, 0xff, 0x51])
/** What a frame is called in DICOM: with or without loss, one decoder for both. */
const JPEG_2000 = '1.2.840.10008.1.2.4.91'

export const isJpeg2000 = (bytes: Buffer): boolean =>
  bytes.subarray(0, 4).equals(CODESTREAM) || /^.{4}jP {2}/s.test(bytes.subarray(0, 8).toString('latin1'))

export async function readJpeg2000(bytes: Buffer, folder: string): Promise<Scan> {
  const stream = codestreamOf(bytes)
  // The marker that follows: sizes, and the depth of each channel.
  if (stream.length < 50) throw refuse('header_damaged', { kind: 'JPEG 2000' })
  const [width, height] = [
    stream.readUInt32BE(8) - stream.readUInt32BE(16),
    stream.readUInt32BE(12) - stream.readUInt32BE(20),
  ]
  const found = stream.readUInt16BE(40)
  checkSize([width, height], 1, images.maxPixels)
  const channels = found === 1 ? 1 : 3
  const depth = ((stream[42] ?? 0) & 0x7f) + 1
  if ((found !== 1 && found !== 3) || depth > 16)
    throw refuse('kind_not_yet', { kind: `JPEG 2000 (${found} × ${depth} bit)` })
  const isSigned = ((stream[42] ?? 0) & 0x80) !== 0
  const bitsAllocated = depth > 8 ? 16 : 8
  const frame = stream.length % 2 === 0 ? stream : Buffer.concat([stream, Buffer.alloc(1)])
  const data = await unpackFrames(
    [frame],
    {
      transferSyntax: JPEG_2000,
      rows: height,
      columns: width,
      channels,
      bitsAllocated,
      bitsStored: depth,
      isSigned,
      photometric: channels === 1 ? 'MONOCHROME2' : 'RGB',
    },
    folder,
  )
  const dataType = `${isSigned ? '' : 'u'}int${bitsAllocated}` as const
  return {
    ...plainScan,
    format: 'jp2',
    size: [width, height, 1, 1],
    layout: 'slice',
    channels,
    samples: samplesOf(data.subarray(0, width * height * channels * bytesOf(dataType)), dataType, true),
    dataType,
    bits: depth,
    windows: [],
    compression: 'JPEG 2000',
    notes: [],
  }
}

/** In a `.jp2` it lies in one of the boxes. */
function codestreamOf(bytes: Buffer): Buffer {
  if (bytes.subarray(0, 4).equals(CODESTREAM)) return bytes
  for (let at = 0; at + 8 <= bytes.length; ) {
    const short = bytes.readUInt32BE(at)
    const isLong = short === 1
    if (isLong && at + 16 > bytes.length) break
    const length = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? bytes.length - at : short
    const head = isLong ? 16 : 8
    if (length < head) break
    if (bytes.subarray(at + 4, at + 8).toString('latin1') === 'jp2c')
      return bytes.subarray(at + head, at + length)
    at += length
  }
  throw refuse('header_damaged', { kind: 'JPEG 2000' })
}
