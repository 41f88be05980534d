/** The network editor as people use it: a U-Net by mouse, one by keyboard alone, mistakes repaired by a click, training. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signIn, visit } from './browser.ts'
import { longTest, longTests } from './long-test.ts'
import { type Product, takesLong } from './stack.ts'

let product: Product
let page: Page
let errors: string[]
let end: () => Promise<void>

beforeAll(async () => {
  ;({ product, page, errors, end } = await visit())
  await signIn(page, product)
})

afterAll(() => end?.())

describe('a network drawn with the mouse', () => {
  test('begins as an empty canvas', async () => {
    await page.goto(`${product.url}/dripe`)
    await page.getByRole('button', { name: /^Empty canvas/ }).click()
    await page.getByLabel('Name', { exact: true }).fill('Drawn by mouse')
    for (const side of ['Height', 'Width']) await page.getByLabel(side, { exact: true }).fill('64')
    await page.getByRole('button', { name: 'Create and draw' }).click()
    await shows('@image', /^Input image, 1×64×64$/)
    await shows('heads.main', /1 mistake/)
  })

  test('becomes a U-Net by dropping, setting and connecting', async () => {
    await drop('Double convolution', [0.2, 0.6])
    await set('Output channels', '4')
    await draw('@image', 'double_conv', 0)
    await put('Max pooling')
    await put('Double convolution')
    await set('Output channels', '8')
    await put('Transposed convolution')
    await set('Output channels', '4')
    await drop('Concatenate', [0.15, 0.6])
    await draw('double_conv', 'concat', 0)
    await draw('deconv', 'concat', 1)
    await choose('concat')
    await put('Double convolution')
    await set('Output channels', '4')
    await put('Convolution')
    await set('Output channels', '=classes')
    await set('Filter size', '1')
    await draw('conv', 'heads.main', 0)
    await shows('concat', /8×64×64/)
    await shows('conv', /^Convolution conv, 2×64×64$/)
    await shows('heads.main', /^Segmentation main$/)
  })

  test.each([
    ['maxpool', 'Filter size', '3', /cannot be joined/, /^Bring the image to 64×64/],
    ['conv', 'Groups', '3', /equal groups/, /^Set “Groups” to/],
    [
      'conv',
      'Filter size',
      '4',
      /The result is .*63×63/,
      /^Bring the result to the size of the image: 64×64/,
    ],
  ])(
    'a mistake at %s in “%s” is told in words, and one click repairs it',
    async (path, label, value, told, fix) => {
      await choose(path)
      await set(label, value)
      await tab('Problems')
      const list = page.getByRole('tabpanel')
      await list.getByText(told).first().waitFor()
      await list.getByRole('button', { name: fix }).first().click()
      await list.getByText('No problems').waitFor()
      await tab('Settings')
    },
  )

  test('a layer dropped beside a connection splits it, and lies over nothing', async () => {
    const line = page.locator('[data-wire="double_conv2|0"] path').first()
    await seeAll()
    const [x, y] = await line.evaluate((path: SVGPathElement): [number, number] => {
      const point = path.getPointAtLength(path.getTotalLength() / 2)
      const { x, y } = point.matrixTransform(path.getScreenCTM() ?? new DOMMatrix())
      return [x, y]
    })
    const canvas = page.locator('.react-flow__pane')
    const box = await canvas.boundingBox()
    const targetPosition = { x: x - (box?.x ?? 0) + 18, y: y - (box?.y ?? 0) }
    await (await entry('ReLU')).dragTo(canvas, { targetPosition, force: true })
    await shows('relu', /^ReLU relu, 4×21×21$/)
    await page.keyboard.press('Control+z')
    await card('relu').waitFor({ state: 'detached' })
  })

  longTest(
    'a part that the line does not bring is told in its place, and comes at the second try',
    async () => {
      const other = await page.context().newPage()
      const part = /\/assets\/cost-tab-/
      await other.route(part, (route) => route.abort())
      await other.goto(page.url())
      await other.locator('.react-flow__node[data-id="concat"]').waitFor()
      await other.getByRole('tab', { name: 'Cost' }).click()
      await other.getByRole('alert').getByText('could not be fetched').waitFor()
      await other.locator('.react-flow__node[data-id="concat"]').click({ position: { x: 30, y: 14 } })
      await other.unroute(part)
      await other.getByRole('button', { name: 'Try again' }).click()
      await other.getByRole('tabpanel').getByText('Parameters').first().waitFor()
      await other.close()
    },
  )

  longTest('every part is asked for once', async () => {
    const other = await page.context().newPage()
    const asked: string[] = []
    other.on('request', (request) => asked.push(request.url()))
    await other.goto(page.url())
    await other.locator('.react-flow__node[data-id="concat"]').waitFor()
    await other.getByRole('tab', { name: 'Settings' }).waitFor()
    const parts = asked.filter((url) => /\/assets\/.*\.(js|css)$/.test(url))
    expect(parts.length).toBeGreaterThan(20)
    expect(parts.filter((url, index) => parts.indexOf(url) < index)).toEqual([])
    await other.close()
  })

  longTest('texts and parts come although the line breaks between their fetch and their import', async () => {
    const other = await page.context().newPage()
    // As in a browser that imports nothing of what was preloaded: it asks a second time.
    await other.addInitScript(() => {
      const { append } = Element.prototype
      Element.prototype.append = function (...nodes) {
        for (const node of nodes)
          if (node instanceof HTMLLinkElement && node.as === 'script') node.as = 'fetch'
        append.apply(this, nodes)
      }
    })
    const asked = new Map<string, number>()
    await other.route(/\/assets\/dripe-[\w-]{8}\.js$/, (route) => {
      const times = (asked.get(route.request().url()) ?? 0) + 1
      asked.set(route.request().url(), times)
      return times === 2 ? route.abort() : route.continue()
    })
    await other.goto(page.url())
    await other.locator('.react-flow__node[data-id="concat"]').waitFor()
    await other.getByRole('tab', { name: 'Settings' }).waitFor()
    expect([...asked.values()].filter((times) => times === 2).length).toBeGreaterThan(0)
    await other.close()
  })

  test('is trained without leaving the editor', takesLong, async () => {
    await tab('Train')
    const panel = page.getByRole('tabpanel')
    await pick('Project', /^Outline cells/)
    await pick('Data set', /^Sample cells/)
    await panel.getByText('2 classes · grey').waitFor()
    await panel.getByRole('button', { name: /^Train \d+ epochs$/ }).click()
    await panel.getByText(/epoch ([2-9]|\d\d+) of/).waitFor({ timeout: 180_000 })
    expect(new URL(page.url()).pathname).toBe('/dripe')
    // From the first look at the validation part on there is something to keep.
    await panel.getByText(/^Dice /).waitFor({ timeout: 180_000 })
    await panel.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByRole('button', { name: 'Stop now' }).click()
    await panel.getByText('Stopped', { exact: true }).waitFor()
  })

  test('shows what an image becomes in its layers, with what was learned', async () => {
    await tab('Inspect')
    await pick('Weights', /^Training 1/)
    await page.getByRole('button', { name: 'Inspect', exact: true }).click()
    await page.getByText('What the network was given').waitFor()
    await choose('double_conv')
    await page.getByText(/^4 of 4 maps/).waitFor()
  })

  test('is found as it was left, by another visit', async () => {
    await page.goto(`${product.url}/dripe`)
    await page.getByRole('link', { name: /^Drawn by mouse/ }).click()
    await shows('heads.main', /^Segmentation main$/)
    await shows('concat', /8×64×64/)
  })
})

longTests('a network drawn by keyboard alone', () => {
  test('begins as an empty canvas', async () => {
    await page.goto(`${product.url}/dripe`)
    await page.getByRole('button', { name: /^Empty canvas/ }).waitFor()
    await tabTo(/^Empty canvas/)
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('empty-name')
    await page.keyboard.type('Drawn by keys')
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page), { timeout: 90_000 }).toMatch(/^Input image/)
  })

  test('becomes a U-Net', async () => {
    await insert('double convolution', 'double_conv')
    await type('Output channels', '4')
    await insert('max pooling', 'maxpool')
    await insert('double convolution', 'double_conv2')
    await type('Output channels', '8')
    await insert('transposed convolution', 'deconv')
    await type('Output channels', '4')
    await insert('concatenate', 'concat')
    await insert('double convolution', 'double_conv3')
    await type('Output channels', '4')
    await insert('convolution', 'conv')
    await type('Output channels', '=classes')
    for (let step = 0; step < 6; step += 1) await page.keyboard.press('ArrowUp')
    await expect.poll(() => focused(page)).toMatch(/^Double convolution double_conv,/)
    await connect(/^Target concat: Input 2/)
    await page.keyboard.press('f')
    await shows('concat', /8×256×256/)
    for (let step = 0; step < 6; step += 1) await page.keyboard.press('ArrowDown')
    await expect.poll(() => focused(page)).toMatch(/^Convolution conv, 2×256×256/)
    await connect(/^Target heads.main/)
    await shows('heads.main', /^Segmentation main$/)
  })

  test('undo and redo reach every step', async () => {
    await page.keyboard.press('Control+z')
    await shows('heads.main', /1 mistake/)
    await page.keyboard.press('Control+Shift+Z')
    await shows('heads.main', /^Segmentation main$/)
  })

  test('a dialog takes what is typed at once, and gives the keyboard back', async () => {
    await page.keyboard.press('F2')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
    await page.keyboard.type('классы')
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toMatch(/^Convolution классы/)
  })

  test('is saved by itself', async () => {
    await page.getByText('Saved', { exact: true }).waitFor()
  })
})

test('the browser reported no error on the way', () => {
  expect(errors).toEqual([])
})

const card = (path: string) => page.locator(`.react-flow__node[data-id="${path}"]`)
const shows = (path: string, words: RegExp) =>
  expect
    .poll(() => card(path).locator('[aria-label]').first().getAttribute('aria-label'), { timeout: 90_000 })
    .toMatch(words)
const choose = (path: string) => card(path).click({ position: { x: 30, y: 14 } })
const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) }).click()
const field = (label: string) => page.getByRole('tabpanel').getByLabel(label, { exact: true })

async function entry(title: string) {
  await page.getByRole('searchbox', { name: 'Search layers and blocks' }).fill(title)
  return page.getByRole('complementary', { name: 'Layers' }).getByRole('button', { name: title, exact: true })
}

/** Behind what is chosen. */
async function put(title: string) {
  await (await entry(title)).click()
}

