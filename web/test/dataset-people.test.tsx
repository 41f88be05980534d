import type { Dataset, PeopleFacts } from '@neuroloom/contract/datasets'
import { asFound } from '@neuroloom/contract/reading/reading'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { DatasetPeople } from '../src/features/datasets/reading/dataset-people.tsx'
import { signIn } from './make.ts'
import { renderPart } from './render.tsx'
import { imageFacts } from './runs/runs-make.ts'
import { serve } from './serve.ts'

beforeEach(() => signIn())

const age: PeopleFacts['columns'][number] = { name: 'Age', kind: 'age', items: 60 }
const side = { min: 64, median: 64, max: 64 }
const makeDataset = (people: PeopleFacts, over: Partial<Dataset> = {}): Dataset => ({
  ...{ id: 'skin', use: 'train', owner: '', name: 'Skin', folderId: 'folder', task: 'classification' },
  ...{ layout: 'csv_labels', state: 'ready', progress: { done: 60, total: 60 }, failure: null, parts: [] },
  ...{ classes: ['0', '1'], problemCount: 0, reading: asFound, createdAt: '2026-11-20T08:00:00.000Z' },
  facts: {
    ...imageFacts,
    ...{ items: 60, width: side, height: side, channels: 1, classCounts: [30, 30] },
    people,
  },
  ...over,
})
const open = async (): Promise<HTMLElement> => {
  await userEvent.click(await screen.findByRole('button', { name: 'Choose columns for the report' }))
  return screen.findByRole('dialog', { name: 'Which further columns do reports sum up?' })
}

it('says what reports sum up, and takes further columns beside those chosen before', async () => {
  const stage = { name: 'stage', kind: 'other' as const, items: 58 }
  const people = { columns: [age, stage], options: ['stage', 'ward'] }
  const dataset = makeDataset(people, { reading: { ...asFound, people: ['stage', 'gone'] } })
  const received = serve({ 'datasets/readAs': () => dataset })
  renderPart(<DatasetPeople dataset={dataset} />)
  const part = await screen.findByRole('region', { name: 'What tables tell about the people' })
  expect(part).toHaveTextContent('Age (known of 60 images) and stage (known of 58 images)')
  const dialog = await open()
  expect(within(dialog).getByRole('checkbox', { name: 'stage' })).toBeChecked()
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'ward' }))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Use these columns' }))
  await waitFor(() => expect(received).toHaveLength(1))
  // A column that the table has no longer is not asked for again.
  expect(received[0]?.body).toEqual({ id: 'skin', reading: { ...asFound, people: ['stage', 'ward'] } })
})

it('takes no more columns than reports show', async () => {
  const options = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  serve({})
  const reading = { ...asFound, people: options.slice(0, 7) }
  renderPart(<DatasetPeople dataset={makeDataset({ columns: [age], options }, { reading })} />)
  const dialog = await open()
  expect(within(dialog).getByRole('checkbox', { name: 'h' })).toBeDisabled()
  expect(dialog).toHaveTextContent('Up to 8 columns, age and sex included.')
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'a' }))
  expect(within(dialog).getByRole('checkbox', { name: 'h' })).toBeEnabled()
})

it('lets nobody choose but the owner', async () => {
  serve({})
  renderPart(<DatasetPeople dataset={makeDataset({ columns: [], options: ['ward'] }, { owner: 'Doctor' })} />)
  expect(await screen.findByText('Age, sex and other columns: not in the report yet.')).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})

it('names a table whose persons are not here, and what helps', async () => {
  serve({})
  renderPart(<DatasetPeople dataset={makeDataset({ columns: [], options: [], unmatched: ['people.csv'] })} />)
  const part = await screen.findByRole('region', { name: 'What tables tell about the people' })
  expect(part).toHaveTextContent(
    'people.csv tells the age or sex of persons, but none of its lines belongs to an image here.',
  )
  expect(part).toHaveTextContent('a column “patient”')
  expect(part).not.toHaveTextContent('not in the report yet')
})
