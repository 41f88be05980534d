/** Measuring, films, masks over images, and the address that shows somebody else the same: by mouse and by keys alone. */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { launch, open, signIn } from './browser.ts'
import { write } from './data.ts'
import { longTest, longTests } from './long-test.ts'
import { type Product, removeData, root, startProduct } from './stack.ts'

const shared = process.env.SHARED_DATA ?? join(root, '..', 'shared', 'data')
const picture = '003cee89357d9fe13516167fd67b609a164651b21934585648c740d2c3d86dc1.png'
const samples = {
  'brain.nii.gz': 'segmentation-hippocampus-3d/images/hippocampus_003.nii.gz',
  'brain_mask.nii.gz': 'segmentation-hippocampus-3d/labels/hippocampus_003.nii.gz',
  'time.nii.gz': 'formats/nifti/4d_example.nii.gz',
  'film.dcm': 'formats/dicom/multiframe_30_us_jpeg-baseline_ybr.dcm',
  'cells.png': `segmentation-nuclei-dsb2018/images/${picture}`,
}
/** Pascal VOC: two boxes of one class, one of another. */
const cells = `<annotation><filename>cells.png</filename>${[
  ['nucleus', 20, 20, 80, 70],
  ['nucleus', 120, 40, 170, 90],
  ['debris', 60, 120, 110, 160],
]
  .map(
    ([name, left, top, right, bottom]) =>
      `<object><name>${name}</name><bndbox><xmin>${left}</xmin><ymin>${top}</ymin><xmax>${right}</xmax><ymax>${bottom}</ymax></bndbox></object>`,
  )
  .join('')}</annotation>`
const isThere = Object.values(samples).every((path) => existsSync(join(shared, path)))

let product: Product
let browser: Browser
let page: Page
let errors: string[]

beforeAll(async () => {
  if (!isThere) return
  product = await startProduct()
  browser = await launch({ hasGraphics: true })
  ;({ page, errors } = await open(browser, { width: 1280, height: 860 }))
  await keepCopies(page)
  await signIn(page, product)
  await page.goto(`${product.url}/cloudHome`)
  const folder = join(mkdtempSync(join(tmpdir(), 'measuring-')), 'Ward files')
  for (const [name, path] of Object.entries(samples))
    write(join(folder, name), readFileSync(join(shared, path)))
  write(join(folder, 'cells.xml'), cells)
  write(join(folder, 'labels.txt'), '1: anterior part\n2: posterior part\n')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload a folder' }).click()
  await (await chooser).setFiles(folder)
  await page.getByText('All files arrived complete').waitFor()
  await page.getByRole('link', { name: 'Ward files' }).first().click()
  await page.getByRole('heading', { name: 'Ward files' }).waitFor()
})

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  if (product) await removeData(product.dataDir)
})

beforeEach(({ skip }) => skip(!isThere, 'The files are not here'))

