/** Every page in every language, on a desk and on a phone: nothing overflows, nothing is inaccessible, nothing fails. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { openedEndings, openedImages } from '@neuroloom/contract/opened'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entrances, officePages, samplePages as samples, sitePages, workspacePages } from './addresses.ts'
import {
  atRest,
  enter,
  launch,
  open,
  type SignedIn,
  type Size,
  signIn,
  told,
  untilQuiet,
  walkTo,
} from './browser.ts'
import { isLong } from './is-long.ts'
import { longTest } from './long-test.ts'
import { type Product, removeData, startProduct, takesLong } from './stack.ts'

/** Names, file formats and scores that have no other spelling, and what the demo member called its own things. */
const names = new Set(
  [
    'Neuroloom DRIPE English Office Ant Design React Fastify Node Node.js PostgreSQL PyTorch NVIDIA Linux',
    'Chrome Edge Firefox Safari MIT BSD Excel ONNX Runtime MedNIST ResNet MobileNetV U-Net Dice IoU ROC ROC-AUC MRI flow',
    'BMP CSV DICOM GIF JPEG MHA NIfTI NRRD PNG TAR TIFF WebP ZIP safetensors Ctrl End Enter http ready private',
    'Demo member Administrator administrator neuroloom.local Sample sample Tell Outline Drawn cell cells shapes apart bars fields folder',
    'classification segmentation masks microscope of three try with clustered elongated round png',
    'Cell drawn YAML SVG Mac CT Pascal VOC COCO YOLO xml train val test nii nii.gz FCOS CenterNet EDSR ESPCN SRResNet',
    'SRCNN DnCNN DenseNet PDF TorchScript Python JSON numpy NumPy npy Pillow mAP PSNR SSIM Otsu LabelMe CVAT CLAIM STAPLE Kappa Bland Altman',
    'Alt Shift CLAHE GrowCut DICOM-SEG Slicer seg.nrrd onnx XML OBB segment pose',
    'Siemens Philips GE United Imaging PAR REC HDF DFlowNet MAT MATLAB VTK vtk vti VENC PC-MRA Womersley Poiseuille',
    'CC BY NC BY-NC Apache PET OCT CHAI',
    'Super resolution Object detection d_Flow-MRI zip bubblewrap prlimit timeout usr bin',
    'QR WeChat Pay Alipay PAYMENT docs operating.md Hill Lamb Oseen Taylor Green Arnold Beltrami Childress Qp Qs Bissell Dyverfeldt MP WebM',
  ].flatMap((line) => line.split(' ')),
)
/** Formats that open, as the page of what the product works with lists them. */
for (const group of [...Object.values(openedImages), ...Object.values(openedEndings)])
  for (const word of Object.values(group).flatMap((name) => name.split(/[^A-Za-z]+/))) names.add(word)
/** In the editor and where the product's networks are shown: names of architectures, and what the demo member called the parts of the drawn network. */
const drawnNames = new Set(
  [
    'ReLU SiLU PReLU DenseNet CBAM ASPP DeepLab Attention EDSR SRResNet Transformer Swin CSP YOLO SPPF ConvNeXt',
    'VGG ViT-Tiny Swin-Tiny MLP FCN SRGAN MBConv EfficientNet RCAB RCAN PSPNet BiFPN EfficientDet UNETR GMAC yaml',
    'image stem stage edges gate gap drop logits main width classes channels',
  ].flatMap((line) => line.split(' ')),
)
/** The window's width, and what the root's font size must be there: 20 px for each 320, up to 540. */
const rootSizes = [
  [320, 20],
  [375, 23.4375],
  [414, 25.875],
  [540, 33.75],
  [541, 16],
  [1280, 16],
] as const

const desk = { width: 1280, height: 800 }
const phone = { width: 320, height: 640 }
const upright = { width: 375, height: 812 }

let product: Product
let browser: Browser
/** One session for all languages: a second one would end the first. */
let storageState: SignedIn
let samplePages: string[]

beforeAll(async () => {
  product = await startProduct()
  browser = await launch()
  const { page } = await open(browser, phone)
  await signIn(page, product)
  samplePages = await findSamplePages(page)
  storageState = withoutClosing(await page.context().storageState())
})

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  if (product) await removeData(product.dataDir)
})

