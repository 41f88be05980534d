/** Buying a membership in each language: what is refused, both kinds of invoice, the free plan, an upgrade and a renewal. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createUser } from '../../server/src/features/accounts/account.ts'
import { memberForm } from '../../server/test/member-form.ts'
import { forgetSaid, launch, open, signIn, told } from '../browser.ts'
import { withDatabase } from '../database.ts'
import { clientOf } from '../rules-stage.ts'
import { type Product, removeData, startProduct } from '../stack.ts'
import { languages, wordsOf } from '../words.ts'

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

const SILVER = /10\D?000/
const BRONZE = /5\D?000/
const QR_SIDE = 150

describe.each(languages)('a membership, in %s', (language) => {
  const words = wordsOf(language)
  const say = (key: string) => words('membership', key)
  let page: Page
  let errors: string[]
  let dialog: Locator

  const openDialog = () => page.goto(`${product.url}/userCenter?tab=upgrade`)
  const choose = (level: string) => dialog.getByText(words('levels', level)).first().click()
  const press = (name: RegExp) => dialog.getByRole('button', { name }).click()
  const isRefused = (why: string) => dialog.getByText(say(`upgrade.hindrance.${why}`)).waitFor()

  beforeAll(async () => {
    const login = { account: `${language}@ward.test`, password: 'ward-7-east' }
    await withDatabase(product, (db) => createUser(db, { ...login, nickName: 'Ward' }))
    ;({ page, errors } = await open(browser, { language }))
    await signIn(page, product, login)
    dialog = page.getByRole('dialog', { name: say('upgrade.title') })
  })

  test('asks for the member information first, and leads there', async () => {
    await openDialog()
    await choose('ordinary')
    await press(say('upgrade.go.free'))
    await isRefused('form')
    await choose('silver')
    await press(SILVER)
    await isRefused('name')
    await dialog.getByRole('link', { name: say('upgrade.toProfile') }).click()
    await page.waitForURL('**/userCenter?tab=member')
    await (await clientOf(page, product.url)).call('user/edit', memberForm)
  })

  test('of the free plan comes with the full form', async () => {
    await openDialog()
    await choose('ordinary')
    await press(say('upgrade.go.free'))
    await isRefused('held')
  })

  test('is bought by an organisation, whose invoice is asked for field by field', async () => {
    await choose('silver')
    await dialog.getByText(say('invoice.organisation')).click()
    await press(SILVER)
    for (const field of ['title', 'tax', 'addr', 'phone', 'bank', 'account'])
      await dialog.getByText(say(`invoice.problem.${field}_required`)).waitFor()
    for (const field of ['Title', 'Addr', 'Phone', 'Bank', 'Account'])
      await dialog.getByLabel(say(`invoice.field.invoice${field}`)).fill(`${field} 7`)
    await dialog.getByLabel(say('invoice.field.invoiceTax')).fill('91310000MA1FL0000X')
    await press(SILVER)
    await isRefused('agreement')
    await dialog.getByRole('checkbox').check()
    await press(SILVER)
    await payAtCashier()
  })

  test('of a lower level is refused, and the same one is renewed once that was confirmed', async () => {
    await openDialog()
    await choose('bronze')
    await press(BRONZE)
    await isRefused('lower')
    await choose('silver')
    await dialog.getByText(say('invoice.person')).click()
    await dialog.getByLabel(say('invoice.field.personTitle')).fill('Account Holder')
    await dialog.getByRole('checkbox').check()
    await press(SILVER)
    await page.getByRole('button', { name: say('upgrade.renew') }).click()
    await payAtCashier()
  })

  test('has its orders with both invoices, and the points', async () => {
    await page.goto(`${product.url}/userCenter?tab=orders`)
    for (const title of ['Account Holder', 'Title 7'])
      await page.getByRole('article').getByText(title, { exact: true }).waitFor()
    await page.goto(`${product.url}/userCenter?tab=points`)
    await page
      .getByText(/20\D?000/)
      .first()
      .waitFor()
    expect(errors).toEqual([])
  })

  async function payAtCashier() {
    const paying = page.getByRole('dialog', { name: say('upgrade.payTitle') })
    const code = paying.locator('img')
    await code.waitFor()
    expect(await code.boundingBox()).toMatchObject({ width: QR_SIDE, height: QR_SIDE })
    forgetSaid(page)
    const [cashier] = await Promise.all([
      page.waitForEvent('popup'),
      paying.getByRole('link', { name: say('upgrade.cashier') }).click(),
    ])
    await cashier.getByRole('button').click()
    await cashier.close()
    await told(page, say('upgrade.done'))
  }
})
