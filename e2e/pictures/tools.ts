/** The public site's pictures of labelling and of the toolbox: marks on drawn cells and on a phantom, a recipe, an answer. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { classColours, type LabelClass } from '@neuroloom/contract/labelling/classes'
import { components } from '@neuroloom/contract/labelling/components'
import type { Browser, Page } from 'playwright-core'
import { signIn as clientFor, uploadFolder } from '../../bench/client.ts'
import { drawField } from '../../server/src/demo/pictures.ts'
import { encodePng } from '../../server/src/demo/png.ts'
import { open, signIn } from '../browser.ts'
import { write } from '../data.ts'
import type { Product } from '../stack.ts'
import { memberOf } from './member.ts'
import { headPhantom } from './phantom.ts'
import { languages, pathOf, settle, show, takeWebp } from './take.ts'
import { textOf } from './texts.ts'
import { type Language, samples } from './words.ts'

const FIELDS = 12
const FIELD_SIDE = 256
const PHANTOM_SIDE = 128
/** From the middle to that of the dark ellipse that is marked, in halves of the side. */
const ASIDE = 0.22
/** By then a tool has shown what it proposes, or has put it down. */
const REST_MS = 800
/** Slices between the two that are marked. */
const BETWEEN = 12

export async function takeToolPictures(browser: Browser, product: Product): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-'))
  for (let field = 0; field < FIELDS; field++) {
    const name = `field-${String(field + 1).padStart(2, '0')}.png`
    write(join(folder, 'fields', name), encodePng(drawField(field, FIELD_SIDE).image))
  }
  write(join(folder, 'phantoms', 'head phantom.nii.gz'), headPhantom(PHANTOM_SIDE))
  const client = await clientFor(product)
  const fields = await uploadFolder(client, join(folder, 'fields'), { name: 'Fields' })
  const phantoms = await uploadFolder(client, join(folder, 'phantoms'), { name: 'Phantoms' })
  // This sign-in ends the one above.
  const { page } = await open(browser)
  await signIn(page, product)
  const member = await memberOf(page)
  for (const language of languages) {
    const stage: Stage = { page, product, member, language }
    await takeLabelling(stage, fields.folderId)
    await takeVolume(stage, phantoms.folderId)
    await takeToolbox(stage)
    await member.call('files/rename', { id: fields.folderId, name: samples[language].labels.folder })
    await takePrepare(stage, fields.folderId)
    await takeStatistics(stage)
  }
  await page.context().close()
}

type Stage = {
  page: Page
  product: Product
  member: Awaited<ReturnType<typeof memberOf>>
  language: Language
}

/** Whole cells in pixels, those at the edge as boxes; then the set with one image finished and one begun. */
async function takeLabelling(stage: Stage, folderId: string): Promise<void> {
  const { page, product, language } = stage
  const { set, about, classes } = samples[language].labels
  const id = await makeSet(stage, {
    ...{ name: set, description: about, folderId, marks: ['boxes', 'pixels'] },
    classes: [classOf(classes[0], 0), classOf(classes[1], 1)],
  })
  await openFirst(stage, id)
  for (const { at, bounds, isCut } of cellsOf(0)) {
    if (isCut) {
      await page.keyboard.press('2')
      await page.keyboard.press('r')
      await drag(page, bounds)
    } else {
      await page.keyboard.press('1')
      await takeProposal(stage, 'w', await placeOf(page, at))
    }
  }
  await page.keyboard.press('v')
  await saved(stage)
  await takeWebp(page, pathOf(language, 'labelling'))
  await page.getByRole('button', { name: textOf(language, 'labelling', 'finish'), exact: true }).click()
  await page.waitForURL((url) => url.searchParams.get('item') !== null)
  await opened(page)
  const [next] = cellsOf(1).filter(({ isCut }) => !isCut)
  if (next) await takeProposal(stage, 'w', await placeOf(page, next.at))
  await saved(stage)
  await show(page, `${product.url}/labelling?set=${id}`, language)
  await page.getByRole('link', { name: /field-01/ }).waitFor()
  await takeWebp(page, pathOf(language, 'labelling-set'))
}

/** Two slices of a phantom marked by the wand, those between them filled. */
async function takeVolume(stage: Stage, folderId: string): Promise<void> {
  const { page, language } = stage
  const { volume, about, classes } = samples[language].labels
  const id = await makeSet(stage, {
    ...{ name: volume, description: about, folderId, marks: ['pixels'] },
    classes: [classOf(classes[2], 0)],
  })
  await openFirst(stage, id)
  const at = await placeOf(page, { x: 0.5 + ASIDE / 2, y: 0.5 })
  await takeProposal(stage, 'w', at)
  for (let slice = 0; slice < BETWEEN; slice++) await page.keyboard.press('PageDown')
  await takeProposal(stage, 'w', at)
  const said = (key: string) => textOf(language, 'labelling', key)
  await page.getByRole('button', { name: said('commands') }).click()
  await page.getByRole('menuitem', { name: said('command.between') }).click()
  await page.getByText(said('told.proposed')).waitFor()
  await page.keyboard.press('Enter')
  await saved(stage)
  for (let slice = 0; slice < BETWEEN / 2; slice++) await page.keyboard.press('PageUp')
  await takeWebp(page, pathOf(language, 'labelling-volume'))
}

