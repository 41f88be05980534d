/** Every task that has no file of its own, once, as a person takes it: data set, training, an early stop, test, and the report of it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawField } from '../../server/src/demo/pictures.ts'
import { encodePng } from '../../server/src/demo/png.ts'
import { signIn, type Visit, visit } from '../browser.ts'
import { type Folder, pictureFolder, sharedData, write } from '../data.ts'
import { readReport, shown, startTraining, stopAndTest, type Task } from '../journey.ts'
import type { Product } from '../stack.ts'

let product: Product
let page: Page
let errors: string[]
let end: Visit['end'] | undefined

beforeAll(async () => {
  ;({ product, page, errors, end } = await visit())
  await signIn(page, product)
})

afterAll(() => end?.())

type Journey = {
  task: Task
  folder: () => Folder
  /** Of the result's headline, and the least that few steps reach. */
  metric: string
  least: number
  /** What the test gives to take along. */
  download: RegExp | null
}

const journeys: Journey[] = [
  {
    task: 'super_resolution',
    folder: () =>
      pictureFolder({ set: 'superresolution-kodak-x2', name: 'photographs', synthetic: drawSizes }),
    ...{ metric: 'PSNR', least: 20, download: /Images \(ZIP\)/ },
  },
  {
    task: 'volume_segmentation',
    folder: () =>
      pictureFolder({ set: 'segmentation-hippocampus-3d', name: 'brains', synthetic: () => undefined }),
    ...{ metric: 'Dice', least: 0.05, download: /Masks \(ZIP\)/ },
  },
  {
    task: 'denoising',
    folder: () => pictureFolder({ set: 'not there', name: 'quick scans', synthetic: drawNoise }),
    ...{ metric: 'PSNR', least: 20, download: /Images \(ZIP\)/ },
  },
  {
    task: 'multilabel',
    folder: () => pictureFolder({ set: 'not there', name: 'findings', synthetic: drawFindings }),
    ...{ metric: 'F1', least: 0.2, download: null },
  },
]

const isPossible = ({ task }: Journey): boolean =>
  task !== 'volume_segmentation' || existsSync(join(sharedData, 'segmentation-hippocampus-3d'))

describe.each(journeys.filter(isPossible))('$task', ({ task, folder, metric, least, download }) => {
  test('is trained on a folder as people have it', async () => {
    await page.goto(`${product.url}/mangeHome`)
    await startTraining(page, { task, folder: folder(), project: `Project ${task}` })
    // The first look at the validation part.
    await expect.poll(() => shown(page, metric), { timeout: 300_000, interval: 1000 }).toBeGreaterThan(0)
  })

  test('is tested on what was kept aside, after an early stop', async () => {
    await stopAndTest(page, { metric, least, download })
  })

  test('has a report that can be read and taken along', () => readReport(page, `Project ${task}`))
})

test('the browser reported no error on the way', () => {
  expect(errors).toEqual([])
})

/** Drawn fields, and the same at half the size. */
function drawSizes(folder: string) {
  for (let index = 0; index < 8; index++) {
    const { image } = drawField(index + 1)
    const [width, height] = [image.width >> 1, image.height >> 1]
    const pixels = new Uint8Array(width * height)
    for (let at = 0; at < pixels.length; at++) {
      const [x, y] = [2 * (at % width), 2 * Math.floor(at / width)]
      pixels[at] = image.pixels[y * image.width + x] ?? 0
    }
    write(join(folder, 'images', `${index}.png`), encodePng({ width, height, pixels }))
    write(join(folder, 'labels', `${index}.png`), encodePng(image))
  }
}

/** Drawn fields, and the same with grain. */
function drawNoise(folder: string) {
  for (let index = 0; index < 12; index++) {
    const { image } = drawField(index + 1)
    let state = index + 1
    const noisy = image.pixels.map((level) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return Math.max(0, Math.min(255, level + ((state >> 16) % 61) - 30))
    })
    write(join(folder, 'noisy', `${index}.png`), encodePng({ ...image, pixels: noisy }))
    write(join(folder, 'clean', `${index}.png`), encodePng(image))
  }
}

/** Bright fields, striped fields, both, and neither; the table names what each image shows. */
function drawFindings(folder: string) {
  const lines = ['image,bright,striped']
  const side = 48
  for (let index = 0; index < 80; index++) {
    const [isBright, isStriped] = [index % 2 === 1, index % 4 > 1]
    const pixels = new Uint8Array(side * side).map((_, at) => {
      const stripe = isStriped && at % 8 < 4 ? 60 : 0
      return (isBright ? 150 : 40) + stripe + ((at * 7919 + index * 104_729) % 31)
    })
    write(join(folder, 'images', `${index}.png`), encodePng({ width: side, height: side, pixels }))
    lines.push(`${index}.png,${Number(isBright)},${Number(isStriped)}`)
  }
  write(join(folder, 'labels.csv'), `${lines.join('\n')}\n`)
}
