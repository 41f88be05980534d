/** From sign-in to outlined nuclei on real images: a subset, stopped by its member when it is good enough, tested, and tried in the browser. */
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawField } from '../../server/src/demo/pictures.ts'
import { encodePng } from '../../server/src/demo/png.ts'
import { unzip } from '../../server/test/unzip.ts'
import { countClicks, open, signIn, type Visit, visit } from '../browser.ts'
import { drawMasks, type Folder, pictureFolder } from '../data.ts'
import { startTraining, waitForEnd } from '../journey.ts'
import type { Product } from '../stack.ts'

/** With half as many, the training was over on a slow machine by the time that it was good enough to be stopped. */
const IMAGES = 80

let product: Product
let page: Page
let errors: string[]
let end: Visit['end'] | undefined
let folder: Folder
let trainingUrl = ''
let example: Map<string, { bytes: Buffer }>
let server: Server | undefined

const picture = {
  name: 'field.png',
  mimeType: 'image/png',
  buffer: Buffer.from(encodePng(drawField(99).image)),
}

beforeAll(async () => {
  const kept = new Set<string>()
  folder = pictureFolder({
    set: 'segmentation-nuclei-dsb2018',
    name: 'nuclei',
    // The first images by name, each with its mask; names are random, so this is a fair sample.
    keep: (path) => {
      const [part, name = ''] = path.split('/')
      if (part === 'images' && kept.size < IMAGES) kept.add(name)
      return kept.has(name)
    },
    synthetic: (target) => drawMasks(target, IMAGES),
  })
  ;({ product, page, errors, end } = await visit())
  await signIn(page, product)
})

afterAll(async () => {
  server?.close()
  await end?.()
})

describe('segmentation from sign-in to result', () => {
  test('at most 8 clicks and no typed number lead to a running training', async () => {
    const clicks = await countClicks(page)
    await startTraining(page, { task: 'segmentation', folder, project: 'Nuclei' })
    expect(await clicks()).toBeLessThanOrEqual(8)
  })

  test('outlines of sample images appear while it learns', async () => {
    const picture = page.getByRole('img', { name: /with the true outline in green/ }).first()
    await picture.waitFor({ timeout: 240_000 })
    await expect
      .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0)
  })

  test('the overlap climbs while it learns', async () => {
    await expect.poll(() => shownDice(page), { timeout: 400_000, interval: 1000 }).toBeGreaterThan(0.75)
  })

  test('Stop keeps what was learned: the stopped network outlines pictures that it never saw', async () => {
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Stop now' }).click()
    // The project's page is kept behind this one, and its list of trainings says the same word unseen.
    await page.getByText('Stopped', { exact: true }).filter({ visible: true }).first().waitFor()
    trainingUrl = page.url()
    await page.getByRole('button', { name: 'Start test' }).click()
    await page.waitForURL((url) => url.toString() !== trainingUrl)
    await waitForEnd(page, 180_000)
    await page.getByRole('heading', { name: 'Individual images' }).waitFor()
    expect(await shownDice(page)).toBeGreaterThan(0.65)
  })

  test('a picture opens in the viewer with truth, answer and difference, by an address of its own', async () => {
    await page
      .getByRole('button', { name: /^Enlarge / })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('link', { name: 'Open in the viewer' }).click()
    const panel = page.getByRole('region', { name: 'Masks and labels over the image' })
    await panel.getByText('Truth', { exact: true }).waitFor({ timeout: 60_000 })
    await panel.getByText('Prediction', { exact: true }).waitFor()
    await expect.poll(() => panel.getByText(/^[\d,]+ voxels$/).count()).toBe(2)
    const viewer = page.getByRole('dialog').filter({ has: page.locator('[data-stage]') })
    await panel.getByRole('button', { name: 'Remove Truth from the image' }).click()
    await viewer.getByRole('button', { name: 'Lay a mask or labels over the image' }).click()
    await viewer.getByRole('button', { name: 'Where the two disagree' }).click()
    await panel.getByText('missed by the network').waitFor()
    const address = page.url()
    expect(address).toMatch(/\/run\?id=[\w-]+&item=/)
    const browser = page.context().browser()
    if (!browser) throw new Error('no browser')
    const colleague = (await open(browser)).page
    await signIn(colleague, product, product.administrator)
    await colleague.goto(address)
    await colleague.getByText('This run no longer exists, or it is not shared with you.').first().waitFor()
    await colleague.context().close()
    await page.goto(address)
    await panel.getByText('Truth', { exact: true }).waitFor({ timeout: 60_000 })
    await viewer.getByRole('button', { name: 'Close' }).click()
    await panel.waitFor({ state: 'detached' })
  })

  test('masks can be downloaded as an archive', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Masks (ZIP)' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.zip$/)
  })
})

