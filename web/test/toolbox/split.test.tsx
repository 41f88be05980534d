import type { Dataset } from '@neuroloom/contract/datasets'
import { asFound } from '@neuroloom/contract/reading/reading'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { csvOf, listsOf } from '../../src/features/toolbox/split/lists.ts'
import { SplitForm } from '../../src/features/toolbox/split/split-form.tsx'
import { DatasetTool } from '../../src/pages/toolbox/dataset.tsx'
import { SplitMaker } from '../../src/pages/toolbox/split.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { imageFacts } from '../runs/runs-make.ts'
import { serve } from '../serve.ts'

beforeEach(() => signIn())

const side = { min: 64, median: 64, max: 64 }
const facts = {
  ...imageFacts,
  items: 3,
  width: side,
  height: side,
  channels: 1 as const,
  classCounts: [2, 1],
}
const dataset: Dataset = {
  ...{ id: 'set-1', use: 'train', owner: '', name: 'Chest', folderId: 'folder', task: 'classification' },
  ...{ layout: 'class_folders', state: 'ready', progress: { done: 0, total: 0 }, failure: null, parts: [] },
  ...{ classes: ['healthy', 'ill'], problemCount: 0, reading: asFound },
  ...{ createdAt: '2026-11-20T08:00:00.000Z', facts },
}
const parts = [
  { part: 'train' as const, names: ['a/1.png', 'b/2, left.png'], groups: 2, classes: [1, 1] },
  { part: 'validation' as const, names: [], groups: 0, classes: [0, 0] },
  { part: 'test' as const, names: ['a/3.png'], groups: 1, classes: [1, 0] },
]
const use = {
  id: 'u',
  tool: 'split',
  title: '',
  inputs: {},
  jobId: null,
  usedAt: '2026-11-20T08:00:00.000Z',
} as const

it('shows what comes into which part, and hands the lists on', async () => {
  const onSave = vi.fn()
  const received = serve({
    'toolbox/split': () => ({ classes: ['healthy', 'ill'], parts, folderId: 'folder' }),
    'toolbox/record': () => use,
  })
  renderPart(<SplitForm datasets={[dataset]} inputs={{}} onSave={onSave} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Divide' }))
  expect(await screen.findByRole('row', { name: 'Training 2 2 1 1' })).toBeVisible()
  expect(screen.getByRole('row', { name: 'Test 1 1 1 0' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Write the lists beside the data' }))
  expect(onSave).toHaveBeenCalledWith('folder', parts)
  expect(screen.getByRole('button', { name: 'Look at the data again' })).toBeVisible()
  await waitFor(() => expect(received).toHaveLength(2))
  expect(received.find(({ path }) => path === 'toolbox/record')?.body).toMatchObject({
    tool: 'split',
    inputs: { dataset: 'set-1', train: '70', validation: '10', test: '20', seed: '1' },
  })
})

it('divides nothing while the parts do not make a whole', async () => {
  serve({})
  renderPart(<SplitForm datasets={[dataset]} inputs={{}} onSave={() => {}} />)
  await userEvent.clear(await screen.findByRole('spinbutton', { name: 'Test' }))
  expect(screen.getByText(/now they make 80 %/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Divide' })).toBeDisabled()
})

it('writes one list a part that has pictures, and a table', async () => {
  const lists = listsOf(parts)
  expect(lists.map(({ path }) => path)).toEqual(['splits/train.txt', 'splits/test.txt'])
  expect(await lists[0]?.file.text()).toBe('a/1.png\nb/2, left.png\n')
  expect(csvOf(parts)).toBe('image,split\r\na/1.png,train\r\n"b/2, left.png",train\r\na/3.png,test\r\n')
})

it.each([
  ['the split maker', <SplitMaker key="split" />],
  ['data-set statistics', <DatasetTool key="dataset" />],
])('%s says where data sets come from when there is none', async (_, page) => {
  serve({ 'datasets/list': () => ({ datasets: [] }) })
  renderPart(page)
  expect(await screen.findByText('No data set yet')).toBeVisible()
})

it('data-set statistics show the card of the chosen set', async () => {
  serve({ 'datasets/list': () => ({ datasets: [dataset] }) })
  renderPart(<DatasetTool />)
  expect(await screen.findByRole('article', { name: 'Chest' })).toBeVisible()
})
