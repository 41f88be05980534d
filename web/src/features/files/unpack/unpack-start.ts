/** What comes out of the beginning of packed bytes; that their end is missing is no matter. */
export async function unpackStart(
  bytes: Uint8Array<ArrayBuffer>,
  format: CompressionFormat,
  mostBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new DecompressionStream(format)
  const writer = stream.writable.getWriter()
  // The reader below meets the same failure.
  writer.write(bytes).catch(() => {})
  writer.close().catch(() => {})
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.readable.getReader()
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    while (size < mostBytes) {
      const { value, done } = await reader.read()
      if (done) break
      pieces.push(value)
      size += value.length
    }
  } catch {
    // The cut end.
  }
  reader.cancel().catch(() => {})
  const all = new Uint8Array(size)
  let offset = 0
  for (const piece of pieces) {
    all.set(piece, offset)
    offset += piece.length
  }
  return all
}
