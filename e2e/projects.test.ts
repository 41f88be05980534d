/** A project as its owner and a colleague meet it: made by answering, copied, shared, public, deleted and brought back. */
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
let address = ''
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

describe('a project of one’s own', () => {
  test('is made by answering three questions and ends with its data being looked at', async () => {
    await member.goto(`${product.url}/projectHome`)
    await member.getByRole('button', { name: 'New project' }).click()
    const dialog = member.getByRole('dialog', { name: 'New project' })
    await dialog.getByText('Where exactly is it?').click()
    expect(await dialog.getByLabel('What is the project called?').inputValue()).toBe('Image segmentation')
    await dialog.getByRole('button', { name: 'Use a cloud folder' }).click()
    const picker = member.getByRole('dialog', { name: 'Use a cloud folder' })
    await picker.getByRole('button', { name: 'Sample cells' }).click()
    await picker.getByRole('button', { name: 'Use this folder' }).click()
    await member.waitForURL(/\/projectDetail\?id=/)
    address = new URL(member.url()).search
    await member.getByRole('article', { name: 'Sample cells' }).waitFor()
    await countOf(member, 'trainSets', '1')
  })

  test('is renamed, and copied with its own data', async () => {
    await act(member, 'Image segmentation', 'Rename')
    const rename = member.getByRole('dialog')
    await rename.getByLabel('Name of the project').fill('Nuclei')
    await rename.getByRole('button', { name: 'Save' }).click()
    await member.getByRole('heading', { name: 'Nuclei', level: 1 }).waitFor()
    await act(member, 'Nuclei', 'Copy')
    await member.getByRole('dialog').getByRole('button', { name: 'Copy' }).click()
    await member.getByRole('heading', { name: 'Nuclei (copy)', level: 1 }).waitFor()
    await countOf(member, 'trainSets', '1')
  })

  test('shows results in the ways that were chosen, one at least', async () => {
    await member.goto(`${product.url}/projectDetail${address}`)
    await member.getByRole('checkbox', { name: /^Outlines/ }).click()
    await countOf(member, 'displays', '1')
    await member.getByRole('checkbox', { name: /^Table by class/ }).click()
    await told(member, 'Choose at least one way to show results.')
  })

  longTest('leaves as one archive', async () => {
    await act(member, 'Nuclei', 'Download')
    const dialog = member.getByRole('dialog')
    const [download] = await Promise.all([
      member.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.zip$/)
    const bytes = await readFile(await download.path())
    expect(bytes.subarray(0, 2).toString('latin1')).toBe('PK')
    expect(bytes.includes('project.json')).toBe(true)
  })
})

describe('a project shared with a colleague', () => {
  test('is there to look at, and nothing else', async () => {
    await act(member, 'Nuclei', 'Share')
    const dialog = member.getByRole('dialog')
    await dialog.getByLabel('Account').fill(product.administrator?.account ?? '')
    await dialog.getByRole('button', { name: 'Share', exact: true }).click()
    await dialog.getByRole('button', { name: 'Withdraw' }).waitFor()

    await colleague.goto(`${product.url}/projectHome?tab=shared`)
    await colleague.getByRole('link', { name: 'Nuclei', exact: true }).click()
    await colleague.getByText(/shared this project with you\. You may look/).waitFor()
    await colleague.getByRole('article', { name: 'Sample cells' }).waitFor()
    for (const name of ['Train', 'Upload a folder'])
      expect(await colleague.getByRole('button', { name, exact: true }).count()).toBe(0)
    await colleague.getByRole('button', { name: 'Actions for Nuclei' }).click()
    const items = colleague.getByRole('menuitem')
    await items.first().waitFor()
    expect(await items.allInnerTexts()).toEqual(['Copy', 'Download', 'Give up access'])
    await colleague.keyboard.press('Escape')
  })

  test('may be trained in by whoever may edit', async () => {
    await member.getByRole('combobox', { name: /^Permission of/ }).click()
    await member.getByTitle('May edit').last().click()
    await expect
      .poll(
        async () => {
          await colleague.reload()
          await colleague.getByRole('heading', { name: 'Nuclei', level: 1 }).waitFor()
          return colleague.getByRole('button', { name: 'Train', exact: true }).count()
        },
        { timeout: 90_000 },
      )
      .toBe(1)
  })

  test('is gone for others as soon as it is withdrawn', async () => {
    await member.getByRole('button', { name: 'Withdraw' }).click()
    await member.getByText('Nobody else has access yet.').waitFor()
    await member.keyboard.press('Escape')
    await colleague.goto(`${product.url}/projectHome?tab=shared`)
    await colleague.getByRole('heading', { name: 'No project is shared yet' }).waitFor()
    await colleague.goto(`${product.url}/projectDetail${address}`)
    await colleague.getByText('This project no longer exists, or it is not shared with you.').waitFor()
  })

  test('is there for everybody when it is public', async () => {
    await act(member, 'Nuclei', 'Make public')
    await member.getByRole('dialog').getByRole('button', { name: 'Make public' }).click()
    await told(member, 'Every member can look at the project now')
    await colleague.goto(`${product.url}/projectHome?tab=public`)
    await colleague.getByRole('link', { name: 'Nuclei', exact: true }).click()
    await colleague.getByText(/made this project public/).waitFor()
  })
})

test('a deleted project lies in the recycle station and comes back', async () => {
  await act(member, 'Nuclei', 'Delete')
  await member.waitForURL(/\/projectHome/)
  await member.getByRole('link', { name: 'Recycle station' }).click()
  const row = member.getByRole('row').filter({ hasText: 'Nuclei' })
  await row
    .getByText(/^Cleared on/)
    .first()
    .waitFor({ state: 'attached' })
  await colleague.goto(`${product.url}/projectHome?tab=public`)
  await colleague.getByRole('heading', { name: 'No project is public yet' }).waitFor()
  await row.getByRole('button', { name: 'Restore' }).click()
  await member.getByRole('heading', { name: 'No project was deleted' }).waitFor()
  await member.goto(`${product.url}/projectDetail${address}`)
  await member.getByRole('heading', { name: 'Nuclei', level: 1 }).waitFor()
})

test('the browsers reported no error on the way', () => {
  expect(errors).toEqual([])
})

async function visit(): Promise<Page> {
  const opened = await open(browser)
  opened.page.on('pageerror', (error) => errors.push(String(error)))
  return opened.page
}

/** Chooses an action of a project's menu. */
async function act(page: Page, project: string, action: string) {
  await page
    .getByRole('button', { name: `Actions for ${project}`, exact: true })
    .filter({ visible: true })
    .click()
  await page.getByRole('menuitem', { name: action, exact: true }).filter({ visible: true }).click()
}

/** Waits for one of the six counts. */
const countOf = (page: Page, count: string, shown: string) =>
  page.locator(`a[data-count="${count}"] strong`).getByText(shown, { exact: true }).waitFor()
