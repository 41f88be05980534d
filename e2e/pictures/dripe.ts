/** The public site's pictures of DRIPE: templates, a drawn network, a mistake with its repairs, an image on its way through. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { open, signIn } from '../browser.ts'
import { type Product, root } from '../stack.ts'
import { memberOf } from './member.ts'
import { languages, pathOf, settle, show, takeWebp } from './take.ts'
import { textOf } from './texts.ts'
import { type Language, samples } from './words.ts'

const TRAINING_MS = 900_000
/** By then the U-Net tells cells from background, and its maps show it. */
const EPOCHS = 12

/** A shortcut whose two ways differ in size: the mistake that beginners meet first. */
const broken = `dripe: 1
name: first_try
task: classification
params:
  classes: {type: int, default: 3, min: 2, max: 1000, role: classes}
inputs: {image: {kind: image, channels: 1, size: [64, 64]}}
nodes:
  stem: {op: conv_bn_relu, out: 32}
  shrink: {op: conv_bn_relu, out: 64, stride: 2}
  look: {op: conv_bn_relu, out: 64}
  sum: {op: add, in: [look, stem]}
  gap: globalavg
  logits: {op: linear, out: =classes}
heads: {main: {task: classification, from: logits}}
`

export async function takeDripePictures(browser: Browser, product: Product): Promise<void> {
  const { page } = await open(browser)
  await signIn(page, product)
  const member = await memberOf(page)
  const add = async (name: string, text: string) => (await member.call('networks/create', { name, text })).id
  const drawn = {
    unet: await add(samples.en.networks.unet, unet()),
    broken: await add(samples.en.networks.broken, broken),
  }
  await member.train(drawn.unet, EPOCHS, TRAINING_MS)
  for (const language of languages) {
    await member.rename(language)
    for (const kind of ['unet', 'broken'] as const) {
      await member.call('networks/rename', { id: drawn[kind], name: samples[language].networks[kind] })
    }
    const stage: Stage = { page, product, language }
    await takeGallery(stage)
    await takeDrawing(stage, drawn.unet)
    await takeProblems(stage, drawn.broken)
    await takeLook(stage, drawn.unet)
  }
  await page.context().close()
}

type Stage = { page: Page; product: Product; language: Language }

/** The smallest U-Net that comes along, for grey pictures. */
const unet = (): string =>
  readFileSync(join(root, 'contract/wire/networks/unet_small.yaml'), 'utf8').replace(
    'default: 3, min: 1, max: 64, role: channels',
    'default: 1, min: 1, max: 64, role: channels',
  )

async function takeGallery({ page, product, language }: Stage): Promise<void> {
  await show(page, `${product.url}/dripe`, language)
  await page.getByText(textOf(language, 'dripe-panels', 'start.template.title'), { exact: true }).click()
  await page.getByRole('dialog').locator('img').nth(2).waitFor()
  await takeWebp(page, pathOf(language, 'dripe-gallery'))
}

/** One layer chosen, its settings beside the drawing. */
async function takeDrawing(stage: Stage, id: string): Promise<void> {
  await openEditor(stage, id)
  await stage.page.getByText('e3', { exact: true }).first().click()
  await takeWebp(stage.page, pathOf(stage.language, 'dripe'))
}

async function takeProblems(stage: Stage, id: string): Promise<void> {
  await openEditor(stage, id)
  await openTab(stage, 'problems')
  const fixes = textOf(stage.language, 'dripe-panels', 'problems.fixes')
  await stage.page.getByRole('list', { name: fixes }).getByRole('button').first().waitFor()
  await takeWebp(stage.page, pathOf(stage.language, 'dripe-problems'))
}

/** An image of the sample data through the trained network, one layer's maps large. */
async function takeLook(stage: Stage, id: string): Promise<void> {
  const { page, language } = stage
  const text = (key: string) => textOf(language, 'dripe-panels', `look.${key}`)
  await openEditor(stage, id)
  await openTab(stage, 'look')
  await page.getByText(text('dataset'), { exact: true }).click()
  await choose(page, text('datasetLabel'), 'cells-128')
  await page.locator('button[role="radio"]').last().click()
  await choose(page, text('weights'))
  await page.getByRole('button', { name: text('start') }).click()
  await page.getByRole('img', { name: text('given') }).waitFor()
  await page.getByText('e2', { exact: true }).first().click()
  await openTab(stage, 'look')
  await page.getByRole('img', { name: text('given') }).evaluate((image) => image.scrollIntoView())
  await takeWebp(page, pathOf(language, 'dripe-look'))
}

/** An entry by its words, or the last one. */
async function choose(page: Page, label: string, entry?: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).click()
  const entries = page.locator('.ant-select-dropdown:visible .ant-select-item-option')
  await (entry === undefined ? entries.last() : entries.filter({ hasText: entry })).click()
}

async function openEditor({ page, product, language }: Stage, id: string): Promise<void> {
  await show(page, `${product.url}/dripe?id=${id}`, language)
  await page.locator('.react-flow__node').first().waitFor()
  await settle(page)
}

async function openTab({ page, language }: Stage, name: 'problems' | 'look'): Promise<void> {
  await page.getByRole('tab', { name: textOf(language, 'dripe-panels', `tab.${name}`) }).click()
}
