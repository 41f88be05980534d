/** The main journey as a person takes it: project, folder, Train, Start. */

import type { Task } from '@neuroloom/contract/task'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Folder } from './data.ts'

export type { Task }

/** What a member wants to know, as the question-led start says it. */
const answers: Record<Task, string> = {
  classification: 'What kind of image is it?',
  multilabel: 'Which of several findings does it show?',
  segmentation: 'Where exactly is it?',
  volume_segmentation: 'Where exactly is it, in a whole CT or MRI scan?',
  detection: 'Where are they, and how many?',
  super_resolution: 'How would it look with finer detail?',
  denoising: 'How would it look without noise?',
}

/** From the start page to a running training; answers the run's id. */
export async function startTraining(
  page: Page,
  { task, folder, project }: { task: Task; folder: Folder; project: string },
): Promise<string> {
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Project management/ })
    .click()
  await askForProject(page, task, project)
  await uploadFolder(page, folder)
  await page.waitForURL(/\/projectDetail\?id=/)
  await page.getByRole('button', { name: 'Train', exact: true }).click({ timeout: 120_000 })
  await seesBeforeStart(page)
  await page.getByRole('button', { name: 'Start training' }).click()
  await page.waitForURL(/\/run\?id=/)
  return new URL(page.url()).searchParams.get('id') ?? ''
}

/** Network, time and the button stand in one window: nobody scrolls before starting. */
async function seesBeforeStart(page: Page) {
  const network = page.getByText('Network', { exact: true })
  const time = page.getByText(/on this server/)
  const start = page.getByRole('button', { name: 'Start training' })
  for (const one of [network, time, start]) await one.first().waitFor()
  await areInSight(page, [network, time, start])
}

/** Whole within the window, as it stands now. */
async function areInSight(page: Page, targets: readonly Locator[]) {
  const height = page.viewportSize()?.height ?? 0
  await expect
    .poll(async () => {
      const boxes = await Promise.all(targets.map((one) => one.first().boundingBox()))
      return boxes.every((box) => box !== null && box.y >= 0 && box.y + box.height <= height)
    })
    .toBe(true)
}

/** The next thing to do on a page: nobody scrolls to it, neither on a small desk nor on a phone. */
export async function isNext(page: Page, target: Locator) {
  const size = page.viewportSize()
  for (const one of [
    { width: 375, height: 812 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(one)
    await page.evaluate(() => window.scrollTo(0, 0))
    await target.waitFor()
    await areInSight(page, [target])
  }
  if (size) await page.setViewportSize(size)
}

/** A project whose data come later. */
export async function newProject(page: Page, task: Task, project: string) {
  await askForProject(page, task, project)
  await page.getByRole('dialog').getByRole('button', { name: 'Add them later' }).click()
  await page.waitForURL(/\/projectDetail\?id=/)
}

/** The question-led start, up to where the pictures are. */
async function askForProject(page: Page, task: Task, project: string) {
  await page.getByRole('button', { name: 'New project' }).first().click()
  const dialog = page.getByRole('dialog')
  // Classification is chosen already.
  if (task !== 'classification') await dialog.getByText(answers[task], { exact: true }).click()
  await dialog.getByLabel('What is the project called?').fill(project)
}

/** Gives a folder to the directory picker. */
export async function uploadFolder(page: Page, folder: Folder) {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload a folder' }).click()
  await (await chooser).setFiles(folder.path)
}

/** Waits until the run page shows that the run has ended. */
export async function waitForEnd(page: Page, limitMs: number) {
  await page.getByRole('heading', { name: 'Downloads' }).waitFor({ timeout: limitMs })
}

type Headline = {
  metric: string
  /** What few steps reach. */
  least: number
  /** What the test gives to take along. */
  download: RegExp | null
}

/** Stops the training that is on the page and tests it; answers the training's address. */
export async function stopAndTest(page: Page, { metric, least, download }: Headline): Promise<string> {
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Stop now' }).click()
  const training = page.url()
  await page.getByRole('button', { name: 'Start test' }).click({ timeout: 120_000 })
  await page.waitForURL((url) => url.toString() !== training)
  await waitForEnd(page, 240_000)
  await expect.poll(() => shown(page, metric), { timeout: 60_000 }).toBeGreaterThan(least)
  if (download === null) return training
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: download }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/\.(zip|json)$/)
  return training
}

/** The report of the test that is on the page. */
export async function readReport(page: Page, project: string) {
  await page.getByRole('button', { name: 'Report' }).click()
  await page.getByRole('heading', { name: `${project}: report of a test` }).waitFor()
  for (const name of ['In short', 'Results', 'What to keep in mind']) {
    await page.getByRole('heading', { name }).waitFor()
  }
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /Download as PDF/ }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/\.pdf$/)
}

/** The headline of a run's page; 0 before the first check. */
export async function shown(page: Page, metric: string): Promise<number> {
  const text = await page.getByRole('main').innerText()
  const found = new RegExp(`${metric}[^0-9]*?([0-9]+[.][0-9]+)`).exec(text)
  return Number(found?.[1] ?? 0)
}
