/** An account from its making to its end by keyboard alone, and what visitors and closed windows leave behind. */
import { createHmac } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drag, enter, launch, open, signIn, told } from './browser.ts'
import { longTest, longTests } from './long-test.ts'
import { nextCode, outboxOf } from './outbox.ts'
import { type Product, removeData, startProduct } from './stack.ts'

const phone = '13800138007'
const passwords = { first: 'ward-7-east', renewed: 'ward-7-west' }

let product: Product
let browser: Awaited<ReturnType<typeof launch>>
let page: Page
let errors: string[]

beforeAll(async () => {
  product = await startProduct()
  browser = await launch()
  ;({ page, errors } = await open(browser))
})

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  if (product) await removeData(product.dataDir)
})

describe('an account, by keyboard alone', () => {
  test('is made with the code from the message, and its owner is signed in', async () => {
    await page.goto(`${product.url}/register`)
    await type('Nickname', 'Ward seven')
    await type('Phone number', phone)
    await press(page.getByRole('button', { name: 'Send code' }))
    await type('Verification code', await nextCode(product, `+86${phone}`))
    await type('Password', passwords.first)
    await type('Confirm password', passwords.first)
    await slide()
    await tabTo(page.getByRole('checkbox'))
    await page.keyboard.press('Space')
    await press(page.getByRole('button', { name: 'Create account' }))
    await page.waitForURL('**/mangeHome')
  })

  test('completes its profile, and the visitor becomes an ordinary member', async () => {
    await page.goto(`${product.url}/userCenter`)
    await press(page.getByRole('button', { name: 'Edit' }))
    await choose('Honorific', 'Dr')
    await type('Given name', 'Ward')
    await type('Surname', 'Seven')
    await choose('Occupation', 'Nurse')
    await choose('Gender', 'Female')
    await find('Nationality', 'France')
    await choose('Document type', 'Passport')
    await type('Document number', 'P1234567')
    await type('Main e-mail', 'ward7@hospital.org')
    await choose('Preferred contact', 'E-mail')
    await type('Institution', 'District hospital')
    await type('Department', 'Radiology')
    await find('Current country', 'France')
    await type('Address', '7 Hospital road')
    await type('Postcode', '75007')
    await press(page.getByRole('button', { name: 'Save' }))
    await page.getByRole('main').getByText('Ordinary member').first().waitFor()
    await page.getByText('****4567').waitFor()
  })

  test('buys bronze with an invoice at the cashier, and renews it', async () => {
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Membership upgrade' }).click()
    const dialog = page.getByRole('dialog', { name: 'Membership upgrade' })
    await dialog.getByText('Organisation', { exact: true }).click()
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: 'Pay CN¥5,000' }).click()
    await dialog.getByText('Fill in the taxpayer number.').waitFor()
    await dialog.getByText('Person', { exact: true }).click()
    await dialog.getByLabel('Title').fill('Ward Seven')
    await dialog.getByRole('button', { name: 'Pay CN¥5,000' }).click()
    await payAtCashier()
    await page.getByRole('main').getByText('Bronze member').waitFor()

    await page.getByRole('button', { name: 'Upgrade', exact: true }).click()
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: 'Pay CN¥5,000' }).click()
    await page.getByRole('button', { name: 'Renew', exact: true }).click()
    await payAtCashier()
  })

  test('finds the orders, the invoice and the points, and gives up a bank transfer', async () => {
    await page.goto(`${product.url}/userCenter?tab=upgrade`)
    const dialog = page.getByRole('dialog', { name: 'Membership upgrade' })
    await dialog.getByText('Gold member', { exact: true }).click()
    await dialog.getByText('Bank transfer', { exact: true }).click()
    // Two years of bronze are worth their days.
    await dialog.getByText('Unused days of your plan').waitFor()
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: /^Pay CN¥1/ }).click()
    await page.getByText('0000 0000 0000 0000').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('link', { name: 'Orders and invoices' }).click()
    const orders = page.getByRole('list', { name: 'Orders', exact: true }).getByRole('article')
    await expect.poll(() => orders.count()).toBe(3)
    expect(await orders.last().innerText()).toContain('Ward Seven')
    await orders
      .first()
      .getByRole('button', { name: /^Cancel the order/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the order', exact: true }).click()
    await orders.first().getByText('Cancelled').waitFor()
    await page.getByRole('link', { name: 'Member points' }).click()
    await page.getByText('10,000').first().waitFor()
    expect(errors).toEqual([])
  })

  test('gets a new password by a code, which ends the session elsewhere and is told in the message box', async () => {
    const account = product.member?.account ?? ''
    const { page: elsewhere } = await open(browser)
    await signIn(elsewhere, product)
    await page.goto(`${product.url}/forget`)
    await tabTo(page.getByLabel('Phone', { exact: true }))
    await page.keyboard.press('ArrowRight')
    await type('E-mail address', account)
    await press(page.getByRole('button', { name: 'Send code' }))
    await type('Verification code', await nextCode(product, account))
    await type('New password', passwords.renewed)
    await type('Confirm new password', passwords.renewed)
    await slide()
    await press(page.getByRole('button', { name: 'Set new password' }))
    await page.waitForURL('**/login')
    // Where one is sent away from is where the next sign-in leads.
    await elsewhere.goto(`${product.url}/mangeHome`)
    await elsewhere.waitForURL((url) => url.pathname === '/')
    product.member = { account, password: passwords.renewed }
    await signIn(elsewhere, product)
    await elsewhere.getByRole('button', { name: 'Messages, 1 unread' }).click()
    await elsewhere.getByText('Password changed').waitFor()
    expect(errors).toEqual([])
    await elsewhere.context().close()
  })
})

