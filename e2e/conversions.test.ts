/** Images into other formats, with what was kept and changed, and a video into its frames, as a member does it. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { niftiVolume } from '../server/test/images.ts'
import { signIn, type Visit, visit } from './browser.ts'
import { longTest } from './long-test.ts'
import type { Product } from './stack.ts'

type Upload = { name: string; mimeType: string; buffer: Buffer }

let product: Product
let page: Page
let errors: string[]
let end: Visit['end'] | undefined

beforeAll(async () => {
  ;({ product, page, errors, end } = await visit())
  await signIn(page, product)
  await page.goto(`${product.url}/cloudHome`)
  await page.getByRole('button', { name: 'New folder' }).click()
  await page.getByRole('textbox', { name: 'Folder name' }).fill('Scans')
  await page.getByRole('textbox', { name: 'Folder name' }).press('Enter')
  await page.getByRole('link', { name: 'Scans', exact: true }).click()
  await page.waitForURL('**/cloudFile?**')
  const buffer = niftiVolume({ size: [24, 20, 6], spacing: [1, 1, 3.5] })
  await put([{ name: 'brain.nii.gz', mimeType: 'application/gzip', buffer }, await film()])
})

afterAll(() => end?.())

test('a volume goes into another format and nothing of it is lost', async () => {
  await convert('brain.nii.gz', 'NRRD')
  await page.getByRole('button', { name: 'Show', exact: true }).first().click()
  const card = page.getByRole('article').first()
  await card.getByText('Done', { exact: true }).waitFor()
  await card.getByText('Everything was kept').waitFor()
  const table = await comparison(card)
  expect(await table.getByRole('row', { name: /^spacing/ }).innerText()).toContain('3.5')
  expect(await table.getByText('Kept', { exact: true }).count()).toBe(6)
  await card.getByRole('button', { name: 'Open brain.nrrd' }).click()
  await page.getByRole('dialog').locator('canvas').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  expect(errors).toEqual([])
})

longTest('as pictures it says what is lost, and by which brightness', async () => {
  await openScans()
  await convert('brain.nii.gz', 'PNG')
  await page.goto(`${product.url}/cloudHome?tab=conversions`)
  const card = page.getByRole('article').first()
  await card.getByRole('heading', { name: 'To PNG' }).waitFor()
  await card.getByText('Done', { exact: true }).waitFor()
  await card.getByText(/^Changed: spacing, orientation, position/).waitFor()
  const table = await comparison(card)
  await table.getByText(/Values were mapped to 0–255 by window/).waitFor()
  await card.getByRole('link', { name: 'brain (PNG)' }).click()
  await page.getByRole('button', { name: 'brain_006.png', exact: true }).waitFor()
})

longTest('a video gives its frames, taken out in the browser', async () => {
  await openScans()
  await page.getByRole('button', { name: 'Actions for film.webm' }).click()
  await page.getByRole('menuitem', { name: 'Take frames …' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('64 × 48 pixels').waitFor()
  await dialog.getByRole('spinbutton', { name: 'Frames per second' }).fill('4')
  const count = Number(/\d+/.exec(await dialog.getByText(/^About \d+ images/).innerText())?.[0])
  expect(count).toBeGreaterThan(3)
  await dialog.getByRole('button', { name: 'Take the frames' }).click()
  await page.getByRole('link', { name: 'film (frames)' }).click({ timeout: 90_000 })
  await page.getByRole('button', { name: 'film_00003.png', exact: true }).waitFor()
  await page.getByRole('button', { name: 'film_00002.png', exact: true }).click()
  const picture = page.getByRole('dialog').getByRole('img', { name: 'film_00002.png' })
  await picture.waitFor()
  expect(
    await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBe(64)
  expect(errors).toEqual([])
})

async function openScans() {
  await page.goto(`${product.url}/cloudHome`)
  await page.getByRole('link', { name: 'Scans', exact: true }).click()
}

async function put(files: Upload[]) {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload files' }).first().click()
  await (await chooser).setFiles(files)
  await page.getByText('All files arrived complete').waitFor()
}

async function convert(name: string, format: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Convert …' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: format, exact: true }).check()
  await dialog.getByRole('button', { name: 'Convert', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Of a list's first conversion it is open from the beginning, unless the page was open before it was done. */
async function comparison(card: Locator): Promise<Locator> {
  const table = card.getByRole('table')
  if (!(await table.isVisible())) await card.getByRole('button', { name: /^Comparison of/ }).click()
  await table.waitFor()
  return table
}

/** Two seconds of a moving square, recorded by the browser itself. */
async function film(): Promise<Upload> {
  const bytes = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    canvas.width = 64
    canvas.height = 48
    const context = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm;codecs=vp8' })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const stopped = new Promise((resolve) => {
      recorder.onstop = resolve
    })
    recorder.start()
    for (let step = 0; step < 50; step += 1) {
      if (context) {
        context.fillStyle = '#074a5a'
        context.fillRect(0, 0, 64, 48)
        context.fillStyle = '#ffffff'
        context.fillRect(step, 16, 12, 12)
      }
      // habit: the recorder of a film takes a picture now and then
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
    recorder.stop()
    await stopped
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())]
  })
  return { name: 'film.webm', mimeType: 'video/webm', buffer: Buffer.from(bytes) }
}
