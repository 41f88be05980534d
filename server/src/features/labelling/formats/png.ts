/** Writes PNG with numbers as they are (ISO/IEC 15948): grey of 8 or 16 bits, indexes with a palette, colours. */

import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { pngChunk } from '../../../infra/reader/png-chunk.ts'

const pack = promisify(deflate)

type Pixels =
  | { kind: 'grey'; values: Uint8Array | Uint16Array }
  | { kind: 'indexes'; values: Uint8Array; palette: readonly (readonly [number, number, number])[] }
  | { kind: 'colours'; values: Uint8Array }

export async function pngBytes(pixels: Pixels, width: number, height: number): Promise<Buffer> {
  const { kind, values } = pixels
  const isDeep = values instanceof Uint16Array
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = isDeep ? 16 : 8
  head[9] = { grey: 0, colours: 2, indexes: 3 }[kind]
  const body = await pack(rowsOf(values, values.length / height), { level: 6 })
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', head),
    ...(pixels.kind === 'indexes' ? [pngChunk('PLTE', Buffer.from(pixels.palette.flat()))] : []),
    pngChunk('IDAT', body),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Each row begins with the number of its filter: none. Numbers of 16 bits have their high byte first. */
function rowsOf(values: Uint8Array | Uint16Array, across: number): Buffer {
  const wide = values.BYTES_PER_ELEMENT
  const rows = Buffer.alloc((across * wide + 1) * Math.round(values.length / across))
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
  for (let from = 0, at = 0; from < bytes.length; from += across * wide, at += across * wide + 1) {
    bytes.copy(rows, at + 1, from, from + across * wide)
    if (wide === 2) rows.subarray(at + 1, at + 1 + across * 2).swap16()
  }
  return rows
}
