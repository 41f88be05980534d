/** The picture that the front page's demonstration shows before it is tried: its own canvas, as the network outlined it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { open } from '../browser.ts'
import { type Product, root } from '../stack.ts'

const file = join(root, 'web/src/features/demo/model/poster.webp')

export async function takePoster(browser: Browser, product: Product): Promise<void> {
  const { page } = await open(browser)
  // The same picture each time.
  await page.addInitScript(() => {
    Math.random = () => 0.6180339887
  })
  await page.goto(product.url)
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByText(/cells found in/).waitFor()
  const address = await page
    .getByRole('img', { name: /^Microscope image/ })
    .evaluate((canvas) => (canvas instanceof HTMLCanvasElement ? canvas.toDataURL('image/webp', 0.8) : ''))
  const bytes = Buffer.from(address.split(',')[1] ?? '', 'base64')
  if (bytes.length === 0) throw new Error('the demonstration has no canvas')
  writeFileSync(file, bytes)
  process.stdout.write(`${file}: ${Math.round(bytes.length / 1000)} kB\n`)
  await page.context().close()
}
