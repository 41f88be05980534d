import type { Dataset } from '@neuroloom/contract/datasets'
import { asFound } from '@neuroloom/contract/reading/reading'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { Variation } from '../../src/features/toolbox/variation/variation.tsx'
import { AugmentationTool } from '../../src/pages/toolbox/augmentation.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { imageFacts } from '../runs/runs-make.ts'
import { serve } from '../serve.ts'

beforeEach(() => signIn())

const side = { min: 64, median: 64, max: 64 }
const facts = { ...imageFacts, items: 4, width: side, height: side, channels: 1 as const, classCounts: [] }
const dataset: Dataset = {
  ...{ id: 'set-1', use: 'train', owner: '', name: 'Nuclei', folderId: 'folder', task: 'segmentation' },
  ...{ layout: 'images_masks', state: 'ready', progress: { done: 0, total: 0 }, failure: null, parts: [] },
  ...{ classes: ['background', 'nucleus'], problemCount: 0, reading: asFound },
  ...{ createdAt: '2026-11-20T08:00:00.000Z', facts },
}
const picture = 'data:image/webp;base64,AAAA'
const varied = {
  ...{ task: 'segmentation' as const, classes: dataset.classes, isUsual: true, depth: 1 },
  imageSize: [64, 48] as [number, number],
  samples: [
    { name: 'images/1.png', before: picture, after: picture, marks: [1] },
    { name: 'images/2.png', before: null, after: null, marks: [] },
  ],
}
const use = {
  ...{ id: 'u', tool: 'augmentation' as const, title: '', inputs: {}, jobId: null },
  usedAt: '2026-11-20T08:00:00.000Z',
}

it('draws again by another seed, shows each change by itself, and is kept for another time', async () => {
  const received = serve({ 'toolbox/vary': () => varied, 'toolbox/record': () => use })
  renderPart(<Variation datasets={[dataset]} inputs={{ dataset: 'set-1', height: '64', width: '48' }} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Show' }))
  expect(await screen.findByRole('img', { name: 'images/1.png, changed' })).toBeVisible()
  expect(screen.getByRole('img', { name: 'images/1.png, unchanged' })).toBeVisible()
  expect(screen.getByText('nucleus')).toBeVisible()
  expect(screen.getByText('This image cannot be read.')).toBeVisible()
  expect(screen.getByText(/A mirrored heart is on the wrong side/)).toBeVisible()
  await userEvent.click(screen.getByText('Uneven light'))
  await waitFor(() => expect(screen.queryByText(/A mirrored heart/)).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'Draw again' }))
  await waitFor(() => expect(received.filter(({ path }) => path === 'toolbox/vary')).toHaveLength(3))
  const asked = received.flatMap(({ path, body }) => (path === 'toolbox/vary' ? [body] : []))
  expect(asked).toMatchObject([
    { only: null, seed: 1, imageSize: [64, 48] },
    { only: 'slope', seed: 1 },
    { only: 'slope', seed: 2 },
  ])
  expect(received.find(({ path }) => path === 'toolbox/record')?.body).toMatchObject({
    tool: 'augmentation',
    inputs: { dataset: 'set-1', seed: '1', height: '64', width: '48' },
  })
})

it('says what to do first where there are no data', async () => {
  serve({ 'datasets/list': () => ({ datasets: [] }) })
  renderPart(<AugmentationTool />)
  expect(await screen.findByText('No data set yet')).toBeVisible()
})
