/** After a training: its network applied to new pictures, tests compared, pictures that look alike; in every language and width. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawField } from '../server/src/demo/pictures.ts'
import { encodePng } from '../server/src/demo/png.ts'
import { signIn, type Visit, visit } from './browser.ts'
import { type Folder, pictureFolder, write } from './data.ts'
import { startTraining, waitForEnd } from './journey.ts'

const sizes = [
  { width: 1280, height: 800 },
  { width: 320, height: 640 },
]

let visited: Visit
let page: Page
let trainingUrl = ''
let predictionUrl = ''
const testUrls: string[] = []

beforeAll(async () => {
  visited = await visit()
  page = visited.page
  await signIn(page, visited.product)
})

afterAll(() => visited?.end())

test('a detector is trained, after an early stop', async () => {
  await page.goto(`${visited.product.url}/mangeHome`)
  const folder: Folder = pictureFolder({ set: 'not there', name: 'fields', synthetic: drawBoxes })
  await startTraining(page, { task: 'detection', folder, project: 'Fields to apply' })
  trainingUrl = page.url()
  await page.getByText('mAP@50', { exact: true }).first().waitFor({ timeout: 300_000 })
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Stop now' }).click()
  await waitForEnd(page, 240_000)
})

test('its network is applied to a folder, and once more to the same files', async () => {
  await page.getByRole('button', { name: 'Choose pictures' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('button', { name: /fields/ })
    .first()
    .click()
  await dialog.getByRole('button', { name: 'Apply to this folder' }).click()
  await page.waitForURL((url) => url.toString() !== trainingUrl)
  predictionUrl = page.url()
  await waitForEnd(page, 240_000)
  await page.getByText('It answered for 61 pictures.').waitFor()
  await page.getByText('0.png', { exact: true }).waitFor()
  await page.getByText('annotations/0.xml', { exact: true }).waitFor()
  await runAgain(predictionUrl)
  await page.getByText('It answered for 61 pictures.').waitFor()
})

test('two tests of it are compared by mAP@50, which shows no difference', async () => {
  await page.goto(trainingUrl)
  await page.getByRole('button', { name: 'Start test' }).click()
  await page.waitForURL((url) => url.toString() !== trainingUrl)
  await waitForEnd(page, 240_000)
  testUrls.push(page.url())
  await runAgain(page.url())
  testUrls.push(page.url())
  await page.goto(comparison())
  await page.getByText(/No difference: both tests have the same mAP@50/).waitFor()
  await page.getByText(/paired percentile bootstrap, seed 7/).waitFor()
  const figures = page.getByRole('table').first().getByRole('row')
  expect(await figures.nth(1).innerText()).toMatch(/^mAP@50/)
})

test.each(['en', 'zh', 'ru'])('all of it fits every window in %s', async (language) => {
  await page.goto(visited.product.url)
  await page.evaluate((chosen) => sessionStorage.setItem('theLanguage', chosen), language)
  for (const url of [trainingUrl, predictionUrl, testUrls[0] ?? '', comparison(), await choice(), tried()]) {
    await page.goto(url)
    await fits(url)
  }
  await page.goto(await project())
  await page.getByRole('button', { name: looksAlike }).click()
  await page.getByRole('dialog').getByRole('img').first().waitFor()
  await fits('what looks alike')
})

test('the browser reported no error on the way', () => {
  expect(visited.errors).toEqual([])
})

async function runAgain(from: string) {
  await page.getByRole('button', { name: 'Run again' }).click()
  await page.waitForURL((url) => url.toString() !== from)
  // For a moment the page still shows the run that has ended.
  await page.reload()
  await waitForEnd(page, 240_000)
}

const looksAlike = /look almost the same|几乎相同|почти не отлича/

const idIn = (url: string): string => new URL(url).searchParams.get('id') ?? ''
const comparison = (): string => `${visited.product.url}/compare?runs=${testUrls.map(idIn).join(',')}`
const tried = (): string => `${visited.product.url}/try?run=${idIn(trainingUrl)}`
const choice = async (): Promise<string> => `${visited.product.url}/compare?project=${idIn(await project())}`

async function project(): Promise<string> {
  await page.goto(trainingUrl)
  const path = await page
    .getByRole('main')
    .locator('a[href^="/projectDetail?id="]')
    .first()
    .getAttribute('href')
  return `${visited.product.url}${path}`
}

async function fits(place: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  for (const size of sizes) {
    await page.setViewportSize(size)
    await page.waitForLoadState('networkidle', { timeout: 30_000 }).catch(() => undefined)
    // A busy page takes a moment to be laid out for another window.
    await expect
      .poll(
        () =>
          page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        { message: `${place}, ${size.width} pixels wide`, timeout: 10_000 },
      )
      .toBeLessThanOrEqual(0)
  }
}

/** Fields of drawn cells with a box round all cells, in Pascal VOC's form; the last picture is the first one, a little darker. */
function drawBoxes(folder: string) {
  for (let index = 0; index <= 60; index++) {
    const { image, mask } = drawField(index === 60 ? 1 : index + 1)
    const pixels = index === 60 ? image.pixels.map((level) => level * 0.96) : image.pixels
    const lit = [...mask.pixels.keys()].filter((at) => (mask.pixels[at] ?? 0) > 0)
    const [xs, ys] = [lit.map((at) => at % mask.width), lit.map((at) => Math.floor(at / mask.width))]
    const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs) + 1, Math.max(...ys) + 1]
    const names = ['xmin', 'ymin', 'xmax', 'ymax']
    const sides = names.map((name, side) => `<${name}>${box[side]}</${name}>`).join('')
    write(join(folder, 'images', `${index}.png`), encodePng({ ...image, pixels }))
    write(
      join(folder, 'annotations', `${index}.xml`),
      `<annotation><filename>${index}.png</filename><size><width>${mask.width}</width><height>${mask.height}</height></size><object><name>cells</name><bndbox>${sides}</bndbox></object></annotation>`,
    )
  }
}
