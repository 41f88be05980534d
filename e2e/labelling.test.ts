import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, signIn as clientFor, uploadFolder } from '../bench/client.ts'
import { drawField } from '../server/src/demo/pictures.ts'
import { encodePng } from '../server/src/demo/png.ts'
import { askIn, open, signIn, type Visit, visit } from './browser.ts'
import { write } from './data.ts'
import { isLong } from './is-long.ts'
import { longTest } from './long-test.ts'

let at: Visit
/** A set with a video. */
let films = ''

beforeAll(async () => {
  at = await visit()
  const folder = join(mkdtempSync(join(tmpdir(), 'labelling-')), 'Cells')
  for (let cell = 0; cell < 3; cell++)
    write(join(folder, `cell${cell}.png`), encodePng(drawField(cell, 256).image))
  write(join(folder, 'head.nii.gz'), ball(48, 40, 24))
  const client = await clientFor(at.product)
  await uploadFolder(client, folder, { name: 'Cells' })
  if (isLong) films = await makeFilms(client)
  await signIn(at.page, at.product)
})
afterAll(() => at?.end())

test('a set is made of a folder, marked by mouse and keyboard, and nothing is missing after a reload', async () => {
  const { page } = at
  await makeSet(page)
  await page.getByRole('link', { name: /cell0/ }).click()
  await opened(page)
  await page.keyboard.press('b')
  await stroke(page, [-80, -80], [60, -70])
  await page.keyboard.press('e')
  await stroke(page, [0, -100], [0, -40])
  await page.keyboard.press('r')
  await stroke(page, [0, 0], [90, 70])
  await page.keyboard.press('p')
  const { x, y } = await middle(page)
  for (const [dx, dy] of [
    [-120, 30],
    [-40, 30],
    [-60, 110],
  ] as const)
    await page.mouse.click(x + dx, y + dy)
  await page.keyboard.press('Enter')
  // The keyboard alone: the cursor goes to a corner, Space begins and ends a box.
  await page.keyboard.press('r')
  for (let step = 0; step < 3; step++) await page.keyboard.press('Shift+ArrowUp')
  await page.keyboard.press('Space')
  for (let step = 0; step < 2; step++) await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Space')
  await page.getByText('3 things').waitFor()
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+Shift+z')
  await saved(page)
  await expect
    .poll(async () => (await kept(page)).strokes)
    .toEqual(['brush', 'eraser', 'box', 'polygon', 'box', 'undo', 'redo'])

  await page.reload()
  await opened(page)
  await page.getByText('3 things').waitFor()
  // Beyond the reload: the last box goes, then the polygon.
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await page.getByText('1 thing', { exact: true }).waitFor()
  await saved(page)
  await page.getByRole('button', { name: 'Finish', exact: true }).click()
  await page.getByText('Image 2 of 4').waitFor()
  expect(at.errors).toEqual([])
})

test('a tab that dies in the middle of a stroke takes at most a second of it along', async () => {
  const { page } = at
  await opened(page)
  const itemId = idOf(page)
  await page.keyboard.press('b')
  // The line to the server is cut: what is left lies in this browser alone.
  await page.route('**/AI/api/labelling/save', (route) => route.abort())
  const { x, y } = await middle(page)
  await page.mouse.move(x - 100, y)
  await page.mouse.down()
  for (let step = 0; step < 20; step++) {
    await page.mouse.move(x - 100 + step * 10, y)
    // habit: a stroke by hand is slow, and kept piece by piece
    await page.waitForTimeout(100)
  }
  const crashed = page.waitForEvent('crash')
  const dying = await page.context().newCDPSession(page)
  // A page that is gone answers nothing.
  dying.send('Page.crash').catch(() => undefined)
  await crashed
  const next = await page.context().newPage()
  // Whatever becomes of this test, the next one has a page that lives.
  at.page = next
  await page.close()
  await next.goto(`${at.product.url}/labelling?set=${setOf(page)}&item=${itemId}`)
  await opened(next)
  await saved(next)
  await expect
    .poll(async () => (await kept(next, itemId)).tools.filter((tool) => tool === 'brush').length)
    .toBeGreaterThanOrEqual(4)
})

