/** Uploads as people interrupt them: a reload in the middle, too many loose files, archives. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Request, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signIn, type Visit, visit } from './browser.ts'
import { write } from './data.ts'
import { longTest } from './long-test.ts'
import type { Product } from './stack.ts'

const megabyte = 1024 * 1024
const CHUNKS = '**/AI/api/chunk/upload**'

let product: Product
let page: Page
let errors: string[]
let end: Visit['end'] | undefined

beforeAll(async () => {
  ;({ product, page, errors, end } = await visit())
  // A page that is uploading asks before it is left.
  page.on('dialog', (dialog) => dialog.accept())
  await signIn(page, product)
})

afterAll(() => end?.())

describe('uploads', () => {
  test('go on after a reload with the same folder chosen again; nothing that arrived is sent twice', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'uploads-')), 'long scan')
    write(join(folder, 'volume.bin'), numbered(12 * megabyte))
    await page.goto(`${product.url}/cloudHome`)
    const held = await holdAfter(3)
    await choose('Upload a folder', folder)
    await held.reached
    await page.reload()
    await held.release()
    const sent = watchSent()
    await choose('Choose the folder again', folder)
    await arrived()
    expect(sent.methods()).not.toContain('POST')
    expect(sent.bytes()).toBeLessThanOrEqual(12 * megabyte - held.taken())
  })

  longTest('go on by themselves where the browser keeps what was chosen', async () => {
    await page.goto(`${product.url}/cloudHome`)
    await page.evaluate(async (bytes) => {
      const root = await navigator.storage.getDirectory()
      const folder = await root.getDirectoryHandle('kept scan', { create: true })
      const file = await (await folder.getFileHandle('volume.bin', { create: true })).createWritable()
      await file.write(new Uint8Array(bytes).fill(7))
      await file.close()
      // In place of the system's dialog, which nobody can press a button in here.
      Object.assign(window, { showDirectoryPicker: async () => folder })
    }, 9 * megabyte)
    const held = await holdAfter(2)
    await page.getByRole('button', { name: 'Upload a folder' }).first().click()
    await held.reached
    await page.reload()
    await held.release()
    await arrived()
    await page.getByRole('link', { name: 'kept scan' }).first().waitFor()
  })

  longTest('pack too many loose files into one archive that becomes a folder', async () => {
    await page.goto(`${product.url}/cloudHome`)
    await page.getByRole('link', { name: 'kept scan' }).first().click()
    // The address comes before its page, and both have such a button.
    await page.getByRole('heading', { name: 'kept scan', level: 1 }).waitFor()
    const files = Array.from({ length: 201 }, (_, index) => ({
      name: `note ${index}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from(`note number ${index}`),
    }))
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload files' }).first().click()
    await (await chooser).setFiles(files)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name of the folder').fill('packed notes')
    await dialog.getByRole('button', { name: 'Pack and upload' }).click()
    await page.getByRole('button', { name: 'Unpacking ended', exact: true }).click()
    await page.getByText(/201 files came out/).waitFor()
    await page.getByRole('link', { name: 'Open the folder' }).click()
    await page.getByRole('heading', { name: 'packed notes' }).waitFor()
    await page.getByText('201 items').waitFor()
  })

  test('the browser reported no error on the way', () => {
    expect(errors).toEqual([])
  })
})

async function choose(button: string, folder: string) {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button }).first().click()
  await (await chooser).setFiles(folder)
}

const arrived = () => page.getByText('All files arrived complete').waitFor({ timeout: 90_000 })

/** Lets so many requests with bytes through and holds the next one; `taken` is what the server has by then. */
async function holdAfter(count: number) {
  let passed = 0
  let bytes = 0
  const answers: Promise<unknown>[] = []
  let reach = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const handle = async (route: Route) => {
    const length = lengthOf(route.request())
    if (length === 0) return route.continue()
    if (passed >= count) {
      // What was let through is the server's as soon as it has answered.
      await Promise.all(answers)
      return reach()
    }
    passed += 1
    bytes += length
    answers.push(route.request().response())
    await route.continue()
  }
  await page.route(CHUNKS, handle)
  return { reached, taken: () => bytes, release: () => page.unroute(CHUNKS, handle) }
}

function watchSent() {
  const requests: Request[] = []
  page.on('request', (request) => {
    if (request.url().includes('/AI/api/chunk/upload')) requests.push(request)
  })
  return {
    methods: () => requests.map((request) => request.method()),
    bytes: () => requests.reduce((sum, request) => sum + lengthOf(request), 0),
  }
}

const lengthOf = (request: Request): number => request.postDataBuffer()?.length ?? 0

/** Bytes of which no two blocks are alike. */
function numbered(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at + 4 <= length; at += 4) view.setUint32(at, at)
  return bytes
}
