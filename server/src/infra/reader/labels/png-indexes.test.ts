import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { pngChunk } from '../png-chunk.ts'
import { readIndexes } from './png-indexes.ts'

/** One row of pixels, by their numbers. */
function png(numbers: number[], palette: string[]): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(numbers.length, 0)
  head.writeUInt32BE(1, 4)
  head.set([8, 3], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', head),
    pngChunk('PLTE', Buffer.from(palette.join(''), 'hex')),
    pngChunk('IDAT', deflateSync(Buffer.from([0, ...numbers]))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}
async function read(numbers: number[], palette: string[]) {
  const found = await readIndexes(png(numbers, palette), 1000)
  return [[...(found?.values ?? [])], found?.palette]
}
const [black, red, blue] = ['000000', 'c80000', '0000c8']

it('numbers of a palette are kept where 0 is black, or where black is not there', async () => {
  expect(await read([0, 1, 2], [black, red, blue])).toEqual([
    [0, 1, 2],
    ['#000000', '#c80000', '#0000c8'],
  ])
  expect((await read([0, 1, 1], [blue, red, black]))[0]).toEqual([0, 1, 1])
})

it('black is the background, whichever number a program gave it', async () => {
  expect(await read([1, 0, 0, 1], [red, black])).toEqual([
    [0, 1, 1, 0],
    ['#000000', '#c80000'],
  ])
  expect(await read([2, 0, 1], [red, blue, black])).toEqual([
    [0, 2, 1],
    ['#000000', '#0000c8', '#c80000'],
  ])
})
