/** Reads the pictures that browsers know (PNG, JPEG, GIF, WebP, AVIF): whether they are whole, and their pixels. */
import { images } from '@neuroloom/contract/limits'
import type { DataType, ViewNote } from '@neuroloom/contract/viewing'
import sharp, { type Metadata } from 'sharp'
import { checkSize, plainScan, Refusal, refuse, type Scan, samplesOf } from './model.ts'

/** One file, one thread, nothing kept: this program ends after its file. */
export function calmLibrary(): void {
  sharp.cache(false)
  sharp.concurrency(1)
}

/** Drawn by the library, which runs no scripts and fetches nothing; nobody is ever given the drawing itself as a page. */
export const isSvg = (bytes: Buffer): boolean =>
  /^(\uFEFF|\s)*(<\?xml[^>]*>\s*)?(<!--[\s\S]{0,2000}?-->\s*)*(<!DOCTYPE svg[^>[]*>\s*)?<svg[\s>/]/.test(
    bytes.subarray(0, 4096).toString('utf8'),
  )

export async function readPicture(bytes: Buffer, format: string): Promise<Scan> {
  if (format === 'gif') refuseColourless(bytes)
  const picture = sharp(bytes, { failOn: 'error', limitInputPixels: images.maxPixels })
  const metadata = await picture.metadata().catch((error: unknown) => {
    throw failureOf(error, format.toUpperCase())
  })
  const { width, height, hasAlpha, orientation = 1 } = metadata
  checkSize([width, height], 1, images.maxPixels)
  const isDeep = metadata.depth === 'ushort'
  const isGrey = metadata.space === 'b-w' || metadata.space === 'grey16'
  const colours = isDeep ? 'rgb16' : 'srgb'
  // Drawings are made for paper: what lies under their transparency is black, as most of their lines are.
  const isDrawing = format === 'svg'
  const opaque = isDrawing ? picture.flatten({ background: 'white' }) : picture.removeAlpha()
  const { data, info } = await opaque
    .autoOrient()
    .toColourspace(isGrey ? (isDeep ? 'grey16' : 'b-w') : colours)
    .raw({ depth: isDeep ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => {
      throw failureOf(error, format.toUpperCase())
    })
  const dataType: DataType = isDeep ? 'uint16' : 'uint8'
  const notes: ViewNote[] = [
    ...(hasAlpha && !isDrawing ? [{ name: 'transparency_dropped' as const, params: {} }] : []),
    ...(metadata.space === 'cmyk' ? [{ name: 'colours_converted' as const, params: {} }] : []),
    ...(format === 'jpeg' ? [{ name: 'lossy' as const, params: {} }] : []),
    ...(isDeep && !isGrey ? [{ name: 'shown_in_eight_bits' as const, params: {} }] : []),
    ...((metadata.pages ?? 1) > 1
      ? [{ name: 'pages_left_out' as const, params: { count: (metadata.pages ?? 1) - 1 } }]
      : []),
  ]
  return {
    ...plainScan,
    format,
    size: [info.width, info.height, 1, 1],
    layout: 'slice',
    channels: info.channels === 1 ? 1 : 3,
    samples: samplesOf(data, dataType, true),
    dataType,
    bits: bitsOf(metadata),
    windows: [],
    compression: orientation > 1 ? `${format}, turned` : format,
    notes,
  }
}

const bitsOf = ({ bitsPerSample, depth }: Metadata): number => bitsPerSample ?? (depth === 'ushort' ? 16 : 8)

/** What libvips says, as one of our reasons. */
export function failureOf(error: unknown, kind: string): Refusal {
  if (error instanceof Refusal) return error
  const message = error instanceof Error ? error.message : ''
  if (/exceeds pixel limit/i.test(message))
    return refuse('too_large', { limit: Math.round(images.maxPixels / 1e6) })
  if (/unsupported image format|corrupt header|bad seek/i.test(message))
    return refuse('header_damaged', { kind })
  if (/premature end|truncated|end of (file|stream)|not enough/i.test(message))
    return refuse('data_short', { percent: 99 })
  return refuse('data_damaged')
}

/** A GIF whose first frame has no table of colours anywhere. */
function refuseColourless(bytes: Buffer): void {
  const flags = bytes[10] ?? 0
  if ((flags & 0x80) !== 0) return
  let at = 13
  while (bytes[at] === 0x21) {
    at += 2
    while ((bytes[at] ?? 0) > 0) at += (bytes[at] ?? 0) + 1
    at += 1
  }
  const local = bytes[at] === 0x2c ? (bytes[at + 9] ?? 0) : 0
  if ((local & 0x80) === 0) throw refuse('header_damaged', { kind: 'GIF' })
}
