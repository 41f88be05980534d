/** Three members meet in the community: a friend request, a conversation live in both directions, a group, a case round, and a post with a reply. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askIn, launch, open, signIn } from './browser.ts'
import { type Product, removeData, startProduct } from './stack.ts'

let product: Product
let browser: Browser
let anna: Page
let boris: Page
let chen: Page
const errors: string[][] = []
const names = { anna: '', boris: '', chen: 'Chen Li' }

beforeAll(async () => {
  product = await startProduct()
  browser = await launch()
  anna = await enter(product.administrator)
  boris = await enter(product.member)
  const account = 'chen@hospital.test'
  const { password } = await askIn(anna, 'members/create', { account, nickName: names.chen })
  chen = await enter({ account, password, isFirst: true })
  names.anna = await nickNameOn(anna)
  names.boris = await nickNameOn(boris)
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
  await goTo(anna, 'book')
  const found = anna.locator('#content').getByRole('search')
  await found.getByRole('searchbox', { name: 'Account or nickname' }).fill(product.member?.account ?? '')
  await found.getByRole('button', { name: 'Search' }).click()
  await found.getByRole('button', { name: names.boris }).click()
  await button(anna, 'Send friend request').click()
  await anna.getByRole('textbox', { name: `A line to ${names.boris} (may stay empty)` }).fill('From the ward')
  await button(anna, 'Send request').click()
  await anna.getByText('Your friend request waits for an answer.').waitFor()

  await goTo(boris, 'book')
  await boris.getByText('From the ward').waitFor()
  await button(boris, `Accept the request of ${names.anna}`).click()
  await goTo(boris, 'friends')
  await button(boris, `Message ${names.anna}`).click()
  await boris.getByRole('textbox', { name: `Message to ${names.anna}` }).waitFor()
})

test('both write to each other live; a reply quotes, a withdrawn message is gone on both sides', async () => {
  await goTo(anna, 'chat')
  await write(boris, names.anna, 'Is the scan ready?')
  await boris.getByRole('img', { name: 'Sent successfully' }).waitFor()
  const row = anna.getByRole('link', { name: new RegExp(`^${names.boris}.*Is the scan ready\\?`) })
  await row.getByText('1 unread').waitFor()
  await row.click()
  await said(anna, 'Is the scan ready?').waitFor()
  await boris.getByText('Read', { exact: true }).waitFor()

  await said(anna, 'Is the scan ready?').hover()
  await anna.getByRole('button', { name: /^Actions for the message from/ }).click()
  await anna.getByRole('menuitem', { name: 'Reply' }).click()
  await write(anna, names.boris, 'Yes: https://example.org/scan')
  const link = boris.getByRole('link', { name: 'https://example.org/scan' })
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
  await button(boris, `Show the message from ${names.boris}`).waitFor()

  const buffer = Buffer.from(TINY_PNG, 'base64')
  await anna.getByLabel('Choose images').setInputFiles({ name: 'scan.png', mimeType: 'image/png', buffer })
  await anna.getByRole('button', { name: 'Send', exact: true, disabled: false }).click()
  await button(boris, `Enlarge image 1 from ${names.anna}`).click()
  await boris.getByRole('dialog').locator('img').waitFor()
  await boris.keyboard.press('Escape')

  await write(anna, names.boris, 'Wrong window')
  await said(boris, 'Wrong window').waitFor()
  await anna.getByRole('log').getByText('Wrong window').hover()
  await anna
    .getByRole('button', { name: /^Actions for the message from You/ })
    .last()
    .click()
  await anna.getByRole('menuitem', { name: 'Withdraw' }).click()
  await boris.getByText(`${names.anna} withdrew a message`).first().waitFor()
  expect(await said(boris, 'Wrong window').count()).toBe(0)
})

test('a group is founded, joined by its number, and everybody in it reads what is written', async () => {
  await goTo(anna, 'groups')
  await button(anna, 'Found a group').click()
  const dialog = anna.getByRole('dialog', { name: 'Found a group' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Stroke round')
  await dialog.getByRole('button', { name: 'Found a group' }).click()
  await anna.getByRole('textbox', { name: 'Message to Stroke round' }).waitFor()
  const { groups } = await askIn(anna, 'social/groups', {})

  await goTo(chen, 'groups')
  await button(chen, 'Join a group').click()
  const join = chen.getByRole('dialog', { name: 'Join a group' })
  await join.getByRole('textbox', { name: 'Group number' }).fill(groups[0]?.number ?? '')
  await join.getByText('Stroke round').waitFor()
  await join.getByRole('button', { name: 'Join' }).click()
  await chen.getByRole('textbox', { name: 'Message to Stroke round' }).waitFor()
  await said(anna, `${names.chen} joined`).waitFor()
  await write(chen, 'Stroke round', 'Good morning')
  await said(anna, 'Good morning').waitFor()
  await write(anna, 'Stroke round', 'Welcome')
  await said(chen, 'Welcome').waitFor()
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
  const { chats } = await askIn(boris, 'social/chats', {})
  const chatId = chats.find(({ person }) => person?.nickName === names.anna)?.id ?? ''
  const shown = { chatId, fileId: await findPicture(boris), title: 'Small bleed', isChecked: true } as const
  const { id } = await askIn(boris, 'round/open', shown)
  await boris.goto(`${product.url}/round?id=${id}`)
  await boris.getByText('You lead: everybody sees what you see.').waitFor()
  await anna.goto(`${product.url}/socialHome?tab=chat&chat=${chatId}`)
  await anna.getByRole('link', { name: 'Join', exact: true }).click()
  await anna.getByText(`${names.boris} leads`).waitFor()
  const placeOn = (page: Page): Promise<string> =>
    page.getByRole('img', { name: 'Small bleed' }).evaluate((image) => image.style.transform)
  for (const page of [boris, anna]) await page.locator('img[data-loading="false"]').waitFor()
  const before = await placeOn(anna)
  await button(boris, 'Larger').click()
  await expect.poll(() => placeOn(anna)).not.toBe(before)

  await button(anna, 'Ask for the lead').click()
  await button(boris, `Give the lead to ${names.anna}`).click()
  await anna.getByText('You lead: everybody sees what you see.').waitFor()
})

test('a post is read and answered by another member', async () => {
  await goTo(anna, 'posts')
  await anna.getByRole('textbox', { name: 'New post' }).fill('Which network finds small bleeds? #stroke')
  await button(anna, 'Post').click()
  await goTo(chen, 'posts')
  const post = chen.getByRole('article', { name: `Post of ${names.anna}` })
  await post.getByText('Which network finds small bleeds?').waitFor()
  await post.getByRole('link', { name: /repl/ }).click()
  await chen.getByRole('textbox', { name: /reply/i }).fill('A small U-Net did well here.')
  await button(chen, 'Reply').click()
  await chen.getByText('A small U-Net did well here.').waitFor()
  await anna.reload()
  await anna.getByText('1 reply').waitFor()
  expect(errors.flat()).toEqual([])
})
