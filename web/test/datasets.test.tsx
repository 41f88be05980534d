import { type Dataset, type Problem, problemReasons } from '@neuroloom/contract/datasets'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import i18next from 'i18next'
import { beforeEach, describe, expect, it } from 'vitest'
import { DatasetCard } from '../src/features/datasets/dataset-card.tsx'
import { DatasetItems } from '../src/features/datasets/dataset-items.tsx'
import { DatasetProblems } from '../src/features/datasets/dataset-problems.tsx'
import { ExistingDatasetPicker } from '../src/features/datasets/existing-dataset-picker.tsx'
import { csvOf } from '../src/features/datasets/problems-csv.ts'
import { signIn } from './make.ts'
import { renderPart } from './render.tsx'
import { imageFacts, imageItem } from './runs-make.ts'
import { serve } from './serve.ts'

beforeEach(() => signIn())

describe('the card of a data set', () => {
  it('counts while the files are being looked at', async () => {
    serve({})
    renderPart(
      <DatasetCard dataset={makeDataset({ state: 'checking', progress: { done: 1204, total: 5000 } })} />,
    )
    expect(await screen.findByText('1,204 of 5,000 files looked at')).toBeVisible()
    expect(screen.getByRole('progressbar', { name: 'Progress of the check' })).toHaveAttribute(
      'aria-valuenow',
      '24',
    )
  })

  it('shows both parts, the classes with their numbers, and samples of several classes', async () => {
    const received = serve({
      'datasets/items': (body) => ({ items: makeItems(body.class ?? 0), next: null }),
    })
    const { container } = renderPart(<DatasetCard dataset={makeDataset({})} />)
    expect(await screen.findByText('1,500 images')).toBeVisible()
    expect(screen.getByText('1,500 labels')).toBeVisible()
    const classes = screen.getByRole('region', { name: '3 classes' })
    expect(classes).toHaveTextContent('healthy1,000')
    expect(classes).toHaveTextContent('tumour200')
    await waitFor(() => expect(container.querySelectorAll('img[src^="/thumb"]')).toHaveLength(8))
    expect(received.map(({ body }) => body.class)).toEqual([0, 1, 2])
    expect(screen.queryByText(/set aside/)).toBeNull()
  })

  it('shows the share of the area and lays masks over the samples', async () => {
    const items = makeItems(null).map((item) => ({ ...item, mask: `/mask/${item.id}` }))
    serve({ 'datasets/items': () => ({ items, next: null }) })
    renderPart(<DatasetCard dataset={makeSegmentation()} />)
    const classes = await screen.findByRole('region', { name: '2 classes' })
    expect(classes).toHaveTextContent('Background85%')
    expect(classes).toHaveTextContent('Marked area15%')
    expect(await screen.findAllByTestId('mask')).toHaveLength(8)
  })

  it('leads to the files that were set aside', async () => {
    serve({
      'datasets/items': () => ({ items: [], next: null }),
      'datasets/problems': () => ({ problems: [makeProblem({ reason: 'truncated' })], next: null }),
    })
    renderPart(<DatasetCard dataset={makeDataset({ problemCount: 1 })} />)
    await userEvent.click(await screen.findByRole('button', { name: /1 file was set aside/ }))
    expect(await screen.findByText('The image is damaged or incomplete')).toBeInTheDocument()
    expect(screen.getByRole('cell', { name: 'CXR/a.png' })).toBeInTheDocument()
  })

  it('explains a failure and draws the folder that would be right for the task', async () => {
    serve({})
    const failed = { state: 'failed', failure: 'single_class', facts: null } as const
    renderPart(<DatasetCard dataset={makeDataset(failed)} />)
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('There is only one class')
    expect(alert).toHaveTextContent('Make one folder for each class')
    const drawing = screen.getByRole('region', { name: 'What a right folder looks like' })
    expect(drawing).toHaveTextContent('healthy')
    expect(drawing).not.toHaveTextContent('masks')
  })

  it('does not blame the folder for a fault of the server', async () => {
    serve({})
    renderPart(<DatasetCard dataset={makeDataset({ state: 'failed', failure: 'internal', facts: null })} />)
    expect(await screen.findByRole('alert')).toHaveTextContent('a fault of the server, not of your data')
    expect(screen.queryByRole('region', { name: 'What a right folder looks like' })).toBeNull()
  })

  it('takes the data set out of its project after asking', async () => {
    const received = serve({
      'datasets/items': () => ({ items: [], next: null }),
      'datasets/remove': () => ({}),
    })
    renderPart(
      <DatasetCard
        dataset={makeDataset({})}
        project={{ id: 'project-1', task: 'classification', access: 'own' }}
      />,
    )
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Actions for Chest' }))
    await person.click(await screen.findByRole('menuitem', { name: 'Take out of the project' }))
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveTextContent('The images stay in your cloud storage')
    await person.click(within(dialog).getByRole('button', { name: 'Take out of the project' }))
    await waitFor(() =>
      expect(received.find(({ path }) => path === 'datasets/remove')?.body).toEqual({
        id: 'dataset-1',
        projectId: 'project-1',
      }),
    )
  })
})

