/** A trained network tried on a picture in the browser, and the folder with examples that people take along. */
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawField } from '../server/src/demo/pictures.ts'
import { encodePng } from '../server/src/demo/png.ts'
import { unzip } from '../server/test/unzip.ts'
import { open, signIn, type Visit, visit } from './browser.ts'
import { drawMasks, pictureFolder } from './data.ts'
import { startTraining, waitForEnd } from './journey.ts'

let visited: Visit
let page: Page
let example: Map<string, { bytes: Buffer }>
let server: Server | undefined

beforeAll(async () => {
  visited = await visit()
  page = visited.page
  await signIn(page, visited.product)
})

afterAll(async () => {
  server?.close()
  await visited?.end()
})

const picture = {
  name: 'field.png',
  mimeType: 'image/png',
  buffer: Buffer.from(encodePng(drawField(99).image)),
}

test('a network is trained on folders of pictures, after an early stop', async () => {
  await page.goto(`${visited.product.url}/mangeHome`)
  const folder = pictureFolder({ set: 'not there', name: 'fields', synthetic: (at) => drawMasks(at, 24) })
  await startTraining(page, { task: 'segmentation', folder, project: 'Fields to try' })
  await page.getByText('Dice', { exact: true }).first().waitFor({ timeout: 300_000 })
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Stop now' }).click()
  await waitForEnd(page, 240_000)
})

describe('on the page of a training', () => {
  test('leads to a page that looks at a picture without sending it anywhere', async () => {
    await page.getByRole('button', { name: 'Try it on a picture' }).click()
    await page.waitForURL(/\/try\?run=/)
    await page.getByText('The network is ready.').waitFor()
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url())
    })
    await choose(page, picture)
    await page.getByText(/Done in .* s, in this browser alone/).waitFor()
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
    await page.getByRole('button', { name: 'Turn by a quarter' }).click()
    await page.getByText(/Done in/).waitFor()
  })

  test('says so where a run has no network', async () => {
    await page.goto(`${visited.product.url}/try`)
    await page.getByText('No network was chosen').waitFor()
  })
})

describe('the folder with examples', () => {
  test('comes as one ZIP', async () => {
    await page.goto(`${visited.product.url}/run`)
    await page
      .getByRole('main')
      .getByRole('link', { name: /Training/ })
      .first()
      .click()
    await waitForEnd(page, 60_000)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Folder with examples (ZIP)' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('Fields to try-run-1-example.zip')
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
  expect(visited.errors).toEqual([])
})

async function choose(on: Page, file: { name: string; mimeType: string; buffer: Buffer }) {
  await on.getByLabel('Choose a picture').setInputFiles(file)
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
