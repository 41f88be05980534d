import { crc32 } from 'node:zlib'

/** A part of a PNG (ISO/IEC 15948, 5.3): length, name, body, and the check sum of name and body. */
export function pngChunk(name: string, body: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + body.length)
  bytes.writeUInt32BE(body.length, 0)
  bytes.write(name, 4, 'latin1')
  body.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + body.length)), 8 + body.length)
  return bytes
}