describe('the files set aside', () => {
  it('come page by page, each with its reason and what to do', async () => {
    const first = makeProblem({
      path: 'masks/1.png',
      reason: 'size_differs',
      params: { width: 64, height: 64, maskWidth: 32, maskHeight: 16 },
    })
    const second = makeProblem({ path: 'masks/2.png', reason: 'mask_without_image' })
    serve({
      'datasets/problems': ({ after = 0 }) =>
        after === 0 ? { problems: [first], next: 1 } : { problems: [second], next: null },
    })
    renderPart(<DatasetProblems datasetId="dataset-1" />)
    expect(await screen.findByText('Image and mask are not the same size: 64 × 64 and 32 × 16')).toBeVisible()
    expect(screen.getByText(/Export both from the same picture without scaling/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
    expect(await screen.findByText('There is no image for this mask')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  })

  it('become a table that no spreadsheet takes for formulas', async () => {
    await i18next.loadNamespaces('datasets')
    const t = i18next.getFixedT('en', 'datasets')
    const problems = [
      makeProblem({ path: '=cmd()/a.png', reason: 'empty' }),
      makeProblem({
        path: 'a "quoted", name.png',
        reason: 'duplicate_other_class',
        params: { other: 'b.png' },
      }),
    ]
    const [head, first, second] = csvOf(problems, t).split('\r\n')
    expect(head).toBe('\uFEFF"File","What is wrong and what to do","What to do"')
    expect(first).toMatch(/^"'=cmd\(\)\/a.png","The file is empty",/)
    expect(second).toMatch(/^"a ""quoted"", name.png","The same image is also in another class: b.png",/)
  })

  it.each(['en', 'zh', 'ru'])('say in %s what to do for every reason', async (language) => {
    await i18next.loadLanguages(language)
    await i18next.loadNamespaces('datasets')
    const missing = problemReasons.filter(
      (reason) => !i18next.exists(`datasets:remedy.${reason}`, { lng: language }),
    )
    expect(missing).toEqual([])
  })
})

describe('the pictures of a data set', () => {
  it('are shown by class and page', async () => {
    const received = serve({
      'datasets/detail': () => makeDataset({}),
      'datasets/items': (body) =>
        body.after ? { items: makeItems(1, 'late'), next: null } : { items: makeItems(1), next: 'more' },
    })
    renderPart(<DatasetItems datasetId="dataset-1" />)
    const person = userEvent.setup()
    await person.click(await screen.findByRole('combobox', { name: 'Class to show' }))
    await person.click(await screen.findByTitle('ill (300)'))
    await waitFor(() => expect(received.at(-1)?.body).toEqual({ id: 'dataset-1', class: 1, after: null }))
    await person.click(await screen.findByRole('button', { name: 'Show more' }))
    expect(await screen.findByAltText('late-0.png')).toBeInTheDocument()
  })
})

describe('choosing an existing data set', () => {
  it('offers only those that fit and are not here yet', async () => {
    const all = [
      makeDataset({ id: 'here', name: 'Here already' }),
      makeDataset({ id: 'fits', name: 'Fits' }),
      makeSegmentation(),
      makeDataset({ id: 'busy', name: 'Being checked', state: 'checking' }),
    ]
    const received = serve({
      'datasets/list': ({ projectId }) => ({ datasets: projectId === null ? all : all.slice(0, 1) }),
      'datasets/add': () => makeDataset({}),
    })
    renderPart(<ExistingDatasetPicker open projectId="project-1" task="classification" onClose={() => {}} />)
    const dialog = within(await screen.findByRole('dialog'))
    const person = userEvent.setup()
    await person.click(await dialog.findByRole('radio', { name: /^Fits/ }))
    expect(dialog.getByRole('radio', { name: /Nuclei.*Belongs to another kind of task/ })).toBeDisabled()
    expect(dialog.queryByText('Here already')).toBeNull()
    expect(dialog.queryByText('Being checked')).toBeNull()
    await person.click(dialog.getByRole('button', { name: 'Use this data set' }))
    await waitFor(() =>
      expect(received.find(({ path }) => path === 'datasets/add')?.body).toEqual({
        id: 'fits',
        projectId: 'project-1',
      }),
    )
  })
})

function makeDataset(changes: Partial<Dataset>): Dataset {
  const span = { min: 64, median: 64, max: 64 }
  return {
    id: 'dataset-1',
    use: 'train',
    owner: '',
    name: 'Chest',
    folderId: 'folder-1',
    task: 'classification',
    layout: 'class_folders',
    state: 'ready',
    progress: { done: 0, total: 0 },
    failure: null,
    parts: [
      { id: 'part-1', part: 'image', items: 1500 },
      { id: 'part-2', part: 'label', items: 1500 },
    ],
    classes: ['healthy', 'ill', 'tumour'],
    facts: {
      ...imageFacts,
      items: 1500,
      width: span,
      height: span,
      channels: 1,
      classCounts: [1000, 300, 200],
    },
    problemCount: 0,
    createdAt: '2026-11-20T08:00:00.000Z',
    ...changes,
  }
}

function makeSegmentation(): Dataset {
  const span = { min: 256, median: 256, max: 512 }
  return makeDataset({
    id: 'nuclei',
    name: 'Nuclei',
    task: 'segmentation',
    layout: 'images_masks',
    classes: ['background', 'foreground'],
    facts: { ...imageFacts, items: 670, width: span, height: span, channels: 3, classCounts: [85, 15] },
  })
}

function makeItems(label: number | null, prefix = 'item') {
  return Array.from({ length: 8 }, (_, index) => ({
    id: `${prefix}-${label}-${index}`,
    name: `${prefix}-${index}.png`,
    ...imageItem,
    class: label,
    width: 64,
    height: 64,
    image: `/thumb/${label}/${index}`,
    mask: null,
  }))
}

const makeProblem = (changes: Partial<Problem>): Problem => ({
  path: 'CXR/a.png',
  reason: 'empty',
  params: {},
  ...changes,
})
