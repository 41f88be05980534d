/** A person at the browser: Chromium, signing in, and the journey that every task shares. */
import type { Answer, Body, Path } from '@neuroloom/contract/calls'
import {
  type Browser,
  type BrowserContext,
  type ConsoleMessage,
  chromium,
  type Page,
  type Request,
} from 'playwright-core'
import { missingPage } from './addresses.ts'
import { type Login, type Product, removeData, startProduct } from './stack.ts'

/** WebGL without a graphics card: slow, and right; the browser's watchdog would end what a busy machine draws slowly. */
const graphics = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-watchdog']

const options = (hasGraphics: boolean) => ({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: [
    '--no-sandbox',
    ...(hasGraphics ? graphics : ['--disable-gpu']),
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
})

/** Headless Chromium without any connection of its own. */
export function launch({ hasGraphics = false } = {}): Promise<Browser> {
  return chromium.launch(options(hasGraphics))
}

/** With what it keeps in a folder, for those who end it and begin it again. */
export const launchIn = (folder: string, size: Size): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, { ...options(false), viewport: size })

/** Every page opened by this file's tests, with what went wrong on it, for what is told of a failure. */
export const opened = new Map<Page, string[]>()

export type Size = { width: number; height: number }
/** What a browser keeps of somebody who has signed in. */
export type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>
type OpenOptions = Partial<Size> & {
  language?: string
  hasTouch?: boolean
  /** What the system asks for. */
  colorScheme?: 'light' | 'dark'
  storageState?: SignedIn
}

/** A page that fails the test when the browser reports an error of ours. */
export async function open(
  browser: Browser,
  { width = 1280, height = 800, language = 'en', hasTouch = false, ...kept }: OpenOptions = {},
): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.newContext({
    viewport: { width, height },
    hasTouch,
    isMobile: hasTouch,
    // A dialog that still grows moves its buttons away between press and release: a click there reaches nothing.
    reducedMotion: 'reduce',
    ...kept,
  })
  // On a busy machine the first page of a browser alone may take half a minute.
  context.setDefaultTimeout(90_000)
  await context.addInitScript((chosen) => {
    if (!sessionStorage.getItem('theLanguage')) sessionStorage.setItem('theLanguage', chosen)
    // Nobody can press a button in the system's newer dialogs here; pages fall back to the older ones.
    for (const name of ['showDirectoryPicker', 'showOpenFilePicker']) Reflect.deleteProperty(window, name)
  }, language)
  const page = await context.newPage()
  const told: string[] = []
  opened.set(page, told)
  page.on('requestfailed', (request) => told.push(`${request.url()}: ${request.failure()?.errorText}`))
  page.on('response', (response) => {
    if (response.status() >= 400) told.push(`${response.url()}: ${response.status()}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') told.push(message.text())
  })
  page.on('close', () => opened.delete(page))
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !isOfMissingPage(message)) errors.push(message.text())
  })
  return { page, errors }
}

/** That the page itself is missing was asked for; whatever else fails on it was not. */
const isOfMissingPage = (message: ConsoleMessage): boolean =>
  message.text().includes('404') && message.location().url.endsWith(missingPage)

export type Visit = { product: Product; page: Page; errors: string[]; end: () => Promise<void> }

/** The running product with its samples, and one page of a browser before it. */
export async function visit(): Promise<Visit> {
  const product = await startProduct()
  const browser = await launch()
  const end = async () => {
    await browser.close()
    await product.stop()
    await removeData(product.dataDir)
  }
  return { product, ...(await open(browser)), end }
}

/** Signs in, and waits for the start page. */
export async function signIn(page: Page, product: Product, login: Login | null = product.member) {
  await enter(page, product, login)
  await page.waitForURL('**/mangeHome')
}

/** Signs in by e-mail as a person does: toggle, fields, slider dragged fully right. */
export async function enter(page: Page, product: Product, login: Login | null = product.member) {
  if (!login) throw new Error('no account to sign in with')
  await page.goto(`${product.url}/login`)
  await page.getByText('E-mail', { exact: true }).click()
  await page.getByLabel('E-mail address').fill(login.account)
  await page.getByLabel('Password', { exact: true }).fill(login.password)
  await drag(page)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  if (login.isFirst) await chooseOwnPassword(page, login)
}

/** What the first administrator does before anything else. */
async function chooseOwnPassword(page: Page, login: Login): Promise<void> {
  const own = `${login.password} 1`
  await page.getByRole('heading', { name: 'Choose your own password' }).waitFor()
  await page.getByLabel('Present password').fill(login.password)
  await page.getByLabel('New password', { exact: true }).fill(own)
  await page.getByLabel('New password again').fill(own)
  await page.getByRole('button', { name: 'Change password' }).click()
  Object.assign(login, { password: own, isFirst: false })
}

/** Drags the slider's handle to the right end with the mouse. */
export async function drag(page: Page) {
  const handle = page.getByRole('slider')
  await handle.scrollIntoViewIfNeeded()
  const box = await handle.boundingBox()
  if (!box) throw new Error('no slider')
  await page.mouse.move(box.x + Math.min(box.width, 40) / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + 300, box.y + box.height / 2, { steps: 8 })
  await page.mouse.move(box.x + 700, box.y + box.height / 2, { steps: 8 })
  await page.mouse.up()
}

/**
 * What a click on a link does, where there may be none: the page is not loaded anew, and is there in a third of the
 * time. The first one of a product is loaded.
 */
export async function walkTo(page: Page, url: string): Promise<unknown> {
  const { origin, href } = new URL(url)
  if (!page.url().startsWith(origin)) return page.goto(url)
  const asked = new Set<Request>()
  const ask = (request: Request) => void asked.add(request)
  const end = (request: Request) => void asked.delete(request)
  page.on('request', ask).on('requestfinished', end).on('requestfailed', end)
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, href)
  // What comes with it is asked for at once, and more of it when that is there.
  for (let quiet = 0; quiet < 5; quiet = asked.size === 0 ? quiet + 1 : 0) {
    await atRest(page)
    await page.waitForTimeout(50)
  }
  return page.off('request', ask).off('requestfinished', end).off('requestfailed', end)
}

/** What moves for a while has come to its end; what turns for ever is not waited for. */
export const atRest = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    await frame()
    await frame()
    const passing = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    await Promise.allSettled(passing.map(({ finished }) => finished))
  })

/** Counts a person's clicks from now on. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  let clicks = 0
  await page.exposeFunction('reportClick', () => clicks++)
  const watch = () =>
    document.addEventListener(
      'click',
      (event) => event.isTrusted && (window as unknown as { reportClick(): void }).reportClick(),
      true,
    )
  await page.addInitScript(watch)
  await page.evaluate(watch)
  return async () => clicks
}

/** A call in the session of a page. */
export async function askIn<P extends Path>(page: Page, path: P, body: Body<P>): Promise<Answer<P>> {
  const text = await page.evaluate(
    async ([to, sent]) => {
      const { token = '', userInfo = '{}' } = localStorage
      const headers = { 'content-type': 'application/json', token, userId: JSON.parse(userInfo).id }
      return (await fetch(`/AI/api/${to}`, { method: 'POST', headers, body: sent ?? '' })).text()
    },
    [path, JSON.stringify(body)],
  )
  return JSON.parse(text).data
}
