/**
 * Three members in the community: a friend request, a group with a long history that pages back without jumps, a post, and a
 * case round in which one sets an arrow that all see.
 */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillChat } from '../../server/test/social.ts'
import { askIn, launch, open, signIn } from '../browser.ts'
import { withDatabase } from '../database.ts'
import { type Product, removeData, startProduct } from '../stack.ts'

let product: Product
let browser: Awaited<ReturnType<typeof launch>>
let doctor: Page
let nurse: Page
let resident: Page
let chatId = ''
/** The number of the last message of the history. */
let lastId = 0
const errors: string[][] = []
const names = { doctor: '', nurse: '', resident: 'Resident' }

beforeAll(async () => {
  product = await startProduct()
  browser = await launch()
  doctor = await enter(product.administrator)
  nurse = await enter(product.member)
  const account = 'resident@hospital.test'
  const { password } = await askIn(doctor, 'members/create', { account, nickName: names.resident })
  resident = await enter({ account, password, isFirst: true })
  names.doctor = await nickNameOn(doctor)
  names.nurse = await nickNameOn(nurse)
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

const nickNameOn = (page: Page): Promise<string> =>
  page.evaluate(() => String(JSON.parse(localStorage.getItem('userInfo') ?? '{}').nickName))
const goTo = (page: Page, query: string) => page.goto(`${product.url}/socialHome?${query}`)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const said = (page: Page, text: string) => page.getByRole('log').getByText(text, { exact: true })

test('a friend request is accepted', async () => {
  await goTo(resident, 'tab=book')
  const found = resident.locator('#content').getByRole('search')
  await found.getByRole('searchbox', { name: 'Account or nickname' }).fill(product.member?.account ?? '')
  await found.getByRole('button', { name: 'Search' }).click()
  await found.getByRole('button', { name: names.nurse }).click()
  await button(resident, 'Send friend request').click()
  await button(resident, 'Send request').click()
  await goTo(nurse, 'tab=book')
  await button(nurse, `Accept the request of ${names.resident}`).click()
  await goTo(nurse, 'tab=friends')
  await button(nurse, `Message ${names.resident}`).waitFor()
})

const HISTORY = 400
const lineOf = (number: number): string => `Line ${number}.`

test('a group of three has a history that pages back without jumps', async () => {
  await goTo(doctor, 'tab=groups')
  await button(doctor, 'Create a group').click()
  const dialog = doctor.getByRole('dialog', { name: 'Create a group' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Stroke round')
  await dialog.getByRole('button', { name: 'Create a group' }).click()
  await doctor.getByRole('textbox', { name: 'Message to Stroke round' }).waitFor()
  const { groups } = await askIn(doctor, 'social/groups', {})
  chatId = groups[0]?.chatId ?? ''
  for (const page of [nurse, resident]) {
    await goTo(page, 'tab=groups')
    await button(page, 'Join a group').click()
    const join = page.getByRole('dialog', { name: 'Join a group' })
    await join.getByRole('textbox', { name: 'Group number' }).fill(groups[0]?.number ?? '')
    await join.getByText('Stroke round').waitFor()
    await join.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('textbox', { name: 'Message to Stroke round' }).waitFor()
  }
  lastId = await withDatabase(product, (db) => fillChat(db, chatId, HISTORY))
  await goTo(nurse, `tab=chat&chat=${chatId}`)
  await lineIn(nurse, HISTORY).waitFor()
  await button(nurse, 'Earlier messages').waitFor({ state: 'attached' })
  const log = nurse.getByRole('log')
  for (let first = HISTORY - 49; first > HISTORY - 200; first -= 50) {
    await log.evaluate((box) => box.scrollTo(0, 60))
    await expect.poll(() => topOf(log, lineOf(first))).not.toBeNaN()
    const before = await toTop(log, lineOf(first))
    await lineIn(nurse, first - 1).waitFor({ state: 'attached' })
    await expect.poll(async () => Math.abs((await topOf(log, lineOf(first))) - before)).toBeLessThan(3)
  }
  // Rows that were never drawn before come into sight.
  for (let step = 0; step < 8; step += 1) {
    const seen = await firstSeen(log)
    const before = await topOf(log, seen)
    await log.evaluate((box) => box.scrollBy(0, -300))
    await expect.poll(async () => Math.abs((await topOf(log, seen)) - before - 300)).toBeLessThan(3)
  }
  expect(await log.getByRole('listitem').count()).toBeLessThan(100)
})

const lineIn = (page: Page, number: number): Locator =>
  page.getByRole('log').getByText(new RegExp(`^Line ${number}\\.`))

/** How far below the upper edge the row of a text is; none is NaN. */
const topOf = (log: Locator, text: string): Promise<number> =>
  log.evaluate((box, start) => {
    const row = [...box.querySelectorAll('li')].find((one) => one.textContent.includes(start))
    return row ? row.getBoundingClientRect().bottom - box.getBoundingClientRect().top : Number.NaN
  }, text)

/** Scrolls to the top, and says where a row was before anything else came. */
const toTop = (log: Locator, text: string): Promise<number> =>
  log.evaluate((box, start) => {
    box.scrollTop = 0
    const row = [...box.querySelectorAll('li')].find((one) => one.textContent.includes(start))
    return row ? row.getBoundingClientRect().bottom - box.getBoundingClientRect().top : Number.NaN
  }, text)

const firstSeen = (log: Locator): Promise<string> =>
  log.evaluate((box) => {
    const { top } = box.getBoundingClientRect()
    const row = [...box.querySelectorAll('li')].find(
      (one) => one.getBoundingClientRect().top >= top && /Line \d+\./.test(one.textContent),
    )
    return /Line \d+\./.exec(row?.textContent ?? '')?.[0] ?? ''
  })

test('an old message is shown in its place, news do not move what is read, and the end is one press away', async () => {
  await goTo(resident, `tab=chat&chat=${chatId}&message=${lastId - HISTORY + 120}`)
  await lineIn(resident, 120).waitFor()
  await expect.poll(() => lineIn(resident, 120).isVisible()).toBe(true)
  await goTo(doctor, `tab=chat&chat=${chatId}`)
  await lineIn(doctor, HISTORY).waitFor()
  const log = doctor.getByRole('log')
  await log.evaluate((box) => box.scrollBy(0, -800))
  await button(doctor, 'Latest messages').waitFor()
  const seen = await firstSeen(log)
  const before = await topOf(log, seen)
  await button(resident, 'Latest messages').click()
  await lineIn(resident, HISTORY).waitFor()
  const field = resident.getByRole('textbox', { name: 'Message to Stroke round' })
  await field.fill('Good morning')
  await field.press('Enter')
  await doctor.getByRole('link', { name: /Stroke round.*Good morning/s }).waitFor()
  expect(Math.abs((await topOf(log, seen)) - before)).toBeLessThan(3)
  await button(doctor, 'Latest messages').click()
  const isInView = (page: Page, text: string) =>
    said(page, text).evaluate((line) => {
      const box = line.closest('[role="log"]')?.getBoundingClientRect()
      return line.getBoundingClientRect().bottom <= (box?.bottom ?? 0)
    })
  await expect.poll(() => isInView(doctor, 'Good morning')).toBe(true)
  // Whoever reads at the end stays there.
  await field.fill('The round begins')
  await field.press('Enter')
  await said(doctor, 'The round begins').waitFor()
  await expect.poll(() => isInView(doctor, 'The round begins')).toBe(true)
})

test('a post is answered by both others', async () => {
  await goTo(resident, 'tab=posts')
  await resident.getByRole('textbox', { name: 'New post' }).fill('Which network finds small bleeds? #stroke')
  await button(resident, 'Post').click()
  for (const [page, text] of [
    [doctor, 'A small U-Net did well here.'],
    [nurse, 'Ours too.'],
  ] as const) {
    await goTo(page, 'tab=posts')
    await page
      .getByRole('article', { name: `Post of ${names.resident}` })
      .getByRole('link', { name: /repl/ })
      .click()
    await page.getByRole('textbox', { name: /reply/i }).fill(text)
    await button(page, 'Reply').click()
    await page.getByText(text).waitFor()
  }
  await resident.reload()
  await resident.getByText('2 replies').waitFor()
})

/** A picture of the member's cloud. */
async function findPicture(page: Page, folderId: string | null = null): Promise<string> {
  const { entries } = await askIn(page, 'files/list', { folderId })
  const picture = entries.find(({ name }) => name.endsWith('.png'))
  if (picture) return picture.id
  for (const { id, kind } of entries) {
    const found = kind === 'folder' ? await findPicture(page, id) : ''
    if (found !== '') return found
  }
  return ''
}

test('in a case round all three see the view of the one who leads, and an arrow that another one sets', async () => {
  const shown = { chatId, fileId: await findPicture(nurse), title: 'Small bleed', isChecked: true } as const
  const { id } = await askIn(nurse, 'round/open', { ...shown, allMark: true })
  await nurse.goto(`${product.url}/round?id=${id}`)
  await nurse.getByText('You lead: everybody sees what you see.').waitFor()
  for (const page of [doctor, resident]) {
    await goTo(page, `tab=chat&chat=${chatId}`)
    await page.getByRole('link', { name: 'Join', exact: true }).click()
    await page.getByText(`${names.nurse} leads`).waitFor()
  }
  await nurse.getByText('3 people here').waitFor()
  for (const page of [doctor, nurse, resident]) await page.locator('img[data-loading="false"]').waitFor()
  const placeOn = (page: Page): Promise<string> =>
    page.getByRole('img', { name: 'Small bleed' }).evaluate((image) => image.style.transform)
  const before = [await placeOn(doctor), await placeOn(resident)]
  await button(nurse, 'Larger').click()
  await expect.poll(() => placeOn(doctor)).not.toBe(before[0])
  await expect.poll(() => placeOn(resident)).not.toBe(before[1])

  await resident.getByRole('toolbar').getByRole('button', { name: /▾$/ }).click()
  await resident.getByRole('menuitem', { name: 'Arrow', exact: true }).click()
  await resident.getByRole('menuitem', { name: 'Arrow', exact: true }).waitFor({ state: 'hidden' })
  const drawing = resident.getByLabel('What was measured on the image')
  const box = await drawing.boundingBox()
  if (!box) throw new Error('nothing to draw on')
  await resident.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5)
  await resident.mouse.down()
  await resident.mouse.move(box.x + box.width * 0.65, box.y + box.height * 0.35, { steps: 5 })
  await resident.mouse.up()
  for (const page of [doctor, nurse]) {
    await button(page, 'Show Arrow 1').waitFor()
    await page
      .getByLabel('What was measured on the image')
      .getByText(names.resident, { exact: true })
      .waitFor()
  }
  // Others cannot change it; the one who leads takes it away.
  expect(await button(doctor, 'Remove Arrow 1').isDisabled()).toBe(true)
  await button(nurse, 'Remove Arrow 1').click()
  await button(doctor, 'Show Arrow 1').waitFor({ state: 'detached' })
  await button(doctor, 'Ask for the lead').click()
  await button(nurse, `Give the lead to ${names.doctor}`).click()
  await doctor.getByText('You lead: everybody sees what you see.').waitFor()
  expect(errors.flat()).toEqual([])
})