/** All tools, without the introduction above them. */
async function takeToolbox({ page, product, language }: Stage): Promise<void> {
  await show(page, `${product.url}/toolboxHome`, language)
  await page.getByText(textOf(language, 'toolbox', 'tool.doctor.title')).waitFor()
  const dismiss = page.getByRole('button', { name: textOf(language, 'introductions', 'dismiss') })
  if (await dismiss.isVisible()) await dismiss.click()
  await takeWebp(page, pathOf(language, 'toolbox'))
}

/** A recipe of two steps with its images before and after. */
async function takePrepare({ page, product, language }: Stage, folderId: string): Promise<void> {
  const said = (key: string) => textOf(language, 'recipes', key)
  await show(page, `${product.url}/cloudPrepare?folder=${folderId}`, language)
  for (const step of ['crop', 'clahe'] as const) {
    await page.getByRole('button', { name: said('steps.add') }).click()
    await page.getByRole('menuitem', { name: said(`step.${step}.name`) }).click()
  }
  await page
    .getByRole('img', { name: said('samples.after').replace('{{name}}', 'field-01.png') })
    .waitFor({ timeout: 60_000 })
  await settle(page)
  await takeWebp(page, pathOf(language, 'prepare'))
}

/** How many patients a study needs: the one question that asks for no data. */
async function takeStatistics({ page, product, language }: Stage): Promise<void> {
  const said = (key: string) => textOf(language, 'statistics', key)
  await show(page, `${product.url}/toolboxHome?tool=statistics`, language)
  await page.getByLabel(said('ask')).click()
  // The last of them lies below what the list draws.
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByText(said('question.sampleSize.text')).waitFor()
  await page.getByRole('button', { name: said('calculate') }).click()
  const answer = page.getByRole('heading', { name: said('answer') })
  await answer.waitFor()
  await answer.evaluate((element) => window.scrollTo(0, element.getBoundingClientRect().bottom - 500))
  await takeWebp(page, pathOf(language, 'statistics'))
}

const classOf = (name: string, index: number): LabelClass => ({
  ...{ id: `c${index}`, name, description: '', key: index + 1, use: 'class', skeleton: null },
  colour: classColours[index] ?? classColours[0],
})

type SetOf = {
  name: string
  description: string
  folderId: string
  marks: ('boxes' | 'pixels')[]
  classes: LabelClass[]
}

async function makeSet({ member, language }: Stage, { classes, ...set }: SetOf): Promise<string> {
  const named = classOf(textOf(language, 'labelling', 'classes.background'), classes.length)
  const background = { ...named, key: null, use: 'background' as const }
  const { id } = await member.call('labelling/create', {
    ...{ ...set, classes: [...classes, background], oneTag: false, blind: true },
  })
  return id
}

async function openFirst({ page, product, language }: Stage, set: string): Promise<void> {
  await show(page, `${product.url}/labelling?set=${set}`, language)
  await page.getByRole('main').locator('a[href*="item="]').first().click()
  await opened(page)
}

async function opened(page: Page): Promise<void> {
  await page.locator('[data-plane="2"] canvas').first().waitFor({ timeout: 90_000 })
  await settle(page)
}

const saved = ({ page, language }: Stage) =>
  page
    .getByRole('status')
    .getByText(textOf(language, 'labelling', 'save.saved'))
    .waitFor()

/** What the tool shows where the pointer rests becomes marks. */
async function takeProposal({ page, language }: Stage, key: string, at: Place): Promise<void> {
  await page.keyboard.press(key)
  await page.mouse.move(at.x, at.y, { steps: 3 })
  // What it showed at the place before is told in the same words.
  await page.waitForTimeout(REST_MS)
  await page.getByText(textOf(language, 'labelling', 'told.proposed')).waitFor()
  await page.mouse.click(at.x, at.y)
  await page.waitForTimeout(REST_MS)
}

type Place = { x: number; y: number }
type Bounds = { left: number; top: number; right: number; bottom: number }

/** Cells of a drawn field, in shares of its side. */
function cellsOf(field: number): { at: Place; bounds: Bounds; isCut: boolean }[] {
  const { mask } = drawField(field, FIELD_SIDE)
  const { numbers, sizes } = components(mask.pixels, [FIELD_SIDE, FIELD_SIDE, 1], false)
  return [...sizes.keys()].slice(1).map((number) => {
    const places = [...numbers.keys()].filter((index) => numbers[index] === number)
    const xs = places.map((index) => index % FIELD_SIDE)
    const ys = places.map((index) => Math.floor(index / FIELD_SIDE))
    const [left, right] = [Math.min(...xs), Math.max(...xs) + 1]
    const [top, bottom] = [Math.min(...ys), Math.max(...ys) + 1]
    const share = (pixels: number) => pixels / FIELD_SIDE
    return {
      at: { x: share((left + right) / 2), y: share((top + bottom) / 2) },
      bounds: { left: share(left), top: share(top), right: share(right), bottom: share(bottom) },
      isCut: left === 0 || top === 0 || right === FIELD_SIDE || bottom === FIELD_SIDE,
    }
  })
}

/** On the screen, of a square image that is shown as a whole. */
async function placeOf(page: Page, { x, y }: Place): Promise<Place> {
  const box = await page.locator('[data-plane="2"]').boundingBox()
  if (!box) throw new Error('no plane')
  const side = Math.min(box.width, box.height)
  return { x: box.x + box.width / 2 + (x - 0.5) * side, y: box.y + box.height / 2 + (y - 0.5) * side }
}

async function drag(page: Page, { left, top, right, bottom }: Bounds): Promise<void> {
  const [from, to] = [await placeOf(page, { x: left, y: top }), await placeOf(page, { x: right, y: bottom })]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
}