/** To a place of the canvas, in shares of its width and height. */
async function drop(title: string, [x, y]: [number, number]) {
  await seeAll()
  const canvas = page.locator('.react-flow__pane')
  const box = await canvas.boundingBox()
  if (!box) throw new Error('no canvas')
  await (await entry(title)).dragTo(canvas, { targetPosition: { x: box.width * x, y: box.height * y } })
}

async function draw(source: string, target: string, slot: number) {
  await seeAll()
  const from = await card(source).locator('.react-flow__handle.source').first().boundingBox()
  const to = await card(target).locator('.react-flow__handle.target').nth(slot).boundingBox()
  if (!from || !to) throw new Error(`no port at ${source} or ${target}`)
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 })
  await page.mouse.up()
}

/** Cards out of view are not drawn, and while the view moves nothing can be aimed at. */
async function seeAll() {
  await page.getByRole('button', { name: 'Show everything' }).click()
  const view = page.locator('.react-flow__viewport')
  let before = ''
  await expect
    .poll(async () => {
      const now = (await view.getAttribute('style')) ?? ''
      const isStill = now === before
      before = now
      return isStill
    })
    .toBe(true)
}

async function set(label: string, value: string) {
  await field(label).fill(value)
  await field(label).press('Tab')
}

async function pick(label: string, option: RegExp) {
  await field(label).click()
  await page.locator('.ant-select-item-option:visible').filter({ hasText: option }).last().click()
}

