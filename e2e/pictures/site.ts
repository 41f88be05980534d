/** The public site's pictures: a member's way from projects to results, and the pages before the sign-in. */
import type { Browser, Locator, Page } from 'playwright-core'
import { open, signIn } from '../browser.ts'
import type { Product } from '../stack.ts'
import { memberOf } from './member.ts'
import { headPhantom } from './phantom.ts'
import { languages, pathOf, settle, show, switchLanguage, takeWebp } from './take.ts'
import { textOf } from './texts.ts'
import { type Language, samples } from './words.ts'

const TRAINING_MS = 900_000
/** Checks that the curves shall show. */
const EPOCHS_SHOWN = 31

export async function takeSitePictures(browser: Browser, product: Product): Promise<void> {
  await takePublic(browser, product)
  const { page } = await open(browser)
  await signIn(page, product)
  const stage: Stage = { page, product, member: await memberOf(page), runs: new Map() }
  await takeBefore(stage)
  await takeViewer(stage)
  await takeWhileRunning(stage)
  await takeAfter(stage)
  await page.context().close()
}

type Stage = {
  page: Page
  product: Product
  member: Awaited<ReturnType<typeof memberOf>>
  /** Addresses of the training and its test. */
  runs: Map<'train' | 'test', string>
}

/** Sign-in and registration as a visitor meets them; the outbox with the code that was asked for. */
async function takePublic(browser: Browser, product: Product): Promise<void> {
  for (const language of languages) {
    const { page } = await open(browser, { language })
    await page.goto(`${product.url}/login`)
    await page.getByRole('slider').waitFor()
    await takeWebp(page, pathOf(language, 'login'))
    await page.goto(`${product.url}/register`)
    await page.getByRole('slider').first().waitFor()
    await takeWebp(page, pathOf(language, 'register'))
    if (language === 'en') await takeOutbox(page, product)
    await page.context().close()
  }
}

async function takeOutbox(page: Page, product: Product): Promise<void> {
  await page.getByText('E-mail', { exact: true }).click()
  await page.getByLabel('E-mail address').fill('radiology@example.org')
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByText('The code is on its way.').waitFor()
  await page.goto(`${product.url}/dev/outbox`)
  await takeWebp(page, pathOf('en', 'outbox'))
}

/** Projects, data, settings, cloud and own pages, before anything was trained. */
async function takeBefore({ page, product, member }: Stage): Promise<void> {
  const empty = await member.addProject(samples.en.empty)
  for (const language of languages) {
    await member.rename(language)
    await show(page, `${product.url}/projectHome`, language)
    await takeWebp(page, pathOf(language, 'projects'))
    await show(page, `${product.url}/projectDetail?id=${member.project}`, language)
    await takeWebp(page, pathOf(language, 'project'))
    await openSettings(page, language)
    await takeWebp(page, pathOf(language, 'train'))
    const settings = page.getByText(textOf(language, 'runs', 'settings.all'))
    await settings.click()
    await scrollTo(settings)
    await takeWebp(page, pathOf(language, 'settings'))
    await show(page, `${product.url}/projectDetail?id=${empty}`, language)
    await takeWebp(page, pathOf(language, 'upload'))
    await show(page, `${product.url}/cloudHome`, language)
    await takeWebp(page, pathOf(language, 'cloud'))
    await show(page, `${product.url}/userCenter`, language)
    await takeWebp(page, pathOf(language, 'user-center'))
  }
}

/** A volume of the member's, opened in the cloud storage. */
async function takeViewer({ page, product }: Stage): Promise<void> {
  const name = 'head phantom.nii.gz'
  await show(page, `${product.url}/cloudHome`, 'en')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: textOf('en', 'files', 'uploadFiles') }).click()
  await (await chooser).setFiles({ name, mimeType: 'application/gzip', buffer: headPhantom(160) })
  await page.getByRole('button', { name, exact: true }).click()
  for (const language of languages) {
    await switchLanguage(page, language)
    await page.getByRole('dialog').locator('canvas').waitFor({ timeout: 90_000 })
    await takeWebp(page, pathOf(language, 'viewer'))
  }
}

/** Progress, curves and the sample pictures of one running training. */
async function takeWhileRunning({ page, product, member, runs }: Stage): Promise<void> {
  await show(page, `${product.url}/projectDetail?id=${member.project}`, 'en')
  await openSettings(page, 'en')
  await page.getByRole('button', { name: textOf('en', 'runs', 'train.start') }).click()
  await page.waitForURL(/\/run\?id=/)
  runs.set('train', page.url())
  await member.waitForEpoch(EPOCHS_SHOWN, TRAINING_MS)
  for (const language of languages) {
    await member.rename(language)
    await show(page, page.url(), language)
    await page.getByRole('heading', { name: textOf(language, 'results', 'curves.title') }).waitFor()
    await scrollTo(page.getByRole('progressbar').first())
    await takeWebp(page, pathOf(language, 'running'))
  }
}

/** The result of a test on pictures that were kept aside, its worst pictures, and its report. */
async function takeAfter({ page, member, runs }: Stage): Promise<void> {
  await switchLanguage(page, 'en')
  const start = page.getByRole('button', { name: textOf('en', 'runs', 'test.start') })
  await start.click({ timeout: TRAINING_MS })
  await page.waitForURL((url) => url.toString() !== runs.get('train'))
  await page
    .getByRole('heading', { name: textOf('en', 'results', 'artifact.title') })
    .waitFor({ timeout: TRAINING_MS })
  for (const language of languages) {
    await member.rename(language)
    await show(page, page.url(), language)
    await takeWebp(page, pathOf(language, 'result'))
    await scrollTo(page.getByRole('heading', { name: textOf(language, 'results', 'items.title') }))
    await takeWebp(page, pathOf(language, 'worst'))
    const result = page.url()
    await show(page, result.replace('/run?', '/report?'), language)
    await takeWebp(page, pathOf(language, 'report'))
    await page.goto(result)
  }
}

/** The suggested network and settings of a project whose data are ready. */
async function openSettings(page: Page, language: Language): Promise<void> {
  await page.getByRole('button', { name: textOf(language, 'runs', 'train.open'), exact: true }).click()
  const start = page.getByRole('button', { name: textOf(language, 'runs', 'train.start') })
  await start.waitFor()
  await settle(page)
  await scrollTo(page.locator('section', { has: start }).getByRole('heading').first())
}

/** Something just below the bar. */
async function scrollTo(place: Locator): Promise<void> {
  await place.evaluate((element) => {
    const below = document.querySelector('header')?.getBoundingClientRect().height ?? 0
    window.scrollTo(0, element.getBoundingClientRect().top + window.scrollY - below - 40)
  })
}
