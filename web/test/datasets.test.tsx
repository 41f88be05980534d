import { type Dataset, type Problem, problemReasons } from '@neuroloom/contract/datasets'
import { asFound } from '@neuroloom/contract/reading/reading'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import i18next from 'i18next'
import { beforeEach, describe, expect, it } from 'vitest'
import { DatasetCard } from '../src/features/datasets/dataset-card.tsx'
import { DatasetItems } from '../src/features/datasets/dataset-items.tsx'
import { DatasetProblems } from '../src/features/datasets/dataset-problems.tsx'
import { ExistingDatasetPicker } from '../src/features/datasets/existing-dataset-picker.tsx'
import { problemText } from '../src/features/datasets/problem-text.ts'
import { csvOf } from '../src/features/datasets/problems-csv.ts'
import { signIn } from './make.ts'
import { renderPart } from './render.tsx'
import { imageFacts, imageItem } from './runs/runs-make.ts'
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

  it('draws the boxes of each sample in the size of the stored picture', async () => {
    const items = makeItems(null).map((item) => ({
      ...item,
      width: 640,
      height: 480,
      boxes: [{ class: 0, x0: 10, y0: 20, x1: 110, y1: 70 }],
    }))
    serve({ 'datasets/items': () => ({ items, next: null }) })
    const side = { min: 20, median: 80, max: 300 }
    const facts = { ...plainFacts, boxSide: side, classCounts: [900, 100, 12] }
    renderPart(<DatasetCard dataset={makeDataset({ task: 'detection', layout: 'voc', facts })} />)
    const [drawing] = await screen.findAllByTestId('boxes')
    expect(drawing).toHaveAttribute('viewBox', '0 0 640 480')
    expect(drawing?.querySelector('rect')).toHaveAttribute('width', '100')
    expect(screen.getByText('Recognised as: Pascal VOC')).toBeVisible()
    expect(screen.getByText(/1,012 boxes, longer side of a box: 20 to 300 pixels, usually 80/)).toBeVisible()
    expect(screen.getByText('Boxes in all images together')).toBeVisible()
  })

  it('shows small and large pictures side by side, and how many times larger they are', async () => {
    const items = makeItems(null).map((item) => ({ ...item, mask: `/large/${item.id}` }))
    serve({ 'datasets/items': () => ({ items, next: null }) })
    const facts = { ...plainFacts, classCounts: [], factor: 4 }
    const data = { task: 'super_resolution', layout: 'resolution_pairs', classes: [], facts } as const
    const { container } = renderPart(<DatasetCard dataset={makeDataset({ ...data, classes: [] })} />)
    expect(await screen.findByText('1,500 large images')).toBeVisible()
    expect(screen.getByText(/The large images are 4 times as wide and as high/)).toBeVisible()
    await waitFor(() => expect(container.querySelectorAll('img[src^="/large"]')).toHaveLength(4))
    expect(screen.queryByTestId('mask')).toBeNull()
    expect(screen.queryByRole('region', { name: /class/ })).toBeNull()
  })

  it('tells slices, voxels, the split that the data set brings along, and the patients', async () => {
    serve({ 'datasets/items': () => ({ items: [], next: null }) })
    const facts = {
      ...plainFacts,
      depth: { min: 20, median: 30, max: 40 },
      spacing: [2.5, 0.75, 0.75] as [number, number, number],
      given: { train: 205, validation: 87, test: 72 },
      patients: 8,
    }
    const data = { task: 'volume_segmentation', layout: 'volume_pairs', facts } as const
    const { unmount } = renderPart(<DatasetCard dataset={makeDataset(data)} />)
    expect(await screen.findByText(/20 – 40 slices, voxels of 2.5 × 0.75 × 0.75 mm/)).toBeVisible()
    expect(
      screen.getByText('The data set itself says: 205 for training, 87 for validation, 72 for the test.'),
    ).toBeVisible()
    expect(screen.getByText(/8 patients; the data set itself says who is used for training/)).toBeVisible()
    expect(screen.getByText('1,500 volumes')).toBeVisible()
    unmount()
    renderPart(<DatasetCard dataset={makeDataset({ ...data, facts: { ...facts, given: null } })} />)
    expect(await screen.findByText(/8 patients; no patient is in both training and test/)).toBeVisible()
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

  it.each([
    ['detection', ['Pascal VOC', 'COCO', 'YOLO'], 'masks'],
    ['multilabel', ['a column for each finding'], 'one class'],
    ['volume_segmentation', ['imagesTr', '001.nii.gz'], 'LR'],
    ['super_resolution', ['the same images, larger'], 'clean'],
    ['denoising', ['the noisy images'], 'LR'],
  ] as const)('draws the folder that would be right for %s', async (task, present, absent) => {
    serve({})
    const failed = { state: 'failed', failure: 'layout_unknown', facts: null, task } as const
    renderPart(<DatasetCard dataset={makeDataset(failed)} />)
    const drawing = await screen.findByRole('region', { name: 'What a right folder looks like' })
    for (const text of present) expect(drawing).toHaveTextContent(text)
    expect(drawing).not.toHaveTextContent(absent)
  })

  it('looks at a corrected folder again', async () => {
    const received = serve({ 'datasets/recheck': () => makeDataset({ state: 'checking' }) })
    const failed = { state: 'failed', failure: 'nothing_matches', facts: null } as const
    renderPart(<DatasetCard dataset={makeDataset(failed)} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Re-scan folder' }))
    await waitFor(() =>
      expect(received.at(-1)).toMatchObject({ path: 'datasets/recheck', body: { id: 'dataset-1' } }),
    )
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
    expect(await screen.findByText(/are not the same size: 64 × 64 and 32 × 16/)).toBeVisible()
    expect(screen.getByText(/Export both from the same image without scaling/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
    expect(await screen.findByText('There is no image for this mask')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  })

  it.each([
    ['annotation_unreadable', { line: 0 }, 'The description of the labels cannot be read'],
    ['annotation_unreadable', { line: 7 }, 'Line 7 cannot be read'],
    ['class_unknown', { class: 'x', number: 2 }, 'Box 2: the class x has no name'],
    ['box_outside', { class: 'cell', number: 3 }, 'Box 3 (cell) lies outside the image'],
    [
      'size_differs',
      { width: 4, height: 5, depth: 6, maskWidth: 4, maskHeight: 5, maskDepth: 7 },
      'Volume and label volume are not the same size: 4 × 5 × 6 and 4 × 5 × 7',
    ],
    [
      'factor_differs',
      { width: 4, height: 4, maskWidth: 9, maskHeight: 8, factor: 0 },
      '9 × 8 is not a whole number of times 4 × 4',
    ],
  ] as const)('say of %s with %j where it is', async (reason, params, text) => {
    await i18next.loadNamespaces('datasets')
    expect(problemText(makeProblem({ reason, params }), i18next.getFixedT('en', 'datasets'))).toBe(text)
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
  it('say their labels, and which part the data set gives them to', async () => {
    const items = makeItems(null).map((item, index) => ({
      ...item,
      labels: index === 0 ? [0, 2] : [],
      part: 'test' as const,
    }))
    serve({
      'datasets/detail': () => makeDataset({ task: 'multilabel', layout: 'csv_labels' }),
      'datasets/items': () => ({ items, next: null }),
    })
    renderPart(<DatasetItems datasetId="dataset-1" />)
    expect(await screen.findByText('healthy, tumour · test')).toBeVisible()
    expect(screen.getAllByText('none of them · test')).toHaveLength(7)
  })

  it('are as large as was chosen, also at the next visit', async () => {
    serve({
      'datasets/detail': () => makeDataset({}),
      'datasets/items': () => ({ items: makeItems(null), next: null }),
    })
    const { unmount } = renderPart(<DatasetItems datasetId="dataset-1" />)
    expect(await screen.findByRole('list')).toHaveAttribute('data-size', 'medium')
    const size = screen.getByRole('radiogroup', { name: 'Size of the images' })
    await userEvent.click(within(size).getByText('L'))
    expect(screen.getByRole('list')).toHaveAttribute('data-size', 'large')
    unmount()
    renderPart(<DatasetItems datasetId="dataset-1" />)
    expect(await screen.findByRole('list')).toHaveAttribute('data-size', 'large')
    localStorage.removeItem('pictureSize')
  })

  it('lose and get back their boxes', async () => {
    const boxes = [{ class: 1, x0: 1, y0: 1, x1: 9, y1: 9 }]
    serve({
      'datasets/detail': () => makeDataset({ task: 'detection', layout: 'coco' }),
      'datasets/items': () => ({
        items: makeItems(null).map((item) => ({ ...item, boxes })),
        next: null,
      }),
    })
    renderPart(<DatasetItems datasetId="dataset-1" />)
    expect(await screen.findAllByTestId('boxes')).toHaveLength(8)
    expect(screen.getAllByText('1 box')).toHaveLength(8)
    await userEvent.click(screen.getByRole('switch', { name: 'Show the boxes' }))
    expect(screen.queryByTestId('boxes')).toBeNull()
  })

  it('name the colours of the classes in their masks, as long as these are shown', async () => {
    const shades = [
      { shade: '#000000', class: 0 },
      { shade: '#ffffff', class: 2 },
    ]
    const classes = ['background', 'liver', 'class 2']
    serve({
      'datasets/detail': () => makeDataset({ task: 'segmentation', layout: 'images_masks', classes }),
      'datasets/items': () => ({
        items: makeItems(null).map((item) => ({ ...item, mask: '/mask.webp', shades })),
        next: null,
      }),
    })
    renderPart(<DatasetItems datasetId="dataset-1" />)
    expect(await screen.findByText('liver')).toBeVisible()
    expect(screen.getByText('Area 2')).toBeVisible()
    expect(screen.queryByText('background')).toBeNull()
    expect(screen.getAllByTestId('class-mask')).toHaveLength(8)
    await userEvent.click(screen.getByRole('switch', { name: 'Show the masks' }))
    expect(screen.queryByText('liver')).toBeNull()
    expect(screen.queryByTestId('class-mask')).toBeNull()
  })

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

const span = { min: 64, median: 64, max: 64 }
const plainFacts = {
  ...imageFacts,
  items: 1500,
  width: span,
  height: span,
  channels: 1 as const,
  classCounts: [1000, 300, 200],
}

function makeDataset(changes: Partial<Dataset>): Dataset {
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
    facts: plainFacts,
    problemCount: 0,
    reading: asFound,
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
