/** DICOM files of several patients as scanners write them: upload, brightness, training, test and report, by mouse. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawDicom } from '../../server/test/dicom.ts'
import { signIn, type Visit, visit } from '../browser.ts'
import { type Folder, filesBelow, write } from '../data.ts'
import { newProject, readReport, shown, stopAndTest, uploadFolder } from '../journey.ts'
import type { Product } from '../stack.ts'

let product: Product
let page: Page
let errors: string[]
let end: Visit['end'] | undefined

beforeAll(async () => {
  ;({ product, page, errors, end } = await visit())
  await signIn(page, product)
})
afterAll(() => end?.())

const PATIENTS = 10
/** Of each patient, who is healthy or ill. */
const PICTURES = 4

/** Bright in the middle or at the edge, of patients whose names the files say; no file has an ending. */
function drawScans(): Folder {
  const path = join(mkdtempSync(join(tmpdir(), 'pictures-')), 'scans')
  for (let patient = 0; patient < 2 * PATIENTS; patient += 1) {
    const isIll = patient % 2 === 1
    for (let number = 0; number < PICTURES; number += 1) {
      const scan = drawDicom({
        at: (x, y) => {
          const isMiddle = Math.abs(x - 16) < 9 && Math.abs(y - 16) < 9
          return (isMiddle === isIll ? 120 : -40) + ((x * (patient + 3) + y * (number + 5)) % 40)
        },
        patientId: `MRN-${4000 + patient}`,
        patientName: `Test^Number${patient}`,
        study: `2.25.4${patient}`,
        series: `2.25.5${patient}`,
        number,
      })
      write(join(path, isIll ? 'ill' : 'healthy', `IM${patient}_${number}`), scan)
    }
  }
  return { path, name: 'scans', files: filesBelow(path).length, isReal: false }
}

test('leads from upload to the report without a conversion', async () => {
  const main = page.getByRole('main')
  await main.getByRole('link', { name: /^Project management/ }).click()
  await newProject(page, 'classification', 'Scans')
  await uploadFolder(page, drawScans())
  const brightness = page.getByRole('region', { name: 'Brightness of the DICOM images' })
  await brightness.getByText('As the files say').waitFor()
  await brightness.getByRole('button', { name: 'Change brightness' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'How the values become grey' }).click()
  await page.getByTitle('Soft tissue').click()
  await dialog.getByRole('img', { name: /with the chosen brightness/ }).waitFor()
  await dialog.getByRole('button', { name: 'Read the images this way' }).click()
  await brightness.getByText('Soft tissue').waitFor()
  // The files name somebody; no page does.
  expect(await main.innerText()).not.toMatch(/MRN-|Number\d/)

  await page.getByRole('button', { name: 'Train', exact: true }).click({ timeout: 120_000 })
  await page.getByRole('button', { name: 'Start training' }).click()
  await page.waitForURL(/\/run\?id=/)
  // The first look at the validation part.
  await expect.poll(() => shown(page, 'Accuracy'), { timeout: 300_000, interval: 1000 }).toBeGreaterThan(0)
  await stopAndTest(page, { metric: 'Accuracy', least: 0.2, download: null })
  await readReport(page, 'Scans')
  expect(errors).toEqual([])
})
