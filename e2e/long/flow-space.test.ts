/** The 3D view of a flow study on a flow that is known, by its pixels: where lines are, and where none are. */
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, open } from '../browser.ts'
import { type DevPages, serveDevPages } from '../dev-pages.ts'
import { keepDrawings } from '../drawn.ts'
import { readWebm } from '../webm.ts'

let pages: DevPages
let browser: Browser

beforeAll(async () => {
  pages = await serveDevPages()
  browser = await launch({ hasGraphics: true })
})
afterAll(async () => {
  await browser?.close()
  pages?.stop()
})

const stage = (page: Page) => page.locator('[data-space]')
const shown = (page: Page) => stage(page).getByRole('img').getAttribute('aria-label')

type Seeing = { query?: string; hasWebGl?: boolean; width?: number }

/** The study of six moments in 3D, all of them ready to be played. */
async function see({ query = '?frames=6', hasWebGl = true, width = 1280 }: Seeing = {}) {
  const { page, errors } = await open(browser, { width, height: 900 })
  await keepDrawings(page)
  if (!hasWebGl) {
    await page.addInitScript(() => {
      const original = HTMLCanvasElement.prototype.getContext
      HTMLCanvasElement.prototype.getContext = function (
        this: HTMLCanvasElement,
        ...asked: [string, object?]
      ) {
        return asked[0] === 'webgl2' ? null : Reflect.apply(original, this, asked)
      } as typeof original
    })
  }
  await page.goto(`${pages.url}/dev/flow${query}`)
  await page.getByText('3D', { exact: true }).click()
  await page.getByText(/streamlines of this moment/).waitFor()
  await page.getByText('Ready to play').waitFor({ state: 'detached' })
  return { page, errors }
}

/** Two moments on, where flow is fast, and from above: columns to the right, rows of the grid upwards. */
async function fromAbove(page: Page): Promise<void> {
  await stage(page).focus()
  const slow = await shown(page)
  await page.keyboard.press('.')
  await page.keyboard.press('.')
  await expect.poll(() => shown(page)).not.toBe(slow)
  await page.getByRole('button', { name: 'Top' }).click()
}

type Ink = { x: number; y: number; red: number; green: number; blue: number }

/** Coloured pixels of a canvas, as voxels of the grid of 64 × 64 × 32. Edges, letters and the vessel's surface are grey. */
async function inkIn(page: Page, canvas: 'scene' | 'flat'): Promise<Ink[]> {
  const read = await stage(page).evaluate((holder, which) => {
    const all = [...holder.querySelectorAll('canvas')]
    const over = all.at(-1)
    const source = which === 'scene' ? all[0] : over
    if (!source || !over) throw new Error('no canvas')
    const copy = document.createElement('canvas')
    // The colour bar is 78 CSS pixels wide, the line below 24 high.
    const ratio = over.width / over.clientWidth
    const [width, height] = [over.clientWidth - 78, over.clientHeight - 24]
    Object.assign(copy, { width: width * ratio, height: height * ratio })
    const ctx = copy.getContext('2d')
    // Without a graphics card the scene is drawn larger, once nothing moves.
    if (which === 'scene') ctx?.drawImage(source, 0, 0, copy.width, copy.height)
    else ctx?.drawImage(source, 0, 0)
    const { data } = ctx?.getImageData(0, 0, copy.width, copy.height) ?? { data: new Uint8ClampedArray() }
    const found: number[][] = []
    for (let at = 0; at < data.length; at += 4) {
      const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
      if (Math.max(red, green, blue) - Math.min(red, green, blue) < 45) continue
      const pixel = at / 4
      found.push([(pixel % copy.width) / ratio, Math.floor(pixel / copy.width) / ratio, red, green, blue])
    }
    return { found, width, height }
  }, canvas)
  const { found, width, height } = read
  // The whole volume fits with 30 pixels at each side; it is 64 voxels wide and deep.
  const voxel = Math.min(width - 60, height - 60) / 64
  return found.map(([left = 0, top = 0, red = 0, green = 0, blue = 0]) => ({
    ...{ x: 31.5 + (left - width / 2) / voxel, y: 31.5 - (top - height / 2) / voxel },
    ...{ red, green, blue },
  }))
}