test('a volume is marked in three planes, and the slices between two drawn ones are filled', async () => {
  const { page } = at
  await openItem(page, 'head')
  for (const plane of [0, 1, 2]) await page.locator(`[data-plane="${plane}"]`).waitFor()
  await page.keyboard.press('b')
  await stroke(page, [-20, 0], [20, 0])
  await page.keyboard.press('PageDown')
  for (let slice = 0; slice < 3; slice++) await page.keyboard.press('PageDown')
  await stroke(page, [-20, 0], [20, 0])
  await page.getByRole('button', { name: 'Improve what is drawn' }).click()
  await page.getByRole('menuitem', { name: 'Fill the slices between' }).click()
  await page.getByText('This is a proposal').waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await kept(page)).tools).toContain('between')
})

longTest('a lasso follows a border, and superpixels are taken, by mouse, keyboard and finger', async () => {
  const { page } = at
  await openItem(page, 'cell1')
  const { x, y } = await middle(page)
  await page.keyboard.press('m')
  for (const [dx, dy] of [
    [-60, -60],
    [60, -60],
    [90, 90],
    [0, 60],
  ] as const) {
    await page.mouse.move(x + dx, y + dy, { steps: 4 })
    // habit: two clicks in a row would be a double click
    await page.waitForTimeout(200)
    await page.mouse.click(x + dx, y + dy)
  }
  // One point too many; what is left ends at the first.
  await page.keyboard.press('Backspace')
  await page.mouse.click(x - 60, y - 60)
  await page.getByText('1 thing', { exact: true }).waitFor()
  // Its outline goes round what was pressed, and not straight.
  await expect.poll(() => corners(page)).toBeGreaterThan(6)
  await page.getByText('Pixels', { exact: true }).click()
  // By keyboard alone: three points and Enter.
  await page.locator('[data-plane="2"]').focus()
  for (const step of ['ArrowRight', 'ArrowDown', 'ArrowLeft']) {
    for (let count = 0; count < 2; count++) await page.keyboard.press(`Shift+${step}`)
    await page.keyboard.press('Space')
  }
  await page.keyboard.press('Enter')
  await page.keyboard.press('s')
  await page.getByText('This is a proposal').waitFor()
  await page.keyboard.press('Space')
  await page.mouse.move(x + 40, y + 40)
  await page.getByText('This is a proposal').waitFor()
  await page.mouse.down()
  await page.mouse.move(x + 100, y + 40, { steps: 6 })
  await page.mouse.up()
  await page.keyboard.down('Alt')
  await page.mouse.click(x + 100, y + 40)
  await page.keyboard.up('Alt')
  await saved(page)
  await expect
    .poll(async () => (await kept(page)).tools.filter((tool) => tool === 'wire').length)
    .toBeGreaterThan(1)
  await expect
    .poll(async () => (await kept(page)).tools.filter((tool) => tool === 'superpixels').length)
    .toBeGreaterThanOrEqual(3)
  await page.getByText('1 thing', { exact: true }).waitFor()

  const { touched, errors } = await byFinger(page)
  await touched.getByRole('button', { name: 'Superpixels' }).tap()
  const centre = await middle(touched)
  await touched.touchscreen.tap(centre.x, centre.y)
  await touched.getByText('This is a proposal').waitFor()
  await touched.touchscreen.tap(centre.x, centre.y)
  await touched.getByRole('button', { name: 'Magnetic lasso' }).tap()
  for (const [dx, dy] of [
    [-60, -60],
    [60, -60],
    [40, 80],
    [-60, -60],
  ] as const) {
    await touched.touchscreen.tap(centre.x + dx, centre.y + dy)
    // habit: two clicks in a row would be a double click
    await touched.waitForTimeout(200)
  }
  await saved(touched)
  await expect.poll(async () => (await kept(touched)).tools).toContain('wire')
  await expect.poll(async () => (await kept(touched)).tools).toContain('superpixels')
  await touched.context().close()
  expect(errors).toEqual([])
})

longTest('an earlier minute is looked at before it is restored', async () => {
  const { page } = at
  await openItem(page, 'cell1')
  await page.getByText('1 thing', { exact: true }).waitFor()
  await minuteAfter(page)
  await page.keyboard.press('v')
  await page.getByRole('button', { name: /^Remove Cell/ }).click()
  await page.getByText('0 things').waitFor()
  await saved(page)
  await page.getByText('History', { exact: true }).click()
  await page.getByRole('button', { name: 'Look', exact: true }).last().click()
  await page.getByText('Nothing is changed yet').waitFor()
  // While one looks, nothing is drawn.
  expect(await page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: 'Look', exact: true }).last().click()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect.poll(async () => (await kept(page)).tools.at(-1)).toBe('restore')
})

