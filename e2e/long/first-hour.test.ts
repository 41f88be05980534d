/** The first hour of somebody who knows nothing of the product: every press is counted, from the front page to a result. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countClicks, drag, launch, open } from '../browser.ts'
import { drawClasses, syntheticFolder } from '../data.ts'
import { uploadFolder, waitForEnd } from '../journey.ts'
import { nextCode } from '../outbox.ts'
import { type Product, removeData, startProduct, takesLong } from '../stack.ts'

const PASSWORD = 'ward-7-east'
const TRAINED_MS = 900_000

let product: Product
let browser: Awaited<ReturnType<typeof launch>>

beforeAll(async () => {
  product = await startProduct()
  browser = await launch()
})

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  if (product) await removeData(product.dataDir)
})

test(
  'at most 12 presses lead from the front page to a first result on sample images',
  takesLong,
  async () => {
    const { page, errors } = await open(browser)
    const clicks = await countClicks(page)
    await becomeMember(page, '13800138001')
    await page.getByRole('button', { name: 'Try with sample images' }).click()
    await trainAndTest(page)
    expect(await clicks()).toBeLessThanOrEqual(12)
    expect(errors).toEqual([])
    await page.context().close()
  },
)

test('at most 16 lead to one on a folder of one’s own', takesLong, async () => {
  const { page, errors } = await open(browser)
  const clicks = await countClicks(page)
  await becomeMember(page, '13800138002')
  await page.getByRole('button', { name: 'New project' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('What kind of image is it?', { exact: true }).click()
  await dialog.getByLabel('What is the project called?').fill('Cells')
  await uploadFolder(
    page,
    syntheticFolder('cells', (folder) => drawClasses(folder, { perClass: 20 })),
  )
  await trainAndTest(page)
  expect(await clicks()).toBeLessThanOrEqual(16)
  expect(errors).toEqual([])
  await page.context().close()
})

/** From the front page to the list of projects, without one. */
async function becomeMember(page: Page, phone: string) {
  await page.goto(product.url)
  await page.getByRole('link', { name: 'Create a free account' }).click()
  await page.getByLabel('Nickname', { exact: true }).fill('Night shift')
  await page.getByLabel('Phone number', { exact: true }).fill(phone)
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByLabel('Verification code', { exact: true }).fill(await nextCode(product, `+86${phone}`))
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD)
  await drag(page)
  await page.getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/mangeHome')
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Project management/ })
    .click()
}

/** From a project with data to the figures of its first test. */
async function trainAndTest(page: Page) {
  await page.waitForURL(/\/projectDetail\?id=/)
  await page.getByRole('button', { name: 'Train', exact: true }).click()
  await page.getByRole('button', { name: 'Start training' }).click()
  await page.waitForURL(/\/run\?id=/)
  const training = page.url()
  await page.getByRole('button', { name: 'Start test' }).click({ timeout: TRAINED_MS })
  await page.waitForURL((url) => url.toString() !== training)
  await waitForEnd(page, TRAINED_MS)
  await page.getByRole('heading', { name: 'Result of the test' }).waitFor()
}
