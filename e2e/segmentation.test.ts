/** From sign-in to outlined nuclei on real images: a subset, stopped by its member when it is good enough, then tested. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countClicks, signIn, type Visit, visit } from './browser.ts'
import { drawMasks, type Folder, pictureFolder } from './data.ts'
import { startTraining, waitForEnd } from './journey.ts'
import type { Product } from './stack.ts'

/** With half as many, the training was over on a slow machine by the time that it was good enough to be stopped. */
const IMAGES = 80

let product: Product
let page: Page
let errors: string[]
let end: Visit['end'] | undefined
let folder: Folder

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

afterAll(() => end?.())

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
    await page
      .getByText('Stopped', { exact: true })
      .filter({ visible: true })
      .first()
      .waitFor({ timeout: 60_000 })
    const training = page.url()
    await page.getByRole('button', { name: 'Start test' }).click()
    await page.waitForURL((url) => url.toString() !== training)
    await waitForEnd(page, 180_000)
    await page.getByRole('heading', { name: 'Picture by picture' }).waitFor()
    expect(await shownDice(page)).toBeGreaterThan(0.65)
  })

  test('masks can be downloaded as an archive', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Masks (ZIP)' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.zip$/)
  })

  test('the browser reported no error on the way', () => {
    expect(errors).toEqual([])
  })
})

/** The headline of a run's page; 0 before the first check. */
const shownDice = async (page: Page): Promise<number> =>
  Number(/Dice\s+(0\.\d{3})/.exec(await page.getByRole('main').innerText())?.[1] ?? 0)
