/** The cloud storage as two members and a visitor meet it: every tab, sharing, groups, links, and what is deleted. */
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch, open, signIn, told } from './browser.ts'
import { longTest } from './long-test.ts'
import { type Product, removeData, startProduct } from './stack.ts'

let product: Product
let browser: Browser
/** The demo member, and the administrator as a colleague. */
let member: Page
let colleague: Page
const errors: string[] = []

beforeAll(async () => {
  product = await startProduct()
  browser = await launch()
  member = await visit()
  colleague = await visit()
  await signIn(member, product)
  await signIn(colleague, product, product.administrator)
})

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  if (product) await removeData(product.dataDir)
})

describe('a folder shared with a colleague', () => {
  test('is there to look at, and nothing else', async () => {
    await member.goto(`${product.url}/cloudHome`)
    await act(member, 'Sample cells', 'Share …')
    const dialog = member.getByRole('dialog')
    await dialog.getByLabel('Account').fill(product.administrator?.account ?? '')
    await dialog.getByRole('button', { name: 'Share', exact: true }).click()
    await dialog.getByRole('button', { name: 'Withdraw' }).waitFor()

    await colleague.goto(`${product.url}/cloudHome?tab=shared`)
    await colleague.getByRole('link', { name: 'Sample cells' }).click()
    await colleague.getByRole('link', { name: 'images' }).waitFor()
    expect(await colleague.getByRole('button', { name: 'New folder' }).count()).toBe(0)
    await colleague.getByRole('button', { name: 'Actions for images' }).click()
    const items = colleague.getByRole('menuitem')
    await items.first().waitFor()
    // Whoever may only look changes nothing here; what is made of the files lies in the looker's own cloud.
    const made = ['Copy …', 'Convert …', 'Prepare images …', 'Black out burned-in text …']
    expect(await items.allInnerTexts()).toEqual(['Download', ...made, 'Properties'])
    await colleague.keyboard.press('Escape')
  })

  test('may be copied, and is gone as soon as it is withdrawn', async () => {
    await act(colleague, 'images', 'Copy …')
    await colleague.getByRole('dialog').getByRole('button', { name: 'Copy here' }).click()
    await told(colleague, '1 item copied')
    await member.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
    await member.getByText('Nobody else has access yet.').waitFor()
    // Without a reload.
    await colleague.getByRole('button', { name: 'Try again' }).waitFor()
    await colleague.goto(`${product.url}/cloudHome`)
    await colleague.getByRole('link', { name: 'images' }).waitFor()
    errors.length = 0
  })
})