/** An arch over x = 23, from y = 11 to 53, and a straight vessel around (46, 32); a voxel is what masks and tubes may be wider. */
const isInVessel = ({ x, y }: Ink): boolean =>
  (Math.abs(x - 23.04) < 7 && Math.abs(y - 32) < 22) || Math.hypot(x - 46.08, y - 32) < 9.5
/** Only the arch is so fast. */
const isFast = ({ red, green, blue }: Ink): boolean => red > 150 && green > 130 && blue < 110
const isSlow = ({ red, green, blue }: Ink): boolean => blue > green + 10 && blue > red + 10

function checkInk(ink: Ink[]): void {
  expect(ink.length).toBeGreaterThan(3000)
  const stray = ink.filter((one) => !isInVessel(one))
  // Noise lets a few voxels beside the vessels into the mask.
  expect(stray.length / ink.length).toBeLessThan(0.01)
  for (const { x, y } of ink) expect(x > 8 && x < 58 && y > 4 && y < 60).toBe(true)
  const [fast, slow] = [ink.filter(isFast), ink.filter(isSlow)]
  expect(fast.length).toBeGreaterThan(100)
  expect(slow.length).toBeGreaterThan(500)
  expect(fast.filter(({ x }) => Math.abs(x - 23.04) < 7).length / fast.length).toBeGreaterThan(0.99)
}

test('tubes fill the vessels and nothing else, slow ones dark and fast ones light', async () => {
  const { page, errors } = await see()
  expect(await stage(page).getAttribute('data-space')).toBe('drawn')
  await fromAbove(page)
  checkInk(await inkIn(page, 'scene'))
  expect(await shown(page)).toMatch(/^\d+ streamlines .* cm\/s on average, [\d.]+ cm\/s at most/)

  const before = (await inkIn(page, 'scene')).length
  await stage(page).focus()
  await page.keyboard.press('+')
  expect((await inkIn(page, 'scene')).length).toBeGreaterThan(1.2 * before)
  expect(errors).toEqual([])
  await page.context().close()
})

test('without WebGL the same lines are drawn flat, and words say so', async () => {
  const { page, errors } = await see({ hasWebGl: false })
  expect(await stage(page).getAttribute('data-space')).toBe('missing')
  await page.getByText('This browser draws no 3D graphics').waitFor()
  await fromAbove(page)
  checkInk(await inkIn(page, 'flat'))
  expect(errors).toEqual([])
  await page.context().close()
})

test('a graphics card that is taken away and comes back leaves the picture', async () => {
  const { page, errors } = await see()
  await fromAbove(page)
  const lose = () =>
    stage(page).evaluate((holder) => {
      const lost = holder.querySelector('canvas')?.getContext('webgl2')?.getExtension('WEBGL_lose_context')
      lost?.loseContext()
      Object.assign(window, { lost })
    })
  await lose()
  await expect.poll(() => stage(page).getAttribute('data-space')).toBe('lost')
  checkInk(await inkIn(page, 'flat'))
  await page.evaluate(() => (window as unknown as { lost: WEBGL_lose_context }).lost.restoreContext())
  await expect.poll(() => stage(page).getAttribute('data-space')).toBe('drawn')
  checkInk(await inkIn(page, 'scene'))

  // A browser gives sixteen contexts, and warns when it takes one away again.
  const warnings: string[] = []
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
  for (let turn = 0; turn < 20; turn++) {
    await page.getByText('Coronal', { exact: true }).click()
    await stage(page).waitFor({ state: 'detached' })
    await page.getByText('3D', { exact: true }).click()
    await stage(page).waitFor()
  }
  expect(await stage(page).getAttribute('data-space')).toBe('drawn')
  expect(warnings.filter((text) => text.includes('context'))).toEqual([])
  expect(errors).toEqual([])
  await page.context().close()
})

