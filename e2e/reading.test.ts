import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answer } from '@neuroloom/contract/calls'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signIn as clientFor, uploadFolder } from '../bench/client.ts'
import { drawField } from '../server/src/demo/pictures.ts'
import { encodePng } from '../server/src/demo/png.ts'
import { askIn, launch, open, signIn } from './browser.ts'
import { write } from './data.ts'
import { type Product, removeData, startProduct } from './stack.ts'

let product: Product
let browser: Browser
let owner: Page
let reader: Page
let set: Answer<'labelling/create'>
let errors: string[]

beforeAll(async () => {
  product = await startProduct()
  browser = await launch()
  set = await makeSet()
  const [one, other] = [await open(browser), await open(browser)]
  owner = one.page
  reader = other.page
  errors = one.errors
  await signIn(owner, product)
  await signIn(reader, product, product.administrator)
})

/** Ahead of the browser: who signs in there is signed out here. */
async function makeSet() {
  const client = await clientFor(product)
  const folder = join(mkdtempSync(join(tmpdir(), 'reading-')), 'Smears')
  for (const name of ['first', 'second'])
    write(join(folder, `${name}.png`), encodePng(drawField(name.length, 256).image))
  const { folderId } = await uploadFolder(client, folder, { name: 'Smears' })
  const { id: projectId } = await client.call('projects/create', { name: 'Smears', task: 'detection' })
  const plain = { description: '', key: null, use: 'class' as const, skeleton: null }
  return client.call('labelling/create', {
    ...{ name: 'Smears of the ward', description: 'Every large cell', folderId, projectId },
    classes: [
      { ...plain, id: 'large', name: 'Large cell', colour: '#e69f00', key: 1 },
      { ...plain, id: 'small', name: 'Small cell', colour: '#56b4e9', key: 2 },
    ],
    marks: ['boxes', 'tags'],
  })
}

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  if (product) await removeData(product.dataDir)
})

const setAddress = (more = ''): string => `${product.url}/labelling?set=${set.id}${more}`

