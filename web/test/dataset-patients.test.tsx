import type { DataFacts, Dataset } from '@neuroloom/contract/datasets'
import type { PatientOrigin } from '@neuroloom/contract/reading/patient-rule'
import { asFound } from '@neuroloom/contract/reading/reading'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { DatasetPatients } from '../src/features/datasets/reading/dataset-patients.tsx'
import { signIn } from './make.ts'
import { renderPart } from './render.tsx'
import { imageFacts } from './runs/runs-make.ts'
import { serve } from './serve.ts'

beforeEach(() => signIn())

const example = 'ill/person1_bacteria_3006.png'
const found: PatientOrigin = {
  ...{ items: 98, patients: 97, single: 46, pattern: 'person…', isChosen: false, pairs: 0, tooFew: 0 },
  ...{ crossing: 0, aside: 0, rule: { by: 'name', example, from: 4, to: 11 } },
  samples: [
    { name: example, patient: 'person1' },
    { name: 'healthy/IM-0115.png', patient: null },
  ],
  options: [],
}
const nobody: PatientOrigin = {
  ...found,
  ...{ items: 0, patients: 0, single: 144, pattern: '', rule: { by: 'none' } },
}

/** As the server shows it, with small pictures. */
const shownOf = ({ items, patients, single, pattern, samples }: PatientOrigin) => ({
  ...{ items, patients, single, pattern },
  samples: samples.map((sample) => ({ ...sample, image: `/small/${sample.name}` })),
})

function setWith(origin: Partial<PatientOrigin>, over: Partial<DataFacts> = {}): Dataset {
  const side = { min: 64, median: 64, max: 64 }
  const facts: DataFacts = {
    ...imageFacts,
    ...{ items: 144, width: side, height: side, channels: 1 },
    classCounts: [98, 46],
    ...over,
    origin: { ...found, ...origin },
  }
  return {
    ...{ id: 'set', use: 'train', owner: '', name: 'Chest', folderId: 'folder', task: 'classification' },
    ...{ layout: 'class_folders', state: 'ready', progress: { done: 0, total: 0 }, failure: null, parts: [] },
    ...{ classes: ['healthy', 'ill'], problemCount: 0, createdAt: '2026-11-20T08:00:00.000Z' },
    reading: { ...asFound, classNames: { ill: 'pneumonia' } },
    facts,
  }
}

