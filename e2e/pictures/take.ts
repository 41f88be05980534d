/** Turns what a page shows into a file. Knows no page. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { root } from '../stack.ts'
import type { Language } from './words.ts'

export const languages = ['en', 'zh', 'ru'] as const satisfies Language[]

/** The public pages carry several of them. */
const MAX_BYTES = 80_000
const QUALITIES = [82, 74, 64, 54, 44]

/** The window as webp, as good as the limit allows. */
export async function takeWebp(page: Page, path: string): Promise<void> {
  await settle(page)
  const session = await page.context().newCDPSession(page)
  for (const quality of QUALITIES) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
    const bytes = Buffer.from(data, 'base64')
    if (bytes.length > MAX_BYTES) continue
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
    process.stdout.write(`${path}: ${Math.round(bytes.length / 1000)} kB\n`)
    await session.detach()
    return
  }
  throw new Error(`${path} stays above ${MAX_BYTES} bytes`)
}

/** Where a picture of the public site lies. */
export const pathOf = (language: Language, name: string): string =>
  join(root, 'web/public/pictures', language, `${name}.webp`)

/** The whole page, however long. */
export async function takeWhole(page: Page, path: string): Promise<void> {
  // Pictures further down would be loaded only by scrolling there.
  await page.evaluate(() => {
    for (const image of document.images) image.loading = 'eager'
  })
  await settle(page)
  mkdirSync(dirname(path), { recursive: true })
  await page.screenshot({ path, fullPage: true, animations: 'disabled' })
}

/** Fonts and pictures there, nothing under way, no caret and no hovered control. */
export async function settle(page: Page): Promise<void> {
  await page.mouse.move(0, 0)
  await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined)
  await page.evaluate(async () => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    await document.fonts.ready
    const shown = [...document.images].filter((image) => image.loading !== 'lazy')
    await Promise.all(shown.map((image) => image.decode().catch(() => undefined)))
  })
  // Drawers and charts move for a moment after they were opened.
  await page.waitForTimeout(600)
}

/** For pages inside; public pages have the language in their address. */
export async function switchLanguage(page: Page, language: Language): Promise<void> {
  await page.evaluate((chosen) => sessionStorage.setItem('theLanguage', chosen), language)
  await page.reload()
  await page.getByRole('heading').first().waitFor()
}

/** An address in a language, from its top. */
export async function show(page: Page, address: string, language: Language): Promise<void> {
  await page.goto(address)
  await switchLanguage(page, language)
  await settle(page)
  await page.evaluate(() => window.scrollTo(0, 0))
}

/** `/about` in Chinese is `/zh/about`. */
export const inLanguage = (path: string, language: Language): string => {
  if (language === 'en') return path
  return path === '/' ? `/${language}` : `/${language}${path}`
}
