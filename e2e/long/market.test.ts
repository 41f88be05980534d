/**
 * Work on order by customer, provider and administrator: paid by a bank transfer that arrives, sent back once, accepted,
 * rated and paid out; and a second order in dispute, whose money the administrator divides.
 */
import { roles } from '@neuroloom/contract/accounts/roles'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askIn, launch, open, signIn, told } from '../browser.ts'
import { type Product, removeData, startProduct } from '../stack.ts'

let product: Product
let browser: Awaited<ReturnType<typeof launch>>
let customer: Page
let provider: Page
let administrator: Page
const errors: string[][] = []
const title = 'Outline nuclei in 200 images'
const providerName = 'Label studio'

beforeAll(async () => {
  product = await startProduct()
  browser = await launch()
  administrator = await enter(product.administrator)
  customer = await enter(product.member)
  const account = 'label.studio@hospital.test'
  const { member, password } = await askIn(administrator, 'members/create', {
    ...{ account, nickName: providerName },
  })
  await askIn(administrator, 'members/role', { id: member.id, role: roles.provider, confirmed: true })
  provider = await enter({ account, password, isFirst: true })
})

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  if (product) await removeData(product.dataDir)
})

async function enter(login: Product['member']): Promise<Page> {
  const { page, errors: own } = await open(browser)
  await signIn(page, product, login)
  errors.push(own)
  return page
}

const button = (at: Page | Locator, name: string | RegExp) => at.getByRole('button', { name, exact: true })
const dialogOf = (page: Page) => page.getByRole('dialog')
const office = (part: string) => administrator.goto(`${product.url}/admin?part=${part}`)

async function postDemand(name: string): Promise<void> {
  await customer.goto(`${product.url}/postDemand`)
  await customer.getByLabel('Title', { exact: true }).fill(name)
  await customer.getByLabel('Description', { exact: true }).fill('Whole outlines, one mask an image.')
  await customer.getByLabel('Budget', { exact: true }).fill('1000')
  await customer.getByLabel('Deadline', { exact: true }).fill('2099-01-31')
  await button(customer, 'Post the demand').click()
  await customer.getByText('No offer yet.', { exact: false }).waitFor()
}

async function makeOffer(name: string, price: string): Promise<void> {
  await provider.goto(`${product.url}/orderHome`)
  await provider.getByRole('link', { name }).click()
  await button(provider, 'Make an offer').click()
  await dialogOf(provider).getByLabel('Price', { exact: true }).fill(price)
  await dialogOf(provider).getByLabel('How you would do it').fill('Two readers, then one of us checks.')
  await button(dialogOf(provider), 'Send the offer').click()
  await button(provider, 'Change my offer').waitFor()
}

async function order(way: string): Promise<void> {
  await customer.reload()
  await button(customer.getByRole('article', { name: providerName }), 'Order this').click()
  await dialogOf(customer).getByText(way, { exact: true }).click()
  await button(dialogOf(customer), /^Order and pay/).click()
}

async function deliver(text: string): Promise<void> {
  await provider.reload()
  await button(provider, 'Deliver …').click()
  await dialogOf(provider).getByLabel('What you deliver').fill(text)
  await button(dialogOf(provider), 'Deliver').click()
  await provider.getByText('Delivered', { exact: true }).waitFor()
}

test('a demand is answered by an offer, which is ordered by a bank transfer that an administrator sees arrive', async () => {
  await postDemand(title)
  await makeOffer(title, '800')
  await order('Bank transfer')
  await customer.getByText('0000 0000 0000 0000').waitFor()
  // Nothing is assigned before the money is there.
  expect(await customer.getByText('In progress', { exact: true }).count()).toBe(0)

  await office('orders')
  await administrator
    .getByRole('row', { name: new RegExp(title) })
    .getByRole('button')
    .click()
  await button(administrator, 'Transfer arrived …').click()
  const arrived = administrator.getByRole('dialog', { name: 'The bank transfer has arrived' })
  await arrived.getByText(title).waitFor()
  await arrived.getByLabel('Reference at the bank').fill('BANK-7')
  await arrived.getByLabel('Amount that arrived').fill('800')
  await button(arrived, /^Confirm/).click()
  await told(administrator, 'is paid')
  await customer.reload()
  await customer.getByText('In progress', { exact: true }).waitFor()
})

