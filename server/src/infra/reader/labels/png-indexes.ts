/** The numbers of a PNG with a palette, in place of its colours, which is all that libraries give. */
import sharp from 'sharp'
import { failureOf } from '../pictures.ts'
import { pngChunk } from '../png-chunk.ts'

export type Indexed = { width: number; height: number; values: Uint8Array; palette: string[] }

const INDEXED = 3

/** Null for a PNG without a palette. The same numbers are called shades of grey, and the palette is taken out. */
export async function readIndexes(bytes: Buffer, limitPixels: number): Promise<Indexed | null> {
  if (bytes.length < 33 || bytes[25] !== INDEXED) return null
  const chunks = chunksOf(bytes)
  const depth = bytes[24] ?? 8
  const head = Buffer.from(chunks.find(({ name }) => name === 'IHDR')?.body ?? Buffer.alloc(13))
  head[9] = 0
  const grey = Buffer.concat([
    bytes.subarray(0, 8),
    pngChunk('IHDR', head),
    ...chunks.filter(({ name }) => name === 'IDAT').map(({ body }) => pngChunk('IDAT', body)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
  const { data, info } = await sharp(grey, { failOn: 'error', limitInputPixels: limitPixels })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => {
      throw failureOf(error, 'PNG')
    })
  // Fewer bits are spread over eight: 1 becomes 255, 2 of four levels 170.
  const step = 255 / (2 ** depth - 1)
  const values = Uint8Array.from({ length: info.width * info.height }, (_, at) =>
    Math.round((data[at * info.channels] ?? 0) / step),
  )
  const table = chunks.find(({ name }) => name === 'PLTE')?.body ?? Buffer.alloc(0)
  const palette = Array.from(
    { length: Math.floor(table.length / 3) },
    (_, index) => `#${table.subarray(3 * index, 3 * index + 3).toString('hex')}`,
  )
  return { width: info.width, height: info.height, ...withBlackFirst(values, palette) }
}

const BLACK = '#000000'

/** 0 is the background; where black stands at another number, a program numbered the colours as they came. */
function withBlackFirst(values: Uint8Array, palette: string[]): Pick<Indexed, 'values' | 'palette'> {
  const black = palette[0] === BLACK ? 0 : palette.indexOf(BLACK)
  if (black <= 0 || !values.includes(black)) return { values, palette }
  const swapped = (value: number): number => (value === black ? 0 : value === 0 ? black : value)
  return { values: values.map(swapped), palette: palette.map((_, at) => palette[swapped(at)] ?? BLACK) }
}

type Chunk = { name: string; body: Buffer }

function chunksOf(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const body = bytes.subarray(at + 8, Math.min(at + 8 + length, bytes.length))
    chunks.push({ name: bytes.toString('latin1', at + 4, at + 8), body })
    at += 12 + length
  }
  return chunks
}
