/** Pictures of every page for people to look at: three languages, on a desk and on a phone, light or dark. Nothing is compared. */
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { sitePaths } from '../../web/src/features/site/pages.ts'
import { open, signIn } from '../browser.ts'
import { type Login, type Product, root } from '../stack.ts'
import { inLanguage, languages, switchLanguage, takeWhole } from './take.ts'
import type { Language } from './words.ts'

const folder = join(root, '.cache/pictures')
const widths = [
  { width: 1280, height: 800 },
  { width: 375, height: 812 },
]
const entrances = ['/login', '/register', '/register?form=member', '/forget']
const workspacePages = ['/mangeHome', '/projectHome', '/dripe', '/cloudHome', '/run', '/userCenter']

type Look = 'light' | 'dark'

export async function takeCheckPictures(browser: Browser, product: Product, look: Look): Promise<void> {
  for (const size of widths) {
    for (const language of languages) {
      const { page, errors } = await open(browser, { ...size, language, colorScheme: look })
      const camera = { page, product, language, look, width: size.width }
      for (const path of sitePaths) await take(camera, inLanguage(path, language))
      for (const path of entrances) await take(camera, path)
      await page.context().close()
      await takeInside(browser, product.member, { product, language, look, size, pages: workspacePages })
      await takeInside(browser, product.administrator, { product, language, look, size, pages: ['/admin/'] })
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
}

async function takeInside(
  browser: Browser,
  login: Login | null,
  { product, language, look, size, pages }: Inside,
): Promise<void> {
  const { page, errors } = await open(browser, { ...size, colorScheme: look })
  await signIn(page, product, login)
  await switchLanguage(page, language)
  const camera = { page, product, language, look, width: size.width }
  for (const path of [...pages, ...(await linkedPages(page, pages))]) await take(camera, path)
  for (const error of errors) process.stdout.write(`${language} ${size.width}: ${error}\n`)
  await page.context().close()
}

/** A project, a network, a folder and the sections of the personal centre. */
async function linkedPages(page: Page, pages: string[]): Promise<string[]> {
  const found: string[] = []
  for (const [list, link] of [
    ['/projectHome', 'a[href^="/projectDetail?id="]'],
    ['/dripe', 'a[href^="/dripe?id="]'],
    ['/cloudHome', 'a[href^="/cloudFile?id="]'],
    ['/userCenter', 'a[href^="/userCenter?tab="]'],
  ] as const) {
    if (!pages.includes(list)) continue
    await page.goto(new URL(list, page.url()).toString())
    const links = page.getByRole('main').locator(link)
    await links.first().waitFor()
    const addresses = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
    found.push(...(list === '/userCenter' ? addresses : addresses.slice(0, 1)))
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
  const plain = path.replace(/^\/(zh|ru)(?=\/|$)/, '').replace(/\?id=.*/, '-one')
  const name = plain.replace(/^\/|\/$/g, '').replace(/[^\w]+/g, '-') || 'home'
  return join(folder, look, String(width), language, `${name}.png`)
}
