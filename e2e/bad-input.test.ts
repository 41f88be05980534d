/** What people really drop: broken, empty, lying and misplaced files. The rest of the upload survives, nothing crashes. */

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawField } from '../server/src/demo/pictures.ts'
import { encodePng } from '../server/src/demo/png.ts'
import { signIn, type Visit, visit } from './browser.ts'
import { type Folder, write } from './data.ts'
import { newProject, uploadFolder } from './journey.ts'
import { longTest } from './long-test.ts'
import type { Product } from './stack.ts'

let product: Product
let page: Page
let errors: string[]
let end: Visit['end'] | undefined

beforeAll(async () => {
  ;({ product, page, errors, end } = await visit())
  await signIn(page, product)
})

afterAll(() => end?.())

describe('bad input', () => {
  test('a folder with everything wrong in it still becomes a data set, each bad file named with its reason', async () => {
    await project('segmentation', 'Everything wrong')
    await uploadFolder(page, folderOf('bad 数据 данные', badMasks))
    // The browser has seen some of it already; the server must cope all the same.
    await page.getByRole('button', { name: 'Upload all of them anyway' }).click()
    await page.getByRole('button', { name: 'Train', exact: true }).waitFor({ timeout: 120_000 })
    await page
      .getByRole('button', { name: /set aside/ })
      .filter({ visible: true })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    for (const [name, reason] of Object.entries(reasons)) {
      const row = dialog.getByRole('row').filter({ hasText: name })
      await row.first().waitFor()
      expect(await row.first().innerText()).toMatch(reason)
    }
  })

  longTest('a single class is refused in plain words', async () => {
    await project('classification', 'One class')
    await uploadFolder(page, folderOf('only one', { 'cat/1.png': picture(1), 'cat/2.png': picture(2) }))
    await page
      .getByText(/only one class|second class/i)
      // The page left before is kept, hidden.
      .filter({ visible: true })
      .first()
      .waitFor()
  })

  longTest('a folder without any image is refused in plain words', async () => {
    await project('classification', 'No images')
    await uploadFolder(page, folderOf('letters', { 'a/notes.txt': 'hello', 'b/notes.txt': 'world' }))
    await page
      .getByText(/no image|no image/i)
      .filter({ visible: true })
      .first()
      .waitFor()
  })

  longTest('three images are too few: how many are needed is said, and nothing starts', async () => {
    await project('classification', 'Three images')
    const files = { 'cat/1.png': picture(1), 'cat/2.png': picture(2), 'dog/1.png': picture(3) }
    await uploadFolder(page, folderOf('three', files))
    await openTraining()
    await shown(/There are 3 images where at least 10 are needed. Add more images/)
    expect(await page.getByRole('button', { name: 'Start training' }).isDisabled()).toBe(true)
  })

  longTest('boxes without a size or outside the picture are named, and the other pictures stay', async () => {
    await project('detection', 'Bad boxes')
    await uploadFolder(page, folderOf('boxes', badBoxes))
    await page
      .getByText(/set aside/)
      .filter({ visible: true })
      .first()
      .click({ timeout: 120_000 })
    await shown(/Box 1 \(cell\) has no area/)
    await shown(/Box 1 \(cell\) lies outside the image/)
    await shown(/Draw the box again, with a width and a height, or delete it/)
  })

  longTest('pictures of very different sizes train, with a word on what that means', async () => {
    await project('classification', 'Mixed sizes')
    const sides = [24, 400]
    const files = sides.flatMap((side) =>
      Array.from({ length: 20 }, (_, i) => [`${side < 100 ? 'near' : 'far'}/${i}.png`, picture(i + 1, side)]),
    )
    await uploadFolder(page, folderOf('mixed', Object.fromEntries(files)))
    await openTraining()
    await shown(/differ much in size/)
    await shown(/Export them at one scale if you can/)
    expect(await page.getByRole('button', { name: 'Start training' }).isDisabled()).toBe(false)
  })

  test('the browser reported no error on the way', () => {
    expect(errors).toEqual([])
  })
})

async function project(task: 'classification' | 'segmentation' | 'detection', name: string) {
  await page.goto(`${product.url}/projectHome`)
  await newProject(page, task, name)
}

