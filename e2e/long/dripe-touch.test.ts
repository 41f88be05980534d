/** The network editor under fingers, on a phone and on a tablet: real touch events, as the browser gets them from a screen. */
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch, open, signIn } from '../browser.ts'
import { type Product, removeData, startProduct } from '../stack.ts'

type Point = [number, number]

let product: Product
let page: Page
let errors: string[]
let screen: CDPSession
let end: () => Promise<void>

beforeAll(async () => {
  product = await startProduct()
  const browser = await launch()
  ;({ page, errors } = await open(browser, { width: 375, height: 812, hasTouch: true }))
  end = async () => {
    await browser.close()
    await product.stop()
    await removeData(product.dataDir)
  }
  screen = await page.context().newCDPSession(page)
  await signIn(page, product)
  await page.goto(`${product.url}/dripe`)
  await page.getByRole('button', { name: /^Empty canvas/ }).tap()
  await page.getByLabel('Name', { exact: true }).fill('Drawn by hand')
  await page.getByRole('button', { name: 'Create and draw' }).tap()
  await card('@image').waitFor()
})

afterAll(() => end?.())

describe.each([
  ['phone', 375, 812],
  ['tablet', 820, 1180],
])('on a %s', (_name, width, height) => {
  test('layers are carried from the list to the canvas', async () => {
    await page.setViewportSize({ width, height })
    await clear()
    await carry('Double convolution', [width / 2, height * 0.35])
    await card('double_conv').waitFor()
    await carry('Max pooling', [width / 2, height * 0.6])
    await card('maxpool').waitFor()
  })

  test('two taps connect, and a drag does', async () => {
    await seeAll()
    await tap(await port('@image', 'bottom'))
    await page.getByText(/^Now tap a highlighted dot/).waitFor()
    await tap(await port('double_conv', 'top'))
    await shows('double_conv', /^Double convolution double_conv, 64×256×256/)
    await drag([await port('double_conv', 'bottom')], [await port('maxpool', 'top')])
    await shows('maxpool', /64×128×128/)
  })

  test('one finger moves a card, two move and zoom the view, also on cards', async () => {
    await seeAll()
    const [x, y] = await middle('maxpool')
    await drag([[x, y]], [[x + 48, y + 40]])
    await expect.poll(async () => (await middle('maxpool'))[0]).toBeGreaterThan(x + 30)
    await seeAll()
    const before = await view()
    const [cx, cy] = await middle('double_conv')
    await drag(
      [
        [cx - 20, cy],
        [cx + 20, cy],
      ],
      [
        [cx - 60, cy + 50],
        [cx + 60, cy + 50],
      ],
    )
    await expect.poll(async () => (await view()).zoom).toBeGreaterThan(before.zoom * 1.5)
    // The card stays under the fingers, and where it stood on the canvas.
    const after = await middle('double_conv')
    expect(Math.hypot(after[0] - cx, after[1] - cy - 50)).toBeLessThan(6)
    await seeAll()
    expect(Math.hypot(...minus(await middle('double_conv'), [cx, cy]))).toBeLessThan(6)
  })

  test('a held finger opens the menu, and chooses further cards', async () => {
    await hold(await wire('maxpool|0'))
    await page.getByRole('menuitem', { name: 'Cut this connection' }).tap()
    await expect.poll(() => page.locator('.react-flow__edge').count()).toBe(1)
    await tap(await middle('double_conv'))
    await hold(await middle('maxpool'))
    await expect.poll(() => page.locator('.react-flow__node.selected').count()).toBe(2)
    await hold(await middle('maxpool'))
    const remove = page.getByRole('menuitem', { name: 'Delete', exact: true })
    await remove.waitFor()
    const box = await remove.boundingBox()
    expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height)
    await remove.tap()
    await card('maxpool').waitFor({ state: 'detached' })
    await hold([width - 24, height * 0.3])
    await page.getByRole('menuitem', { name: 'Insert a layer here' }).tap()
    await page.getByRole('option', { name: /^Depthwise convolution/ }).tap()
    await card('dwconv').waitFor()
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
const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1]]

async function clear() {
  await page.getByRole('button', { name: 'Show everything' }).tap()
  for (const path of ['dwconv', 'maxpool', 'double_conv']) {
    if ((await card(path).count()) === 0) continue
    await tap(await middle(path))
    await page.getByRole('button', { name: /Delete$/ }).tap()
    await card(path).waitFor({ state: 'detached' })
  }
}

/** Held first: who swipes, scrolls the list. */
async function carry(title: string, to: Point) {
  await page.getByRole('button', { name: /Layers$/ }).tap()
  await page.getByRole('searchbox', { name: 'Search layers and blocks' }).fill(title)
  const list = page.getByRole('complementary', { name: 'Layers' })
  // What is found stands without groups.
  await list.locator('summary').first().waitFor({ state: 'detached' })
  const entry = list.getByRole('button', { name: title, exact: true })
  const from = await middleOf(entry)
  await touch('touchStart', [from])
  await page.locator('[data-carried]').waitFor({ state: 'attached' })
  await move([from], [to])
  await touch('touchEnd', [])
  await list.waitFor({ state: 'detached' })
}

async function hold(at: Point) {
  const before = await held()
  await touch('touchStart', [at])
  await expect.poll(held).not.toBe(before)
  await touch('touchEnd', [])
}

/** What a held finger changes: a menu, or what is chosen. */
const held = async () => {
  const [menus, chosen] = await Promise.all(
    ['.ant-dropdown:not(.ant-dropdown-hidden)', '.react-flow__node.selected'].map((one) =>
      page.locator(one).count(),
    ),
  )
  return `${menus} ${chosen}`
}

async function tap(at: Point) {
  await touch('touchStart', [at])
  await touch('touchEnd', [])
}

async function drag(from: Point[], to: Point[]) {
  await touch('touchStart', from)
  await move(from, to)
  await touch('touchEnd', [])
}

async function move(from: Point[], to: Point[]) {
  const steps = 8
  for (let step = 1; step <= steps; step += 1) {
    const at = from.map(([x, y], k): Point => {
      const [dx, dy] = minus(to[k] ?? [x, y], [x, y])
      return [x + (dx * step) / steps, y + (dy * step) / steps]
    })
    await touch('touchMove', at)
  }
}

const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: Point[]) =>
  screen.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) })