describe.skipIf(!isThere)('measuring', () => {
  test('a volume by mouse: drawn, moved, renamed, undone, removed', async () => {
    const dialog = await see('brain.nii.gz')
    await dialog.getByText('Axial', { exact: true }).click()
    await choose(dialog, 'Distance')
    await drag(stageOf(dialog), [0.42, 0.4], [0.58, 0.6])
    const first = await said(dialog, /^[\d.]+ mm ± 1 mm$/)
    await dialog.getByRole('button', { name: /^Distance 1: point 2 of 2/ }).waitFor()
    await drag(stageOf(dialog), [0.58, 0.6], [0.55, 0.45])
    await expect.poll(() => said(dialog, /^[\d.]+ mm ± 1 mm$/)).not.toBe(first)
    await dialog.getByLabel('Name of Distance 1').fill('lesion')
    await dialog.getByLabel('Name of Distance 1').press('Enter')
    await dialog.getByRole('button', { name: 'Show lesion' }).waitFor()
    for (const _ of ['the name', 'the move'])
      await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(() => said(dialog, /^[\d.]+ mm ± 1 mm$/)).toBe(first)
    await choose(dialog, 'Ellipse')
    await drag(stageOf(dialog), [0.45, 0.3], [0.52, 0.42])
    await said(dialog, /^[\d.]+ mm²$/)
    await said(dialog, /^Mean [\d.]+, deviation [\d.]+$/)
    await dialog.getByRole('button', { name: 'Remove Ellipse 2' }).click()
    expect(await rowsOf(dialog).count()).toBe(1)
  })

  longTest('a volume by keys alone: in each plane, in millimetres of that plane', async () => {
    const dialog = await see('time.nii.gz')
    // All three are drawn: before, V leads nowhere.
    await expect.poll(() => stageOf(dialog).locator('clipPath').count(), patience).toBe(3)
    await choose(dialog, 'Distance')
    // Rows of the sagittal plane are 2 mm apart, its columns 2.2 mm.
    await keys('v', 'v', 'Enter', 'Shift+ArrowRight', 'Enter')
    await said(dialog, '20 mm ± 2 mm')
    await keys('Enter', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'Enter')
    await said(dialog, '11 mm ± 2.2 mm')
    await choose(dialog, 'Angle')
    await keys('Enter', 'Shift+ArrowLeft', 'Enter', 'Shift+ArrowDown', 'Enter')
    await said(dialog, '90°')
    await keys('Control+z')
    expect(await rowsOf(dialog).count()).toBe(2)
    // A point by its own handle.
    await dialog.getByRole('button', { name: /^Distance 1: point 2 of 2/ }).focus()
    await keys('ArrowRight')
    await said(dialog, '22 mm ± 2 mm')
    await keys('Delete')
    expect(await rowsOf(dialog).count()).toBe(1)
  })

  longTest('an image of which the line broke comes again, and measures outlive its graphics', async () => {
    const broken = page.waitForEvent('requestfailed')
    await page.route('**/files/shown?**', (route) => route.abort('connectionreset'), { times: 1 })
    const dialog = await see('brain.nii.gz')
    await broken
    // The browser's own word on it.
    errors.splice(0)
    await dialog.getByText('Coronal', { exact: true }).click()
    await dialog.locator('canvas').focus()
    await keys('ArrowUp')
    await choose(dialog, 'Distance')
    await cross(dialog)
    await keys('Enter', 'Shift+ArrowRight', 'Enter')
    await said(dialog, '10 mm ± 1 mm')
    await dialog.getByLabel('Name of Distance 1').fill('lesion')
    await dialog.getByLabel('Name of Distance 1').press('Enter')
    const place = await dialog.getByText(/^\d+ \/ 52$/).textContent()
    // As when the driver restarts.
    await dialog.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      canvas.setAttribute('data-lost', '')
      canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext()
    })
    await dialog.locator('canvas[data-lost]').waitFor({ state: 'detached' })
    await stageOf(dialog).waitFor(patience)
    await said(dialog, '10 mm ± 1 mm')
    await dialog.getByRole('button', { name: 'Show lesion' }).waitFor()
    await dialog.getByText(place ?? '', { exact: true }).waitFor()
    // Neither plane nor kind was chosen again, and the image has the keys.
    await cross(dialog)
    await keys('Enter', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Enter')
    await said(dialog, '17 mm ± 1 mm')
    expect(await rowsOf(dialog).count()).toBe(2)
  })

  longTest('graphics that were not to be had are asked for again, and by a button', async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.evaluate(() => {
      const { getContext } = HTMLCanvasElement.prototype
      // Twice none, as browsers answer for a while after a driver failed.
      let refused = 0
      Object.assign(HTMLCanvasElement.prototype, {
        getContext(this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
          if (kind === 'webgl2' && refused < 2) {
            refused += 1
            return null
          }
          return Reflect.apply(getContext, this, [kind, ...rest])
        },
      })
    })
    await page.getByRole('button', { name: 'brain.nii.gz', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^Graphics acceleration .* is off/).waitFor(patience)
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await stageOf(dialog).waitFor(patience)
    errors.splice(0)
  })

  longTest('a picture without a scale, in pixels; the page says so', async () => {
    const dialog = await see('cells.png')
    await choose(dialog, 'Distance')
    await cross(dialog)
    await keys('Enter', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Enter')
    await said(dialog, '20 px ± 1 px')
    await dialog.getByText('In pixels: the file does not say how large a pixel is.').waitFor()
    await choose(dialog, 'Polygon')
    const corners = ['Shift+ArrowUp', 'Shift+ArrowLeft', 'Shift+ArrowDown']
    for (const corner of ['Enter', ...corners.flatMap((key) => [key, 'Enter']), 'Enter']) await keys(corner)
    await said(dialog, '100 px²')
    await said(dialog, /, 100 pixels$/)
    await choose(dialog, 'Profile along a line')
    await drag(stageOf(dialog), [0.45, 0.5], [0.55, 0.5])
    await dialog.getByRole('img', { name: /^Values along Profile 3/ }).waitFor()
    // Only measuring ends by the first two; the page stays.
    await keys('Escape', '?')
    await dialog.getByText('undo and redo').waitFor()
    await keys('Escape')
    expect(await dialog.isVisible()).toBe(true)
  })

  longTest('ultrasound inside of its region in millimetres; its film plays, stops and steps', async () => {
    const dialog = await see('film.dcm')
    await dialog.locator('canvas').focus()
    const place = dialog.getByText(/^\d+ \/ 30$/)
    const before = await place.textContent()
    await keys(' ')
    await expect.poll(() => place.textContent(), patience).not.toBe(before)
    await keys(' ')
    await dialog.getByRole('button', { name: 'Play' }).waitFor()
    const [number = 0] = ((await place.textContent()) ?? '').split(' / ').map(Number)
    await keys('.')
    await expect.poll(() => place.textContent()).toBe(`${(number % 30) + 1} / 30`)
    await choose(dialog, 'Distance')
    await cross(dialog)
    await keys('Enter', 'Shift+ArrowDown', 'Enter')
    await said(dialog, / mm ± /)
    await dialog.getByText(/^Ultrasound: in millimetres inside/).waitFor()
  })
})

