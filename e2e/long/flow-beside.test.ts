/** Two flow studies, or two moments of one, side by side: on flows that are known, by what is drawn and told. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, open } from '../browser.ts'
import { type DevPages, serveDevPages } from '../dev-pages.ts'
import { lookAt } from '../drawn.ts'

let pages: DevPages
let browser: Browser

beforeAll(async () => {
  pages = await serveDevPages()
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  pages?.stop()
})

const stage = (page: Page, at: number) => page.getByRole('application').nth(at)
const sums = async (page: Page) => {
  const looks = await Promise.all([0, 1].map((at) => lookAt(stage(page, at).locator('canvas'))))
  return looks.map(({ sum }) => sum)
}

async function see(query: string, { width = 1280 } = {}) {
  const { page, errors } = await open(browser, { width, height: 900 })
  // What the last picture on each canvas has written: numbers at its colour bar among them.
  await page.addInitScript(() => {
    const [fill, write] = [
      CanvasRenderingContext2D.prototype.fillRect,
      CanvasRenderingContext2D.prototype.fillText,
    ]
    CanvasRenderingContext2D.prototype.fillRect = function (...given: Parameters<typeof fill>) {
      // The ground of a picture.
      if (given[0] === 0 && given[1] === 0) this.canvas.dataset.said = ''
      fill.apply(this, given)
    }
    CanvasRenderingContext2D.prototype.fillText = function (...given: Parameters<typeof write>) {
      this.canvas.dataset.said = `${this.canvas.dataset.said ?? ''}\n${given[0]}`
      write.apply(this, given)
    }
  })
  await page.goto(`${pages.url}/dev/flow?frames=6&${query}`)
  await stage(page, 1).waitFor()
  return { page, errors }
}

const numbersOn = async (page: Page, at: number) => {
  const said = await stage(page, at).locator('canvas').getAttribute('data-said')
  return said?.split('\n').filter((text) => /^-?[\d.]+$/.test(text)) ?? []
}

/** Once both have learned how far the other's colours reach. */
async function haveOneRange(page: Page): Promise<void> {
  await expect.poll(async () => String(await numbersOn(page, 1))).toBe(String(await numbersOn(page, 0)))
  expect((await numbersOn(page, 0)).length).toBeGreaterThan(2)
}

const values = async (page: Page) => {
  const told = await page.getByText(/at the marked place$/).allInnerTexts()
  return told.map((text) => Number(text.replace('−', '-').split(' ')[0]))
}

test('two studies are at one place and moment, in one range of colours, until they are let go', async () => {
  const { page, errors } = await see('beside')
  await page.getByText('Both have the same grid').waitFor()
  await haveOneRange(page)
  const before = await sums(page)
  await stage(page, 0).focus()
  await page.keyboard.press('PageDown')
  await page.getByText('16 / 32').waitFor()
  await expect
    .poll(async () => (await sums(page)).map((sum, at) => sum === before[at]))
    .toEqual([false, false])

  // Into the straight vessel, when blood is fast: the second is half as fast.
  await page.keyboard.press('.')
  for (let step = 0; step < 3; step++) await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(async () => (await values(page))[0]).toBeGreaterThan(10)
  await expect
    .poll(async () => {
      const [first = 0, second = 0] = await values(page)
      return second / first
    })
    .toBeCloseTo(0.5, 0)
  await page.getByRole('switch', { name: 'Difference of speed' }).click()
  await stage(page, 2).waitFor()
  const [first = 0, second = 0, difference = 0] = await values(page)
  expect(difference).toBeCloseTo(second - first, 0)

  await page.getByRole('switch', { name: 'Moved together' }).click()
  await page.getByText('Each image has its own place and time').waitFor()
  expect(await page.getByRole('application').count()).toBe(2)
  await stage(page, 1).focus()
  await page.keyboard.press('PageDown')
  await page.getByText('15 / 32').waitFor()
  await page.getByText('16 / 32').waitFor()
  await haveOneRange(page)
  await page.getByRole('switch', { name: 'Moved together' }).click()
  await page.getByText('15 / 32').waitFor({ state: 'detached' })
  expect(errors).toEqual([])
  await page.context().close()
})

test('where grids differ it is said; on a phone one stands below the other', async () => {
  const { page, errors } = await see('beside=48', { width: 390 })
  await page.getByText('The two grids differ: the same place in the body is shown').waitFor()
  expect(await page.getByRole('switch', { name: 'Difference of speed' }).count()).toBe(0)
  const [first, second] = await Promise.all([0, 1].map((at) => stage(page, at).boundingBox()))
  expect(second?.y).toBeGreaterThan((first?.y ?? 0) + (first?.height ?? 0))
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(errors).toEqual([])
  await page.context().close()
})

test('two moments of one study share the place, and each has its own time', async () => {
  const { page, errors } = await see('moments')
  const times = () =>
    page.getByRole('slider', { name: 'Time' }).evaluateAll((all) => all.map((one) => one.ariaValueNow))
  expect(await times()).toEqual(['6', '1'])
  const before = await sums(page)
  await stage(page, 1).focus()
  await page.keyboard.press('.')
  await expect.poll(times).toEqual(['6', '2'])
  await page.keyboard.press('PageDown')
  await page.getByText('16 / 32').waitFor()
  await expect
    .poll(async () => (await sums(page)).map((sum, at) => sum === before[at]))
    .toEqual([false, false])
  expect(errors).toEqual([])
  await page.context().close()
})
