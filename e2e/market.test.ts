/** Work on order by three people: a member posts it, two providers offer, one does it, is accepted, paid and rated. */
import { roles } from '@neuroloom/contract/accounts/roles'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askIn, launch, open, signIn } from './browser.ts'
import { type Product, removeData, startProduct } from './stack.ts'

let product: Product
let browser: Browser
let owner: Page
let provider: Page
let rival: Page
const errors: string[][] = []
const title = 'Outline nuclei in 200 images'

beforeAll(async () => {
  product = await startProduct()
  browser = await launch()
  const chief = await enter(product.administrator)
  owner = await enter(product.member)
  provider = await enterProvider(chief, 'Label studio')
  rival = await enterProvider(chief, 'Other studio')
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

async function enterProvider(chief: Page, nickName: string): Promise<Page> {
  const account = `${nickName.replace(' ', '.').toLowerCase()}@hospital.test`
  const { member, password } = await askIn(chief, 'members/create', { account, nickName })
  await askIn(chief, 'members/role', { id: member.id, role: roles.provider, confirmed: true })
  return enter({ account, password, isFirst: true })
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('a member posts a demand, and a provider offers in two milestones by the module of orders', async () => {
  await owner.goto(`${product.url}/shopHome?tab=demands`)
  await owner.getByRole('link', { name: 'Post a demand' }).first().click()
  await owner.getByLabel('Title').fill(title)
  await owner.getByLabel('Description').fill('Whole outlines, one mask an image.')
  await owner.getByLabel('Budget').fill('2000')
  await owner.getByLabel('Deadline').fill('2099-01-31')
  await button(owner, 'Post the demand').click()
  await owner.getByText('No offer yet.', { exact: false }).waitFor()

  await provider.getByRole('link', { name: 'Order', exact: true }).click()
  await provider.getByRole('link', { name: title }).click()
  await button(provider, 'Make an offer').click()
  const dialog = provider.getByRole('dialog')
  await dialog.getByLabel('Price', { exact: true }).fill('1500')
  await dialog.getByLabel('How you would do it').fill('Two readers, then one of us checks.')
  for (const [place, [name, price]] of [
    ['Draft', '500'],
    ['All images', '1000'],
  ].entries()) {
    await dialog.getByRole('button', { name: 'Add a milestone' }).click()
    await dialog.getByLabel(`Milestone ${place + 1}`, { exact: true }).fill(name ?? '')
    await dialog.getByLabel(`Price of milestone ${place + 1}`).fill(price ?? '')
  }
  await dialog.getByRole('button', { name: 'Send the offer' }).click()
  await button(provider, 'Change my offer').waitFor()
  const id = new URL(owner.url()).searchParams.get('id') ?? ''
  await askIn(rival, 'offer/save', { demandId: id, priceFen: 190_000, days: 30, text: 'We do it.' })
})

test('the member orders one of the offers and pays; the other provider is told', async () => {
  await owner.reload()
  const offer = owner.getByRole('article', { name: 'Label studio' })
  await offer.getByRole('button', { name: 'Order this' }).click()
  await owner.getByRole('dialog').getByText('Alipay', { exact: true }).click()
  await owner
    .getByRole('dialog')
    .getByRole('button', { name: /^Order and pay/ })
    .click()
  const code = owner.getByRole('dialog').getByRole('img').first()
  await code.waitFor()
  const [cashier] = await Promise.all([
    owner.waitForEvent('popup'),
    owner.getByRole('dialog').getByRole('link').first().click(),
  ])
  await cashier.getByRole('button').click()
  await cashier.close()
  await owner.getByText('In progress', { exact: true }).waitFor()
  const { items } = await askIn(rival, 'notice/list', {})
  expect(items[0]).toMatchObject({ kind: 'offer_declined', params: { title } })
})

test('each milestone is delivered, accepted and paid, and the work is rated', async () => {
  for (const part of ['Draft', 'All images']) {
    await provider.reload()
    await button(provider, 'Deliver …').click()
    const dialog = provider.getByRole('dialog', { name: `Deliver: ${part}` })
    await dialog.getByLabel('What you deliver').fill(`Here it is: ${part}`)
    await dialog.getByRole('button', { name: 'Deliver', exact: true }).click()
    await provider.getByText('Delivered', { exact: true }).waitFor()
    await owner.reload()
    await owner.getByText(`Here it is: ${part}`).waitFor()
    await button(owner, 'Accept the work').click()
    await owner.getByRole('dialog').getByRole('button', { name: 'Accept the work' }).click()
    await owner.getByText('Accepted. The provider has been paid.').last().waitFor()
  }
  await owner.getByRole('radio').nth(4).click({ force: true })
  await owner.getByLabel('What should others know? (optional)').fill('Careful work.')
  await button(owner, 'Rate').click()
  await owner.getByText('Closed', { exact: true }).waitFor()

  await provider.goto(`${product.url}/orderHome?tab=wallet`)
  // 1500 yuan less 3 %.
  await provider.getByText('CN¥1,455', { exact: false }).first().waitFor()
  expect(errors.flat()).toEqual([])
})
