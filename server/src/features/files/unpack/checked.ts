import { Readable } from 'node:stream'

/** What comes out of an archive is not what it says. */
export class DamagedEntry extends Error {}

type Said = { sizeBytes: number; crc32: number | null }

/** Passes bytes on while they keep to what the archive said; one byte more, or another sum at the end, is an error. */
export function checked(
  source: AsyncIterable<unknown>,
  { sizeBytes, crc32: said }: Said,
  crc32: (bytes: Uint8Array, value: number) => number,
): Readable {
  return Readable.from(pieces(), { objectMode: false })

  async function* pieces(): AsyncIterable<Buffer> {
    let bytes = 0
    let sum = 0
    try {
      for await (const piece of source) {
        // A stream of bytes without an encoding gives buffers.
        const buffer = piece as Buffer
        bytes += buffer.length
        if (bytes > sizeBytes) throw new DamagedEntry('more bytes than the archive says')
        if (said !== null) sum = crc32(buffer, sum)
        yield buffer
      }
    } catch (error) {
      throw error instanceof DamagedEntry ? error : new DamagedEntry('cannot be read', { cause: error })
    }
    if (bytes < sizeBytes) throw new DamagedEntry('fewer bytes than the archive says')
    if (said !== null && sum !== said) throw new DamagedEntry('another checksum than the archive says')
  }
}
