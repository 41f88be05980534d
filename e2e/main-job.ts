/** The main job as a member does it, from sign-in to a tested classifier, by mouse, in Chromium, against the real stack. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countClicks, enter, type Visit, visit } from './browser.ts'
import { type Folder, filesBelow } from './data.ts'
import { isNext, startTraining, waitForEnd } from './journey.ts'
import { type Product, takesLong } from './stack.ts'

type Wanted = {
  folder: () => Folder
  /** The share of held-out pictures that the network must name correctly. */
  least: number
}

let product: Product
let page: Page
let errors: string[]
let end: Visit['end'] | undefined
let folder: Folder
let trainingUrl = ''
let onnx: Buffer
let predictions: Prediction[] = []

/** The tests of a file of its own, on pictures of its choice. */
export function walkMainJob({ folder: make, least }: Wanted) {
  beforeAll(async () => {
    folder = make()
    ;({ product, page, errors, end } = await visit())
  })

  afterAll(() => end?.())

  describe('classification from sign-in to result', () => {
    test('a member signs in with e-mail, password and slider', async () => {
      await enter(page, product)
      await page.waitForURL('**/mangeHome')
    })

    test('at most 8 clicks and no typed number lead to a running training', async () => {
      const clicks = await countClicks(page)
      await startTraining(page, { task: 'classification', folder, project: 'Body regions' })
      expect(await clicks()).toBeLessThanOrEqual(8)
      trainingUrl = page.url()
    })

    test('the page shows the network learning, live', async () => {
      await page.getByRole('progressbar').first().waitFor()
      await isNext(page, page.getByRole('button', { name: 'Stop' }))
      await page.getByRole('button', { name: 'Show as a table' }).click({ timeout: 240_000 })
      await expect
        .poll(() => page.getByRole('table').getByRole('row').count(), { timeout: 120_000 })
        .toBeGreaterThan(2)
    })

    test('the training ends and offers its network for download', takesLong, async () => {
      await waitForEnd(page, 1_000_000)
      await isNext(page, page.getByRole('button', { name: 'Start test' }))
      onnx = await downloaded(page, 'ONNX network')
      expect(onnx.byteLength).toBeGreaterThan(10_000)
      const weights = await downloaded(page, 'Weights (safetensors)')
      const header = JSON.parse(weights.subarray(8, 8 + Number(weights.readBigUInt64LE(0))).toString())
      expect(Object.keys(header).length).toBeGreaterThan(10)
    })

    test('the network is applied to pictures of the cloud that nobody labelled for it', async () => {
      await page.getByRole('button', { name: 'Choose images' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: folder.name }).first().click()
      await dialog.getByRole('button', { name: 'Apply to this folder' }).click()
      await page.waitForURL((url) => url.toString() !== trainingUrl)
      await waitForEnd(page, 120_000)
      const table = readPredictions((await downloaded(page, 'Predictions (CSV)')).toString('utf8'))
      // A README lies beside the real pictures.
      const pictures = filesBelow(folder.path).filter((file) => /\.(png|jpe?g)$/i.test(file))
      expect(table).toHaveLength(pictures.length)
      await page
        .getByRole('button', { name: /^Enlarge/ })
        .first()
        .waitFor()
      expect(await page.getByRole('heading', { name: 'Confusion matrix' }).count()).toBe(0)
    })

    test(`a test on the held-out part names at least ${least * 100} of 100 images correctly`, async () => {
      await page.goto(trainingUrl)
      await page.getByRole('button', { name: 'Start test' }).click()
      await page.waitForURL((url) => url.toString() !== trainingUrl)
      await waitForEnd(page, 120_000)
      const table = await downloaded(page, 'Predictions (CSV)')
      predictions = readPredictions(table.toString('utf8'))
      const right = predictions.filter(({ truth, predicted }) => truth === predicted).length
      expect(predictions.length).toBeGreaterThan(folder.files / 6)
      expect(right / predictions.length).toBeGreaterThanOrEqual(least)
      await page.getByRole('heading', { name: 'Confusion matrix' }).waitFor()
      await isNext(page, page.getByRole('button', { name: 'Report', exact: true }))
    })

    test('the downloaded ONNX network says the same in another program', async () => {
      const { InferenceSession, Tensor } = await import('onnxruntime-web')
      const session = await InferenceSession.create(new Uint8Array(onnx))
      for (const row of predictions.slice(0, 5)) {
        const { pixels, side } = await greyPixels(page, join(folder.path, row.name))
        const { probabilities } = await session.run({
          image: new Tensor('float32', pixels, [1, 1, side, side]),
        })
        // Readers of JPEG differ by a level or two of 255.
        for (const [index, probability] of row.probabilities.entries()) {
          expect(Number(probabilities?.data[index])).toBeCloseTo(probability, 1)
        }
      }
    })

    test('the browser reported no error on the way', () => {
      expect(errors).toEqual([])
    })
  })
}

async function downloaded(from: Page, name: string): Promise<Buffer> {
  const [download] = await Promise.all([
    from.waitForEvent('download'),
    from.getByRole('button', { name }).click(),
  ])
  return readFileSync(await download.path())
}

type Prediction = { name: string; truth: string; predicted: string; probabilities: number[] }

/** The product's table, read without the product's code. */
function readPredictions(text: string): Prediction[] {
  const [head = '', ...lines] = text
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/)
  const columns = head.split(',')
  return lines.map((line) => {
    const cells = line.split(',')
    const cell = (name: string) => cells[columns.indexOf(name)] ?? ''
    const probabilities = columns.flatMap((name, index) =>
      name.startsWith('p ') ? [Number(cells[index])] : [],
    )
    return { name: cell('name'), truth: cell('truth'), predicted: cell('predicted'), probabilities }
  })
}

/** The browser reads the picture: levels of grey from 0 to 1, row by row. */
async function greyPixels(reader: Page, path: string) {
  const source = `data:image/${path.endsWith('png') ? 'png' : 'jpeg'};base64,${readFileSync(path).toString('base64')}`
  const { levels, side } = await reader.evaluate(async (url) => {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.width
    canvas.height = image.height
    const context = canvas.getContext('2d')
    context?.drawImage(image, 0, 0)
    const data = context?.getImageData(0, 0, image.width, image.height).data ?? []
    return { levels: Array.from(data).filter((_, index) => index % 4 === 0), side: image.width }
  }, source)
  return { pixels: Float32Array.from(levels, (level) => level / 255), side }
}
