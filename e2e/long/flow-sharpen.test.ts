/**
 * Velocity super-resolution as a person does it: a network learns on known flows for a few seconds, its verdict stands beside
 * interpolation, and only where it won a study is made finer. In so short a time it mostly does not win: then it is refused.
 */
import { startSettings } from '@neuroloom/contract/flow/options'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askIn, signIn, type Visit, visit } from '../browser.ts'

const [FLOWS, EPOCHS] = ['20', '3']

let at: Visit
beforeAll(async () => {
  at = await visit()
  await signIn(at.page, at.product)
})
afterAll(() => at?.end())

/** A known flow in a project, computed with corrections. */
async function computed(page: Page): Promise<{ projectId: string; runId: string }> {
  await page.goto(`${at.product.url}/mangeHome`)
  const { id: projectId } = await askIn(page, 'projects/create', { name: 'Finer', task: 'flow' })
  const { id: studyId } = await askIn(page, 'flow/phantom', { phantom: 'womersley', scan: { frames: 2 } })
  await askIn(page, 'flow/addToProject', { projectId, studyId })
  await expect
    .poll(async () => (await askIn(page, 'flow/study', { id: studyId })).state, { timeout: 120_000 })
    .toBe('ready')
  const asked = {
    ...{ kinds: ['vortex' as const], settings: startSettings, fitOrder: 1 as const, seed: 1 },
    corrections: { offset: null, unwrap: true, turn: null },
    mask: { kind: 'threshold' as const, level: null, grow: [] },
  }
  const { id: runId } = await askIn(page, 'flow/start', { projectId, studyId, asked })
  return { projectId, runId }
}

test('a network learns on known flows, and is offered only where it beats interpolation', async () => {
  const { page, product } = at
  const { projectId, runId } = await computed(page)
  await page.goto(`${product.url}/projectDetail?id=${projectId}`)
  await page.getByRole('button', { name: 'Train a network' }).click()
  await page.getByText(/ on this server/).waitFor()
  await page.getByLabel('Known flows').fill(FLOWS)
  await page.getByLabel('Epochs').fill(EPOCHS)
  await page.getByRole('button', { name: 'Start training' }).click()
  await page.getByRole('heading', { name: 'Is it better than interpolation?' }).waitFor({ timeout: 300_000 })
  const verdict = await page.getByText(/etter than interpolation (by|on)/).innerText()
  expect(verdict).toMatch(/4 flows held out/)
  expect(await page.getByRole('row', { name: /^(Network|Linear|Cubic)/ }).count()).toBe(3)
  const trainingId = new URL(page.url()).searchParams.get('id') ?? ''

  await page.goto(`${product.url}/run?id=${runId}`)
  const network = page.getByRole('radio', { name: /Flow training/ })
  await network.waitFor({ timeout: 120_000 })
  if (verdict.startsWith('Better')) await makeFiner(page)
  else {
    expect(await network.isDisabled()).toBe(true)
    await page.getByText('None of them beat interpolation').waitFor()
    const refused = JSON.stringify(await askIn(page, 'flow/sharpen', { runId, trainingId }))
    expect(refused).toContain('flow_network_unproven')
  }
  console.log(`A network after ${FLOWS} known flows and ${EPOCHS} epochs: ${verdict}`)
  expect(at.errors).toEqual([])
})

/** The new study is marked, and stands beside what interpolation alone makes of it. */
async function makeFiner(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Make a finer study' }).click()
  await page.getByRole('link', { name: 'To the studies' }).click()
  const study = page.getByRole('listitem').filter({ hasText: 'Made finer by a network' })
  await study.getByText('Ready').waitFor({ timeout: 120_000 })
  await study.getByRole('link').first().click()
  await page.getByRole('application').first().waitFor({ timeout: 120_000 })
  await page
    .getByText(/estimated, not measured/)
    .first()
    .waitFor()
  await page.getByText('Interpolated', { exact: true }).click()
  await page.getByText('Network', { exact: true }).click()
}
