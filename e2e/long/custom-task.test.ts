/**
 * Custom tasks by a gold member, an administrator and a service provider. One request goes through all states to its end:
 * reviewed with a price, paid, approved, worked on from 0 to 100 % and completed. Another was paid before its review, is
 * rejected, and its money goes back. Each change is told in the message box, from which the member gets to the task.
 */
import { roles } from '@neuroloom/contract/accounts/roles'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askIn, forgetSaid, launch, open, signIn, told } from '../browser.ts'
import { type Product, removeData, startProduct } from '../stack.ts'

let product: Product
let browser: Awaited<ReturnType<typeof launch>>
let customer: Page
let administrator: Page
let provider: Page
const errors: string[][] = []
const made = 'Outline small vessels'
const tuned = 'Better settings for cells'
const providerAccount = 'network.studio@hospital.test'

beforeAll(async () => {
  product = await startProduct()
  browser = await launch()
  administrator = await enter(product.administrator)
  // The demo member is a gold member.
  customer = await enter(product.member)
  const { password } = await askIn(administrator, 'members/create', {
    ...{ account: providerAccount, nickName: 'Network studio', role: roles.provider },
  })
  provider = await enter({ account: providerAccount, password, isFirst: true })
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

const button = (at: Page | Locator, name: string) => at.getByRole('button', { name, exact: true })
const card = (page: Page, title: string) => page.getByRole('article', { name: title, exact: true })
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const choice = (page: Page, text: string) =>
  page.locator('.ant-select-item-option:visible').filter({ hasText: new RegExp(`^${text}$`) })
const ownTasks = () => customer.goto(`${product.url}/userCenter?tab=custom`)

/** Its mark; the history below names earlier states, too. */
const isNow = (task: Locator, state: string) =>
  task.locator('header').getByText(state, { exact: true }).waitFor()

/** The message that tells of a change, and by its title to where the task stands. */
async function follow(page: Page, title: string, text: string): Promise<void> {
  await page.goto(`${product.url}/mangeHome`)
  await page.getByRole('button', { name: /^Messages/ }).click()
  const message = page.getByRole('region', { name: 'Messages' }).getByRole('listitem')
  await message
    .filter({ hasText: title })
    .filter({ hasText: text })
    .first()
    .getByRole('link', { name: title })
    .click()
}

/** The member learns of it, and finds the task in its new state. */
async function hears(title: string, text: string, { task, state }: { task: string; state: string }) {
  await follow(customer, title, text)
  await customer.waitForURL(/\/userCenter\?tab=custom&task=/)
  await isNow(card(customer, task), state)
}

/** Among those of a state in the back-office. */
async function officeCard(task: string, state: string): Promise<Locator> {
  await administrator.goto(`${product.url}/admin?part=tasks`)
  await administrator.getByRole('combobox', { name: 'Status' }).click()
  await choice(administrator, state).click()
  const found = card(administrator, task)
  await isNow(found, state)
  forgetSaid(administrator)
  return found
}

/** Opens the dialog for what is missing in the request, and answers it. */
async function ask(): Promise<Locator> {
  await ownTasks()
  await button(customer, 'New request …').click()
  return dialogOf(customer, 'Request to the technical team')
}

async function send(dialog: Locator): Promise<void> {
  forgetSaid(customer)
  await button(dialog, 'Send the request').click()
  await told(customer, 'The request is handed in.')
  await dialog.waitFor({ state: 'hidden' })
}

async function pay(task: string, { amount, text }: { amount: string; text: string }): Promise<void> {
  await button(card(customer, task), 'Pay …').click()
  const asking = dialogOf(customer, `Pay “${task}”`)
  await asking.getByText(text).waitFor()
  forgetSaid(customer)
  await button(asking, `Pay ${amount}`).click()
  const paying = dialogOf(customer, 'Pay the order')
  await paying.getByRole('img', { name: /^QR code/ }).waitFor()
  const [cashier] = await Promise.all([
    customer.waitForEvent('popup'),
    paying.getByRole('link', { name: 'Open the test cashier' }).click(),
  ])
  await button(cashier, 'Pay (trial)').click()
  await cashier.getByText('Paid, for a trial.').waitFor()
  await cashier.close()
  await told(customer, 'Paid. Thank you.')
}

async function report(task: Locator, percent: number, note: string): Promise<void> {
  await button(task, 'Report progress …').click()
  const dialog = dialogOf(administrator, `Progress of “${made}”`)
  await dialog.getByRole('spinbutton', { name: 'Progress' }).fill(String(percent))
  await dialog.getByLabel('Note for the member (optional)').fill(note)
  await button(dialog, 'Save').click()
  await told(administrator, 'Saved. The member is told.')
  await dialog.waitFor({ state: 'hidden' })
}

const percentOf = (page: Page, task: string) =>
  card(page, task).getByRole('progressbar', { name: 'Progress' }).getAttribute('aria-valuenow')

test('a gold member hands a request in, once it says what is to be done and on which data', async () => {
  const { projects } = await askIn(customer, 'projects/list', {})
  const project = projects[0]?.name ?? ''
  const dialog = await ask()
  await dialog.getByText('The price is set by the review and paid after it.').waitFor()
  await button(dialog, 'Send the request').click()
  await dialog.getByText('Give the request a title.').waitFor()
  await dialog.getByText('Describe what is to be done.').waitFor()
  await dialog.getByLabel('Title', { exact: true }).fill(made)
  await dialog.getByLabel('Description', { exact: true }).fill('Vessels of two pixels must not be lost.')
  await dialog.getByRole('combobox', { name: 'Task of the network' }).click()
  await choice(customer, 'Segmentation').click()
  await dialog.getByText('A project', { exact: true }).click()
  await button(dialog, 'Send the request').click()
  await dialog.getByRole('alert').getByText('Choose one').waitFor()
  await dialog.getByRole('combobox', { name: 'A project' }).click()
  await customer.locator('.ant-select-item-option:visible').getByText(project, { exact: true }).click()
  await send(dialog)
  await isNow(card(customer, made), 'Pending review')
  await card(customer, made).getByText('Set by the review').waitFor()
  await card(customer, made)
    .getByRole('link', { name: `Project “${project}”` })
    .waitFor()
  await hears('Request handed in', `“${made}” is waiting for its review.`, {
    ...{ task: made, state: 'Pending review' },
  })
})

test('an administrator is told, approves it at a price, and the member pays', async () => {
  await follow(administrator, 'Custom task to review', 'It waits for your review.')
  await administrator.waitForURL('**/admin?part=tasks')
  await button(card(administrator, made), 'Approve …').click()
  const dialog = dialogOf(administrator, `Approve “${made}”`)
  expect(await button(dialog, 'Approve').isDisabled()).toBe(true)
  await dialog.getByLabel('Price', { exact: true }).fill('1200')
  await button(dialog, 'Approve at CN¥1,200').click()
  await told(administrator, 'Reviewed. The member is told.')
  await hears('Request reviewed: please pay', `“${made}” passed the review. Its price is 1200.00 yuan`, {
    ...{ task: made, state: 'Unpaid' },
  })
  await card(customer, made).getByText('CN¥1,200, not paid yet').waitFor()
  await pay(made, { amount: 'CN¥1,200', text: 'The request passed the review.' })
  await hears('Request approved', `“${made}” is approved.`, { task: made, state: 'Approved' })
  await card(customer, made).getByText('CN¥1,200, paid').waitFor()
  await card(customer, made)
    .getByText(/working hours? left/)
    .waitFor()
})

test('a service provider is given the work, and learns of it', async () => {
  const task = await officeCard(made, 'Approved')
  await button(task, 'Assign …').click()
  const dialog = dialogOf(administrator, `Who works on “${made}”`)
  await dialog.getByLabel('Account of the service provider').fill(providerAccount)
  await button(dialog, 'Save').click()
  await told(administrator, 'Saved.')
  await task.getByText(`Network studio (${providerAccount})`).waitFor()
  await follow(provider, 'A custom task for you', `“${made}” was assigned to you.`)
  await provider.waitForURL('**/customTasks')
  await isNow(card(provider, made), 'Approved')
})

test('the work goes from 0 to 100 %, never back, and the member follows it', async () => {
  let state = 'Approved'
  for (const [percent, note] of [
    [0, 'We have begun.'],
    [40, 'Data prepared.'],
    [100, 'Trained and measured.'],
  ] as const) {
    const task = await officeCard(made, state)
    await report(task, percent, note)
    state = 'In data processing'
    await hears('Custom task in data processing', `“${made}”: ${percent} % is done. ${note}`, {
      ...{ task: made, state },
    })
    await expect.poll(() => percentOf(customer, made)).toBe(String(percent))
    if (percent !== 40) continue
    // What is offered next is more than what was reported.
    await button(await officeCard(made, state), 'Report progress …').click()
    const next = dialogOf(administrator, `Progress of “${made}”`)
    const field = next.getByRole('spinbutton', { name: 'Progress' })
    expect([await field.inputValue(), await field.getAttribute('aria-valuemin')]).toEqual(['41', '41'])
    await button(next, 'Cancel').click()
  }
  expect(await button(await officeCard(made, state), 'Report progress …').isDisabled()).toBe(true)
})

test('what is completed is delivered with a word where it is, and its history tells all of it', async () => {
  await button(await officeCard(made, 'In data processing'), 'Completed …').click()
  const dialog = dialogOf(administrator, `“${made}” is completed`)
  await dialog.getByLabel('Note for the member (optional)').fill('It is among your shared models.')
  await button(dialog, 'It is completed').click()
  await told(administrator, 'Saved. The member is told.')
  await hears('Custom task completed', `“${made}” is completed. It is among your shared models.`, {
    ...{ task: made, state: 'Completed' },
  })
  const steps = card(customer, made).getByRole('list', { name: 'History' }).getByRole('listitem')
  const expected = [
    ...['Pending review', 'Unpaid', 'Approved', 'In data processing: 0 %We have begun.'],
    ...['In data processing: 40 %Data prepared.', 'In data processing: 100 %Trained and measured.'],
    'CompletedIt is among your shared models.',
  ]
  await expect.poll(() => steps.count()).toBe(expected.length)
  const said = await steps.locator('time + span').allTextContents()
  expect(said).toEqual(expected)
  const last = await officeCard(made, 'Completed')
  expect(await last.getByRole('button').count()).toBe(0)
})

test('a request that was paid before its review is rejected for a reason, and all of its money goes back', async () => {
  await administrator.goto(`${product.url}/admin?part=tasks`)
  await button(administrator, 'Change the price: Parameter tuning').click()
  const fixing = dialogOf(administrator, 'Change the price: Parameter tuning')
  await fixing.getByLabel('Price', { exact: true }).fill('300')
  forgetSaid(administrator)
  await button(fixing, 'Save').click()
  await told(administrator, 'The price is saved.')

  const dialog = await ask()
  await dialog.getByText('Parameter tuning', { exact: true }).click()
  await dialog.getByText('It costs CN¥300, paid before the review').waitFor()
  await dialog.getByLabel('Title', { exact: true }).fill(tuned)
  await dialog.getByLabel('Description', { exact: true }).fill('Ninety of a hundred cells are right.')
  await send(dialog)
  await isNow(card(customer, tuned), 'Unpaid')
  await pay(tuned, { amount: 'CN¥300', text: 'The request is reviewed once it is paid.' })
  await hears('Request handed in', `“${tuned}” is waiting for its review.`, {
    ...{ task: tuned, state: 'Pending review' },
  })

  await follow(administrator, 'Custom task to review', 'It waits for your review.')
  await button(card(administrator, tuned), 'Do not pass …').click()
  const refusing = dialogOf(administrator, `Do not pass “${tuned}”`)
  await refusing.getByText('All that was paid goes back.').waitFor()
  forgetSaid(administrator)
  await refusing.getByLabel('Reason', { exact: true }).fill('The data are not shared.')
  await button(refusing, 'Do not pass').click()
  await told(administrator, 'Reviewed. The member is told.')

  await hears('Request not passed', `“${tuned}” was not passed: The data are not shared.`, {
    ...{ task: tuned, state: 'Not passed' },
  })
  await card(customer, tuned).getByText('The data are not shared.').first().waitFor()
  await follow(customer, 'Refund made', '300.00 yuan of order')
  const order = customer.getByRole('article', { name: `Custom task “${tuned}”`, exact: true })
  await isNow(order, 'Refunded')
  await order.getByText('CN¥300', { exact: true }).first().waitFor()
})

test('what was rejected is handed in again, and given up at last', async () => {
  await ownTasks()
  await button(card(customer, tuned), 'Hand in again …').click()
  const dialog = dialogOf(customer, 'Hand the request in again')
  await dialog.getByText('It was not passed: The data are not shared.').waitFor()
  await button(dialog, 'Hand in again').click()
  await isNow(card(customer, tuned), 'Unpaid')
  await button(card(customer, tuned), 'Give up …').click()
  await button(dialogOf(customer, `Give up “${tuned}”?`), 'Give up').click()
  await card(customer, tuned).waitFor({ state: 'hidden' })
  await isNow(card(customer, made), 'Completed')
  expect(errors.flat()).toEqual([])
})