/**
 * Each page is met in one window and carried over to the other. In English all are loaded, in Russian those that are
 * rendered ahead; otherwise one goes from page to page as links do, which takes a third of the time. Words are as dark in
 * every language, so one of them is seen in the dark. What axe judges is structure and colours, which no language changes:
 * light and dark, desk and phone are judged twice without the third.
 */
const everyLanguage = [
  {
    language: 'en',
    windows: [desk, phone],
    colorScheme: 'light' as const,
    public: load,
    own: load,
    isJudged: true,
  },
  {
    language: 'zh',
    windows: [phone, desk],
    colorScheme: 'dark' as const,
    public: walk,
    own: walk,
    isJudged: true,
  },
  {
    language: 'ru',
    windows: [phone, desk],
    colorScheme: 'light' as const,
    public: load,
    own: walk,
    isJudged: false,
  },
]

/** The longest words tell the most in the shortest time; with them structure is judged where all of it is seen. */
const longestWords = {
  language: 'ru',
  windows: [desk, phone],
  colorScheme: 'light' as const,
  public: walk,
  own: walk,
  isJudged: true,
}

describe.concurrent.each([
  // In the long run everything.
  ...(isLong ? everyLanguage : [longestWords]),
])('pages in $language, $colorScheme', ({ language, windows, colorScheme, isJudged, ...arrive }) => {
  const [first] = windows

  test('that everybody sees', takesLong, async () => {
    const { page, errors } = await open(browser, { ...first, language, colorScheme })
    const prefix = language === 'en' ? '' : `/${language}`
    const mistakes: string[] = []
    for (const path of [...sitePages.map((one) => prefix + one), ...entrances])
      mistakes.push(
        ...(await inspect(page, { language, path, isJudged }, { windows, arrive: arrive.public })),
      )
    expect(mistakes.join('\n')).toBe('')
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('that members see', takesLong, async () => {
    const { page, errors } = await open(browser, { ...first, language, colorScheme, storageState })
    const mistakes: string[] = []
    // The first page again at the end: the message box lies over it.
    for (const path of [...workspacePages, ...samplePages, '/mangeHome'])
      mistakes.push(...(await inspect(page, { language, path, isJudged }, { windows, arrive: arrive.own })))
    await page.getByRole('banner').getByRole('button', { expanded: false }).first().click()
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    mistakes.push(...(await look(page, { language, path: 'the message box', isJudged })))
    expect(mistakes.join('\n')).toBe('')
    expect(errors).toEqual([])
    await page.context().close()
  })
})

/**
 * Laid out for a small desk; on a phone step by step, each with its button in sight. One after the other: suggestions are
 * made for one window of a member at a time, and on a busy machine the third would be sent away.
 */
describe.each(isLong ? ['en', 'zh', 'ru'] : ['ru'])('decisions in %s', (language) => {
  test.each([desk, upright])('are seen with their button, $width pixels wide', async (size) => {
    const { page, errors } = await open(browser, { ...size, language, storageState })
    await page.goto(`${product.url}/register`)
    await isSeen(page.locator('form button[type=submit]'))
    await page.goto(`${product.url}/projectHome`)
    await page.getByRole('main').locator('button.ant-btn-primary').first().click()
    await isSeen(mainButton(page.getByRole('dialog')))
    await page.goto(`${product.url}${samplePages[0]}`)
    // Nobody scrolls to the next thing to do.
    const next = mainButton(page.getByRole('main'))
    await isSeen(next)
    await next.click()
    const panel = page.locator('section:has(> div #step-2)')
    await panel.getByRole('radio', { checked: true }).nth(1).waitFor()
    await isSeen(panel.getByRole('radio', { checked: true }).nth(1))
    await isSeen(mainButton(panel))
    expect(errors).toEqual([])
    await page.context().close()
  })
})

const mainButton = (place: Locator): Locator =>
  place.locator('button.ant-btn-primary').filter({ visible: true }).first()

/** Whole within the window, as it opened: nobody scrolls here. */
async function isSeen(target: Locator) {
  await target.waitFor()
  const isWhole = (element: Element | null) => {
    const { top = -1, bottom = 0 } = element?.getBoundingClientRect() ?? {}
    return top >= 0 && bottom <= window.innerHeight
  }
  await target.page().waitForFunction(isWhole, await target.elementHandle())
}

test('the look follows the system until one is chosen, which stays', async () => {
  const { page } = await open(browser, { colorScheme: 'dark' })
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await page.goto(`${product.url}/`)
  const toggle = page.getByRole('banner').getByRole('button', { name: 'Dark mode' })
  const [dark] = [await ground(), await toggle.and(page.locator('[aria-pressed=true]')).waitFor()]
  await toggle.click()
  await expect.poll(ground).not.toBe(dark)
  const light = await ground()
  await signIn(page, product)
  expect(await ground()).toBe(light)
  await page.goto(`${product.url}/userCenter?tab=language`)
  await page.getByText('Same as system').click()
  await expect.poll(ground).toBe(dark)
  await page.emulateMedia({ media: 'print' })
  expect(await ground()).toBe(light)
  await page.context().close()
})

longTest('the root follows the width of a phone, and nothing is wider than the window', async () => {
  const { page } = await open(browser)
  await signIn(page, product)
  for (const path of ['/', '/userCenter', '/register?form=member']) {
    await page.goto(`${product.url}${path}`)
    await page.getByRole('heading').first().waitFor()
    for (const [width, size] of rootSizes) {
      await page.setViewportSize({ width, height: 800 })
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe(`${size}px`)
      // Laid out anew by what hears of the window's width: a moment later.
      await expect.poll(() => overflowOf(page), { message: `${path} at ${width}` }).toBeLessThanOrEqual(0)
    }
  }
  await page.context().close()
})

test('the back-office holds all of it, in the longest words', takesLong, async () => {
  const { page, errors } = await open(browser)
  await signIn(page, product, product.administrator)
  await page.evaluate(() => sessionStorage.setItem('theLanguage', 'ru'))
  // The language is taken at the first load; from there on as links do, but in the long run each is loaded.
  await load(page, '/admin')
  const mistakes: string[] = []
  for (const path of officePages)
    mistakes.push(
      ...(await inspect(
        page,
        { language: 'ru', path, isJudged: true },
        { windows: [desk, phone], arrive: isLong ? load : walk },
      )),
    )
  expect(mistakes.join('\n')).toBe('')
  expect(errors).toEqual([])
  await page.context().close()
})

test('a visitor without a session is sent to the front page with a warning', async () => {
  const { page } = await open(browser)
  await page.goto(`${product.url}/projectHome`)
  await told(page, 'Sign in to continue.')
  await page.waitForURL(isFront)
  await page.context().close()
})

test('a second sign-in elsewhere sends the first page to the front with the message of code 10500, until that signs in again', async () => {
  const first = await open(browser)
  await signIn(first.page, product)
  await first.page.goto(`${product.url}/projectHome?tab=shared`)
  // Nothing is clicked: the live connection of the first page ends and makes it ask.
  const second = await open(browser)
  await signIn(second.page, product)
  await told(first.page, /already been logged in on another machine/)
  await first.page.waitForURL(isFront)
  await enter(first.page, product)
  await first.page.waitForURL('**/projectHome?tab=shared')
  await first.page.context().close()
  await second.page.context().close()
})

test('a dialog takes what is typed as soon as it is there, where nothing may move', async () => {
  const { page } = await open(browser)
  await signIn(page, product)
  for (const [path, button, field] of typed) {
    await page.goto(`${product.url}${path}`)
    await page.getByRole('button', { name: button }).first().click()
    // Nobody begins before the caret is seen; on a busy machine that is a moment after the dialog.
    await page.getByRole('dialog').getByLabel(field).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Knee')
    expect(await page.getByRole('dialog').getByLabel(field).inputValue(), button).toBe('Knee')
  }
  await page.context().close()
})

test('the keyboard alone signs in', async () => {
  const { page } = await open(browser)
  await page.goto(`${product.url}/login`)
  await page.getByLabel('Phone', { exact: true }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByLabel('E-mail address').focus()
  await page.keyboard.type(product.member?.account ?? '')
  await page.getByLabel('Password', { exact: true }).focus()
  await page.keyboard.type(product.member?.password ?? '')
  await page.getByRole('slider').focus()
  await page.keyboard.press('End')
  await page.getByText('Verified').first().waitFor()
  await page.getByRole('button', { name: 'Sign in', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/mangeHome')
  await page.context().close()
})

const typed = [
  ['/cloudHome', 'New folder', 'Folder name'],
  ['/cloudHome?tab=groups', 'New group', 'Name'],
  ['/projectHome', 'New project', 'What is the project called?'],
] as const

const isFront = (url: URL): boolean => url.pathname === '/'

type Arrive = (page: Page, path: string) => Promise<unknown>
type Visit = { windows: Size[]; arrive: Arrive }
/** `isJudged`: by the rules of axe, too. */
type Place = { language: string; path: string; isJudged: boolean }

function load(page: Page, path: string): Promise<unknown> {
  return untilQuiet(page, () => page.goto(`${product.url}${path}`))
}

/** From the second page on without loading. */
function walk(page: Page, path: string): Promise<unknown> {
  return walkTo(page, product.url + path)
}

/** What is wrong with it, at each width. */
async function inspect(page: Page, place: Place, { windows, arrive }: Visit): Promise<string[]> {
  const [first = desk, ...others] = windows
  await page.setViewportSize(first)
  await arrive(page, place.path)
  await page.getByRole('heading', { level: 1 }).filter({ visible: true }).first().waitFor()
  const mistakes = await look(page, place)
  for (const size of others) {
    await page.setViewportSize(size)
    mistakes.push(...(await look(page, { ...place, isJudged: place.isJudged && isLong })))
  }
  return mistakes
}

/** On a busy machine a page may still be on its way: what is wrong with it is wrong a while later, too. */
async function look(page: Page, place: Place): Promise<string[]> {
  if ((await mistakesOf(page, place)).length === 0) return []
  // habit: a second look at what may still have been on its way
  await page.waitForTimeout(5000)
  const where = `${place.path} in ${place.language}, ${page.viewportSize()?.width} pixels wide`
  return (await mistakesOf(page, place)).map((mistake) => `${where}: ${mistake}`)
}

async function mistakesOf(page: Page, { language, path, isJudged }: Place): Promise<string[]> {
  await atRest(page)
  const overflow = await overflowOf(page)
  const isDrawn = /^\/(dripe|yamlCode)\?|[?]tab=networks$/.test(path)
  const isName = (word: string) => names.has(word) || (isDrawn && drawnNames.has(word))
  const words = language === 'en' ? [] : (await latinWords(page)).filter((word) => !isName(word))
  return [
    ...(overflow > 0 ? [`wider than its window by ${overflow} pixels`] : []),
    ...words.map((word) => `not translated: ${word}`),
    ...(isJudged ? await inaccessible(page) : []),
  ]
}

/** Handed over once for each document: that takes as long as looking. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
type WithAxe = { axe: { run: (place: Document, options: RunOptions) => Promise<AxeResults> } }

async function inaccessible(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  return page.evaluate(async () => {
    const { axe } = window as unknown as WithAxe
    // Without the ways to name what is right, which take longer than finding what is wrong, and without fetching style
    // sheets and films once more, which only rules need that are off.
    const { violations } = await axe.run(document, { resultTypes: ['violations'], preload: false })
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  })
}

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Words in Latin letters outside of code: names, English that was left, or the key of a missing text. */
async function latinWords(page: Page): Promise<string[]> {
  const words = await page.evaluate((own) => {
    const text = [...document.querySelectorAll('body *')]
      .filter((element) => !element.closest(own))
      .flatMap((element) => [
        ...[...element.childNodes]
          .filter((node) => node.nodeType === Node.TEXT_NODE)
          .map((node) => node.nodeValue),
        ...['placeholder', 'aria-label', 'title', 'alt'].map((name) => element.getAttribute(name)),
      ])
    return text.flatMap((one) => one?.match(/[A-Za-z][A-Za-z'.-]+[A-Za-z]/g) ?? [])
  }, 'code, pre, kbd, script, style, .anticon, .cm-content')
  return [...new Set(words)]
}

/** The windows of this session do not know of each other: none may tell the server that it was the last. */
const withoutClosing = ({ origins, ...kept }: SignedIn): SignedIn => ({
  ...kept,
  origins: origins.map(({ origin, localStorage }) => ({
    origin,
    localStorage: localStorage.filter(({ name }) => name !== 'closing'),
  })),
})

/** Of a project, a folder and a network of the demo member, the network also with its text wide open. */
async function findSamplePages(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const { list, link, as = link } of samples) {
    await page.goto(`${product.url}${list}`)
    const path = await page.getByRole('main').locator(`a[href^="${link}"]`).first().getAttribute('href')
    if (path !== null) found.push(path.replace(link, as))
  }
  return found
}
