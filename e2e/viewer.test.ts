/** Files as a doctor looks at them: every kind opens, every tool does what it says, and what cannot be shown says why. */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dicomBytes } from '../server/src/infra/reader/dicom/bytes.ts'
import { niftiVolume } from '../server/test/images.ts'
import { containerOf } from '../server/test/workbooks.ts'
import { launch, open, signIn } from './browser.ts'
import { write } from './data.ts'
import { makePdf } from './documents.ts'
import { keepDrawings, type Look, lookAt } from './drawn.ts'
import { longTest, longTests } from './long-test.ts'
import { type Product, removeData, root, startProduct } from './stack.ts'

const formats = join(process.env.SHARED_DATA ?? join(root, '..', 'shared', 'data'), 'formats')
/** Its patient data hide in a packed part with a checksum behind it, which browsers do not unpack as it is. */
const samples = ['dicom/1.2.840.10008.1.2.1.99_deflated.dcm']

let product: Product
let browser: Browser
let page: Page
let errors: string[]

beforeAll(async () => {
  product = await startProduct()
  browser = await launch({ hasGraphics: true })
  ;({ page, errors } = await open(browser, { width: 900, height: 700 }))
  await keepDrawings(page)
  await signIn(page, product)
  await page.goto(`${product.url}/cloudHome`)
  const folder = join(mkdtempSync(join(tmpdir(), 'viewer-')), 'Ward files')
  await fill(folder)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload a folder' }).click()
  await (await chooser).setFiles(folder)
  // The broken ones are noticed before they are sent.
  await page.getByRole('button', { name: 'Upload all of them anyway' }).click()
  await page.getByText('All files arrived complete').waitFor()
  await page.getByRole('link', { name: 'Ward files' }).first().click()
  await page.getByRole('heading', { name: 'Ward files' }).waitFor()
})

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  if (product) await removeData(product.dataDir)
})

describe('a volume', () => {
  test('opens in three planes; window, slice, zoom and measure change what is seen', async () => {
    const dialog = await see('brain.nii.gz')
    const three = await picture(dialog)
    expect(three.spread).toBeGreaterThan(10)
    await dialog.getByText('Axial', { exact: true }).click()
    const axial = await changed(dialog, three)
    await dialog.getByText('Slice', { exact: true }).waitFor()
    await dialog.locator('canvas').focus()
    await page.keyboard.press('ArrowUp')
    // From the eleventh, its middle.
    await dialog.getByText('12 / 20').waitFor()
    const above = await changed(dialog, axial)
    await raiseBlack(dialog)
    const canvas = dialog.locator('canvas').first()
    await expect.poll(async () => (await lookAt(canvas)).mean, patience).toBeLessThan(above.mean)
    const darker = await lookAt(canvas)
    await dialog.getByRole('button', { name: 'Larger' }).click()
    await changed(dialog, darker)
    await dialog.getByRole('button', { name: 'Measure' }).click()
    await page.getByRole('menuitem', { name: 'Distance' }).click()
    await drag(dialog.locator('canvas'), { x: 0.4, y: 0.5 }, { x: 0.6, y: 0.5 })
    await dialog.getByText(/^\d+(\.\d)? mm ± 1 mm$/).waitFor()
  })
})