describe('on the page of a training', () => {
  test('leads to a page that looks at a picture without sending it anywhere', async () => {
    await page.goto(trainingUrl)
    await page.getByRole('button', { name: 'Try it on an image' }).click()
    await page.waitForURL(/\/try\?run=/)
    await page.getByText('The network is ready.').waitFor()
    const sent: string[] = []
    // But the sign that the page is still open, which carries nothing.
    page.on('request', (request) => {
      if (request.method() !== 'GET' && request.postData() !== '{}') sent.push(request.url())
    })
    await choose(page, picture)
    await page.getByText(/Done in .* s, on this device/).waitFor()
    await page.getByRole('img', { name: "The network's outlines" }).waitFor()
    expect(await page.getByRole('listitem').filter({ hasText: '%' }).count()).toBeGreaterThan(0)
    expect(sent).toEqual([])
  })

  test('gives the mask as a picture of the same size', async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the mask (PNG)' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('field-mask.png')
    const mask = readFileSync(await file.path())
    expect(mask.subarray(16, 24)).toEqual(picture.buffer.subarray(16, 24))
  })

  test.each([
    ['scan.tif', Buffer.from('II*\0and more'), /Browsers cannot read TIFF/],
    ['words.png', Buffer.from('no picture at all'), /not a picture|damaged/],
    ['cut.png', picture.buffer.subarray(0, picture.buffer.length / 2), /damaged/],
    ['nothing.png', Buffer.alloc(0), /is empty/],
    ['brain.nii', Buffer.concat([Buffer.alloc(344), Buffer.from('n+1\0')]), /volumes cannot be tried/],
  ])('says of %s what is wrong and what helps', async (name, buffer, sentence) => {
    await choose(page, { name, mimeType: '', buffer })
    expect(await page.getByRole('alert').innerText()).toMatch(sentence)
  })

  test('goes on with the next picture, also turned', async () => {
    await choose(page, picture)
    await page.getByText(/Done in/).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByRole('button', { name: 'Rotate 90°' }).click()
    await page.getByText(/Done in/).waitFor()
  })

  test('says so where a run has no network', async () => {
    await page.goto(`${product.url}/try`)
    await page.getByText('No network was chosen').waitFor()
  })
})

describe('the folder with examples', () => {
  test('comes as one ZIP', async () => {
    await page.goto(trainingUrl)
    await waitForEnd(page, 180_000)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Folder with examples (ZIP)' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('Nuclei-run-1-example.zip')
    example = await unzip(readFileSync(await file.path()))
    expect([...example.keys()]).toEqual(
      expect.arrayContaining(['README.en.txt', 'README.zh.txt', 'README.ru.txt', 'model.onnx', 'model.json']),
    )
    const facts = JSON.parse(example.get('model.json')?.bytes.toString() ?? '')
    expect(facts).toMatchObject({ task: 'segmentation', maskValues: { '0': 0, '255': 1 } })
  })

  test('has a page that answers from any web server, without the product', async () => {
    const address = await serve(example)
    const browser = page.context().browser()
    if (!browser) throw new Error('no browser')
    const opened = await open(browser)
    const asked: string[] = []
    opened.page.on('request', (request) => asked.push(new URL(request.url()).origin))
    await opened.page.goto(`${address}/browser/`)
    await opened.page.getByText('The network is ready.').waitFor()
    await choose(opened.page, picture)
    await opened.page.getByText(/Done in/).waitFor()
    await opened.page.getByRole('button', { name: '中文' }).click()
    await opened.page.getByText(/全部在本浏览器内完成/).waitFor()
    expect(new Set(asked.filter((origin) => origin.startsWith('http')))).toEqual(new Set([address]))
    expect(opened.errors).toEqual([])
  })
})

test('the browser reported no error on the way', () => {
  expect(errors).toEqual([])
})

/** The headline of a run's page; 0 before the first check. */
const shownDice = async (page: Page): Promise<number> =>
  Number(/Dice[^0-9]*?(0\.\d{3})/.exec(await page.getByRole('main').innerText())?.[1] ?? 0)

async function choose(on: Page, file: { name: string; mimeType: string; buffer: Buffer }) {
  await on.getByLabel('Choose an image').setInputFiles(file)
}

const types: Record<string, string> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  wasm: 'application/wasm',
}

/** A plain web server for the unpacked folder. */
async function serve(files: Map<string, { bytes: Buffer }>): Promise<string> {
  server = createServer(({ url = '/' }, response) => {
    const path = url.slice(1).replace(/\/$/, '/index.html')
    const file = files.get(path)
    const ending = path.split('.').pop() ?? ''
    response.writeHead(file ? 200 : 404, { 'content-type': types[ending] ?? 'application/octet-stream' })
    response.end(file?.bytes)
  })
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done))
  // A listening server on a port has an address of this kind.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