longTest('a video is marked frame by frame, and a thing is taken along', async () => {
  const { page } = at
  await page.goto(`${at.product.url}/labelling?set=${films}`)
  await page.getByRole('link', { name: /film/ }).click()
  await opened(page)
  await page.getByText(/^1 \/ \d\d/).waitFor()
  await page.keyboard.press('r')
  await stroke(page, [-200, -60], [-120, 60])
  for (let frame = 0; frame < 10; frame++) await page.getByRole('button', { name: 'Next frame' }).click()
  await page.getByText(/^11 \/ /).waitFor()
  await page.keyboard.press('d')
  await page.getByText('2 things').waitFor()
  await page.getByRole('button', { name: 'Improve what is drawn' }).click()
  await page.getByRole('menuitem', { name: 'Fill the frames between' }).click()
  await page.getByText('This is a proposal').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('11 things').waitFor()
  // Pixels go along to the next frame.
  await page.keyboard.press('b')
  await stroke(page, [0, 0], [60, 0])
  await page.keyboard.press('PageDown')
  await page.getByRole('button', { name: 'Improve what is drawn' }).click()
  await page.getByRole('menuitem', { name: 'Copy from the slice or frame before' }).click()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Play' }).click()
  await page.getByText(/^(1[5-9]|[2-9]\d) \/ /).waitFor()
  await saved(page)
  await expect
    .poll(async () => new Set((await kept(page)).tools))
    .toEqual(new Set(['box', 'continue', 'between', 'brush', 'copy']))
})

async function makeFilms(client: Client): Promise<string> {
  const folder = join(mkdtempSync(join(tmpdir(), 'labelling-')), 'Films')
  write(join(folder, 'film.webm'), await film(at.page))
  const { folderId } = await uploadFolder(client, folder, { name: 'Films' })
  const classes = ['Ball', 'Other'].map((name, index) => ({
    ...{ id: `c${index}`, name, description: '', key: index + 1, use: 'class' as const, skeleton: null },
    colour: index === 0 ? '#e6194b' : '#3cb44b',
  }))
  const { id } = await client.call('labelling/create', {
    ...{ name: 'Films', description: 'The ball', folderId, marks: ['boxes', 'pixels'], classes },
    ...{ oneTag: false, blind: true },
  })
  return id
}

/** A ball that moves, recorded by the browser itself. */
async function film(page: Page): Promise<Buffer> {
  const bytes = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 240 })
    const context = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm;codecs=vp8' })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const end = new Promise((resolve) => {
      recorder.onstop = resolve
    })
    recorder.start()
    for (let frame = 0; frame < 90 && context; frame++) {
      context.fillStyle = 'black'
      context.fillRect(0, 0, 320, 240)
      context.fillStyle = 'white'
      context.fillRect(40 + 2 * frame, 80, 60, 60)
      await new Promise(requestAnimationFrame)
      await new Promise(requestAnimationFrame)
    }
    recorder.stop()
    await end
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())]
  })
  return Buffer.from(bytes)
}

/** Another device of the same reader, with the next image before it. */
async function byFinger(page: Page) {
  const browser = page.context().browser()
  if (!browser) throw new Error('no browser')
  const { page: touched, errors } = await open(browser, {
    ...{ width: 820, height: 1100, hasTouch: true },
    storageState: await page.context().storageState(),
  })
  await touched.goto(`${at.product.url}/labelling?set=${setOf(page)}`)
  await touched.getByRole('link', { name: /cell2/ }).tap()
  await opened(touched)
  return { touched, errors }
}

async function openItem(page: Page, name: string) {
  await page.goto(`${at.product.url}/labelling?set=${setOf(page)}`)
  await page.getByRole('link', { name: new RegExp(name) }).click()
  await opened(page)
}