describe('DICOM', () => {
  test('opens as its series at the slice that was chosen, moves on by buttons and keys, and shows the slice alone', async () => {
    const dialog = await see('slice 2.dcm', 'Ward files · slice 2 of 4')
    await dialog.getByText('32 × 32 × 4').waitFor()
    await dialog.getByText('Three planes').waitFor()
    expect((await picture(dialog)).spread).toBeGreaterThan(10)
    expect(await page.title()).toBe('Ward files · slice 2 of 4 · Neuroloom')
    await dialog.getByRole('button', { name: 'Next slice' }).click()
    await dialog.getByText('Ward files · slice 3 of 4').waitFor()
    await page.keyboard.press('ArrowRight')
    await dialog.getByText('Ward files · slice 4 of 4').waitFor()
    expect(await dialog.getByRole('button', { name: 'Next slice' }).isDisabled()).toBe(true)
    await dialog.locator('canvas').focus()
    await page.keyboard.press('ArrowLeft')
    await dialog.getByText('Ward files · slice 3 of 4').waitFor()
    // A slider for each plane.
    await dialog.getByRole('slider', { name: 'Coronal slice' }).focus()
    await page.keyboard.press('Home')
    await dialog.getByText('1 / 32').waitFor()
    await dialog.getByRole('slider', { name: 'Axial slice' }).focus()
    await page.keyboard.press('Home')
    await dialog.getByText('Ward files · slice 1 of 4').waitFor()
    await dialog.getByRole('button', { name: 'Show this slice alone' }).click()
    await dialog.getByText('slice 2.dcm', { exact: true }).first().waitFor()
    const one = await picture(dialog)
    expect(one.spread).toBeGreaterThan(10)
    expect(one.mean).toBeLessThan(110)
    await dialog.getByRole('button', { name: 'Show the whole series (4 files)' }).waitFor()
  })

  test('is one row of its folder, which opens it whole', async () => {
    const dialog = page.getByRole('dialog')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'Search in this folder' }).fill('')
    const row = page.getByRole('row', { name: /series of 4 files/ })
    await row.getByRole('button', { name: 'slice 3.dcm', exact: true }).click()
    await dialog.getByText('Ward files · slice 3 of 4').waitFor(patience)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: 'Show single files' }).check()
    await page.getByRole('button', { name: 'slice 1.dcm', exact: true }).waitFor()
    await page.getByRole('checkbox', { name: 'Show single files' }).uncheck()
    await row.waitFor()
  })

  longTest('that counts from white to black is shown the right way round', async () => {
    // Mostly low values: dark in the slices above, bright here.
    expect((await picture(await see('radiograph.dcm'))).mean).toBeGreaterThan(145)
  })
})

describe('documents, films and texts', () => {
  test('PDF pages are drawn as they come into view, and run nothing', async () => {
    const dialog = await see('report.pdf')
    await dialog.getByText('Report, page 1').waitFor()
    expect((await picture(dialog)).spread).toBeGreaterThan(10)
    await dialog.getByLabel('Page', { exact: true }).fill('5')
    await dialog.getByText('Report, page 5').waitFor()
    expect(await dialog.getByText('Report, page 1').count()).toBe(0)
  })

  longTest('a locked PDF asks for its password, a broken one says so', async () => {
    const locked = await see('locked.pdf')
    await locked.getByLabel('Password of the document').fill('wrong')
    await locked.getByLabel('Password of the document').press('Enter')
    await locked.getByText(/This password does not open it/).waitFor()
    await locked.getByLabel('Password of the document').fill('ward-7')
    await locked.getByLabel('Password of the document').press('Enter')
    await locked.getByText('Report, page 1').waitFor()
    await (await see('broken.pdf')).getByText(/PDF is damaged/).waitFor()
  })

  longTest('a film plays', async () => {
    const film = (await see('film.webm')).locator('video')
    await film.evaluate(async (video: HTMLVideoElement) => {
      video.muted = true
      await video.play()
    })
    await expect
      .poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime), patience)
      .toBeGreaterThan(0)
  })

  test('tables and texts are read', async () => {
    await (await see('table.csv')).getByRole('cell', { name: 'Li, Wei' }).waitFor()
    await (await see('data.json')).getByText('"heart": 72').waitFor()
    await (await see('setting.yaml')).getByText('epochs: 3').waitFor()
    await (await see('note.txt')).getByText('seen by the ward').waitFor()
  })

  longTest('a drawing opens as a picture, and the program in it never runs', async () => {
    const picture = (await see('drawing.svg')).getByRole('img', { name: 'drawing.svg' })
    await picture.waitFor()
    const size = await picture.evaluate(async (image: HTMLImageElement) => {
      await image.decode()
      return [image.naturalWidth, image.naturalHeight]
    })
    expect(size).toEqual([80, 60])
    expect(await page.evaluate(() => 'ranDrawing' in window)).toBe(false)
  })

  longTest('what cannot be shown says why', async () => {
    await (await see('broken.nii.gz')).getByText(/end of the file is missing/).waitFor()
    await (await see('patients.xls')).getByText(/workbook of the old kind/).waitFor()
  })
})