/** The code leads there; in the trial a link does so too. */
async function payAtCashier() {
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  const [cashier] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Open the test cashier' }).click(),
  ])
  await cashier.getByRole('button', { name: 'Pay (trial)' }).click()
  await cashier.getByText('Paid, for a trial.').waitFor()
  await cashier.close()
  // The page behind learns of it by itself.
  await page.getByRole('img', { name: /^QR code/ }).waitFor({ state: 'hidden' })
}

test('a message of a visitor reaches the administrator, whose answer goes out by e-mail', async () => {
  const { page: visitor, errors: failures } = await open(browser)
  await visitor.goto(`${product.url}/concat`)
  await visitor.getByLabel('Your name').fill('Radiology nurse')
  await visitor.getByLabel('E-mail address or phone number').fill('nurse@hospital.org')
  await visitor.getByLabel('Your message').fill('Which files can be used?')
  await drag(visitor)
  await visitor.getByRole('button', { name: 'Send', exact: true }).click()
  await visitor.getByText('Your message has arrived').waitFor()

  await enter(visitor, product, product.administrator)
  await visitor.waitForURL('**/mangeHome')
  await visitor.getByRole('link', { name: 'Administration' }).click()
  await visitor.getByRole('link', { name: 'Enquiries', exact: true }).click()
  const card = visitor.getByRole('article', { name: 'Radiology nurse' })
  await card.getByRole('textbox', { name: 'Answer' }).fill('PNG, JPEG and TIFF.')
  await card.getByRole('button', { name: 'Send answer' }).click()
  await told(visitor, 'The answer was sent.')
  const answers = () =>
    outboxOf(product).filter(
      ({ to, text }) => to === 'nurse@hospital.org' && text.includes('PNG, JPEG and TIFF.'),
    )
  await expect.poll(answers).toMatchObject([{ kind: 'mail' }])
  expect(failures).toEqual([])
  await visitor.context().close()
})

longTests('closing windows', () => {
  test('a reload and a second tab keep the session; when the last one has gone it ends', async () => {
    const { page: first } = await open(browser)
    await signIn(first, product)
    const session = await first.evaluate(() => ({
      token: localStorage.getItem('token') ?? '',
      userId: JSON.parse(localStorage.getItem('userInfo') ?? '{}').id as string,
    }))
    await first.reload()
    const second = await first.context().newPage()
    await second.goto(`${product.url}/mangeHome`)
    await first.goto('about:blank')
    // habit: a rule of ten seconds, met in the long run alone
    await second.waitForTimeout(12_000)
    await second.goto(`${product.url}/projectHome`)
    await second.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
    await second.goto('about:blank')
    // habit: a rule of ten seconds, met in the long run alone
    await second.waitForTimeout(12_000)
    await second.goto(`${product.url}/mangeHome`)
    await second.waitForURL((url) => url.pathname === '/')
    expect(await second.evaluate(() => localStorage.getItem('token'))).toBeNull()
    const answer = await fetch(`${product.url}/AI/api/user/info`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...session },
      body: '{}',
    })
    expect(await answer.json()).toMatchObject({ code: 10401 })
    await first.context().close()
  })

  test('a reload whose scripts come slowly keeps the session, also when it is left for another', async () => {
    const { page } = await open(browser)
    await signIn(page, product)
    const slow = /\/assets\/(?!first-).*\.js$/
    let come = Date.now() + 60_000
    await page.route(slow, async (route) => {
      // habit: a rule of ten seconds, met in the long run alone
      await new Promise((resolve) => setTimeout(resolve, come - Date.now()))
      // The page may have been left meanwhile.
      await route.continue().catch(() => undefined)
    })
    await page.goto(`${product.url}/cloudHome`, { waitUntil: 'commit' })
    // habit: a rule of ten seconds, met in the long run alone
    await page.waitForTimeout(6000)
    come = Date.now() + 6000
    await page.goto(`${product.url}/projectHome`, { waitUntil: 'commit' })
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
    await page.unroute(slow)
    await page.context().close()
  })
})