describe('who the pictures come from', () => {
  it('is said with counts, the rule and examples', async () => {
    serve({ 'datasets/patients': () => shownOf(found) })
    renderPart(<DatasetPatients dataset={setWith({ pairs: 2 })} />)
    const section = await screen.findByRole('region', { name: 'Who the images come from' })
    expect(section).toHaveTextContent(
      '144 images, 97 patients by “person…” in the names; 46 count on their own',
    )
    expect(section).toHaveTextContent(/2 pairs.*assumed from the names/)
    await userEvent.click(within(section).getByText('Examples'))
    expect(await within(section).findByText('person1')).toBeVisible()
    expect(within(section).getByText(example).querySelector('img')).toHaveAttribute(
      'src',
      `/small/${example}`,
    )
    expect(within(section).getByText('counts on its own')).toBeVisible()
  })

  it('is said plainly where nothing tells it, where all are of one, and where the member decided so', async () => {
    const shown = renderPart(<DatasetPatients dataset={setWith(nobody)} />)
    expect(await screen.findByText(/not known which images belong to the same patient/)).toBeVisible()
    shown.unmount()
    const few = renderPart(<DatasetPatients dataset={setWith({ ...nobody, tooFew: 1 })} />)
    expect(await screen.findByText(/All images seem to come from 1 patient\./)).toBeVisible()
    few.unmount()
    renderPart(<DatasetPatients dataset={setWith({ ...nobody, isChosen: true })} />)
    expect(await screen.findByText('You decided that each image counts on its own.')).toBeVisible()
  })

  it('is decided by pointing at a part of a name, with the keyboard too, and what comes of it shows at once', async () => {
    const received = serve({
      'datasets/patients': () => ({
        ...{ items: 98, patients: 12, single: 46, pattern: 'bacteria_…' },
        samples: [{ name: example, patient: 'bacteria_3006', image: null }],
      }),
      'datasets/readAs': () => setWith(found),
    })
    renderPart(<DatasetPatients dataset={setWith(found)} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Change' }))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByRole('radio', { name: 'As found by the program' })).toBeChecked()
    await userEvent.click(within(dialog).getByRole('radio', { name: /By a part of the name/ }))
    const use = within(dialog).getByRole('button', { name: 'Use this' })
    expect(use).toBeDisabled()

    await userEvent.click(within(dialog).getByRole('button', { name: 'bacteria' }))
    within(dialog).getByRole('button', { name: '3006' }).focus()
    await userEvent.keyboard('{Enter}')
    expect(within(dialog).getByRole('button', { name: '3006', pressed: true })).toBeInTheDocument()
    expect(await within(dialog).findByRole('status')).toHaveTextContent(
      '144 images, 12 patients by “bacteria_…” in the names; 46 count on their own',
    )
    expect(await within(dialog).findAllByText('bacteria_3006')).not.toEqual([])
    await userEvent.click(use)
    const rule = { by: 'name', example, from: 12, to: 25 }
    await waitFor(() =>
      expect(received.find(({ path }) => path === 'datasets/readAs')?.body).toEqual({
        id: 'set',
        reading: { ...asFound, classNames: { ill: 'pneumonia' }, patients: rule },
      }),
    )
  })

  it('leaves a part out again, and begins anew in another folder', async () => {
    serve({ 'datasets/patients': () => shownOf(found) })
    renderPart(<DatasetPatients dataset={setWith(found)} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Change' }))
    const dialog = await screen.findByRole('dialog')
    await userEvent.click(within(dialog).getByRole('radio', { name: /By a part of the name/ }))
    const part = (name: string) => within(dialog).getByRole('button', { name })
    const pressed = () =>
      within(dialog)
        .queryAllByRole('button', { pressed: true })
        .map((button) => button.textContent)
    await userEvent.click(part('person'))
    await userEvent.click(part('bacteria'))
    expect(pressed()).toEqual(['person', '1', 'bacteria'])
    await userEvent.click(part('bacteria'))
    expect(pressed()).toEqual(['person', '1'])
    await userEvent.click(part('ill'))
    expect(pressed()).toEqual(['ill'])
    await userEvent.click(part('ill'))
    expect(pressed()).toEqual([])
    expect(within(dialog).getByRole('button', { name: 'Use this' })).toBeDisabled()
  })

  it('is chosen among what else fits, with what each would tell', async () => {
    const received = serve({
      'datasets/patients': () => shownOf({ ...found, samples: [{ name: example, patient: 'ward 7' }] }),
      'datasets/readAs': () => setWith(found),
    })
    const option = { ...found, rule: { by: 'table' as const, column: 'ward' }, pattern: 'ward', patients: 9 }
    renderPart(<DatasetPatients dataset={setWith({ ...nobody, options: [option] })} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Change' }))
    const radio = await screen.findByRole('radio', { name: 'by the column “ward” of a table' })
    expect(radio).toHaveAccessibleDescription(/144 images, 9 patients/)
    // Whose images would be together, for the eye.
    expect(await screen.findByText('ward 7')).toBeVisible()
    expect(received[0]).toMatchObject({ path: 'datasets/patients', body: { rule: option.rule } })
    await userEvent.click(radio)
    await userEvent.click(screen.getByRole('button', { name: 'Use this' }))
    await waitFor(() =>
      expect(received.find(({ path }) => path === 'datasets/readAs')?.body).toMatchObject({
        reading: { patients: { by: 'table', column: 'ward' } },
      }),
    )
  })

  it('opens with what was decided before', async () => {
    const rule = { by: 'table' as const, column: 'ward' }
    serve({ 'datasets/patients': () => shownOf(found) })
    renderPart(<DatasetPatients dataset={setWith({ isChosen: true, rule, pattern: 'ward' })} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Change' }))
    expect(await screen.findByRole('radio', { name: 'by the column “ward” of a table' })).toBeChecked()
  })

  it('cannot be changed in data of others', async () => {
    renderPart(<DatasetPatients dataset={{ ...setWith(found), owner: 'A colleague' }} />)
    await screen.findByRole('region', { name: 'Who the images come from' })
    expect(screen.queryByRole('button', { name: 'Change' })).toBeNull()
  })
})

describe('patients of a test that the data bring along', () => {
  it('are left aside by one button, and taken back', async () => {
    const received = serve({ 'datasets/leaveAside': () => setWith(found) })
    const shown = renderPart(<DatasetPatients dataset={setWith({ crossing: 5 })} />)
    expect(
      await screen.findByText(/5 test images are of patients who are also used for training/),
    ).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Exclude them from the test' }))
    await waitFor(() => expect(received[0]?.body).toEqual({ id: 'set', aside: true }))
    shown.unmount()
    renderPart(<DatasetPatients dataset={setWith({ crossing: 5, aside: 5 })} />)
    expect(await screen.findByRole('button', { name: 'Take them back' })).toBeVisible()
  })
})

describe('what alone tells the class', () => {
  it('is a sentence with its figure', async () => {
    const giveaway: DataFacts['giveaway'] = [{ by: 'size', accuracy: 0.914, chance: 0.5 }]
    renderPart(<DatasetPatients dataset={setWith(found, { giveaway })} />)
    expect(await screen.findByText(/Image size alone predicts the class in 91/)).toBeVisible()
    expect(screen.getByText(/may come from different devices/)).toBeVisible()
  })
})