/** The middle of a connection. */
const wire = (id: string) =>
  page
    .locator(`[data-wire="${id}"] path`)
    .first()
    .evaluate((path): Point => {
      if (!(path instanceof SVGPathElement)) throw new Error('no connection')
      const { x, y } = path
        .getPointAtLength(path.getTotalLength() / 2)
        .matrixTransform(path.getScreenCTM() ?? new DOMMatrix())
      return [x, y]
    })

const port = (path: string, side: 'top' | 'bottom') =>
  middleOf(card(path).locator(`.react-flow__handle-${side}`).first())
const middle = (path: string) => middleOf(card(path))

async function middleOf(thing: ReturnType<typeof card>): Promise<Point> {
  const box = await thing.boundingBox()
  if (!box) throw new Error(`nothing to touch: ${thing}`)
  return [box.x + box.width / 2, box.y + box.height / 2]
}

async function view(): Promise<{ style: string; zoom: number }> {
  const style = (await page.locator('.react-flow__viewport').getAttribute('style')) ?? ''
  return { style, zoom: Number(/scale\(([\d.]+)\)/.exec(style)?.[1]) }
}

/** While the view moves nothing can be aimed at. */
async function seeAll() {
  await page.getByRole('button', { name: 'Show everything' }).tap()
  let before = ''
  await expect
    .poll(async () => {
      const { style } = await view()
      const isStill = style === before
      before = style
      return isStill
    })
    .toBe(true)
}
