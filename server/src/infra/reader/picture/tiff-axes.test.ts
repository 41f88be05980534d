/** Stacks of TIFF go by the axes that ImageJ and OME name: a channel is no slice. */
import { expect, it } from 'vitest'
import { readTiff } from './tiff.ts'

const SIDE = 2

/** Pages of one value each: their numbers. */
function tiffOf(description: string, pages: number): Buffer {
  const text = Buffer.from(`${description}\0`)
  const even = Buffer.concat([text, Buffer.alloc(text.length % 2)])
  const textAt = 8
  const pixelsAt = textAt + even.length
  const entries = 10
  const directoryBytes = 2 + entries * 12 + 4
  const directoriesAt = pixelsAt + pages * SIDE * SIDE
  const head = Buffer.alloc(8)
  head.write('II*\0', 'latin1')
  head.writeUInt32LE(directoriesAt, 4)
  const directories = Array.from({ length: pages }, (_, page) => {
    const bytes = Buffer.alloc(directoryBytes)
    bytes.writeUInt16LE(entries)
    const tags: [number, number, number, number][] = [
      [256, 3, 1, SIDE],
      [257, 3, 1, SIDE],
      [258, 3, 1, 8],
      [259, 3, 1, 1],
      [262, 3, 1, 1],
      [270, 2, text.length, textAt],
      [273, 4, 1, pixelsAt + page * SIDE * SIDE],
      [277, 3, 1, 1],
      [278, 3, 1, SIDE],
      [279, 4, 1, SIDE * SIDE],
    ]
    for (const [index, [tag, type, count, value]] of tags.entries()) {
      const at = 2 + index * 12
      bytes.writeUInt16LE(tag, at)
      bytes.writeUInt16LE(type, at + 2)
      bytes.writeUInt32LE(count, at + 4)
      bytes.writeUInt32LE(value, at + 8)
    }
    bytes.writeUInt32LE(
      page + 1 < pages ? directoriesAt + (page + 1) * directoryBytes : 0,
      directoryBytes - 4,
    )
    return bytes
  })
  const pixels = Buffer.from(Array.from({ length: pages * SIDE * SIDE }, (_, at) => Math.floor(at / 4)))
  return Buffer.concat([head, even, pixels, ...directories])
}

const imageJ = (...lines: string[]): string => ['ImageJ=1.53t', ...lines, ''].join('\n')
const ome = (order: string, sizes: Record<'C' | 'Z' | 'T', number>): string =>
  `<?xml version="1.0"?><OME><Image><Pixels DimensionOrder="${order}" SizeX="2" SizeY="2" SizeC="${sizes.C}" ` +
  `SizeZ="${sizes.Z}" SizeT="${sizes.T}" PhysicalSizeX="0.5" PhysicalSizeY="0.5" PhysicalSizeZ="2" Type="uint8"/></Image></OME>`

/** The pages in the order in which they lie in the image. */
async function pagesOf(description: string, pages: number) {
  const { size, samples, notes, geometry } = await readTiff(tiffOf(description, pages), 1e9)
  const order = Array.from({ length: pages }, (_, index) => samples[index * SIDE * SIDE])
  return { size, order, geometry, names: notes.map(({ name }) => name) }
}

it.each([
  ['ImageJ', imageJ('images=6', 'channels=2', 'slices=3', 'hyperstack=true'), [0, 2, 4, 1, 3, 5]],
  ['OME, channels first', ome('XYCZT', { C: 2, Z: 3, T: 1 }), [0, 2, 4, 1, 3, 5]],
  ['OME, slices first', ome('XYZCT', { C: 2, Z: 3, T: 1 }), [0, 1, 2, 3, 4, 5]],
])('channels of %s stand apart from slices', async (_, description, order) => {
  expect(await pagesOf(description, 6)).toMatchObject({
    size: [2, 2, 3, 2],
    order,
    names: expect.arrayContaining(['channels_in_row']),
  })
})

it('points in time that run faster than slices are put in order', async () => {
  const { size, order, names, geometry } = await pagesOf(ome('XYTZC', { C: 1, Z: 3, T: 2 }), 6)
  expect({ size, order }).toEqual({ size: [2, 2, 3, 2], order: [0, 2, 4, 1, 3, 5] })
  expect(names).not.toContain('channels_in_row')
  expect(geometry?.spacing).toEqual([0.0005, 0.0005, 0.002])
})

it('axes that contradict the pages leave these in a row, and are told', async () => {
  const { size, names } = await pagesOf(imageJ('images=6', 'channels=4', 'slices=3'), 6)
  expect(size).toEqual([2, 2, 6, 1])
  expect(names).toContain('axes_contradict')
})
