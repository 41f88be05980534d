/** The wallet as its member and an administrator meet it: a statement, a withdrawal that is refused, and one that is paid out. */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { earn } from '../server/test/wallet.ts'
import { told } from './browser.ts'
import { withDatabase } from './database.ts'
import type { Product } from './stack.ts'
import type { Words } from './words.ts'

type Walk = {
  product: Product
  /** Sells models, and has nothing in the wallet. */
  seller: Page
  administrator: Page
  words: Words
}

/** Of a model for 200.50 yuan, less three percent. */
const SHARE = /194[.,]48/
const PRICE_FEN = 20_050

export async function walkWallet(walk: Walk): Promise<void> {
  const { product, seller, administrator, words } = walk
  const userId = await seller.evaluate(() => JSON.parse(localStorage.userInfo).id)
  // A sale whose seven days are over.
  await withDatabase(product, (db) =>
    earn({ ctx: { db, now: () => new Date() } }, { userId }, PRICE_FEN, 'Cells told apart'),
  )
  await seller.goto(`${product.url}/userCenter?tab=wallet`)
  await takeStatement(walk)
  await withdrawAll(walk)
  // Two withdrawals cannot have the same money.
  await expect.poll(() => button(seller, words('wallet', 'withdraw.open')).isDisabled()).toBe(true)
  await administrator.goto(`${product.url}/admin?part=withdrawals`)
  await decide(walk, { press: 'refuse', field: 'reason', text: 'Account 7 is unknown' })
  await seller.reload()
  await seller
    .getByText(/Account 7 is unknown$/)
    .first()
    .waitFor()
  await newestIs(walk, 'not_passed')
  await withdrawAll(walk)
  await administrator.reload()
  await decide(walk, { press: 'pass', field: 'reference', text: 'PAY-7' })
  await seller.reload()
  await newestIs(walk, 'recorded')
  await withdrawals(seller).first().getByRole('button').click()
  await seller.getByRole('dialog').getByText('PAY-7').waitFor()
}

const button = (at: Page | Locator, name: RegExp): Locator => at.getByRole('button', { name })

async function takeStatement({ seller, words }: Walk): Promise<void> {
  await button(seller, words('wallet', 'statement.open')).click()
  const dialog = seller.getByRole('dialog')
  await dialog.getByText(words('wallet', 'statement.csv')).click()
  const [file] = await Promise.all([
    seller.waitForEvent('download'),
    button(dialog, words('wallet', 'statement.save')).click(),
  ])
  expect(await readFile(await file.path(), 'utf8')).toContain('194.48')
  await dialog.waitFor({ state: 'hidden' })
}

/** To the fen, and not a fen more. */
async function withdrawAll({ seller, words }: Walk): Promise<void> {
  await seller.getByText(SHARE).first().waitFor()
  await button(seller, words('wallet', 'withdraw.open')).click()
  const dialog = seller.getByRole('dialog')
  const save = button(dialog, words('wallet', 'withdraw.save'))
  await dialog.getByLabel(words('wallet', 'payee.field.name')).fill('Account Holder')
  await dialog.getByLabel(words('wallet', 'payee.field.account_alipay')).fill('holder@example.test')
  const amount = dialog.getByLabel(words('wallet', 'withdraw.amount'))
  await amount.fill('194.49')
  await expect.poll(() => amount.getAttribute('aria-invalid')).toBe('true')
  expect(await save.isDisabled()).toBe(true)
  await button(dialog, words('wallet', 'withdraw.all')).click()
  await save.click()
  await told(seller, words('wallet', 'withdraw.done'))
  await dialog.waitFor({ state: 'hidden' })
}

/** Their descriptions open what is known of them. */
const withdrawals = (seller: Page): Locator =>
  seller.getByRole('row').filter({ has: seller.getByRole('button') })

async function newestIs({ seller, words }: Walk, status: 'not_passed' | 'recorded'): Promise<void> {
  const name = words('wallet', `status.${status}`)
  await withdrawals(seller).first().getByRole('cell', { name }).waitFor()
}

type Decision = { press: 'pass' | 'refuse'; field: 'reason' | 'reference'; text: string }

async function decide({ administrator, words }: Walk, { press, field, text }: Decision): Promise<void> {
  const card = administrator.getByRole('article')
  await card.getByText('holder@example.test').waitFor()
  await card.getByText(SHARE).waitFor()
  await button(card, words('office', `withdrawals.${press}`)).click()
  const dialog = administrator.getByRole('dialog')
  await dialog.getByLabel(words('office', `withdrawals.${field}`)).fill(text)
  await button(dialog, words('office', `withdrawals.${press}Confirm`)).click()
  await administrator.getByText(words('office', 'withdrawals.noneWaits')).waitFor()
}
