/** A detector from its data set to all that is done with it: a test, the report, new pictures, tests compared, what looks alike; in every language and width. */
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawField } from '../../server/src/demo/pictures.ts'
import { encodePng } from '../../server/src/demo/png.ts'
import { signIn, untilQuiet, type Visit, visit, walkTo } from '../browser.ts'
import { type Folder, filesBelow, pictureFolder, write } from '../data.ts'
import { readReport, shown, startTraining, stopAndTest, waitForEnd } from '../journey.ts'

const sizes = [
  { width: 1280, height: 800 },
  { width: 320, height: 640 },
]

let visited: Visit
let page: Page
let folder: Folder
let trainingUrl = ''
let predictionUrl = ''
const testUrls: string[] = []

beforeAll(async () => {
  folder = pictureFolder({
    set: 'detection-bccd',
    name: 'blood',
    // A quarter of them: enough to learn from in a minute.
    keep: (path) => /_000\d\d\.(jpg|xml)$/.test(path),
    synthetic: drawBoxes,
  })
  copyOnePicture(folder)
  visited = await visit()
  page = visited.page
  await signIn(page, visited.product)
})

afterAll(() => visited?.end())

test('a detector is trained on a folder as people have it', async () => {
  await page.goto(`${visited.product.url}/mangeHome`)
  await startTraining(page, { task: 'detection', folder, project: 'Blood cells' })
  trainingUrl = page.url()
  await expect.poll(() => shown(page, 'mAP@50'), { timeout: 300_000, interval: 1000 }).toBeGreaterThan(0)
})

test('it is tested on what was kept aside, after an early stop, and has a report', async () => {
  await stopAndTest(page, { metric: 'mAP@50', least: 0.05, download: /Boxes \(JSON\)/ })
  testUrls.push(page.url())
  await readReport(page, 'Blood cells')
})

test('its network is applied to a folder, and once more to the same files', async () => {
  const images = filesBelow(folder.path).filter((file) => /\.(png|jpg)$/.test(file))
  const [annotation = ''] = filesBelow(folder.path).filter((file) => file.endsWith('.xml'))
  await page.goto(trainingUrl)
  await page.getByRole('button', { name: 'Choose images' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: folder.name }).first().click()
  await dialog.getByRole('button', { name: 'Apply to this folder' }).click()
  await page.waitForURL((url) => url.toString() !== trainingUrl)
  predictionUrl = page.url()
  await waitForEnd(page, 240_000)
  await page.getByText(`${images.length} images were analysed.`).waitFor()
  await page.getByText(`annotations/${basename(annotation)}`, { exact: true }).waitFor()
  await runAgain(predictionUrl)
  await page.getByText(`${images.length} images were analysed.`).waitFor()
})

test('two tests of it are compared by mAP@50, which shows no difference', async () => {
  await page.goto(testUrls[0] ?? '')
  await runAgain(page.url())
  testUrls.push(page.url())
  await page.goto(comparison())
  await page.getByText(/No difference: both tests have the same mAP@50/).waitFor()
  await page.getByText(/paired percentile bootstrap, seed 7/).waitFor()
  const figures = page.getByRole('table').first().getByRole('row')
  expect(await figures.nth(1).innerText()).toMatch(/^mAP@50/)
})

test.each(['en', 'zh', 'ru'])('all of it fits every window in %s', async (language) => {
  await page.evaluate((chosen) => sessionStorage.setItem('theLanguage', chosen), language)
  await page.goto(trainingUrl)
  for (const url of [trainingUrl, predictionUrl, testUrls[0] ?? '', comparison(), await choice(), tried()]) {
    await walkTo(page, url)
    await fits(url)
  }
  await walkTo(page, await project())
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
  await walkTo(page, trainingUrl)
  const path = await page
    .getByRole('main')
    .locator('a[href^="/projectDetail?id="]')
    .first()
    .getAttribute('href')
  return `${visited.product.url}${path}`
}

async function fits(place: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).filter({ visible: true }).first().waitFor()
  for (const size of sizes) {
    await untilQuiet(page, () => page.setViewportSize(size))
    // A busy page takes a moment to be laid out for another window.
    await expect
      .poll(
        () =>
          page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        { message: `${place}, ${size.width} pixels wide`, timeout: 90_000 },
      )
      .toBeLessThanOrEqual(0)
  }
}

/** The first picture once more, by other bytes: what stands behind its end changes no pixel. */
function copyOnePicture({ path }: Folder) {
  const [image = ''] = filesBelow(join(path, 'images'))
  const [annotation = ''] = filesBelow(join(path, 'annotations'))
  const [kind] = image.split('.').reverse()
  copyFileSync(image, join(path, 'images', `again.${kind}`))
  appendFileSync(join(path, 'images', `again.${kind}`), 'again')
  const text = readFileSync(annotation, 'utf8').replaceAll(basename(image), `again.${kind}`)
  writeFileSync(join(path, 'annotations', 'again.xml'), text)
}

/** Fields of drawn cells with the box of each mask's cells as one, in Pascal VOC's form. */
function drawBoxes(folder: string) {
  for (let index = 0; index < 60; index++) {
    const { image, mask } = drawField(index + 1)
    const lit = [...mask.pixels.keys()].filter((at) => (mask.pixels[at] ?? 0) > 0)
    const [xs, ys] = [lit.map((at) => at % mask.width), lit.map((at) => Math.floor(at / mask.width))]
    const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs) + 1, Math.max(...ys) + 1]
    const names = ['xmin', 'ymin', 'xmax', 'ymax']
    const sides = names.map((name, side) => `<${name}>${box[side]}</${name}>`).join('')
    write(join(folder, 'images', `${index}.png`), encodePng(image))
    write(
      join(folder, 'annotations', `${index}.xml`),
      `<annotation><filename>${index}.png</filename><size><width>${mask.width}</width><height>${mask.height}</height></size><object><name>cells</name><bndbox>${sides}</bndbox></object></annotation>`,
    )
  }
}
