/** The model shop as seller, buyer and administrator meet it: a sale in English, purchases in Chinese, giving back and the wallet in Russian. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { poll } from '../bench/client.ts'
import { memberForm } from '../server/test/member-form.ts'
import { askIn, launch, open, signIn } from './browser.ts'
import { isLong } from './is-long.ts'
import { clientOf } from './rules-stage.ts'
import { type Product, removeData, startProduct } from './stack.ts'
import { walkWallet } from './wallet-walk.ts'
import { type Language, languages, type Words, wordsOf } from './words.ts'

let product: Product
let browser: Awaited<ReturnType<typeof launch>>
let seller: Page
let buyer: Page
const errors: string[][] = []
/** Tests of two trainings, each of which becomes a model in the shop. */
const tests: string[] = []
let listing = ''

beforeAll(async () => {
  product = await startProduct()
  browser = await launch()
  for (const login of [product.member, product.administrator]) {
    const { page, errors: own } = await open(browser, { width: 1280, height: 860 })
    await signIn(page, product, login)
    errors.push(own)
    if (login === product.member) seller = page
    else buyer = page
  }
  await trainTwice()
})

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  if (product) await removeData(product.dataDir)
})

/** By calls: how people train and test has journeys of its own. */
async function trainTwice() {
  const client = await clientOf(seller, product.url)
  const { projects } = await client.call('projects/list', {})
  const projectId = projects.find(({ task }) => task === 'classification')?.id ?? ''
  const { datasets } = await poll(
    () => client.call('datasets/list', { projectId }),
    ({ datasets: all }) => all.every(({ state }) => state !== 'checking'),
  )
  const [dataset] = datasets
  const parts = dataset?.parts.map(({ id }) => id) ?? []
  const ended = (id: string) =>
    poll(
      () => client.call('runs/detail', { id }),
      ({ run }) => run.state === 'done',
    )
  for (const seed of [1, 2]) {
    const { id } = await client.call('runs/start', {
      ...{ projectId, parts, network: 'small_resnet', force: true },
      hyper: { epochs: 1, validationInterval: 1, imageSize: [32, 32], seed },
    })
    await ended(id)
    const { id: testId } = await client.call('runs/test', { id, datasets: [dataset?.id ?? ''] })
    await ended(testId)
    tests.push(testId)
  }
}

const button = (at: Page | Locator, name: RegExp) => at.getByRole('button', { name })

async function speak(page: Page, language: Language): Promise<Words> {
  await page.evaluate((chosen) => sessionStorage.setItem('theLanguage', chosen), language)
  return wordsOf(language)
}

describe('a sale, in English', () => {
  test('begins at the test of a training, asks for what is missing, and is listed when it was measured again', async () => {
    await seller.goto(`${product.url}/run?id=${tests[0]}`)
    await seller.getByRole('link', { name: 'Put into the model shop' }).click()
    const dialog = seller.getByRole('dialog', { name: 'Put a model into the shop' })
    await button(dialog, /^Have it measured and listed$/).click()
    await dialog.getByText('Please give it a name.').waitFor()
    await dialog.getByText('Please tick the rules first.').waitFor()
    await fill(dialog, 'Cells told apart')
    await button(dialog, /^Have it measured and listed$/).click()
    await dialog.getByRole('link', { name: 'Complete my information' }).waitFor()
    await (await clientOf(seller, product.url)).call('user/edit', memberForm)
    await button(dialog, /^Have it measured and listed$/).click()
    const card = seller.getByRole('article', { name: 'Cells told apart' })
    await card.getByText('In the shop').waitFor()
    await card.getByRole('link', { name: 'Cells told apart' }).click()
    await seller.getByRole('heading', { name: 'Verified score' }).waitFor()
    listing = new URL(seller.url()).searchParams.get('id') ?? ''
    await button(seller, /^Check the signature$/).click()
    await seller.getByText('"neuroloom model score 1"').waitFor()
  })

  test('of a second model, whose draft survives a reload', async () => {
    await seller.goto(`${product.url}/userCenter?tab=shop&test=${tests[1]}`)
    const dialog = seller.getByRole('dialog', { name: 'Put a model into the shop' })
    await fill(dialog, 'Cells told apart again')
    await seller.reload()
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Cells told apart again')
    await dialog.getByRole('checkbox').check()
    await button(dialog, /^Have it measured and listed$/).click()
    await seller.getByRole('article', { name: 'Cells told apart again' }).getByText('In the shop').waitFor()
  })
})

/** Everything that a seller has to say; the price is two yuan. */
async function fill(dialog: Locator, name: string) {
  const texts = {
    Name: name,
    Introduction: 'Tells drawn cells apart.',
    Features: 'Small',
    'By which right the data were used': 'Drawn by a program',
    'Meant for': 'Teaching',
    'Not meant for': 'Diagnosis',
    'Whose images it was trained on': 'Of no patient',
    'Known limits': 'Drawn cells alone',
  }
  for (const [label, text] of Object.entries(texts))
    await dialog.getByLabel(label, { exact: true }).fill(text)
  await dialog.getByLabel('Price in whole yuan').fill('2')
  for (const [label, option] of [
    ['Organ', 'Blood cells'],
    ['Modality', 'Microscopy'],
  ] as const) {
    await dialog.getByRole('combobox', { name: label }).fill(option)
    await dialog.page().locator('.ant-select-item-option').filter({ hasText: option }).click()
  }
  await dialog.getByRole('checkbox').check()
}