test('the work is sent back, delivered again, accepted and rated', async () => {
  await deliver('All but image 7')
  await customer.reload()
  await button(customer, 'Send it back …').click()
  await dialogOf(customer).getByLabel('What is missing?').fill('Image 7')
  await button(dialogOf(customer), 'Send it back').click()
  await customer.getByText('In progress', { exact: true }).waitFor()
  await provider.reload()
  await provider.getByText('Image 7', { exact: true }).waitFor()
  await deliver('Image 7 as well')
  await customer.reload()
  await button(customer, 'Accept the work').click()
  await button(dialogOf(customer), 'Accept the work').click()
  await customer.getByRole('radio').nth(4).click({ force: true })
  await customer.getByLabel('What should others know? (optional)').fill('Careful work.')
  await button(customer, 'Rate').click()
  await customer.getByText('Closed', { exact: true }).waitFor()
  await customer.getByRole('link', { name: providerName }).click()
  await customer.getByRole('list', { name: 'Ratings' }).getByText('Careful work.').waitFor()
})

test('the provider is paid out, less the fee of the platform', async () => {
  await provider.goto(`${product.url}/orderHome?tab=wallet`)
  await button(provider, 'Withdraw …').click()
  const dialog = dialogOf(provider)
  await dialog.getByLabel('Name of the account holder').fill('Label studio')
  await dialog.getByLabel('Alipay account').fill('studio@hospital.test')
  await button(dialog, 'All of it').click()
  await button(dialog, 'Ask for the withdrawal').click()
  await dialog.waitFor({ state: 'hidden' })

  await office('withdrawals')
  const card = administrator.getByRole('article')
  // 800 yuan less 3 %.
  await card.getByText('CN¥776', { exact: false }).first().waitFor()
  await button(card, 'Paid out …').click()
  await dialogOf(administrator).getByLabel('Reference of the payment').fill('PAY-7')
  await button(dialogOf(administrator), 'It was paid out').click()
  await administrator.getByText('No withdrawal waits').waitFor()
  await provider.reload()
  const withdrawals = provider.getByRole('row').filter({ has: provider.getByRole('button') })
  await withdrawals.first().getByRole('cell', { name: 'Recorded', exact: true }).waitFor()
})

test('of an order in dispute the administrator divides the held money, and both are told', async () => {
  const disputed = 'Outline nuclei in 50 more'
  await postDemand(disputed)
  await makeOffer(disputed, '200')
  await order('Alipay')
  await dialogOf(customer).getByRole('img').first().waitFor()
  const [cashier] = await Promise.all([
    customer.waitForEvent('popup'),
    dialogOf(customer).getByRole('link').first().click(),
  ])
  await cashier.getByRole('button').click()
  await cashier.close()
  await customer.getByText('In progress', { exact: true }).waitFor()
  await deliver('Ten of them')
  await customer.reload()
  await button(customer, 'Open a dispute …').click()
  await dialogOf(customer).getByLabel('What is not as agreed?').fill('Forty are missing')
  await button(dialogOf(customer), 'Open the dispute').click()
  await customer.getByText('In dispute', { exact: true }).waitFor()

  await office('demands')
  const card = administrator.getByRole('article', { name: disputed })
  await card.getByText('Forty are missing').waitFor()
  await button(card, 'Decide').click()
  const dialog = dialogOf(administrator)
  await dialog.getByLabel('For the provider').fill('40')
  await dialog.getByText('CN¥160', { exact: false }).first().waitFor()
  await dialog.getByLabel('Reason').fill('Ten of fifty')
  await button(dialog, 'Decide').click()
  await administrator.getByText('No dispute waits for a decision').waitFor()
  for (const page of [customer, provider]) {
    await page.reload()
    await page.getByText('Ten of fifty').waitFor()
    await page.getByText('Closed', { exact: true }).waitFor()
  }
  expect(errors.flat()).toEqual([])
})
