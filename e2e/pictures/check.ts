/** Pictures of every page for people to look at: three languages, on a desk and on a phone. Nothing is compared. */
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { open, signIn } from '../browser.ts'
import { type Login, type Product, root } from '../stack.ts'
import { inLanguage, languages, switchLanguage, takeWhole } from './take.ts'
import type { Language } from './words.ts'

const folder = join(root, '.cache/pictures')
const widths = [
  { width: 1280, height: 800 },
  { width: 375, height: 812 },
]
const publicPages = [
  '/',
  '/description',
  '/tool',
  '/scenes',
  '/consult',
  '/step',
  '/tutorial',
  '/about',
  '/concat',
]
const entrances = ['/login', '/register', '/forget']
const workspacePages = ['/mangeHome', '/projectHome', '/cloudHome', '/run', '/userCenter']

export async function takeCheckPictures(browser: Browser, product: Product): Promise<void> {
  for (const size of widths) {
    for (const language of languages) {
      const { page, errors } = await open(browser, { ...size, language })
      const camera = { page, product, language, width: size.width }
      for (const path of publicPages) await take(camera, inLanguage(path, language))
      for (const path of entrances) await takeTabs(camera, path)
      await page.context().close()
      await takeInside(browser, product.member, { product, language, size, pages: workspacePages })
      await takeInside(browser, product.administrator, { product, language, size, pages: ['/admin/'] })
      for (const error of errors) process.stdout.write(`${language} ${size.width}: ${error}\n`)
    }
  }
}

type Camera = { page: Page; product: Product; language: Language; width: number }
type Inside = {
  product: Product
  language: Language
  size: { width: number; height: number }
  pages: string[]
}

async function takeInside(
  browser: Browser,
  login: Login | null,
  { product, language, size, pages }: Inside,
): Promise<void> {
  const { page, errors } = await open(browser, { ...size })
  await signIn(page, product, login)
  await switchLanguage(page, language)
  const camera = { page, product, language, width: size.width }
  for (const path of [...pages, ...(await samplePages(page, pages))]) await takeTabs(camera, path)
  for (const error of errors) process.stdout.write(`${language} ${size.width}: ${error}\n`)
  await page.context().close()
}

/** A project and a folder of the member. */
async function samplePages(page: Page, pages: string[]): Promise<string[]> {
  const found: string[] = []
  for (const [list, link] of [
    ['/projectHome', 'a[href^="/projectDetail?id="]'],
    ['/cloudHome', 'a[href^="/cloudFile?id="]'],
  ] as const) {
    if (!pages.includes(list)) continue
    await page.goto(new URL(list, page.url()).toString())
    const first = page.getByRole('main').locator(link).first()
    await first.waitFor()
    found.push((await first.getAttribute('href')) ?? list)
  }
  return found
}

/** A page, and again with each of its tabs chosen. */
async function takeTabs(camera: Camera, path: string): Promise<void> {
  const { page } = camera
  await take(camera, path)
  const tabs = page.getByRole('main').getByRole('tab')
  for (let index = 1; index < (await tabs.count()); index++) {
    await tabs.nth(index).click()
    await takeWhole(page, fileOf(camera, `${path}-tab${index + 1}`))
  }
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

/** `.cache/pictures/1280/zh/about.png`. */
function fileOf({ language, width }: Camera, path: string): string {
  const name = path.replace(/^\/(zh|ru)(?=\/|$)/, '').replace(/^\/|\/$/g, '') || 'home'
  return join(folder, String(width), language, `${name.replace(/[^\w-]+/g, '-').slice(0, 40)}.png`)
}
