/** A network of one's own helps to label: it proposes, one accepts, mends and refuses, and it learns anew from what was finished. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, signIn as clientFor, poll, uploadFolder } from '../bench/client.ts'
import { drawField } from '../server/src/demo/pictures.ts'
import { encodePng } from '../server/src/demo/png.ts'
import { signIn, type Visit, visit } from './browser.ts'
import { write } from './data.ts'

const SIDE = 64
const IMAGES = 12

let at: Visit
let page: Page
let setId = ''

beforeAll(async () => {
  at = await visit()
  page = at.page
  const client = await clientFor(at.product)
  await trainOn(client)
  setId = await makeSet(client)
  // Whoever signs in here signs the client out.
  await signIn(page, at.product)
})
afterAll(() => at?.end())

/** Good enough to find most cells within a minute. */
async function trainOn(client: Client) {
  const folder = mkdtempSync(join(tmpdir(), 'proposals-'))
  for (let index = 0; index < 24; index++) {
    const { image, mask } = drawField(index + 1, SIDE)
    write(join(folder, 'images', `${index}.png`), encodePng(image))
    write(join(folder, 'labels', `${index}.png`), encodePng(mask))
  }
  const { folderId } = await uploadFolder(client, folder, { name: 'Fields with masks' })
  const { id: projectId } = await client.call('projects/create', { name: 'Fields', task: 'segmentation' })
  await client.call('datasets/recognise', { projectId, folderId })
  const { datasets } = await poll(
    () => client.call('datasets/list', { projectId }),
    ({ datasets }) => datasets.every(({ state }) => state !== 'checking'),
  )
  const parts = datasets.flatMap((dataset) => dataset.parts.map(({ id }) => id))
  const { id } = await client.call('runs/start', {
    ...{ projectId, parts, network: 'unet_small' },
    hyper: { epochs: 12, batchSize: 8, imageSize: [SIDE, SIDE], learningRate: 0.005 },
  })
  const { run } = await poll(
    () => client.call('runs/detail', { id }),
    ({ run }) => run.state === 'done' || run.state === 'failed',
  )
  expect(run.state).toBe('done')
}

async function makeSet(client: Client): Promise<string> {
  const folder = join(mkdtempSync(join(tmpdir(), 'proposals-')), 'New fields')
  for (let index = 0; index < IMAGES; index++)
    write(join(folder, `field${10 + index}.png`), encodePng(drawField(500 + index, SIDE).image))
  const { folderId } = await uploadFolder(client, folder, { name: 'New fields' })
  const { id } = await client.call('labelling/create', {
    ...{ name: 'Cells by help', description: 'Each cell', folderId },
    classes: [
      {
        id: 'rest',
        name: 'Background',
        description: '',
        colour: '#000000',
        key: null,
        use: 'background',
        skeleton: null,
      },
      { id: 'cell', name: 'Cell', description: '', colour: '#e69f00', key: 1, use: 'class', skeleton: null },
    ],
    marks: ['pixels'],
  })
  await poll(
    () => client.call('labelling/items', { id }),
    ({ total }) => total === IMAGES,
  )
  return id
}

const help = () => page.getByRole('region', { name: 'Help of a network' })

test('a network is chosen, with what its classes are called here', async () => {
  await page.goto(`${at.product.url}/labelling?set=${setId}`)
  await page.getByRole('link', { name: /field10/ }).click()
  await page.getByRole('region', { name: 'Image' }).waitFor()
  await help().getByRole('button', { name: 'Choose a network' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Choose a class of this set').waitFor()
  await dialog.getByRole('group', { name: 'Its classes' }).getByRole('combobox').click()
  await page.locator('.ant-select-item-option').getByText('Cell', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Use it' }).click()
  await help().getByText('Fields · Training 1').waitFor()
})

test('it proposes objects: one is taken and taken back, one refused, one mended, the rest accepted', async () => {
  await help().getByRole('button', { name: 'And on the next ones' }).click()
  await help()
    .getByText(/proposals are open/)
    .waitFor()
  const all = await openOnes()
  expect(all).toBeGreaterThan(2)
  await page.keyboard.press('y')
  await expect.poll(openOnes).toBe(all - 1)
  // What is taken back is open again.
  await page.keyboard.press('Control+z')
  await expect.poll(openOnes).toBe(all)
  await page.keyboard.press('n')
  await page.keyboard.press('x')
  await expect.poll(openOnes).toBe(all - 1)
  await help().getByRole('button', { name: 'Accept all' }).click()
  await help().getByText(`0 of ${all} proposals are open.`).waitFor()
  await page.keyboard.press('b')
  const box = await page.getByRole('region', { name: 'Image' }).boundingBox()
  if (!box) throw new Error('the image is not drawn')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x - 100, y)
  await page.mouse.down()
  await page.mouse.move(x + 100, y, { steps: 8 })
  await page.mouse.up()
  await help().getByRole('button', { name: 'Progress' }).click()
  const dialog = page.getByRole('dialog')
  const row = dialog.getByRole('row', { name: /Cell/ })
  const told = async () => counts(await row.innerText())
  await expect.poll(told).toMatchObject({ sum: all, refused: 1 })
  await expect.poll(async () => (await told()).mended).toBeGreaterThan(0)
  await page.keyboard.press('Escape')
})

test('the next image is the one that it is most unsure of, and has proposals of its own', async () => {
  await help().getByRole('button', { name: 'To the most unsure image' }).click()
  await help()
    .getByText(/^Chosen by doubt from \d+ images/)
    .waitFor()
  await help()
    .getByText(/proposals are open|found nothing/)
    .waitFor()
  expect(at.errors).toEqual([])
})

const openOnes = async (): Promise<number> => {
  const [count = ''] = (
    await help()
      .getByText(/proposals are open/)
      .innerText()
  ).split(' ')
  return Number(count)
}

/** Accepted, mended, refused, as the table tells them. */
function counts(row: string) {
  const [accepted = 0, mended = 0, refused = 0] = [...row.matchAll(/(\d+)\s·/g)].map(([, count]) =>
    Number(count),
  )
  return { accepted, mended, refused, sum: accepted + mended + refused }
}