describe.skipIf(!isThere)('labels in a file beside the picture', () => {
  test('are laid over it, class by class, and stand in the address of the view', async () => {
    const dialog = await see('cells.png')
    await dialog.getByRole('button', { name: 'Lay a mask or labels over the image' }).click()
    await dialog.getByRole('button', { name: /^cells\.xml.*looks like its labels/ }).click()
    const panel = dialog.getByRole('region', { name: 'Masks and labels over the image' })
    await panel.getByText('2 marks').waitFor(patience)
    await panel.getByText('1 mark', { exact: true }).waitFor()
    const canvas = dialog.locator('[data-stage] > canvas')
    const both = await paintOf(canvas)
    expect(both).toBeGreaterThan(0)
    await panel.getByRole('checkbox', { name: 'debris' }).uncheck()
    await expect.poll(() => paintOf(canvas)).toBeLessThan(both)
    await panel.getByText('Filled', { exact: true }).click()
    await expect.poll(() => paintOf(canvas)).toBeGreaterThan(2 * both)
    await page.goto(await copied(page, dialog))
    const again = page.getByRole('dialog').getByRole('region', { name: 'Masks and labels over the image' })
    await again.getByText('2 marks').waitFor(patience)
    expect(await again.getByRole('checkbox', { name: 'debris' }).isChecked()).toBe(false)
    expect(errors).toEqual([])
    await page.goto(`${product.url}/cloudHome`)
    await page.getByRole('link', { name: 'Ward files' }).first().click()
    await page.getByRole('heading', { name: 'Ward files' }).waitFor()
  })
})

