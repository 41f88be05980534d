/** The front page's demonstration: a real network, in the visitor's browser, fetched only when asked for. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { untilQuiet, type Visit, visit } from './browser.ts'

let scene: Visit

beforeAll(async () => {
  scene = await visit()
})

afterAll(() => scene?.end())

test('outlines cells in the browser, pressed before the page has its scripts, and nothing of the network is fetched before', async () => {
  const { page, product, errors } = scene
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname))
  const ofNetwork = () => fetched.filter((path) => /\.(wasm|onnx)$/.test(path))
  await untilQuiet(page, () => page.goto(product.url))
  expect(ofNetwork()).toEqual([])
  // On a slow line the page is there long before what moves it.
  let isPressed = () => {}
  const pressed = new Promise<void>((resolve) => (isPressed = resolve))
  await page.route(/\/assets\/index-[^/]*\.js$/, async (route) => {
    await pressed
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Try it' }).click()
  expect(ofNetwork()).toEqual([])
  isPressed()
  const found = page.getByText(/cells found in/)
  await found.first().waitFor()
  const before = await cells()
  await page.getByRole('button', { name: 'Add a cell' }).click()
  await expect.poll(cells, { timeout: 90_000 }).not.toBe(before)
  expect(ofNetwork().length).toBeGreaterThanOrEqual(2)
  expect(errors).toEqual([])

  async function cells(): Promise<string> {
    return /\d+/.exec((await found.first().textContent()) ?? '')?.[0] ?? ''
  }
})
