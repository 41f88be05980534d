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

/** On a busy machine the first page of a browser alone may take half a minute. */
export const PATIENCE_MS = 90_000

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
  context.setDefaultTimeout(PATIENCE_MS)
  await context.addInitScript((chosen) => {
    if (!sessionStorage.getItem('theLanguage')) sessionStorage.setItem('theLanguage', chosen)
    // Nobody can press a button in the system's newer dialogs here; pages fall back to the older ones.
    for (const name of ['showDirectoryPicker', 'showOpenFilePicker']) Reflect.deleteProperty(window, name)
  }, language)
  await context.exposeBinding('keepSaid', ({ page }, text: string) => void saidOn(page).push(text))
  await context.addInitScript(listen)
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
    if (message.type() === 'error' && !isOfMissingPage(message))
      errors.push(isBusy(message) ? busyAt(message.location().url) : message.text())
  })
  forgiveRepeated(page, errors)
  return { page, errors }
}

/** That the page itself is missing was asked for; whatever else fails on it was not. */
const isOfMissingPage = (message: ConsoleMessage): boolean =>
  message.text().includes('404') && message.location().url.endsWith(missingPage)

const BUSY = 503
const isCall = (url: string): boolean => new URL(url).pathname.startsWith('/AI/api/')
const isBusy = (message: ConsoleMessage): boolean =>
  message.text().includes(`status of ${BUSY}`) && isCall(message.location().url)
const busyAt = (url: string): string => `${url}: ${BUSY}`

/** A busy server says that it is to be asked again: no error once that was done and answered. */
function forgiveRepeated(page: Page, errors: string[]): void {
  const refused = new Map<string, number>()
  page.on('response', (response) => {
    const url = response.url()
    if (!isCall(url)) return
    const key = `${url} ${response.request().postData()}`
    if (response.status() === BUSY) refused.set(key, (refused.get(key) ?? 0) + 1)
    if (!response.ok()) return
    for (let left = refused.get(key) ?? 0; left > 0; left -= 1) {
      const index = errors.indexOf(busyAt(url))
      if (index >= 0) errors.splice(index, 1)
    }
    refused.delete(key)
  })
}

/** What a page has said so far. */
const said = new WeakMap<Page, string[]>()
const saidOn = (page: Page): string[] => {
  const texts = said.get(page) ?? []
  said.set(page, texts)
  return texts
}

/** In the page: hands over what is announced. A toast is there for two seconds, in which nobody may have asked for it. */
function listen(): void {
  const announced = '[role="alert"], [role="status"], .ant-message, .ant-notification'
  const keep = (element: Element | null) => {
    const text = element?.textContent?.trim()
    if (text) (window as unknown as { keepSaid(text: string): void }).keepSaid(text)
  }
  new MutationObserver((records) => {
    for (const { target, addedNodes } of records) {
      keep((target instanceof Element ? target : target.parentElement)?.closest(announced) ?? null)
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue
        if (node.matches(announced)) keep(node)
        for (const inner of node.querySelectorAll(announced)) keep(inner)
      }
    }
  }).observe(document, { childList: true, characterData: true, subtree: true })
}

/** Whether the page has said it, be it gone by now. */
export const hasTold = (page: Page, text: string | RegExp): boolean =>
  saidOn(page).some((one) => (typeof text === 'string' ? one.includes(text) : text.test(one)))

/** Waits until the page has said it in a toast or another announcement, be it gone by now. */
export async function told(page: Page, text: string | RegExp): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (!hasTold(page, text)) {
    if (Date.now() > end) throw new Error(`not said: ${text}; but: ${saidOn(page).join(' | ')}`)
    await page.waitForTimeout(50)
  }
}

/** What was said so far counts no more. */
export const forgetSaid = (page: Page): void => {
  saidOn(page).length = 0
}

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

/**
 * Signs in by the calls of the forms, which have tests of their own, and opens the start page; the first administrator
 * chooses a password before.
 */
export async function signIn(page: Page, product: Product, login: Login | null = product.member) {
  if (!login) throw new Error('no account to sign in with')
  // An address of the product that runs nothing of it.
  await page.goto(`${product.url}/favicon.svg`)
  const own = ownPassword(login)
  // Without the slider few tries are given.
  if (await page.evaluate(openSession, { ...login, own })) {
    if (login.isFirst) Object.assign(login, { password: own, isFirst: false })
    await page.goto(`${product.url}/mangeHome`)
  } else await enter(page, product, login)
  await page.waitForURL('**/mangeHome')
}

/** In the page: keeps what pages keep of whoever has signed in (web/src/lib/session.ts). Answers whether that was allowed. */
async function openSession({ account, password, isFirst, own }: Login & { own: string }): Promise<boolean> {
  const ask = async (path: string, body: object, headers = {}) => {
    const response = await fetch(`/AI/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return (await response.json()).data
  }
  const signedIn = await ask('user/login', { account, password })
  if (signedIn.error !== undefined) return false
  const { id: userId, token } = signedIn
  const renewed = isFirst
    ? await ask('user/password', { userId, old: password, password: own }, { token, userId })
    : {}
  const { closing, ...user } = { ...signedIn, ...renewed, mustChangePassword: false }
  Object.assign(localStorage, { token: user.token, closing, userInfo: JSON.stringify(user) })
  return true
}

const ownPassword = ({ password }: Login): string => `${password} 1`

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
  const own = ownPassword(login)
  await page.getByRole('heading', { name: 'Choose your own password' }).waitFor()
  await page.getByLabel('Present password').fill(login.password)
  await page.getByLabel('New password', { exact: true }).fill(own)
  await page.getByLabel('Confirm new password').fill(own)
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
export async function walkTo(page: Page, url: string): Promise<void> {
  const { origin, href } = new URL(url)
  if (!page.url().startsWith(origin)) return untilQuiet(page, () => page.goto(url))
  return untilQuiet(page, () =>
    page.evaluate((to) => {
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate', { state: null }))
    }, href),
  )
}

/** Does something to the page, and waits until what that asked for has come, and what came has asked for. */
export async function untilQuiet(page: Page, act: () => Promise<unknown>): Promise<void> {
  const asked = new Set<Request>()
  const ask = (request: Request) => {
    // What a page sends when it is left has no end that is told.
    if (request.resourceType() !== 'ping') asked.add(request)
  }
  const end = (request: Request) => void asked.delete(request)
  page.on('request', ask).on('requestfinished', end).on('requestfailed', end)
  await act()
  // What comes with it is asked for at once, and more of it when that is there.
  const last = Date.now() + PATIENCE_MS
  for (let quiet = 0; quiet < 5 && Date.now() < last; quiet = asked.size === 0 ? quiet + 1 : 0) {
    await atRest(page)
    await page.waitForTimeout(50)
  }
  page.off('request', ask).off('requestfinished', end).off('requestfailed', end)
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
