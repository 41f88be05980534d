import type { Dataset } from '@neuroloom/contract/datasets'
import type { LabelSource } from '@neuroloom/contract/reading/label-source'
import { asFound } from '@neuroloom/contract/reading/reading'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { DatasetLabels } from '../src/features/datasets/reading/label-source.tsx'
import { signIn } from './make.ts'
import { renderPart } from './render.tsx'
import { imageFacts } from './runs/runs-make.ts'
import { serve } from './serve.ts'

beforeEach(() => signIn())

const columns: LabelSource['candidates'] = [
  { path: 'train.csv', column: 'target', classes: 2, items: 60 },
  { path: 'train.csv', column: 'diagnosis', classes: 4, items: 60 },
  { path: 'train.csv', column: '', classes: 3, items: 60 },
  { path: '', column: 'folders', classes: 5, items: 58 },
]
const told: LabelSource = {
  ...{ from: { path: 'train.csv', column: 'target' }, tables: ['train.csv'], name: null, encoding: null },
  ...{ candidates: columns, isUnsure: false, isGuessed: false, uncertain: 0 },
}
const side = { min: 64, median: 64, max: 64 }
const makeDataset = (labelSource: Partial<LabelSource>, owner = ''): Dataset => ({
  ...{ id: 'skin', use: 'train', owner, name: 'Skin', folderId: 'folder', task: 'classification' },
  ...{ layout: 'csv_labels', state: 'ready', progress: { done: 60, total: 60 }, failure: null, parts: [] },
  ...{ classes: ['0', '1'], problemCount: 0, reading: asFound, createdAt: '2026-11-20T08:00:00.000Z' },
  facts: {
    ...imageFacts,
    ...{ items: 60, width: side, height: side, channels: 1, classCounts: [30, 30] },
    labelSource: { ...told, ...labelSource },
  },
})

it('says which column of which table was read, and takes another one', async () => {
  const dataset = makeDataset({ isUnsure: true })
  const received = serve({ 'datasets/readAs': () => dataset })
  renderPart(<DatasetLabels dataset={dataset} />)
  const source = await screen.findByRole('region', { name: 'Where the labels come from' })
  expect(source).toHaveTextContent('read from the column “target” of train.csv')
  expect(within(source).getByRole('alert')).toHaveTextContent('Please check this')
  await userEvent.click(within(source).getByRole('button', { name: 'Change' }))
  const dialog = await screen.findByRole('dialog', { name: 'What says what the images show?' })
  expect(within(dialog).getByRole('radio', { name: /“target”/ })).toBeChecked()
  expect(within(dialog).getByRole('radio', { name: /Names of the folders/ })).not.toBeChecked()
  await userEvent.click(within(dialog).getByRole('radio', { name: /“diagnosis” of train.csv classes: 4/ }))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Read it so' }))
  await waitFor(() => expect(received).toHaveLength(1))
  expect(received[0]?.body).toEqual({
    id: 'skin',
    reading: { ...asFound, labelColumn: { path: 'train.csv', column: 'diagnosis' } },
  })
})

it('marks the part of a name, and names letters and marks that had to be guessed', async () => {
  const name = { example: 'train/cat.0.jpg', from: 6, to: 9 }
  serve({})
  renderPart(
    <DatasetLabels dataset={makeDataset({ from: null, name, encoding: 'windows-1251', uncertain: 12 })} />,
  )
  const source = await screen.findByRole('region', { name: 'Where the labels come from' })
  expect(source.querySelector('mark')).toHaveTextContent(/^cat$/)
  expect(source).toHaveTextContent('it was read as windows-1251')
  expect(source).toHaveTextContent('12 entries say neither yes nor no (−1). They count as no.')
})

it('offers no change where nothing else could be meant, nor to whoever does not own the data', async () => {
  serve({})
  renderPart(<DatasetLabels dataset={makeDataset({ candidates: columns.slice(0, 1) })} />)
  renderPart(<DatasetLabels dataset={makeDataset({}, 'Doctor')} />)
  expect(await screen.findAllByRole('region', { name: 'Where the labels come from' })).toHaveLength(2)
  expect(screen.queryByRole('button', { name: 'Change' })).toBeNull()
})

it('calls columns by number where a table has no titles', async () => {
  serve({})
  const from = { path: 'train.txt', column: '#3' }
  renderPart(<DatasetLabels dataset={makeDataset({ from, tables: ['train.txt', 'test.txt'] })} />)
  const source = await screen.findByRole('region', { name: 'Where the labels come from' })
  expect(source).toHaveTextContent('read from column 3 of train.txt, which has no titles')
  expect(source).toHaveTextContent('1 further table says the same kind of thing of other images.')
})
