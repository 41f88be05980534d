import type { Dataset, MaskFacts } from '@neuroloom/contract/datasets'
import { asFound } from '@neuroloom/contract/reading/reading'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { DatasetMasks } from '../src/features/datasets/reading/dataset-masks.tsx'
import { signIn } from './make.ts'
import { renderPart } from './render.tsx'
import { imageFacts } from './runs/runs-make.ts'
import { serve } from './serve.ts'

beforeEach(() => signIn())

const plain: MaskFacts = {
  ...{ counts: null, mayVote: false, agreement: null, channels: [], channel: null, values: [] },
  ...{ smeared: 0, things: 0, joined: 0, regions: 0, regionFrom: null, turned: 0, masksTurned: 0, unsure: 0 },
}
const readers = ['1st_manual', '2nd_manual'].map((key) => ({ key, name: key, items: 20 }))

function makeDataset(masks: Partial<MaskFacts> | null, over: Partial<Dataset> = {}): Dataset {
  const counts = masks?.counts ?? null
  return {
    ...{ id: 'd1', use: 'train', owner: '', name: 'DRIVE', folderId: 'f1', task: 'segmentation' },
    ...{ layout: 'images_masks', state: 'ready', progress: { done: 40, total: 40 }, failure: null },
    ...{ parts: [], classes: ['background', 'foreground'], problemCount: 0 },
    ...{ reading: asFound, createdAt: '2026-01-01T00:00:00.000Z' },
    facts: {
      ...imageFacts,
      ...(counts === null ? {} : { readers }),
      ...(masks === null ? {} : { masks: { ...plain, ...masks } }),
    },
    ...over,
  } as Dataset
}

it('says whose masks count and reads the folder anew by another reader', async () => {
  const dataset = makeDataset({ counts: '1st_manual', mayVote: true, agreement: 0.788 })
  const received = serve({ 'datasets/readAs': () => dataset })
  renderPart(<DatasetMasks dataset={dataset} />)
  const choice = await screen.findByRole('group', { name: 'Whose masks count' })
  expect(within(choice).getByRole('radio', { name: '1st_manual (20 images)' })).toBeChecked()
  expect(choice).toHaveTextContent('agree with a Dice of 0.79')
  await userEvent.click(within(choice).getByRole('radio', { name: /Majority vote/ }))
  expect(received.map(({ body }) => body)).toEqual([
    { id: 'd1', reading: { ...asFound, labels: 'majority' } },
  ])
})

it('offers no choice to whoever does not own the data', async () => {
  serve({})
  renderPart(<DatasetMasks dataset={makeDataset({ counts: '1st_manual' }, { owner: 'Doctor' })} />)
  expect(await screen.findByRole('radio', { name: '2nd_manual (20 images)' })).toBeDisabled()
  expect(screen.queryByRole('button', { name: 'Name the classes' })).toBeNull()
})

it('asks which of several images of a case are learned from', async () => {
  const channels = ['flair', 't1'].map((key) => ({ key, name: key, items: 3 }))
  const dataset = makeDataset({ channels, channel: 'flair' }, { task: 'volume_segmentation' })
  const received = serve({ 'datasets/readAs': () => dataset })
  renderPart(<DatasetMasks dataset={dataset} />)
  await userEvent.click(await screen.findByRole('radio', { name: 't1 (3 images)' }))
  expect(received[0]?.body).toMatchObject({ reading: { images: 't1' } })
})

it('tells what counts, what was joined and turned, and which colours there are', async () => {
  serve({})
  const values = [
    { value: '#000000', class: 0, pixels: 9000 },
    { value: '#ff0000', class: 1, pixels: 1 },
  ]
  const open = { value: '255', images: 4, share: 0.0512 }
  const told = {
    regions: 20,
    regionFrom: 'mask',
    joined: 1,
    smeared: 2,
    renumbered: 7,
    inverted: 5,
    open,
    turned: 3,
    unsure: 1,
    values,
  }
  renderPart(<DatasetMasks dataset={makeDataset(told)} />)
  const part = await screen.findByRole('region', { name: 'How the masks are read' })
  expect(part).toHaveTextContent('In 20 images only what the masks in “mask” show counts')
  expect(part).toHaveTextContent('Of 1 image, several mask files were put together')
  expect(part).toHaveTextContent('2 masks have JPEG artefacts')
  expect(part).toHaveTextContent('In 4 masks the value 255 marks outlines or what nobody decided on (5.12%')
  expect(part).toHaveTextContent('5 masks mark what the others leave out')
  expect(part).toHaveTextContent('7 masks with palettes number their colours in different ways')
  expect(part).toHaveTextContent('3 images are turned as their camera noted')
  expect(part).toHaveTextContent('Of 1 of them nothing tells')
  expect(part).toHaveTextContent('2 colours in the masks')
  expect(part).toHaveTextContent('#ff0000Marked area1 pixel')
})

it('takes the owner’s names for classes, each once', async () => {
  const dataset = makeDataset(null)
  const received = serve({ 'datasets/readAs': () => dataset })
  renderPart(<DatasetMasks dataset={dataset} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Name the classes' }))
  const name = await screen.findByRole('textbox', { name: 'Name for Marked area' })
  await userEvent.clear(name)
  await userEvent.type(name, 'Background')
  expect(await screen.findByRole('alert')).toHaveTextContent('Two classes cannot have the same name')
  expect(screen.getByRole('button', { name: 'Use these names' })).toBeDisabled()
  await userEvent.clear(name)
  await userEvent.type(name, 'vessel')
  await userEvent.click(screen.getByRole('button', { name: 'Use these names' }))
  expect(received[0]?.body).toEqual({
    id: 'd1',
    reading: { ...asFound, classNames: { foreground: 'vessel' } },
  })
})
