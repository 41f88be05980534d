/** Every page in every language, on a desk and on a phone: nothing overflows, nothing is inaccessible, nothing fails. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch, open, signIn } from './browser.ts'
import { type Product, removeData, startProduct } from './stack.ts'

const publicPages = ['/', '/login', '/register', '/forget']
const workspacePages = ['/mangeHome', '/projectHome', '/cloudHome', '/run', '/userCenter']

let product: Product
let browser: Browser

beforeAll(async () => {
  product = await startProduct()
  browser = await launch()
})

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  if (product) await removeData(product.dataDir)
})

describe.each(['en', 'zh', 'ru'])('pages in %s', (language) => {
  test.each([
    [1280, 800],
    [320, 640],
  ])('at %i × %i pixels', async (width, height) => {
    const { page, errors } = await open(browser, { width, height })
    for (const path of publicPages) await inspect(page, language, path)
    await page.evaluate(() => sessionStorage.setItem('theLanguage', 'en'))
    await signIn(page, product)
    for (const path of [...workspacePages, ...(await samplePages(page))]) await inspect(page, language, path)
    expect(errors).toEqual([])
    await page.context().close()
  })
})

test('a visitor without a session is sent to the front page with a warning', async () => {
  const { page } = await open(browser)
  await page.goto(`${product.url}/projectHome`)
  await page.getByText(/Please sign in again/).waitFor()
  await page.waitForURL(isFront)
  await page.context().close()
})

test('a second sign-in elsewhere sends the first page to the front with the message of code 10500', async () => {
  const first = await open(browser)
  await signIn(first.page, product)
  const second = await open(browser)
  await signIn(second.page, product)
  // The cloud was not shown yet, so that the page has to ask the server.
  await Promise.all([
    first.page.getByText(/already been logged in on another machine/).waitFor(),
    first.page
      .getByRole('main')
      .getByRole('link', { name: /^Cloud storage/ })
      .click(),
  ])
  await first.page.waitForURL(isFront)
  await first.page.context().close()
  await second.page.context().close()
})

test('the keyboard alone signs in', async () => {
  const { page } = await open(browser)
  await page.goto(`${product.url}/login`)
  await page.getByLabel('Phone', { exact: true }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByLabel('E-mail address').focus()
  await page.keyboard.type(product.member?.account ?? '')
  await page.getByLabel('Password', { exact: true }).focus()
  await page.keyboard.type(product.member?.password ?? '')
  await page.getByRole('slider').focus()
  await page.keyboard.press('End')
  await page.getByText('Verified').first().waitFor()
  await page.getByRole('button', { name: 'Sign in', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/mangeHome')
  await page.context().close()
})

const isFront = (url: URL): boolean => url.pathname === '/'

async function inspect(page: Page, language: string, path: string) {
  await page.goto(`${product.url}${path}`)
  await page.evaluate((chosen) => sessionStorage.setItem('theLanguage', chosen), language)
  await page.reload()
  await page.getByRole('heading').first().waitFor()
  await page.waitForLoadState('networkidle').catch(() => undefined)
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, `${path} is wider than its window`).toBeLessThanOrEqual(0)
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${path} ${id}: ${nodes[0]?.html}`)).toEqual([])
}

/** A project and a folder of the demo member. */
async function samplePages(page: Page): Promise<string[]> {
  await page.goto(`${product.url}/projectHome`)
  const project = await page
    .getByRole('main')
    .locator('a[href^="/projectDetail?id="]')
    .first()
    .getAttribute('href')
  await page.goto(`${product.url}/cloudHome`)
  const folder = await page
    .getByRole('main')
    .locator('a[href^="/cloudFile?id="]')
    .first()
    .getAttribute('href')
  return [project, folder].filter((path) => path !== null)
}