// Last of all: the account signs in no other way from then on.
longTest(
  'an authenticator app is set up, and the next sign-ins take its code or a recovery code',
  async () => {
    const { page: first, errors: failures } = await open(browser)
    await signIn(first, product)
    await first.goto(`${product.url}/userCenter?tab=secondFactor`)
    await first.getByRole('button', { name: 'Set up two-factor sign-in' }).click()
    await first.getByLabel('Your password', { exact: true }).fill(product.member?.password ?? '')
    await first.getByRole('button', { name: 'Next', exact: true }).click()
    await first.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    const secret = (await first.locator('code').innerText()).replaceAll(' ', '')
    // Each code opens once: the one before is used up here, the present one below.
    await first.getByLabel('Code from the app').fill(codeOf(secret, Date.now() - PERIOD_MS))
    await first.getByRole('button', { name: 'Turn on' }).click()
    const list = first.getByRole('list', { name: 'Your recovery codes' })
    await list.waitFor()
    const [recovery = ''] = await list.getByRole('listitem').allInnerTexts()
    await first.getByRole('button', { name: 'I have stored them' }).click()
    await first.getByText('10 recovery codes are left.').waitFor()
    await first.context().close()

    const { page: second, errors: more } = await open(browser)
    await enter(second, product)
    await second.getByLabel('Code from the app').fill(codeOf(secret, Date.now()))
    await second.getByRole('button', { name: 'Sign in', exact: true }).click()
    await second.waitForURL('**/mangeHome')
    await second.context().close()

    const { page: third } = await open(browser)
    await enter(third, product)
    await third.getByRole('button', { name: 'Use a recovery code' }).click()
    await third.getByLabel('Recovery code', { exact: true }).fill(recovery)
    await third.getByRole('button', { name: 'Sign in', exact: true }).click()
    await third.waitForURL('**/mangeHome')
    await third.goto(`${product.url}/userCenter?tab=secondFactor`)
    await third.getByText('9 recovery codes are left.').waitFor()
    expect([...failures, ...more]).toEqual([])
    await third.context().close()
  },
)

const PERIOD_MS = 30_000

/** What an authenticator app shows: RFC 6238 with SHA-1 and six digits, written from its text. */
function codeOf(secret: string, at: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(at / PERIOD_MS)))
  const digest = createHmac('sha1', key).update(step).digest()
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** By Tab alone, as far as it takes. */
async function tabTo(target: Locator) {
  await target.waitFor()
  for (let steps = 0; steps < 120; steps += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${target}`)
}

const field = (label: string): Locator =>
  page.locator('input, select, textarea').and(page.getByLabel(label, { exact: true }))

async function type(label: string, text: string) {
  await tabTo(field(label))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

/** A native list takes the first letters of a choice. */
async function choose(label: string, text: string) {
  const list = field(label)
  await tabTo(list)
  await page.keyboard.type(text)
  expect(await list.evaluate((element: HTMLSelectElement) => element.selectedOptions[0]?.text)).toBe(text)
}

async function find(label: string, text: string) {
  await type(label, text)
  await page.getByRole('option', { name: text, exact: true }).waitFor()
  await page.keyboard.press('Enter')
}

async function press(target: Locator) {
  await tabTo(target)
  await page.keyboard.press('Enter')
}

async function slide() {
  await tabTo(page.getByRole('slider'))
  await page.keyboard.press('End')
}