test('the picture becomes a file of the resolution that was chosen, with its colours', async () => {
  const { page, errors } = await see()
  await fromAbove(page)
  await page.getByRole('tab', { name: 'Options' }).click()
  for (const [dpi, width] of [
    ['150', 1200],
    ['600', 4800],
  ] as const) {
    await page.getByText(dpi, { exact: true }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Image (PNG)' }).click()
    const bytes = readFileSync(await (await download).path())
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([width, (3 * width) / 4])
    expect(bytes.toString('latin1')).toContain('not for diagnosis')
    const share = await page.evaluate(colouredShare, bytes.toString('base64'))
    expect(share).toBeGreaterThan(0.02)
    expect(share).toBeLessThan(0.4)
  }
  // What is on the screen is as it was.
  checkInk(await inkIn(page, 'scene'))
  expect(errors).toEqual([])
  await page.context().close()
})

/** Runs in the page: of the left four fifths, where no colour bar is. */
async function colouredShare(png: string): Promise<number> {
  const image = new Image()
  image.src = `data:image/png;base64,${png}`
  await image.decode()
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: 400, height: 300 })
  const ctx = canvas.getContext('2d')
  ctx?.drawImage(image, 0, 0, 400, 300)
  const data = ctx?.getImageData(0, 0, 320, 300).data ?? new Uint8ClampedArray()
  let count = 0
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
    if (Math.max(red, green, blue) - Math.min(red, green, blue) >= 45) count++
  }
  return count / (320 * 300)
}

test('particles move from a plane on when they are told to, and stand still at a pause', async () => {
  const { page, errors } = await see({ query: '?run&frames=6' })
  await page.getByText('Paths from a plane', { exact: true }).click()
  await page.getByText(/particles on their way/).waitFor()
  const clock = page.getByRole('slider', { name: 'Time' })
  const time = () => clock.getAttribute('aria-valuenow')
  // Whoever wants stillness sees whole ways at first.
  const end = await time()
  expect(Number(end)).toBeGreaterThan(4)
  const ways = (await inkIn(page, 'scene')).length
  expect(ways).toBeGreaterThan(500)
  await stage(page).focus()
  await page.keyboard.press('Space')
  await expect.poll(time).not.toBe(end)
  await page.keyboard.press('Space')
  const paused = await time()
  await page.waitForTimeout(500)
  expect(await time()).toBe(paused)
  expect((await inkIn(page, 'scene')).length).not.toBe(ways)

  await page.getByText('At every moment', { exact: true }).click()
  await page.getByText(/particles on their way/).waitFor()
  await page.getByRole('tab', { name: 'Options' }).click()
  await page.getByRole('spinbutton', { name: 'Line density' }).fill('5')
  await page.getByText('These would be more than 500 lines').waitFor()
  expect(errors).toEqual([])
  await page.context().close()
})

/** Without a graphics card a picture takes seconds. */
const filming = { timeout: 480_000 }

test('the view goes into the report with words that name it, and out as a film that turns', async () => {
  const { page, errors } = await see({ query: '?frames=6&run' })
  const told: string[] = []
  page.on('console', (message) => told.push(message.text()))
  await page.getByRole('button', { name: 'Side' }).click()
  await page.getByRole('button', { name: 'Add to the report' }).click()
  const words = page.getByRole('textbox', { name: 'Words below the image' })
  const named = 'Known flow · 3D, Streamlines · turned 90°, tilted 0° · 0 ms · Speed (cm/s)'
  expect(await words.inputValue()).toBe(named)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect.poll(() => told.find((one) => one.startsWith('kept'))).toMatch(/^kept \d{5,} Known flow · 3D/)

  await page.getByRole('button', { name: 'Film', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Film in 3D' })
  await dialog.getByRole('radio', { name: 'Once round' }).click()
  expect(await dialog.getByText('True speed').count()).toBe(0)
  await dialog.getByRole('spinbutton').fill('1')
  await dialog.getByRole('radio', { name: 'WebM' }).click()
  const turning = page.waitForEvent('download', filming)
  await dialog.getByRole('button', { name: 'Make the film' }).click()
  const { frames } = readWebm(readFileSync(await (await turning).path()))
  expect(frames).toBe(72)

  await page.getByRole('button', { name: 'Film', exact: true }).click()
  await dialog.getByRole('radio', { name: 'WebM' }).click()
  const beating = page.waitForEvent('download', filming)
  await dialog.getByRole('button', { name: 'Make the film' }).click()
  expect(readWebm(readFileSync(await (await beating).path())).frames).toBe(6 * 3)
  expect(errors).toEqual([])
  await page.context().close()
})