/** The name of what has the focus, or its id. */
const focused = (of: Page) =>
  of.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id ?? '')

async function tabTo(text: RegExp) {
  for (let step = 0; step < 60; step += 1) {
    const found = await page.evaluate(() => document.activeElement?.textContent ?? '')
    if (text.test(found)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the Tab key does not reach ${text}`)
}

async function insert(words: string, id: string) {
  await page.keyboard.press('/')
  await expect.poll(() => focused(page)).toBe('Search layers and blocks')
  await page.keyboard.type(words)
  // On a busy machine the names of the layers come after the letters; nobody presses Enter before one is marked.
  await page.getByRole('dialog').getByRole('option', { selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toMatch(new RegExp(` ${id}(,|$)`))
}

/** Into the first field of the settings, and back to the canvas. */
async function type(label: string, value: string) {
  await page.keyboard.press('Enter')
  await expect.poll(() => field(label).evaluate((input) => input === document.activeElement)).toBe(true)
  await page.keyboard.type(value)
  await page.keyboard.press('Escape')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('[data-canvas]') !== null))
    .toBe(true)
}

async function connect(target: RegExp) {
  const told = page.locator('[aria-live]').first()
  await page.keyboard.press('c')
  for (let step = 0; step < 12 && !target.test(await told.innerText()); step += 1) {
    const before = await told.innerText()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => told.innerText()).not.toBe(before)
  }
  expect(await told.innerText()).toMatch(target)
  await page.keyboard.press('Enter')
}
