import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn, type Visit, visit } from './browser.ts'
import { openKnownFlow } from './flow-study.ts'
import { longTest } from './long-test.ts'
import { readWebm } from './webm.ts'

let at: Visit

beforeAll(async () => {
  at = await visit()
  await signIn(at.page, at.product)
})
afterAll(() => at?.end())

test('a known flow is measured from the toolbox on, and its curve comes near to what is known', async () => {
  const { page } = at
  await page.goto(`${at.product.url}/toolboxHome`)
  await page.getByText('4D flow MRI', { exact: true }).click()
  await page.getByRole('button', { name: 'Try a known flow' }).click()
  await page
    .getByRole('button', { name: /Measure it/ })
    .first()
    .click()
  await page.getByRole('tab', { name: 'Flow', exact: true }).click({ timeout: 120_000 })
  await page.getByRole('button', { name: 'In this slice' }).click()
  await page.getByText('Net volume a beat', { exact: true }).waitFor()
  const said = await page.getByRole('tabpanel').last().innerText()
  const net = Number(/Net volume a beat\s+([\d.]+) mL/.exec(said)?.[1])
  // A pipe of 5 voxels' radius (2 mm), on average half of 0.4 m/s through it: Q = πR²·v.
  const known = Math.PI * 0.01 ** 2 * 0.2 * 1e6
  expect(net / known).toBeGreaterThan(0.95)
  expect(net / known).toBeLessThan(1.03)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Curves as CSV' }).click()
  const table = readFileSync(await (await download).path(), 'utf8')
  expect(table.split('\n')[0]).toMatch(/mL\/s/)
  expect(at.errors).toEqual([])
})

test('it stays among the studies, and is opened once more', async () => {
  const { page } = at
  await page.getByRole('link', { name: 'All studies' }).click()
  await page.getByText('Pulsating pipe flow').first().waitFor()
  await page.getByText('Pulsating pipe flow').first().click()
  await page.getByRole('tab', { name: 'Mask' }).waitFor()
  expect(at.errors).toEqual([])
})

/** Six moments. */
const shortBeat = (page: Page) => openKnownFlow(page, at.product.url, 'womersley', 6)

async function saved(page: Page, act: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const download = page.waitForEvent('download')
  await act()
  const file = await download
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
}

async function openFilm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More files' }).click()
  await page.getByText('Film of the beat').click()
}

longTest(
  'the beat becomes a film: each picture once a loop, of even size, the first one like the PNG',
  async () => {
    const { page } = at
    await shortBeat(page)
    const png = await saved(page, () => page.getByRole('button', { name: 'Image (PNG)' }).click())
    await openFilm(page)
    await page.getByRole('radio', { name: 'WebM' }).click()
    const film = await saved(page, () => page.getByRole('button', { name: 'Make the film' }).click())
    expect(film.name).toMatch(/\.webm$/)
    const { frames, seconds, width, height } = readWebm(film.bytes)
    expect(frames).toBe(6 * 3)
    expect(Math.abs(seconds - 1.8)).toBeLessThanOrEqual(0.1)
    expect([width % 2, height % 2]).toEqual([0, 0])
    // The product's own pages play no films.
    const blank = await page.context().newPage()
    const likeness = await blank.evaluate(likenessOf, {
      film: film.bytes.toString('base64'),
      png: png.bytes.toString('base64'),
    })
    await blank.close()
    expect(likeness).toBeGreaterThanOrEqual(32)

    await openFilm(page)
    const best = await saved(page, () => page.getByRole('button', { name: 'Make the film' }).click())
    expect(best.name).toMatch(/\.(mp4|webm)$/)
    expect(at.errors).toEqual([])
  },
)

/** Runs in the page: the peak signal-to-noise ratio of the first frame against the picture, in dB. */
async function likenessOf({ film, png }: { film: string; png: string }): Promise<number> {
  const video = document.createElement('video')
  const told = (name: 'loadeddata' | 'seeked') =>
    new Promise((resolve, reject) => {
      video.addEventListener(name, resolve, { once: true })
      video.onerror = () => reject(video.error)
    })
  video.muted = true
  const loaded = told('loadeddata')
  video.src = `data:video/webm;base64,${film}`
  await loaded
  // A frame is there for certain once it was gone to; this is within the first tenth of a second.
  const sought = told('seeked')
  video.currentTime = 0.05
  await sought
  const image = new Image()
  image.src = `data:image/png;base64,${png}`
  await image.decode()
  const pixels = (source: CanvasImageSource) => {
    const canvas = document.createElement('canvas')
    canvas.width = video.videoWidth
    canvas.height = video.videoHeight
    const ctx = canvas.getContext('2d')
    ctx?.drawImage(source, 0, 0, canvas.width, canvas.height)
    return ctx?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray()
  }
  const [one, other] = [pixels(video), pixels(image)]
  let sum = 0
  for (let place = 0; place < one.length; place++) sum += ((one[place] ?? 0) - (other[place] ?? 0)) ** 2
  // Opacity is the same everywhere and counts for nothing.
  return 10 * Math.log10(255 ** 2 / (sum / (0.75 * one.length)))
}

longTest('without any encoder it says so, keeps no part of a film, and saves pictures instead', async () => {
  const { page } = at
  await shortBeat(page)
  await page.evaluate(() => {
    VideoEncoder.isConfigSupported = async (config) => ({ supported: false, config })
  })
  const names: string[] = []
  page.on('download', (download) => names.push(download.suggestedFilename()))
  await openFilm(page)
  await page.getByRole('button', { name: 'Make the film' }).click()
  const failure = page.getByRole('alert').filter({ hasText: 'Video export failed' })
  await failure.waitFor()
  await failure.getByRole('button', { name: 'Try again' }).click()
  await failure.waitFor()
  expect(await failure.innerText()).toMatch(/H\.264.*VP9.*VP9.*VP8/s)
  expect(names).toEqual([])
  const zip = await saved(page, () => failure.getByRole('button', { name: /ZIP of PNG/ }).click())
  expect(zip.name).toMatch(/pictures\.zip$/)
  // One local head for each picture, the words and the options.
  expect(zip.bytes.toString('latin1').split('PK\u0003\u0004')).toHaveLength(1 + 6 + 2)
})