/** Until it is to be read; the page left before is kept, hidden. */
const shown = (text: RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor()

async function openTraining() {
  await page
    .getByRole('button', { name: 'Train', exact: true })
    .filter({ visible: true })
    .click({ timeout: 120_000 })
  await page.getByRole('button', { name: 'Start training' }).waitFor()
}

const picture = (seed: number, side = 64) => encodePng(drawField(seed, side).image)
const mask = (seed: number) => encodePng(drawField(seed, 64).mask)

/** A PNG whose header promises 60,000 × 60,000 pixels in a few bytes. */
function hugePng(): Buffer {
  const header = Buffer.alloc(25)
  header.writeUInt32BE(13, 0)
  header.write('IHDR', 4, 'latin1')
  header.writeUInt32BE(60_000, 8)
  header.writeUInt32BE(60_000, 12)
  header[16] = 8
  header.writeUInt32BE(crc32(header.subarray(4, 21)), 21)
  const data = deflateSync(Buffer.alloc(1000))
  const frame = Buffer.alloc(12 + data.length)
  frame.writeUInt32BE(data.length, 0)
  frame.write('IDAT', 4, 'latin1')
  data.copy(frame, 8)
  frame.writeUInt32BE(crc32(frame.subarray(4, 8 + data.length)), 8 + data.length)
  return Buffer.concat([picture(1).subarray(0, 8), header, frame])
}

/** A TIFF of 8 × 8 floats, one of which is no number. */
function nanTiff(): Buffer {
  const pixels = Float32Array.from({ length: 64 }, (_, at) => (at === 9 ? Number.NaN : at / 64))
  // Width, height, bits, no compression, black is zero, where the pixels lie, rows of the strip, its bytes, floats.
  const tags = [
    ...[
      [256, 8],
      [257, 8],
      [258, 32],
      [259, 1],
      [262, 1],
      [273, 8],
      [278, 8],
      [279, 256],
      [339, 3],
    ],
  ] as const
  const directory = Buffer.alloc(2 + 12 * tags.length + 4)
  directory.writeUInt16LE(tags.length, 0)
  for (const [index, [tag, value]] of tags.entries()) {
    const at = 2 + 12 * index
    directory.writeUInt16LE(tag, at)
    directory.writeUInt16LE(4, at + 2)
    directory.writeUInt32LE(1, at + 4)
    directory.writeUInt32LE(value, at + 8)
  }
  const head = Buffer.from('49492a0000000000', 'hex')
  head.writeUInt32LE(8 + pixels.byteLength, 4)
  return Buffer.concat([head, Buffer.from(pixels.buffer), directory])
}

const voc = (image: string, [x0, y0, x1, y1]: readonly number[]) =>
  `<annotation><filename>${image}</filename><size><width>64</width><height>64</height></size><object><name>cell</name><bndbox><xmin>${x0}</xmin><ymin>${y0}</ymin><xmax>${x1}</xmax><ymax>${y1}</ymax></bndbox></object></annotation>`

const badBoxes: Record<string, Uint8Array | string> = Object.fromEntries(
  Array.from({ length: 14 }, (_, i) => {
    const bad = i === 0 ? [20, 20, 20, 20] : [90, 90, 120, 120]
    return [
      [`images/${i}.png`, picture(i + 1)],
      [`annotations/${i}.xml`, voc(`${i}.png`, i < 2 ? bad : [10, 10, 40, 40])],
    ] as const
  }).flat(),
)

const badMasks: Record<string, Uint8Array | string> = {
  ...Object.fromEntries(Array.from({ length: 14 }, (_, i) => [`images/good ${i}.png`, picture(i + 1)])),
  ...Object.fromEntries(Array.from({ length: 14 }, (_, i) => [`masks/good ${i}.png`, mask(i + 1)])),
  'images/好的 снимок.png': picture(90),
  'masks/好的 снимок.png': mask(90),
  'images/broken.png': picture(40).subarray(0, 300),
  'masks/broken.png': mask(40),
  'images/empty.png': '',
  'masks/empty.png': mask(41),
  'images/huge.png': hugePng(),
  'masks/huge.png': mask(42),
  'images/text.png': 'This is a letter, not an image.',
  'masks/text.png': mask(43),
  'images/nan.tif': nanTiff(),
  'masks/nan.png': mask(46),
  'images/lonely.png': picture(44),
  'masks/orphan.png': mask(45),
}

/** Words of the English reasons that a nurse would look for. */
const reasons: Record<string, RegExp> = {
  'broken.png': /broken|cut|incomplete|damaged/i,
  'empty.png': /empty/i,
  'huge.png': /large|big/i,
  'text.png': /not (a|an) (image|image)/i,
  'nan.tif': /no numbers/i,
  'lonely.png': /mask/i,
  'orphan.png': /image|picture/i,
}

function folderOf(name: string, files: Record<string, Uint8Array | string>): Folder {
  const path = join(mkdtempSync(join(tmpdir(), 'pictures-')), name)
  for (const [file, bytes] of Object.entries(files)) write(join(path, file), bytes)
  return { path, name, files: Object.keys(files).length, isReal: false }
}