longTests('images side by side', () => {
  test('are moved together by their place in the body, apart when unlinked, and stand in the address', async () => {
    const dialog = await see('brain.nii.gz')
    await stand(dialog, 'brain_mask.nii.gz')
    const both = dialog.getByRole('region', { name: 'Images side by side' })
    await both.getByText('Slices are matched by their place in the body, in millimetres.').waitFor(patience)
    const [first, second] = [both.locator('[data-view]').first(), both.locator('[data-view]').last()]
    await expect.poll(() => both.locator(marks).count(), patience).toBe(2)
    await first.getByText('Axial', { exact: true }).click()
    const place = (pane: Locator) => pane.getByText(/^\d+ \/ 35$/).textContent()
    await expect.poll(() => place(second), patience).toBe(await place(first))
    await first.locator('canvas').first().focus()
    const before = await place(first)
    await keys('ArrowUp', 'ArrowUp', 'ArrowUp')
    await expect.poll(() => place(first)).not.toBe(before)
    await expect.poll(() => place(second)).toBe(await place(first))
    await both.getByRole('switch', { name: 'Moved together' }).click()
    await first.locator('canvas').first().focus()
    await keys('ArrowUp')
    await expect.poll(async () => (await place(first)) === (await place(second))).toBe(false)
    await page.reload()
    await page
      .getByRole('region', { name: 'Images side by side' })
      .getByText('brain_mask.nii.gz')
      .waitFor(patience)
  })

  test('without a place are matched by number, and the page says so', async () => {
    const dialog = await see('film.dcm')
    await stand(dialog, 'brain.nii.gz')
    await dialog.getByText(/^Slices are matched by their number/).waitFor(patience)
  })
})

/** Chosen from the list of the folder's other images. */
async function stand(dialog: Locator, name: string) {
  await dialog.getByRole('combobox', { name: 'Side by side with …' }).click()
  await page.locator('.ant-select-item-option').filter({ hasText: name }).first().click()
  await page.keyboard.press('Escape')
}

longTests('the address of a view', () => {
  test('shows the same to whoever has the right to the file, and to visitors of a link', async () => {
    const dialog = await see('brain.nii.gz')
    await dialog.getByText('Coronal', { exact: true }).click()
    await dialog.locator('canvas').focus()
    await keys('ArrowUp')
    await cover(dialog)
    await choose(dialog, 'Distance')
    await cross(dialog)
    await keys('Enter', 'Shift+ArrowRight', 'Enter')
    await said(dialog, '10 mm ± 1 mm')
    const place = await dialog.getByText(/^\d+ \/ 52$/).textContent()
    const address = await copied(page, dialog)
    expect(address).toMatch(/\/cloudFile\?file=[\w-]+&view=1\.[\w-]+$/)
    await page.goto(`${product.url}/cloudHome`)
    await page.goto(address)
    const again = page.getByRole('dialog')
    await said(again, '10 mm ± 1 mm')
    await again.getByText(place ?? '', { exact: true }).waitFor()
    await again.getByText('posterior part').waitFor()
    await page.goto(`${product.url}/cloudHome`)
    await page.getByRole('button', { name: 'Actions for Ward files' }).click()
    await page.getByRole('menuitem', { name: 'Share …', exact: true }).click()
    await page.getByRole('button', { name: 'Make a link' }).click()
    const link = await page.getByLabel('Address of the link').inputValue()
    const seen = await visit(link)
    await seen.page.getByRole('button', { name: 'brain.nii.gz', exact: true }).click()
    const theirs = seen.page.getByRole('dialog')
    await theirs.getByText('Sagittal', { exact: true }).click()
    await cover(theirs)
    const other = await visit(await copied(seen.page, theirs))
    const shown = other.page.getByRole('dialog')
    await shown.getByText('anterior part').waitFor()
    await shown.getByText(/^\d+ \/ 34$/).waitFor()
    expect([...seen.errors, ...other.errors, ...errors]).toEqual([])
  })
})