async function makeSet(page: Page) {
  await page.goto(`${at.product.url}/labelling`)
  await page.getByRole('button', { name: 'New set' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Cells of the lab')
  await page.getByLabel('What is to be marked, for those who do it').fill('Every cell')
  await page.getByRole('button', { name: 'Choose a folder' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Cells/ })
    .click()
  await page.getByRole('button', { name: 'Use this folder' }).click()
  for (const mark of ['Boxes', 'Polygons']) await page.getByRole('checkbox', { name: mark }).check()
  await page.getByLabel('Name of class 1').fill('Cell')
  await page.getByRole('button', { name: 'Create the set' }).click()
  await page.getByText('At least two labels are needed').waitFor()
  await page.getByRole('button', { name: 'Add “Background”' }).click()
  await page.getByRole('button', { name: 'Create the set' }).click()
}

const opened = async (page: Page) => {
  await page.locator('[data-plane="2"] canvas').first().waitFor()
  // habit: software graphics draw a last time after they are there
  await page.waitForTimeout(300)
}
const saved = (page: Page) => page.getByRole('status').getByText('All saved').waitFor()
const idOf = (page: Page): string => new URL(page.url()).searchParams.get('item') ?? ''
const setOf = (page: Page): string => new URL(page.url()).searchParams.get('set') ?? ''

async function middle(page: Page) {
  const box = await page.locator('[data-plane="2"]').boundingBox()
  if (!box) throw new Error('no plane')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

async function stroke(page: Page, from: readonly [number, number], to: readonly [number, number]) {
  const { x, y } = await middle(page)
  await page.mouse.move(x + from[0], y + from[1])
  await page.mouse.down()
  await page.mouse.move(x + to[0], y + to[1], { steps: 8 })
  await page.mouse.up()
}

/** The journal as the server has it, asked in the page's own session. */
async function kept(page: Page, itemId = idOf(page)) {
  const steps = await stepsOf(page, itemId)
  // On a busy machine a stroke comes in several pieces.
  const strokes = new Map(steps.map(({ stroke, tool }) => [stroke, tool]))
  return { tools: steps.map(({ tool }) => tool), strokes: [...strokes.values()] }
}

/** What was drawn so far lies in an earlier minute than what comes: the history knows minutes, not seconds. */
async function minuteAfter(page: Page) {
  const last = (await stepsOf(page, idOf(page))).at(-1)?.madeAt ?? 0
  const minute = 60_000
  // A second more: steps are kept a moment after they are made.
  const begin = (Math.floor((last + 1000) / minute) + 1) * minute
  // habit: minutes of the clock, in the long run alone
  await page.waitForTimeout(Math.max(0, begin - Date.now()))
}

/** Of the outline that was made last. */
async function corners(page: Page): Promise<number> {
  await saved(page)
  const shapes = (await stepsOf(page, idOf(page))).flatMap(({ deed }) =>
    deed.do === 'thing' && deed.after?.shape.kind === 'outline' ? [deed.after.shape] : [],
  )
  return (shapes.at(-1)?.rings[0]?.length ?? 0) / 2
}

const stepsOf = async (page: Page, itemId: string) => (await askIn(page, 'labelling/open', { itemId })).steps

/** A bright ball in the middle of a dark body, as NIfTI-1 of 16 bits. */
function ball(width: number, height: number, depth: number): Buffer {
  const head = Buffer.alloc(352)
  head.writeInt32LE(348, 0)
  for (const [index, value] of [3, width, height, depth, 1, 1, 1, 1].entries())
    head.writeInt16LE(value, 40 + 2 * index)
  head.writeInt16LE(4, 70)
  head.writeInt16LE(16, 72)
  for (const [index, value] of [1, 1, 1, 2].entries()) head.writeFloatLE(value, 76 + 4 * index)
  head.writeFloatLE(352, 108)
  head.writeFloatLE(1, 112)
  head.write('n+1\0', 344, 'latin1')
  const values = new Int16Array(width * height * depth)
  for (let index = 0; index < values.length; index++) {
    const [x, y, z] = [index % width, Math.floor(index / width) % height, Math.floor(index / width / height)]
    const away = Math.hypot(x - width / 2, y - height / 2, 2 * (z - depth / 2))
    values[index] = away < 15 ? 800 : 40 + (index % 7)
  }
  return gzipSync(Buffer.concat([head, Buffer.from(values.buffer)]))
}
