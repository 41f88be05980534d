/** Packs and unpacks a deflated data set; a small file that would unpack to gigabytes is refused. */
import { Refusal } from './refusal.ts'

/** Far above any real object in this rare packing. */
const mostBytes = 1024 * 1024 * 1024

/**
 * What may follow the packed bytes: nothing, the byte that makes their length even, or the checksum and length that some
 * writers add, with or without that byte. Browsers, unlike Node, refuse whatever follows.
 */
const tails = [0, 1, 8, 9]

export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  for (const tail of tails) {
    try {
      const packed = bytes.subarray(0, Math.max(bytes.length - tail, 0))
      return await through(packed, new DecompressionStream('deflate-raw'))
    } catch (error) {
      if (error instanceof Refusal) throw error
    }
  }
  throw new Refusal('deflated')
}

export async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const packed = await through(bytes, new CompressionStream('deflate-raw'))
  if (packed.length % 2 === 0) return packed
  const even = new Uint8Array(packed.length + 1)
  even.set(packed)
  return even
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: GenericTransformStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const writer = stream.writable.getWriter()
  // The reader below meets the same failure.
  writer.write(bytes).catch(() => {})
  writer.close().catch(() => {})
  const pieces: Uint8Array[] = []
  let size = 0
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.readable.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > mostBytes) {
      await reader.cancel()
      throw new Refusal('deflated', 'too large')
    }
    pieces.push(value)
  }
  const all = new Uint8Array(size)
  let offset = 0
  for (const piece of pieces) {
    all.set(piece, offset)
    offset += piece.length
  }
  return all
}