async function visit(address: string) {
  const visitor = await open(browser, { width: 1280, height: 860 })
  await keepCopies(visitor.page)
  await visitor.page.goto(address)
  return visitor
}

/** How many pixels of a canvas are not clear. */
const paintOf = (canvas: Locator): Promise<number> =>
  canvas.evaluate((element) => {
    if (!(element instanceof HTMLCanvasElement)) return 0
    const { width, height } = element
    const data = element.getContext('2d')?.getImageData(0, 0, width, height).data ?? []
    let painted = 0
    for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 0) > 0) painted += 1
    return painted
  })

/** The image's own mask, found by its name. */
async function cover(dialog: Locator) {
  await dialog.getByRole('button', { name: 'Lay a mask or labels over the image' }).click()
  await dialog.getByRole('button', { name: /^brain_mask\.nii\.gz/ }).click()
  await dialog.getByText('anterior part').waitFor(patience)
}

/** Opens a file of the folder by its name, and waits until it is drawn. */
async function see(name: string): Promise<Locator> {
  const dialog = page.getByRole('dialog')
  if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name, exact: true }).click()
  await stageOf(dialog).waitFor(patience)
  return dialog
}

/**
 * Without a graphics card the first picture takes seconds, on a busy machine a minute; after a failure of its graphics
 * Chromium gives a page none for two minutes.
 */
const patience = { timeout: 240_000 }
/** What is measured is drawn over each image, beside the letters of the body's sides. */
const marks = '[data-stage] > svg[aria-label]'
const stageOf = (dialog: Locator) => dialog.locator(marks)
const rowsOf = (dialog: Locator) => dialog.getByRole('region', { name: 'Measurements' }).getByRole('listitem')

async function choose(dialog: Locator, kind: string) {
  await dialog.getByRole('toolbar').getByRole('button', { name: /▾$/ }).click()
  await page.getByRole('menuitem', { name: kind, exact: true }).click()
  await page.getByRole('menuitem', { name: kind, exact: true }).waitFor({ state: 'hidden' })
}

async function keys(...list: string[]) {
  for (const key of list) await page.keyboard.press(key)
}

/** Sets the keyboard's cross where an image is drawn: points are set where it is seen. */
async function cross(dialog: Locator) {
  await stageOf(dialog).waitFor(patience)
  await keys('Enter')
  await dialog.getByTestId('cross').waitFor(patience)
}

/** A line of the list of measurements. */
async function said(dialog: Locator, text: string | RegExp): Promise<string> {
  const line = dialog.getByRole('region', { name: 'Measurements' }).getByText(text, { exact: true }).first()
  await line.waitFor(patience)
  return (await line.textContent()) ?? ''
}

/** What was last put on the clipboard, which browsers without a window do not give. */
const keepCopies = (opened: Page) =>
  opened.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', {
      value: {
        writeText: async (text: string) => document.documentElement.setAttribute('data-copied', text),
      },
    })
  })

async function copied(opened: Page, dialog: Locator): Promise<string> {
  await dialog.getByRole('button', { name: 'Copy address of this view' }).click()
  const address = () => opened.evaluate(() => document.documentElement.getAttribute('data-copied'))
  await expect.poll(address).not.toBeNull()
  return (await address()) ?? ''
}

type Share = readonly [x: number, y: number]

/** From one place of it to another, as shares of its width and height. */
async function drag(target: Locator, from: Share, to: Share) {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error('nothing to drag on')
  const at = ([x, y]: Share) => [box.x + box.width * x, box.y + box.height * y] as const
  await page.mouse.move(...at(from))
  await page.mouse.down()
  await page.mouse.move(...at(to), { steps: 5 })
  await page.mouse.up()
}