describe('purchases, in Chinese', () => {
  test('by money: refused without the rules, paid at the cashier, with points for it', async () => {
    const words = await speak(buyer, 'zh')
    await buyer.goto(`${product.url}/shopHome?organ=blood_cells`)
    await buyer.getByRole('link', { name: 'Cells told apart', exact: true }).click()
    await button(buyer, words('shop', 'buy.buy')).first().click()
    const dialog = buyer.getByRole('dialog')
    await dialog.getByText('支付宝', { exact: true }).click()
    await dialog.getByText(words('membership', 'invoice.person')).click()
    await dialog.getByLabel(words('membership', 'invoice.field.personTitle')).fill('第七病区')
    await button(dialog, words('shop', 'buy.buy')).click()
    await dialog.getByText('请先勾选同意商城规则。').waitFor()
    await dialog.getByRole('checkbox').check()
    await button(dialog, words('shop', 'buy.buy')).click()
    const code = buyer.getByRole('dialog').getByRole('img').first()
    await code.waitFor()
    const [cashier] = await Promise.all([
      buyer.waitForEvent('popup'),
      buyer.getByRole('dialog').getByRole('link').first().click(),
    ])
    await cashier.getByRole('button').click()
    await cashier.close()
    await buyer.getByText('您已购买此模型。').waitFor()
  })

  test('by points, which are enough now; a review is written by buyers alone', async () => {
    const words = await speak(buyer, 'zh')
    await buyer.goto(`${product.url}/shopHome`)
    await buyer.getByRole('link', { name: 'Cells told apart again' }).click()
    await button(buyer, words('shop', 'buy.buy')).first().click()
    const dialog = buyer.getByRole('dialog')
    await dialog.getByText(/^用积分支付：现有 2，支付后剩余 0$/).click()
    await dialog.getByRole('checkbox').check()
    await button(dialog, words('shop', 'buy.buy')).click()
    await buyer.getByText('您已用积分购买此模型。').waitFor()
    await buyer.getByPlaceholder('想告诉其他人什么？（选填）').fill('好用')
    await buyer.getByRole('radio').nth(4).click({ force: true })
    await button(buyer, words('shop', 'reviews.send')).click()
    await buyer.getByRole('list', { name: '评价' }).getByText('好用').waitFor()
  })
})

describe('what is bought', () => {
  test('goes back in Russian, when it was bought by mistake and not used', async () => {
    const words = await speak(buyer, 'ru')
    await buyer.goto(`${product.url}/merchandiseDetail?id=${listing}`)
    await button(buyer, /^Вернуть покупку/).click()
    const dialog = buyer.getByRole('dialog')
    await dialog.getByText('Куплено по ошибке.').click()
    await button(dialog, words('shop', 'claim.send')).click()
    await buyer.getByText(/^(Деньги возвращаются|Покупка возвращена)\.$/).waitFor()
    await button(buyer, words('shop', 'buy.buy')).first().waitFor()
  })

  test('is tried on own images first: the score is there, and looks are counted', async () => {
    await speak(seller, 'en')
    await seller.goto(`${product.url}/merchandiseDetail?id=${listing}`)
    await button(seller, /^Try it on my images$/).click()
    await button(seller.getByRole('dialog'), /^Start the test$/).click()
    await seller.waitForURL('**/run?id=*')
    await poll(
      () => askIn(seller, 'runs/detail', { id: new URL(seller.url()).searchParams.get('id') ?? '' }),
      ({ run }) => run.state === 'done',
    )
    await seller.goto(`${product.url}/merchandiseDetail?id=${listing}`)
    await button(seller, /^Try it on my images$/).click()
    await seller.getByRole('table', { name: 'Tests so far' }).getByRole('row').nth(1).waitFor()
  })

  test('is taken out by an administrator for a reason that its seller reads', async () => {
    await speak(buyer, 'en')
    await buyer.goto(`${product.url}/admin?part=listings`)
    const row = buyer.getByRole('row').filter({ hasText: 'Cells told apart again' })
    await button(row, /^Take out/).click()
    await buyer.getByRole('dialog').getByLabel('Reason').fill('Patients are named')
    await button(buyer.getByRole('dialog'), /^Take out$/).click()
    await row.getByText('Patients are named').waitFor()
    await seller.goto(`${product.url}/userCenter?tab=shop`)
    await seller.getByText('An administrator took it out: Patients are named').waitFor()
  })
})

describe.each(isLong ? languages : (['ru'] as const))('the wallet, in %s', (language) => {
  test('gives a statement, and pays out what an administrator passes', async () => {
    await speak(buyer, language)
    const words = await speak(seller, language)
    await walkWallet({ product, seller, administrator: buyer, words })
    expect(errors.flat()).toEqual([])
  })
})