describe('a link', () => {
  test('opens with its password, without an account, and gives the files', async () => {
    const dialog = member.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Password (optional)' }).fill('ward-7')
    await dialog.getByRole('button', { name: 'Make a link' }).click()
    const address = await dialog.getByLabel('Address of the link').inputValue()
    expect(address).toMatch(/\/shareFile#s=[\w-]{32,}$/)

    const visitor = await visit()
    await visitor.goto(address)
    await visitor.getByLabel('Password').fill('wrong')
    await visitor.getByRole('button', { name: 'Open' }).click()
    await visitor.getByText('The password is not correct.').waitFor()
    await visitor.getByLabel('Password').fill('ward-7')
    await visitor.getByRole('button', { name: 'Open' }).click()
    await visitor.getByRole('heading', { name: 'Sample cells' }).waitFor()
    const [saved] = await Promise.all([
      visitor.waitForEvent('download'),
      visitor.getByRole('button', { name: 'Download all' }).click(),
    ])
    expect(saved.suggestedFilename()).toBe('Sample cells.zip')
    expect((await readFile(await saved.path())).subarray(0, 2).toString()).toBe('PK')

    await dialog.getByRole('button', { name: 'End', exact: true }).click()
    await member.getByRole('button', { name: 'End the link' }).click()
    await dialog.getByRole('button', { name: 'End', exact: true }).waitFor({ state: 'detached' })
    await visitor.reload()
    await visitor.getByText('This link is no longer valid').waitFor()
    await visitor.context().close()
    await member.keyboard.press('Escape')
  })
})

describe('a group', () => {
  let number = ''

  test('is founded and given a folder', async () => {
    await member.goto(`${product.url}/cloudHome?tab=groups`)
    await member.getByRole('button', { name: 'New group' }).click()
    const form = member.getByRole('dialog')
    await form.getByLabel('Name').fill('Cell study')
    await form.getByLabel('Password').fill('ward-7')
    await form.getByRole('button', { name: 'New group' }).click()
    await member.getByRole('link', { name: 'Cell study' }).click()
    // The list left behind may still be there: in it more figures follow the number.
    const told = await member.getByText(/^Number \d/).innerText()
    number = /\d{3}\D\d{3}\D\d{3}/.exec(told)?.[0].replaceAll(/\D/g, '') ?? ''
    await member.getByRole('button', { name: 'Add a folder' }).click()
    const picker = member.getByRole('dialog')
    await picker.getByRole('button', { name: /Sample cell shapes/ }).click()
    await picker.getByRole('button', { name: 'Add a folder' }).click()
    await member.getByRole('link', { name: 'Sample cell shapes' }).waitFor()
  })

  test('is joined by its number in the address, and shows what it was given', async () => {
    await colleague.goto(`${product.url}/cloudHome?nbr=${number}`)
    const dialog = colleague.getByRole('dialog')
    await dialog.getByText('Cell study').waitFor()
    await dialog.getByLabel('Password').fill('ward-7')
    await dialog.getByRole('button', { name: 'Join' }).click()
    await colleague.getByRole('link', { name: 'Sample cell shapes' }).click()
    await colleague.getByRole('link', { name: 'round' }).waitFor()
    await colleague.getByRole('link', { name: 'Groups' }).click()
    await colleague.getByRole('heading', { name: 'Cell study' }).waitFor()
  })
})

describe('own files', () => {
  test('are moved by dragging, and back by the dialog', async () => {
    await member.goto(`${product.url}/cloudHome`)
    await member.getByRole('link', { name: 'Sample cells' }).waitFor()
    const row = (name: string) =>
      member.getByRole('row').filter({ has: member.getByRole('link', { name, exact: true }) })
    await row('Sample cells').dragTo(row('Sample cell shapes'))
    await told(member, '1 item moved')
    // Until the list is drawn anew its menu would be pressed here instead of where it lies now.
    await row('Sample cells').waitFor({ state: 'detached' })
    await member.getByRole('link', { name: 'Sample cell shapes' }).click()
    await act(member, 'Sample cells', 'Move …')
    const dialog = member.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cloud storage' }).click()
    await dialog.getByRole('button', { name: 'Move here' }).click()
    await member.getByRole('link', { name: 'Sample cells' }).waitFor({ state: 'detached' })
  })

  test('are deleted, brought back, and deleted for good', async () => {
    await member.goto(`${product.url}/cloudHome`)
    await act(member, 'Sample cells', 'Delete')
    await member.getByRole('link', { name: 'Sample cells' }).waitFor({ state: 'detached' })
    await member.goto(`${product.url}/cloudHome?tab=recycle`)
    await member.getByRole('checkbox', { name: 'Select Sample cells' }).check()
    await member.getByRole('button', { name: 'Restore' }).click()
    await member.getByText('Nothing was deleted').waitFor()

    await colleague.goto(`${product.url}/cloudHome`)
    await act(colleague, 'images', 'Delete')
    await colleague.getByRole('link', { name: 'images' }).waitFor({ state: 'detached' })
    await colleague.goto(`${product.url}/cloudHome?tab=recycle`)
    await colleague.getByRole('button', { name: 'Empty the recycle station' }).click()
    await colleague.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click()
    await colleague.getByText('Nothing was deleted').waitFor()
  })

  longTest('are opened to all members by an administrator', async () => {
    await colleague.goto(`${product.url}/cloudHome`)
    await colleague.getByRole('button', { name: 'New folder' }).click()
    await colleague.getByRole('textbox', { name: 'Folder name' }).fill('Teaching set')
    await colleague.getByRole('textbox', { name: 'Folder name' }).press('Enter')
    await act(colleague, 'Teaching set', 'Open to all members')
    await told(colleague, 'All members can see this folder now')
    await member.goto(`${product.url}/cloudHome?tab=public`)
    await member.getByRole('link', { name: 'Teaching set' }).click()
    await member.getByText('Nothing was put in here yet.').waitFor()
    await colleague.goto(`${product.url}/cloudHome?tab=public`)
    await colleague.getByRole('button', { name: 'Close to others' }).click()
    await colleague.getByText('There is no public data yet').waitFor()
  })

  longTest('tell who did what, also as a table', async () => {
    await member.goto(`${product.url}/cloudHome?tab=records`)
    await member.getByRole('row', { name: /Brought back: Sample cells/ }).waitFor()
    const [saved] = await Promise.all([
      member.waitForEvent('download'),
      member.getByRole('button', { name: 'Save as table' }).click(),
    ])
    const table = await readFile(await saved.path(), 'utf8')
    expect(table).toContain('Sample cells')
    expect(table.split('\n').length).toBeGreaterThan(5)
  })

  test('without an error in any browser', () => {
    expect(errors).toEqual([])
  })
})

async function visit(): Promise<Page> {
  const opened = await open(browser)
  opened.page.on('pageerror', (error) => errors.push(String(error)))
  return opened.page
}

/** One entry's menu. */
async function act(page: Page, name: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
