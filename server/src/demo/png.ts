/** Writes 8-bit grey PNG files: all that the sample pictures need. Never reads one. */
import { deflateSync } from 'node:zlib'
import { pngChunk } from '../infra/reader/png-chunk.ts'

export type GreyPicture = { width: number; height: number; pixels: Uint8Array }

/** PNG (ISO/IEC 15948) of a grey picture, rows unfiltered. */
export function encodePng({ width, height, pixels }: GreyPicture): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits a pixel, grey, deflate, no interlace: the remaining bytes are zero.
  header[8] = 8
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}
