/** Three members meet in the community: a friend request, a conversation live in both directions, a group, a case round, and a post with a reply. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askIn, launch, open, signIn } from './browser.ts'
import { type Product, removeData, startProduct } from './stack.ts'

let product: Product
let browser: Browser
let doctor: Page
let nurse: Page
let resident: Page
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

/** Two pixels. */
const TINY_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGMwTpt5IsUIAAjtApFm/yjrAAAAAElFTkSuQmCC'

const goTo = (page: Page, tab: string) => page.goto(`${product.url}/socialHome?tab=${tab}`)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const write = async (page: Page, to: string, text: string) => {
  const field = page.getByRole('textbox', { name: `Message to ${to}` })
  await field.fill(text)
  await field.press('Enter')
}
const said = (page: Page, text: string) => page.getByRole('log').getByText(text, { exact: true })

test('a member asks another to be friends, and the other accepts', async () => {
  await goTo(doctor, 'book')
  const found = doctor.locator('#content').getByRole('search')
  await found.getByRole('searchbox', { name: 'Account or nickname' }).fill(product.member?.account ?? '')
  await found.getByRole('button', { name: 'Search' }).click()
  await found.getByRole('button', { name: names.nurse }).click()
  await button(doctor, 'Send friend request').click()
  await doctor
    .getByRole('textbox', { name: `A line to ${names.nurse} (may stay empty)` })
    .fill('From the ward')
  await button(doctor, 'Send request').click()
  await doctor.getByText('Your friend request waits for an answer.').waitFor()

  await goTo(nurse, 'book')
  await nurse.getByText('From the ward').waitFor()
  await button(nurse, `Accept the request of ${names.doctor}`).click()
  await goTo(nurse, 'friends')
  await button(nurse, `Message ${names.doctor}`).click()
  await nurse.getByRole('textbox', { name: `Message to ${names.doctor}` }).waitFor()
})

test('both write to each other live; a reply quotes, a withdrawn message is gone on both sides', async () => {
  await goTo(doctor, 'chat')
  await write(nurse, names.doctor, 'Is the scan ready?')
  await nurse.getByRole('img', { name: 'Sent successfully' }).waitFor()
  const row = doctor.getByRole('link', { name: new RegExp(`^${names.nurse}.*Is the scan ready\\?`) })
  await row.getByText('1 unread').waitFor()
  await row.click()
  await said(doctor, 'Is the scan ready?').waitFor()
  await nurse.getByText('Read', { exact: true }).waitFor()

  await said(doctor, 'Is the scan ready?').hover()
  await doctor.getByRole('button', { name: /^Actions for the message from/ }).click()
  await doctor.getByRole('menuitem', { name: 'Reply' }).click()
  await write(doctor, names.nurse, 'Yes: https://example.org/scan')
  const link = nurse.getByRole('log').getByRole('link', { name: 'https://example.org/scan' })
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
  await button(nurse, `Show the message from ${names.nurse}`).waitFor()

  const buffer = Buffer.from(TINY_PNG, 'base64')
  await doctor.getByLabel('Choose images').setInputFiles({ name: 'scan.png', mimeType: 'image/png', buffer })
  await doctor.getByRole('button', { name: 'Send', exact: true, disabled: false }).click()
  await button(nurse, `Enlarge image 1 from ${names.doctor}`).click()
  await nurse.getByRole('dialog').locator('img').waitFor()
  await nurse.keyboard.press('Escape')

  await write(doctor, names.nurse, 'Wrong window')
  await said(nurse, 'Wrong window').waitFor()
  await doctor.getByRole('log').getByText('Wrong window').hover()
  await doctor
    .getByRole('button', { name: /^Actions for the message from You/ })
    .last()
    .click()
  await doctor.getByRole('menuitem', { name: 'Withdraw' }).click()
  await nurse.getByText(`${names.doctor} withdrew a message`).first().waitFor()
  expect(await said(nurse, 'Wrong window').count()).toBe(0)
})

test('a group is founded, joined by its number, and everybody in it reads what is written', async () => {
  await goTo(doctor, 'groups')
  await button(doctor, 'Create a group').click()
  const dialog = doctor.getByRole('dialog', { name: 'Create a group' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Stroke round')
  await dialog.getByRole('button', { name: 'Create a group' }).click()
  await doctor.getByRole('textbox', { name: 'Message to Stroke round' }).waitFor()
  const { groups } = await askIn(doctor, 'social/groups', {})

  await goTo(resident, 'groups')
  await button(resident, 'Join a group').click()
  const join = resident.getByRole('dialog', { name: 'Join a group' })
  await join.getByRole('textbox', { name: 'Group number' }).fill(groups[0]?.number ?? '')
  await join.getByText('Stroke round').waitFor()
  await join.getByRole('button', { name: 'Join' }).click()
  await resident.getByRole('textbox', { name: 'Message to Stroke round' }).waitFor()
  await said(doctor, `${names.resident} joined`).waitFor()
  await write(resident, 'Stroke round', 'Good morning')
  await said(doctor, 'Good morning').waitFor()
  await write(doctor, 'Stroke round', 'Welcome')
  await said(resident, 'Welcome').waitFor()
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

test('a case round shows to others what its leader sees, and the lead is given on', async () => {
  const { chats } = await askIn(nurse, 'social/chats', {})
  const chatId = chats.find(({ person }) => person?.nickName === names.doctor)?.id ?? ''
  const shown = { chatId, fileId: await findPicture(nurse), title: 'Small bleed', isChecked: true } as const
  const { id } = await askIn(nurse, 'round/open', shown)
  await nurse.goto(`${product.url}/round?id=${id}`)
  await nurse.getByText('You lead: everybody sees what you see.').waitFor()
  await doctor.goto(`${product.url}/socialHome?tab=chat&chat=${chatId}`)
  await doctor.getByRole('link', { name: 'Join', exact: true }).click()
  await doctor.getByText(`${names.nurse} leads`).waitFor()
  const placeOn = (page: Page): Promise<string> =>
    page.getByRole('img', { name: 'Small bleed' }).evaluate((image) => image.style.transform)
  for (const page of [nurse, doctor]) await page.locator('img[data-loading="false"]').waitFor()
  const before = await placeOn(doctor)
  await button(nurse, 'Larger').click()
  await expect.poll(() => placeOn(doctor)).not.toBe(before)

  await button(doctor, 'Ask for the lead').click()
  await button(nurse, `Give the lead to ${names.doctor}`).click()
  await doctor.getByText('You lead: everybody sees what you see.').waitFor()
})

test('a post is read and answered by another member', async () => {
  await goTo(doctor, 'posts')
  await doctor.getByRole('textbox', { name: 'New post' }).fill('Which network finds small bleeds? #stroke')
  await button(doctor, 'Post').click()
  await goTo(resident, 'posts')
  const post = resident.getByRole('article', { name: `Post of ${names.doctor}` })
  await post.getByText('Which network finds small bleeds?').waitFor()
  await post.getByRole('link', { name: /repl/ }).click()
  await resident.getByRole('textbox', { name: /reply/i }).fill('A small U-Net did well here.')
  await button(resident, 'Reply').click()
  await resident.getByText('A small U-Net did well here.').waitFor()
  await doctor.reload()
  await doctor.getByText('1 reply').waitFor()
  expect(errors.flat()).toEqual([])
})
