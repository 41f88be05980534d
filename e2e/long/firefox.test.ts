/**
 * The main job in Firefox, driven by WebDriver BiDi: signing in, a project, a training and its test, a volume, the public
 * pages. Nothing may be written to the console on the way, also by what the page's own policy refuses, which hospitals read
 * as an attack, and by requests that end because their page is left.
 */
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, launch, type Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCells } from '../../bench/cells.ts'
import { signIn, untilDeviceIsTold, uploadFolder } from '../../bench/client.ts'
import { niftiVolume } from '../../server/test/images.ts'
import { sitePages } from '../addresses.ts'
import { PATIENCE_MS } from '../browser.ts'
import { write } from '../data.ts'
import { preserveDrawings } from '../drawn.ts'
import { type Product, removeData, startProduct } from '../stack.ts'

const firefox = [process.env.FIREFOX, '/usr/bin/firefox-esr'].find((path) => path && existsSync(path))

describe.skipIf(!firefox)('Firefox', () => {
  let product: Product
  let browser: Browser
  let page: Page
  let projectId: string
  let volumes: string
  const errors: string[] = []

  beforeAll(async () => {
    product = await startProduct()
    ;({ projectId, volumes } = await prepare(product))
    browser = await launch({
      ...{ browser: 'firefox', executablePath: firefox ?? '', headless: true },
      ...{ defaultViewport: { width: 1280, height: 800 }, protocolTimeout: PATIENCE_MS },
    })
    page = await openPage(browser, errors)
  })

  afterAll(async () => {
    await browser?.close()
    await product?.stop()
    if (product) await removeData(product.dataDir)
  })

  const goTo = (path: string) => page.goto(product.url + path, { waitUntil: 'load' })
  const named = (name: string, role: string) => page.locator(`::-p-aria([name="${name}"][role="${role}"])`)
  const button = (name: string) => named(name, 'button')
  const arrivedAt = (path: string) =>
    page.waitForFunction((start) => location.href.slice(location.origin.length).startsWith(start), {}, path)

  test('a member signs in with e-mail, password and slider', async () => {
    const { account = '', password = '' } = product.member ?? {}
    await goTo('/login')
    await page.locator('::-p-text(E-mail)').click()
    await page.locator('input[type="email"]').fill(account)
    await page.locator('input[type="password"]').fill(password)
    await drag(page)
    await button('Sign in').click()
    await arrivedAt('/mangeHome')
  })

  test('a training is started by its form, and its test has a result', async () => {
    await goTo(`/projectDetail?id=${projectId}`)
    await button('Train').click()
    await button('Start training').click()
    await arrivedAt('/run?id=')
    const training = page.url()
    await button('Start test').setTimeout(TRAINED_MS).click()
    await page.waitForFunction((old) => location.href !== old, {}, training)
    await named('Downloads', 'heading').wait()
    await named('Confusion matrix', 'heading').wait()
  })

  test('a volume is drawn', async () => {
    await goTo(`/cloudFile?id=${volumes}`)
    const kinds = ['button', 'link'].map((role) => `::-p-aria([name="${VOLUME}"][role="${role}"])`)
    await page.locator(kinds.join(', ')).click()
    await page.waitForFunction(isDrawn, { polling: 200 })
  })

  test('pages that are left before all of theirs has come say nothing of it', async () => {
    for (const path of ['/mangeHome', '/projectHome', '/cloudHome', '/run', '/dripe', '/try', '/mangeHome'])
      await page.goto(product.url + path, { waitUntil: 'domcontentloaded' })
    await page.waitForNetworkIdle()
  })

  test('public pages are there', async () => {
    for (const path of sitePages) {
      await goTo(path)
      await page.locator('h1').wait()
    }
  })

  test('the browser reported no error on the way', () => {
    expect(errors).toEqual([])
  })
})

/** A training of a few small pictures, on a busy machine. */
const TRAINED_MS = 900_000
const VOLUME = 'brain.nii.gz'

/** Before anybody signs in by a page, which ends the session of the calls. */
async function prepare(product: Product): Promise<{ projectId: string; volumes: string }> {
  const client = await signIn(product)
  // So many that the form does not ask whether it should train on so few.
  const { projectId } = await makeCells(client, { name: 'Cells', items: 60, side: 32 })
  const folder = mkdtempSync(join(tmpdir(), 'firefox-'))
  write(join(folder, VOLUME), niftiVolume({ size: [32, 30, 20], spacing: [1, 1, 2], seed: 5 }))
  const { folderId: volumes } = await uploadFolder(client, folder, { name: 'Volumes' })
  await untilDeviceIsTold(client)
  return { projectId, volumes }
}

async function openPage(browser: Browser, errors: string[]): Promise<Page> {
  const page = await browser.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => errors.push(`${page.url()}: ${error}`))
  await page.evaluateOnNewDocument(preserveDrawings)
  // Firefox tells its own console alone.
  await page.evaluateOnNewDocument(() =>
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
      console.error('refused by policy:', violatedDirective, blockedURI, sourceFile),
    ),
  )
  return page
}

/** Drags the slider's handle to the right end with the mouse. */
async function drag(page: Page): Promise<void> {
  const handle = await page.locator('::-p-aria([role="slider"])').waitHandle()
  await handle.scrollIntoView()
  const box = await handle.boundingBox()
  if (!box) throw new Error('no slider')
  await page.mouse.move(box.x + Math.min(box.width, 40) / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + 300, box.y + box.height / 2, { steps: 8 })
  await page.mouse.move(Math.min(box.x + 700, (page.viewport()?.width ?? 1280) - 5), box.y + box.height / 2, {
    steps: 8,
  })
  await page.mouse.up()
}

/** In the page: whether the viewer's picture is more than one colour. Without WebGL, which few servers have, it is the flat one. */
function isDrawn(): boolean {
  const levelsOf = (drawn: HTMLCanvasElement): number => {
    if (!drawn.width || !drawn.height) return 0
    const context = new OffscreenCanvas(64, 64).getContext('2d')
    context?.drawImage(drawn, 0, 0, 64, 64)
    const { data } = context?.getImageData(0, 0, 64, 64) ?? { data: [] }
    return new Set(Array.from(data).filter((_, at) => at % 4 === 0)).size
  }
  const all = document.querySelectorAll<HTMLCanvasElement>('[role="dialog"] canvas')
  return Array.from(all).some((drawn) => levelsOf(drawn) > 10)
}
