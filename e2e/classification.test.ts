/** From sign-in to a tested classifier on real images, by mouse, in Chromium, against the real stack. */
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countClicks, launch, open, signIn } from './browser.ts'
import { drawClasses, type Folder, pictureFolder } from './data.ts'
import { startTraining, waitForEnd } from './journey.ts'
import { type Product, removeData, startProduct } from './stack.ts'

let product: Product
let browser: Browser
let page: Page
let errors: string[]
let folder: Folder
let trainingUrl = ''

beforeAll(async () => {
  folder = pictureFolder({
    set: 'classification-mednist',
    name: 'MedNIST 医学 снимки',
    synthetic: drawClasses,
  })
  product = await startProduct()
  browser = await launch()
  ;({ page, errors } = await open(browser))
})

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  if (product) await removeData(product.dataDir)
})

describe('classification from sign-in to result', () => {
  test('a member signs in with e-mail, password and slider', async () => {
    await signIn(page, product)
    expect(new URL(page.url()).pathname).toBe('/mangeHome')
  })

  test('at most 8 clicks and no typed number lead to a running training', async () => {
    const clicks = await countClicks(page)
    await startTraining(page, { task: 'classification', folder, project: 'Body regions' })
    expect(await clicks()).toBeLessThanOrEqual(8)
    trainingUrl = page.url()
  })

  test('the page shows the network learning, live', async () => {
    await page.getByRole('progressbar').first().waitFor()
    await page.getByRole('button', { name: 'Show as a table' }).click({ timeout: 240_000 })
    await expect
      .poll(() => page.getByRole('table').getByRole('row').count(), { timeout: 120_000 })
      .toBeGreaterThan(2)
  })

  test('the training ends and offers its network for download', async () => {
    await waitForEnd(page, 480_000)
    const onnx = await downloaded(page, 'ONNX network')
    expect(onnx.byteLength).toBeGreaterThan(10_000)
    const weights = await downloaded(page, 'Weights (safetensors)')
    const header = JSON.parse(weights.subarray(8, 8 + Number(weights.readBigUInt64LE(0))).toString())
    expect(Object.keys(header).length).toBeGreaterThan(10)
  })

  test('a test on the held-out part names at least 95 of 100 images correctly', async () => {
    await page.goto(trainingUrl)
    await page.getByRole('button', { name: 'Start test' }).click()
    await page.waitForURL((url) => url.toString() !== trainingUrl)
    await waitForEnd(page, 120_000)
    const table = await downloaded(page, 'Predictions (CSV)')
    const { accuracy, rows } = readPredictions(table.toString('utf8'))
    expect(rows).toBeGreaterThan(folder.files / 6)
    expect(accuracy).toBeGreaterThanOrEqual(0.95)
    await page.getByRole('table', { name: /Confusion matrix/ }).waitFor()
  })

  test('the browser reported no error on the way', () => {
    expect(errors).toEqual([])
  })
})

async function downloaded(from: Page, name: string): Promise<Buffer> {
  const waiting = from.waitForEvent('download')
  await from
    .getByRole('button', {
      name: new RegExp(`^${name.replace(/[()]/g, '\\$&')}|Download ${name.replace(/[()]/g, '\\$&')}`),
    })
    .click()
  return readFileSync(await (await waiting).path())
}

/** The product's own table, read without the product's code: share of rows whose truth is the predicted class. */
function readPredictions(text: string) {
  const [head = '', ...lines] = text
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/)
  const columns = head.split(',')
  const [truth, predicted] = [columns.indexOf('truth'), columns.indexOf('predicted')]
  const right = lines.filter((line) => line.split(',')[truth] === line.split(',')[predicted]).length
  return { accuracy: right / lines.length, rows: lines.length }
}