longTests('real files', () => {
  test.skipIf(!existsSync(formats)).each(samples)(
    '%s opens, and again after the graphics failed',
    async (path) => {
      const dialog = await see(path.split('/')[1] ?? '')
      expect((await picture(dialog)).spread).toBeGreaterThan(5)
      // As when the driver restarts: it is drawn anew.
      await dialog.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
        canvas.setAttribute('data-lost', '')
        canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext()
      })
      await dialog.locator('canvas[data-lost]').waitFor({ state: 'detached' })
      expect((await picture(dialog)).spread).toBeGreaterThan(5)
    },
  )
})

longTests('behind a link', () => {
  test('a visitor without an account looks at the same', async () => {
    await page.keyboard.press('Escape')
    await page.goto(`${product.url}/cloudHome`)
    await page.getByRole('button', { name: 'Actions for Ward files' }).click()
    await page.getByRole('menuitem', { name: 'Share …', exact: true }).click()
    await page.getByRole('button', { name: 'Make a link' }).click()
    const address = await page.getByLabel('Address of the link').inputValue()
    const visitor = await open(browser, { width: 390, height: 800 })
    await visitor.page.goto(address)
    await visitor.page.getByRole('button', { name: 'report.pdf', exact: true }).click()
    const dialog = visitor.page.getByRole('dialog')
    await dialog.getByText('Report, page 1').waitFor()
    expect((await picture(dialog)).spread).toBeGreaterThan(10)
    // Its page and no tool of those who may change it.
    await dialog.getByRole('button', { name: 'Next file' }).click()
    await dialog.getByText('epochs: 3').waitFor()
    expect(visitor.errors).toEqual([])
  })
})

test('the browser reported no error on the way', () => {
  expect(errors).toEqual([])
})

/** Opens a file of the folder by its name. */
async function see(name: string, title = name): Promise<Locator> {
  const dialog = page.getByRole('dialog')
  if (await dialog.isVisible()) await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('textbox', { name: 'Search in this folder' }).fill(name)
  await page
    .getByRole('link', { name, exact: true })
    .or(page.getByRole('button', { name, exact: true }))
    .first()
    .click()
  await dialog.getByText(title, { exact: true }).first().waitFor(patience)
  return dialog
}

/** What is seen on the canvas or picture, once something is. */
async function picture(dialog: Locator): Promise<Look> {
  const shown = dialog.locator('canvas, img').first()
  await shown.waitFor(patience)
  await expect.poll(async () => (await lookAt(shown)).spread, patience).toBeGreaterThan(5)
  return lookAt(shown)
}

/**
 * Without a graphics card the first picture takes seconds, on a busy machine a minute; after a failure of its graphics
 * Chromium gives a page none for two minutes.
 */
const patience = { timeout: 240_000 }

async function changed(dialog: Locator, before: Look): Promise<Look> {
  const shown = dialog.locator('canvas').first()
  await expect.poll(async () => (await lookAt(shown)).sum, patience).not.toBe(before.sum)
  return lookAt(shown)
}

/** Everything below the middle of the values becomes black. */
async function raiseBlack(dialog: Locator) {
  const [low, high] = await Promise.all(
    [0, 1].map((index) => dialog.getByRole('slider').nth(index).boundingBox()),
  )
  if (!low || !high) throw new Error('no window to change')
  await page.mouse.click(low.x + 0.4 * (high.x - low.x) + low.width / 2, low.y + low.height / 2)
}

type Point = { x: number; y: number }