describe('two who read the same images', () => {
  test('are assigned by account, and mark blind', async () => {
    await owner.goto(setAddress('&tab=readers'))
    await owner.getByLabel('Account', { exact: true }).fill(product.administrator?.account ?? '')
    await owner.getByRole('button', { name: 'Share', exact: true }).click()
    await owner.getByText('0 of 2 finished').nth(1).waitFor()
    await read(owner, 'first', 'Large cell', [-60, -60, 40, 40])
    await say(owner, 'Only those with a nucleus')
    await reader.goto(`${product.url}/labelling`)
    await reader.getByRole('link', { name: 'Smears of the ward' }).click()
    expect(await reader.getByRole('navigation', { name: 'Parts of the set' }).count()).toBe(0)
    await read(reader, 'first', 'Large cell', [-60, -60, 60, 40])
    // Blind: neither the other one's marks nor the words about them.
    expect(await reader.getByText('Only those with a nucleus').count()).toBe(0)
    expect(await reader.getByText('Readings of this image').count()).toBe(0)
    await finish(reader, 'second', 'Small cell', [-60, -60, 40, 40])
    await finish(owner, 'second', 'Large cell', [-60, -60, 40, 40])
    await hand(reader, 'first')
    await hand(owner, 'first')
  })

  test('are compared: kappa, overlap and distance, over all images and on each', async () => {
    await owner.goto(setAddress('&tab=agreement'))
    await owner.getByText('Kappa of the labels').waitFor()
    const table = owner.getByRole('table')
    await table.getByRole('row', { name: /Large cell/ }).waitFor()
    await owner.getByText('different labels').waitFor()
    // On the first image: two boxes of 100 × 100 and 120 × 100 of the screen.
    const text = await owner.getByText(/Dice 0\.9/).innerText()
    expect(text).toContain('pixels apart')
  })

  test('a reading goes back with its reason, and comes again', async () => {
    await owner.getByRole('link', { name: 'Side by side' }).first().click()
    await owner.locator('[data-plane="2"]').nth(1).waitFor()
    await owner.goto(setAddress('&of=all'))
    await owner.getByRole('link', { name: /second/ }).click()
    await owner.getByRole('region', { name: 'Image' }).waitFor()
    await owner
      .locator('section')
      .filter({ hasText: 'Readings of this image' })
      .getByRole('link')
      .first()
      .click()
    await owner.getByText('These are the marks of').waitFor()
    await owner.getByRole('button', { name: 'Return', exact: true }).click()
    await owner.getByRole('dialog').getByRole('textbox').fill('This one is large')
    await owner.getByRole('dialog').getByRole('button', { name: 'Return', exact: true }).click()
    await owner.getByText('This one is large').waitFor()
    await reader.goto(setAddress('&show=returned'))
    await reader.getByRole('link', { name: /second/ }).click()
    await reader.getByText('This one is large').waitFor()
    await reader.getByRole('radio', { name: 'Large cell' }).check()
    await reader.getByRole('button', { name: 'Finish', exact: true }).click()
    await reader.getByRole('button', { name: 'Work on it again' }).waitFor()
  })

  test('are decided between, and what was agreed is data of the project and leaves as COCO', async () => {
    await owner.goto(setAddress('&tab=agreement'))
    await owner.getByRole('link', { name: 'Side by side' }).first().click()
    await owner.getByRole('button', { name: 'Begin with what most of the 2 have' }).click()
    await owner.getByText('This is the agreed reading').waitFor()
    const first = owner.url()
    await owner.getByRole('button', { name: 'Finish', exact: true }).click()
    // The next image comes by itself.
    await owner.waitForURL(({ href }) => href !== first)
    await owner.goBack()
    await owner.getByRole('button', { name: 'Accept', exact: true }).click()
    await owner.getByRole('button', { name: 'Withdraw the acceptance' }).waitFor()

    await owner.goto(setAddress())
    await owner.getByRole('button', { name: 'More', exact: true }).click()
    await owner.getByRole('menuitem', { name: 'Use as data of a project' }).click()
    await owner.getByRole('dialog').getByRole('button', { name: 'Use as data' }).click()
    await owner.getByRole('link', { name: 'Open the project' }).click()
    await owner.getByText('Labelled here').waitFor()
    await owner.getByRole('link', { name: 'Images not labelled yet' }).waitFor()

    await owner.goto(setAddress())
    await owner.getByRole('button', { name: 'More', exact: true }).click()
    await owner.getByRole('menuitem', { name: 'Export labels' }).click()
    await owner.getByText('Of each image the newest finished ones').click()
    await owner.getByRole('button', { name: 'Look at them' }).click()
    await owner.getByRole('button', { name: 'Write the files' }).click()
    await owner.getByText(/Done: folder/).waitFor()
    const { exchanges } = await askIn(owner, 'labelling/exchanges', { id: set.id })
    const { entries } = await askIn(owner, 'files/list', { folderId: exchanges[0]?.folderId ?? null })
    const list = entries.find(({ name }) => name.endsWith('.json'))
    const { url } = await askIn(owner, 'files/download', { ids: [list?.id ?? ''] })
    // Read as its user would: by the arithmetic of the format alone.
    const coco = JSON.parse(await owner.evaluate(async (at) => (await fetch(at)).text(), url))
    expect(coco.images.map((one: { file_name: string }) => one.file_name).toSorted()).toEqual([
      ...['first.png', 'second.png'],
    ])
    for (const { bbox, area } of coco.annotations) expect(bbox[2] * bbox[3]).toBeCloseTo(area, 0)
    expect(errors).toEqual([])
  })
})

const saved = (page: Page) => page.getByRole('status').getByText('All saved').waitFor()

/** A label of the whole image and a box, in pixels of the screen from the middle. */
async function read(
  page: Page,
  image: string,
  label: string,
  [x0, y0, x1, y1]: [number, number, number, number],
) {
  await page.goto(setAddress())
  await page.getByRole('link', { name: new RegExp(image) }).click()
  const plane = page.locator('[data-plane="2"]')
  await plane.locator('canvas').first().waitFor()
  await page.getByRole('radio', { name: label }).check()
  await page.keyboard.press('Escape')
  await plane.focus()
  await page.keyboard.press('r')
  const box = await plane.boundingBox()
  if (!box) throw new Error('no plane')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x + x0, y + y0)
  await page.mouse.down()
  await page.mouse.move(x + x1, y + y1, { steps: 6 })
  await page.mouse.up()
  await page.getByText('1 thing', { exact: true }).waitFor()
  await saved(page)
}

async function finish(
  page: Page,
  ...drawn: Parameters<typeof read> extends [Page, ...infer Rest] ? Rest : never
) {
  await read(page, ...drawn)
  await page.getByRole('button', { name: 'Finish', exact: true }).click()
  // The last image of the set stays before its reader.
  await page.getByRole('button', { name: 'Work on it again' }).waitFor()
}

async function hand(page: Page, image: string) {
  await page.goto(setAddress())
  await page.getByRole('link', { name: new RegExp(image) }).click()
  await page.getByRole('button', { name: 'Finish', exact: true }).click()
  await page.getByText('Image 2 of 2').waitFor()
}

async function say(page: Page, text: string) {
  await page.getByLabel('New comment').fill(text)
  await page.getByRole('button', { name: 'Pin to a place' }).click()
  const image = page.getByRole('region', { name: 'Image' })
  await image.getByRole('button', { name: 'Press on the image' }).click({ position: { x: 200, y: 200 } })
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('button', { name: 'Go there' }).waitFor()
}
