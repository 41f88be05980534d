/** Pictures of every page for people to look at: three languages, on a desk and on a phone, light or dark. Nothing is compared. */
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import {
  entrances,
  officePages,
  pagesOfNothing,
  samplePages,
  sitePages,
  workspacePages,
} from '../addresses.ts'
import { open, signIn } from '../browser.ts'
import { type Login, type Product, root } from '../stack.ts'
import { inLanguage, languages, switchLanguage, takeWhole } from './take.ts'
import type { Language } from './words.ts'

const folder = join(root, '.cache/pictures')
const widths = [
  { width: 1280, height: 800 },
  { width: 375, height: 812 },
]

type Look = 'light' | 'dark'

export async function takeCheckPictures(browser: Browser, product: Product, look: Look): Promise<void> {
  for (const size of widths) {
    for (const language of languages) {
      const { page, errors } = await open(browser, { ...size, language, colorScheme: look })
      const camera = { page, product, language, look, width: size.width }
      for (const path of sitePages) await take(camera, inLanguage(path, language))
      for (const path of entrances) await take(camera, path)
      await page.context().close()
      const given = { product, language, look, size }
      const pages = [...workspacePages, ...pagesOfNothing]
      await takeInside(browser, product.member, { ...given, pages, hasSamples: true })
      await takeInside(browser, product.administrator, { ...given, pages: officePages, hasSamples: false })
      for (const error of errors) process.stdout.write(`${language} ${size.width}: ${error}\n`)
    }
  }
}

type Camera = { page: Page; product: Product; language: Language; look: Look; width: number }
type Inside = {
  product: Product
  language: Language
  look: Look
  size: { width: number; height: number }
  pages: string[]
  hasSamples: boolean
}

async function takeInside(
  browser: Browser,
  login: Login | null,
  { product, language, look, size, pages, hasSamples }: Inside,
): Promise<void> {
  const { page, errors } = await open(browser, { ...size, colorScheme: look })
  await signIn(page, product, login)
  await switchLanguage(page, language)
  const camera = { page, product, language, look, width: size.width }
  for (const path of [...pages, ...(hasSamples ? await linkedPages(page) : [])]) await take(camera, path)
  for (const error of errors) process.stdout.write(`${language} ${size.width}: ${error}\n`)
  await page.context().close()
}

async function linkedPages(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const { list, link, as = link } of samplePages) {
    await page.goto(new URL(list, page.url()).toString())
    const first = page.getByRole('main').locator(`a[href^="${link}"]`).first()
    found.push(((await first.getAttribute('href')) ?? link).replace(link, as))
  }
  return found
}

async function take(camera: Camera, path: string): Promise<void> {
  const { page, product } = camera
  await page.goto(`${product.url}${path}`)
  await page
    .getByRole('heading')
    .first()
    .waitFor({ timeout: 10_000 })
    .catch(() => process.stdout.write(`${path} has no heading\n`))
  await takeWhole(page, fileOf(camera, path))
}

/** `.cache/pictures/light/1280/zh/about.png`, `…/dripe-one.png` for one network. */
function fileOf({ language, look, width }: Camera, path: string): string {
  const plain = path.replace(/^\/(zh|ru)(?=\/|$)/, '').replace(/\bid=.*/, 'one')
  const name = plain.replace(/^\/|\/$/g, '').replace(/[^\w]+/g, '-') || 'home'
  return join(folder, look, String(width), language, `${name}.png`)
}
