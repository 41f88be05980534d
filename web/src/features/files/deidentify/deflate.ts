/** Packs and unpacks a deflated data set; a small file that would unpack to gigabytes is refused. */
import { Refusal } from './refusal.ts'

/** Far above any real object in this rare packing. */
const mostBytes = 1024 * 1024 * 1024

export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await through(bytes, new DecompressionStream('deflate-raw'))
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('deflated')
  }
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
