/** Masks inside of LabelMe texts: as programs write them, and as somebody would who wants to do harm. */
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { pngChunk } from '../../../../infra/reader/png-chunk.ts'
import { runsOfMask } from './labelme-mask.ts'

const [width, height] = [37, 23]
/** A ring, and a lone pixel in the last corner. */
const ring = Array.from({ length: width * height }, (_, at) => {
  const away = Math.hypot((at % width) - 18, Math.floor(at / width) - 11)
  return (away > 5 && away < 9.5) || at === width * height - 1
})
const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/** A grey PNG each row of which is filtered in another way. */
function png(bits: number, { colour = 0, interlaced = 0, rows = filtered(bits) } = {}): string {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([bits, colour, 0, 0, interlaced], 8)
  const packed = deflateSync(rows)
  return Buffer.concat([
    signature,
    pngChunk('IHDR', head),
    // Parted, as long masks are.
    pngChunk('IDAT', packed.subarray(0, 20)),
    pngChunk('IDAT', packed.subarray(20)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]).toString('base64')
}

function filtered(bits: number): Buffer {
  const step = Math.max(1, bits / 8)
  const rowBytes = Math.ceil((width * bits) / 8)
  const plain = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(rowBytes)
    for (let x = 0; x < width; x += 1) {
      if (!ring[y * width + x]) continue
      // Of two bytes a value the lower one alone.
      const at = bits === 16 ? 2 * x + 1 : Math.floor((x * bits) / 8)
      row[at] = (row[at] ?? 0) | (bits >= 8 ? 7 : 1 << (8 - bits - ((x * bits) % 8)))
    }
    return row
  })
  const byteAt = (row: Buffer | undefined, at: number): number => row?.[at] ?? 0
  return Buffer.concat(
    plain.map((row, y) => {
      const above = plain[y - 1]
      const differences = row.map((value, at) => {
        const [a, b, c] = [byteAt(row, at - step), byteAt(above, at), byteAt(above, at - step)]
        const paeth = [a, b, c].toSorted(
          (one, other) => Math.abs(a + b - c - one) - Math.abs(a + b - c - other),
        )
        return value - ([0, a, b, (a + b) >> 1, paeth[0] ?? 0][y % 5] ?? 0)
      })
      return Buffer.concat([Buffer.from([y % 5]), differences])
    }),
  )
}

const corners = [
  [4, 6],
  [4 + width - 1, 6 + height - 1],
] as const
const read = (text: string, more: { corners?: typeof corners; mostPixels?: number } = {}) =>
  runsOfMask(text, { corners, mostPixels: 10_000, ...more })

async function pixelsOf(text: string) {
  const runs = await read(text)
  if (!runs) return null
  const pixels = [...runs.counts].flatMap((count, index) => Array<boolean>(count).fill(index % 2 === 1))
  return { place: [runs.left, runs.top, runs.width, runs.height, runs.along], pixels }
}
const expected = { place: [4, 6, width, height, 'rows'], pixels: ring }

describe('a mask', () => {
  it.each([1, 2, 4, 8, 16])('of %i bits is read pixel by pixel, whatever its filters', async (bits) => {
    expect(await pixelsOf(png(bits))).toEqual(expected)
  })

  it('that another program packed is read the same', async () => {
    const raw = { width, height, channels: 1 as const }
    const bytes = await sharp(Buffer.from(ring.map((isIn) => (isIn ? 1 : 0))), { raw })
      .toColourspace('b-w')
      .png({ adaptiveFiltering: true })
      .toBuffer()
    expect(await pixelsOf(bytes.toString('base64'))).toEqual(expected)
  })

  it('whose second corner lies after its last pixel is read the same', async () => {
    const after = [corners[0], [4 + width, 6 + height]] as const
    const runs = await runsOfMask(png(8), { corners: after, mostPixels: 10_000 })
    expect(runs).toMatchObject({ left: 4, top: 6, width, height })
  })
})

describe('no mask', () => {
  const truncated = Buffer.from(png(8), 'base64').subarray(0, 70).toString('base64')
  it.each<[string, string]>([
    ['an empty text', ''],
    ['a text that is no PNG', Buffer.from('GIF89a, and nothing more than that').toString('base64')],
    ['a file that is cut off', truncated],
    ['a coloured picture', png(8, { colour: 2 })],
    ['a palette', png(8, { colour: 3 })],
    ['an interlaced picture', png(8, { interlaced: 1 })],
    ['bits that no PNG has', png(7)],
    ['a filter that no PNG has', png(8, { rows: Buffer.alloc((width + 1) * height, 5) })],
    ['more rows than it says', png(8, { rows: Buffer.alloc(5_000_000) })],
    ['fewer rows than it says', png(8, { rows: filtered(8).subarray(0, 200) })],
    ['nothing that is marked', png(8, { rows: Buffer.alloc((width + 1) * height) })],
  ])('is made of %s', async (_, text) => {
    expect(await read(text)).toBeNull()
  })

  it('is made where the corners span another size, lie outside of the image, or the sum is reached', async () => {
    const elsewhere = (x0: number, x1: number) =>
      runsOfMask(png(8), {
        corners: [
          [x0, 6],
          [x1, 6 + height],
        ],
        mostPixels: 10_000,
      })
    expect(await elsewhere(4, 4 + 2 * width)).toBeNull()
    expect(await elsewhere(-3, width - 3)).toBeNull()
    expect(await elsewhere(Number.NaN, 40)).toBeNull()
    expect(await read(png(8), { mostPixels: width * height - 1 })).toBeNull()
    expect(await read(png(8), { mostPixels: width * height })).not.toBeNull()
  })
})
