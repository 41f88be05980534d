import type { Dataset, Double } from '@neuroloom/contract/datasets'
import { asFound } from '@neuroloom/contract/reading/reading'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { DatasetDoubles } from '../src/features/datasets/doubles/dataset-doubles.tsx'
import { signIn } from './make.ts'
import { renderPart } from './render.tsx'
import { imageFacts, imageItem } from './runs/runs-make.ts'
import { serve } from './serve.ts'

beforeEach(() => signIn())

const none = { items: 0, groups: 0, pairs: 0, loose: 0, crossing: 0, aside: 0 }
const side = { min: 64, median: 64, max: 64 }
const facts = {
  ...imageFacts,
  items: 40,
  width: side,
  height: side,
  channels: 1,
  classCounts: [20, 20],
} as const
const withDoubles = (doubles: Partial<typeof none>): Dataset => ({
  ...{ id: 'exam', use: 'train', owner: '', name: 'Chest', folderId: 'folder', task: 'classification' },
  ...{ layout: 'class_folders', state: 'ready', progress: { done: 0, total: 0 }, failure: null, parts: [] },
  ...{
    classes: ['healthy', 'ill'],
    problemCount: 0,
    reading: asFound,
    createdAt: '2026-11-20T08:00:00.000Z',
  },
  facts: { ...facts, classCounts: [20, 20], doubles: { ...none, ...doubles } },
})
const picture = { ...imageItem, class: 0, width: 64, height: 64, image: null, mask: null }
const pair = (kind: Double['kind']): Double => ({
  first: { ...picture, id: 'one', name: 'test/a/same.jpg', part: 'test' },
  second: { ...picture, id: 'two', name: 'train/a/3.png', part: 'train' },
  ...{ distance: 8, kind },
})

describe('pictures that look almost the same', () => {
  it('are counted, and shown in pairs with what is done about them', async () => {
    serve({ 'datasets/doubles': () => ({ doubles: [pair('together')], next: null, total: 1 }) })
    renderPart(<DatasetDoubles dataset={withDoubles({ items: 2, pairs: 1 })} projectId={null} />)
    await userEvent.click(await screen.findByRole('button', { name: /2 images look almost the same/ }))
    const drawer = await screen.findByRole('dialog')
    expect(await within(drawer).findByText('train/a/3.png')).toBeVisible()
    expect(within(drawer).getByText(/go to the same side/)).toBeVisible()
  })

  it('on both sides of given parts are left aside by one button, and taken back', async () => {
    const received = serve({ 'datasets/leaveAside': () => withDoubles({ crossing: 3, aside: 3 }) })
    renderPart(<DatasetDoubles dataset={withDoubles({ items: 6, crossing: 3 })} projectId={null} />)
    expect(await screen.findByText(/3 test images are practically also/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Exclude them from the test' }))
    await waitFor(() => expect(received[0]?.body).toMatchObject({ aside: true }))
    cleanup()
    renderPart(<DatasetDoubles dataset={withDoubles({ items: 6, crossing: 3, aside: 3 })} projectId={null} />)
    expect(await screen.findByRole('button', { name: 'Take them back' })).toBeVisible()
  })

  it('in training and test set are warned of by name', async () => {
    serve({
      'datasets/shared': () => ({ sets: [{ id: 'learn', name: 'Spring', use: 'train', items: 12 }] }),
      'datasets/doubles': () => ({ doubles: [pair('other')], next: null, total: 1 }),
    })
    renderPart(<DatasetDoubles dataset={withDoubles({})} projectId="project" />)
    expect(
      await screen.findByText('12 of these images are practically also in the training data “Spring”'),
    ).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'See them side by side' }))
    expect(await screen.findByText('test/a/same.jpg')).toBeVisible()
  })
})