/** From one place of it to another, as shares of its width and height. */
async function drag(target: Locator, from: Point, to: Point) {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error('nothing to drag on')
  await page.mouse.move(box.x + box.width * from.x, box.y + box.height * from.y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * to.x, box.y + box.height * to.y, { steps: 5 })
  await page.mouse.up()
}

/** It would leave a mark on the page that lets it. */
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60">
  <script>window.ranDrawing = true; window.parent.ranDrawing = true</script>
  <circle cx="40" cy="30" r="20" fill="red" onload="window.ranDrawing = true"/>
</svg>`

async function fill(folder: string) {
  const put = (name: string, bytes: Uint8Array | string) => write(join(folder, name), bytes)
  put('brain.nii.gz', niftiVolume({ size: [24, 22, 20], spacing: [1, 1, 2] }))
  put('broken.nii.gz', gunzipSync(niftiVolume({ size: [20, 20, 20] })).subarray(0, 4000))
  for (const number of [1, 2, 3, 4]) put(`slice ${number}.dcm`, slice({ number }))
  put('radiograph.dcm', slice({ number: 1, photometric: 'MONOCHROME1', series: '2.25.99' }))
  put('report.pdf', makePdf({ pages: 9 }))
  put('locked.pdf', makePdf({ pages: 2, password: 'ward-7' }))
  put('broken.pdf', `${makePdf({ pages: 1 }).subarray(0, 60)}\n%%EOF\n`)
  put('table.csv', 'name,age\n"Li, Wei",40\n')
  put('data.json', '{"heart":72}')
  put('setting.yaml', 'epochs: 3\n')
  put('note.txt', 'seen by the ward')
  put('drawing.svg', drawing)
  put('patients.xls', containerOf('Workbook'))
  put('film.webm', await record())
  if (existsSync(formats))
    for (const path of samples) put(path.split('/')[1] ?? '', readFileSync(join(formats, path)))
}

/** A bright corner in the dark; the same values whichever way they are meant. */
function slice({ number = 1, photometric = 'MONOCHROME2', series = '2.25.7' }): Buffer {
  const side = 32
  const pixels = Buffer.alloc(side * side * 2)
  for (let at = 0; at < side * side; at += 1) {
    const [x, y] = [at % side, Math.floor(at / side)]
    pixels.writeInt16LE(x > 22 && y > 22 ? 1000 : 40 * number + x, at * 2)
  }
  return Buffer.concat(
    dicomBytes('1.2.840.10008.1.2.1', [
      ['00080016', 'UI', '1.2.840.10008.5.1.4.1.1.2'],
      ['00080018', 'UI', `2.25.${series.slice(5)}${number}`],
      ['00080060', 'CS', 'CT'],
      ['00100010', 'PN', 'Test^Patient'],
      ['0020000d', 'UI', '2.25.5'],
      ['0020000e', 'UI', series],
      ['00200013', 'IS', String(number)],
      ['00200032', 'DS', `0\\0\\${3 * number}`],
      ['00200037', 'DS', '1\\0\\0\\0\\1\\0'],
      ['00280002', 'US', 1],
      ['00280004', 'CS', photometric],
      ['00280010', 'US', side],
      ['00280011', 'US', side],
      ['00280030', 'DS', '1\\1'],
      ['00280100', 'US', 16],
      ['00280101', 'US', 16],
      ['00280102', 'US', 15],
      ['00280103', 'US', 1],
      ['7fe00010', 'OW', pixels],
    ]),
  )
}

/** A second of film, made by the browser itself. */
async function record(): Promise<Buffer> {
  const bytes = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    const context = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const end = new Promise((resolve) => {
      recorder.onstop = resolve
    })
    recorder.start()
    for (let frame = 0; frame < 20; frame += 1) {
      if (context) {
        context.fillStyle = `hsl(${frame * 18} 80% 50%)`
        context.fillRect(0, 0, 300, 150)
      }
      // habit: the recorder of a film takes a picture now and then
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    recorder.stop()
    await end
    return Array.from(new Uint8Array(await new Blob(parts).arrayBuffer()))
  })
  return Buffer.from(bytes)
}
