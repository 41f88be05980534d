import type { Dataset } from '@neuroloom/contract/datasets'
import { asFound } from '@neuroloom/contract/reading/reading'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { ClassSpellings } from '../src/features/datasets/reading/class-spellings.tsx'
import { renamed } from '../src/features/datasets/reading/joined-names.ts'
import { signIn } from './make.ts'
import { renderPart } from './render.tsx'
import { imageFacts } from './runs/runs-make.ts'
import { serve } from './serve.ts'

beforeEach(() => signIn())

const span = { min: 64, median: 64, max: 64 }
const dataset: Dataset = {
  ...{ id: 'skin', use: 'train', owner: '', name: 'Skin', folderId: 'folder', task: 'classification' },
  ...{ layout: 'csv_labels', state: 'ready', progress: { done: 9, total: 9 }, failure: null, parts: [] },
  ...{ classes: ['mole', 'nevus', 'Nevus'], problemCount: 0, createdAt: '2026-11-20T08:00:00.000Z' },
  reading: { ...asFound, classNames: { mole: 'Mole' } },
  facts: {
    ...{ ...imageFacts, items: 9, channels: 3, width: span, height: span },
    ...{ classCounts: [2, 3, 4], spellings: [['nevus', 'Nevus']] },
  },
}

it('shows spellings of one class together and joins them with one press, under the most frequent one', async () => {
  const received = serve({ 'datasets/readAs': () => dataset })
  renderPart(<ClassSpellings dataset={dataset} />)
  expect(await screen.findByText('“nevus” = “Nevus”')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Join them' }))
  await waitFor(() => expect(received).toHaveLength(1))
  expect(received[0]?.body).toEqual({
    id: 'skin',
    reading: { ...asFound, classNames: { mole: 'Mole', nevus: 'Nevus', Nevus: 'Nevus' } },
  })
})

it('offers nothing to whoever does not own the data, and says nothing where all classes differ', async () => {
  serve({})
  renderPart(<ClassSpellings dataset={{ ...dataset, owner: 'Doctor' }} />)
  expect(await screen.findByRole('alert')).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})

it('takes back what was joined with one press, and leaves other names as they are', async () => {
  const classNames = { mole: 'Mole', nevus: 'Nevus', Nevus: 'Nevus', NEVUS: 'Nevus' }
  const { spellings: _, ...facts } = dataset.facts ?? { spellings: [] }
  const joined = { ...dataset, classes: ['Mole', 'Nevus'], reading: { ...asFound, classNames }, facts }
  const received = serve({ 'datasets/readAs': () => dataset })
  renderPart(<ClassSpellings dataset={joined as Dataset} />)
  expect(await screen.findByText('“nevus” = “Nevus” = “NEVUS”')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Join them' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Separate them again' }))
  await waitFor(() => expect(received).toHaveLength(1))
  expect(received[0]?.body).toEqual({ id: 'skin', reading: { ...asFound, classNames: { mole: 'Mole' } } })
})

it('keeps classes joined when their owner calls them something else', () => {
  const classNames = { mole: 'Mole', nevus: 'Nevus', Nevus: 'Nevus' }
  const named = [
    ['Mole', 'mole'],
    ['Nevus', 'naevus'],
    ['wart', 'wart'],
  ] as const
  expect(renamed(classNames, named)).toEqual({ nevus: 'naevus', Nevus: 'naevus' })
})
