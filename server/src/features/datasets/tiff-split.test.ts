import sharp from 'sharp'
import { expect, it } from 'vitest'
import { type DrawnPage, tiffStack } from '../../../test/tiff-stack.ts'
import { tiffPages } from './tiff-split.ts'

const pageOf = (seed: number, width = 6, height = 5): DrawnPage => ({
  ...{ width, height },
  pixels: Uint8Array.from({ length: width * height }, (_, at) => (at * 11 + seed * 40) % 256),
})
const pages = [pageOf(1), pageOf(2), pageOf(3)]
const pixelsIn = (bytes: Buffer) => sharp(bytes).raw().toBuffer({ resolveWithObject: true })

it.each([true, false])(
  'each page becomes a file of its own, with its very pixels (little-endian: %s)',
  async (isLittle) => {
    const split = tiffPages(tiffStack(pages, isLittle)) ?? []
    expect(split).toHaveLength(3)
    for (const [index, bytes] of split.entries()) {
      const { data, info } = await pixelsIn(bytes)
      expect([info.width, info.height]).toEqual([6, 5])
      const grey = Uint8Array.from({ length: 30 }, (_, at) => data[at * info.channels] ?? 0)
      expect(grey).toEqual(pages[index]?.pixels)
      expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1)
      expect(bytes.includes('drawn stack')).toBe(false)
    }
  },
)

it('previews and pages of another size are no pages', () => {
  const stack = tiffStack([pageOf(1), { ...pageOf(2), isPreview: true }, pageOf(3, 3, 2), pageOf(4)])
  expect(tiffPages(stack)).toHaveLength(2)
})

it('what is damaged, in a circle, or no classic TIFF is not taken apart', () => {
  const stack = tiffStack(pages)
  expect(tiffPages(stack.subarray(0, stack.length - 40))).toBeNull()
  expect(tiffPages(Buffer.from('a picture'))).toBeNull()
  const circle = Buffer.from(stack)
  circle.writeUInt32LE(circle.readUInt32LE(4), circle.length - 4)
  expect(tiffPages(circle)).toBeNull()
  const beyond = Buffer.from(tiffStack([pageOf(1)]))
  // The first strip is said to lie behind the end of the file.
  beyond.writeUInt32LE(60_000, beyond.readUInt32LE(beyond.readUInt32LE(4) + 2 + 7 * 12 + 8))
  expect(tiffPages(beyond)).toBeNull()
})

it('pages that all lead to the same pixels are not taken apart: a small file would become a large one', () => {
  const stack = tiffStack(pages)
  const listOf = (page: number): number =>
    page === 0 ? stack.readUInt32LE(4) : stack.readUInt32LE(listOf(page - 1) + 2 + 11 * 12)
  // The lengths of both strips, as long as the file.
  for (const page of [0, 1, 2]) {
    const places = stack.readUInt32LE(listOf(page) + 2 + 7 * 12 + 8)
    const lengths = stack.readUInt32LE(listOf(page) + 2 + 10 * 12 + 8)
    stack.writeUInt32LE(8, places)
    stack.writeUInt32LE(Math.floor(stack.length / 2), lengths)
  }
  expect(tiffPages(stack)).toBeNull()
})

it('pages that all lead to the same long table are not taken apart', () => {
  const stack = tiffStack(pages)
  // Of each page: a table of colours as long as the file, from its beginning on.
  for (let at = stack.readUInt32LE(4); at !== 0; at = stack.readUInt32LE(at + 2 + 11 * 12)) {
    const field = at + 2 + 2 * 12
    stack.writeUInt16LE(320, field)
    stack.writeUInt16LE(3, field + 2)
    stack.writeUInt32LE(Math.floor(stack.length / 2), field + 4)
    stack.writeUInt32LE(0, field + 8)
  }
  expect(tiffPages(stack)).toBeNull()
})
