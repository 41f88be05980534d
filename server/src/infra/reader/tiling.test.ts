import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Refusal } from './model.ts'
import { makeTiles } from './tiling.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'neuroloom-tiles-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function tiled(name: string, bytes: Uint8Array, mostPixels = 1e6) {
  const path = join(folder, 'file0')
  writeFileSync(path, bytes)
  const source = { files: [{ path, name }], siblings: new Map(), limitBytes: 1e8, folder }
  return makeTiles({ source, side: 256, mostPixels })
}

/** Each pixel tells where it is. */
function places(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      pixels.set([x & 255, y & 255, (x >> 8) * 16 + (y >> 8)], (y * width + x) * 3)
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

const pixelsOf = async (level: number, name: string, space = 'srgb') =>
  sharp(join(folder, 'tiles_files', String(level), name))
    .toColourspace(space)
    .raw()
    .toBuffer({ resolveWithObject: true })

it('a picture has every pixel in the tiles of its own size, and each further size is half of it', async () => {
  const made = await tiled('a.png', await places(900, 600).png().toBuffer())
  expect(made).toMatchObject({ made: 'tiles_files', levels: 3, ending: 'png' })
  expect(made.facts).toMatchObject({ format: 'png', size: [900, 600, 1, 1], channels: 3, dataType: 'uint8' })
  expect(readdirSync(join(folder, 'tiles_files', '2'))).toHaveLength(4 * 3)
  const { data, info } = await pixelsOf(2, '3_2.png')
  expect([info.width, info.height, info.channels]).toEqual([900 - 3 * 256, 600 - 2 * 256, 3])
  // Column 770, row 515.
  const at = (3 * info.width + 2) * 3
  expect([...data.subarray(at, at + 3)]).toEqual([770 & 255, 515 & 255, 3 * 16 + 2])
  const { info: smallest } = await pixelsOf(0, '0_0.png')
  expect([smallest.width, smallest.height]).toEqual([225, 150])
})

it('a camera that was held upright is followed', async () => {
  const bytes = await places(600, 300).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  const made = await tiled('a.jpg', bytes)
  expect(made.facts.size).toEqual([300, 600, 1, 1])
  expect(made.ending).toMatch(/^jpe?g$/)
})

it('greys of 16 bits are spread over those of a screen, and masks keep their numbers', async () => {
  const deep = Uint16Array.from({ length: 600 * 300 }, (_, at) => 1000 + (at % 600) * 5)
  const raw = { width: 600, height: 300, channels: 1 as const }
  const bytes = await sharp(deep, { raw }).toColourspace('grey16').png().toBuffer()
  const made = await tiled('a.png', bytes)
  expect(made.facts).toMatchObject({ channels: 1, dataType: 'uint16', bits: 16 })
  const { data: left } = await pixelsOf(2, '0_0.png', 'b-w')
  const { data: right, info } = await pixelsOf(2, '2_0.png', 'b-w')
  expect([info.channels, left[0]]).toEqual([1, 0])
  expect(right[info.width - 1]).toBeGreaterThan(250)
  rmSync(join(folder, 'tiles_files'), { recursive: true })
  const mask = await sharp(Buffer.alloc(600 * 300, 7), { raw })
    .toColourspace('b-w')
    .png()
    .toBuffer()
  await tiled('mask.png', mask)
  expect(new Set((await pixelsOf(2, '0_0.png', 'b-w')).data)).toEqual(new Set([7]))
})

it('what is read whole is parted too, and what is too large or broken is refused with its reason', async () => {
  const lines = Buffer.concat([Buffer.from('P5 600 300 255\n'), Buffer.alloc(600 * 300, 9)])
  expect(await tiled('a.pgm', lines)).toMatchObject({ levels: 3, ending: 'png' })
  const png = await places(900, 600).png().toBuffer()
  await expect(tiled('a.png', png, 1000)).rejects.toMatchObject({ reason: 'too_large' })
  await expect(tiled('a.png', png.subarray(0, 3000))).rejects.toBeInstanceOf(Refusal)
})
