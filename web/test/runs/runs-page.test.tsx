import type { Answer } from '@neuroloom/contract/calls'
import type { Run } from '@neuroloom/contract/runs'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { RunPage } from '../../src/pages/run.tsx'
import { makeUser, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { type Received, serve } from '../serve.ts'
import { announce, watched } from './runs-live.ts'
import {
  makeDataset,
  makeDetail,
  makeDone,
  makeItem,
  makeProject,
  makeProjectPage,
  makeRun,
} from './runs-make.ts'

vi.mock('socket.io-client', () => import('./runs-live.ts'))

beforeEach(() => signIn(makeUser()))

const progress = {
  fold: 0,
  folds: 1,
  epoch: 6,
  epochs: 12,
  step: 10,
  steps: 10,
  loss: 0.4,
  learningRate: 0.001,
  itemsPerSecond: 250,
  etaSeconds: 90,
}

describe('a run that is under way', () => {
  it('draws progress as it comes and shows the result when it has ended', async () => {
    let detail = makeDetail(makeRun())
    openRun(() => detail)
    await screen.findByRole('heading', { name: 'Training 3' })
    await waitFor(() => expect(watched.at(-1)).toEqual({ kind: 'run', id: 'run-1', after: 4 }))

    act(() => announce('run-1', 'progress', progress))
    expect(await screen.findByRole('progressbar', { name: 'Progress' })).toHaveAttribute(
      'aria-valuenow',
      '50',
    )
    expect(screen.getByText('6 of 12')).toBeVisible()
    expect(screen.getByText('250 images/s')).toBeVisible()

    act(() => announce('run-1', 'metrics', metrics(6, { loss: 0.3, accuracy: 0.81 }), 5))
    await userEvent.click(await screen.findByRole('button', { name: 'Show as a table' }))
    const row = within(await screen.findByRole('region', { name: 'Curves as a table' })).getByRole('row', {
      name: /^6/,
    })
    expect(row).toHaveTextContent('81.0%')

    detail = makeDetail(makeDone())
    act(() => announce('run-1', 'state', { state: 'done' }, 6))
    expect(await screen.findByRole('heading', { name: 'Result of the training' })).toBeVisible()
    expect(screen.getByText(/Of 40 images .* classified 36 correctly/)).toBeVisible()
    expect(screen.getByText(/may lie anywhere from 77% to 96%\. A cross-validation/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
  })

  it('tells which version of a drawn network it trains', async () => {
    openRun(() => makeDetail(makeRun({ network: 'x9', ownNetwork: { name: 'My net', version: 2 } })))
    expect(await screen.findByText('My net, version 2')).toBeVisible()
  })

  it('tells its place in the queue', async () => {
    openRun(() => makeDetail(makeRun({ state: 'queued', position: 2, phase: null })))
    expect(await screen.findByText('Queued, place 2')).toBeVisible()
  })

  it('says that it went on by itself after an interruption', async () => {
    openRun(() => makeDetail(makeRun({ resumed: 1 })))
    expect(await screen.findByText(/interrupted once and continued automatically/)).toBeVisible()
  })

  it('shows a warning of the engine in plain words', async () => {
    openRun(() => makeDetail(makeRun()))
    await screen.findByRole('heading', { name: 'Training 3' })
    await waitFor(() => expect(watched.at(-1)).toMatchObject({ id: 'run-1' }))
    const data = { count: 2, files: ['a.png', 'b.png'] }
    act(() => announce('run-1', 'warning', { code: 'file_skipped', data }, 5))
    expect(await screen.findByText(/2 images could not be read .*: a\.png, b\.png/)).toBeVisible()
  })

  it('stops only after it has asked', async () => {
    const received = openRun(() => makeDetail(makeRun()))
    await userEvent.click(await screen.findByRole('button', { name: 'Stop' }))
    const dialog = await screen.findByRole('dialog', { name: 'Stop this training?' })
    expect(bodiesOf(received, 'runs/stop')).toEqual([])
    await userEvent.click(within(dialog).getByRole('button', { name: 'Stop now' }))
    await waitFor(() => expect(bodiesOf(received, 'runs/stop')).toEqual([{ id: 'run-1' }]))
  })

  it('shows what it takes the same few pictures for', async () => {
    const preview = { epoch: 2, items: [makeItem()] }
    openRun(() => makeDetail(makeRun(), { preview }))
    const { parentElement: card } = await screen.findByRole('button', { name: 'Enlarge a.png' })
    if (!card) throw new Error('The picture stands alone')
    expect(within(card).getByLabelText('wrong')).toBeVisible()
    expect(card).toHaveTextContent('Truth: ill')
    expect(card).toHaveTextContent('healthy80%')
  })

  it('shows the same few pictures at an earlier epoch', async () => {
    const at = (epoch: number) => ({ epoch, items: [makeItem({ name: `at-${epoch}.png` })] })
    const received = openRun(() => makeDetail(makeRun(), { preview: at(9), previewEpochs: [1, 4, 9] }))
    const scrubber = await screen.findByRole('slider', { name: 'Epoch of the sample images' })
    expect(scrubber).toHaveAttribute('aria-valuetext', 'Epoch 9')
    fireEvent.keyDown(scrubber, { key: 'ArrowLeft', keyCode: 37 })
    expect(await screen.findByRole('button', { name: 'Enlarge at-4.png' })).toBeVisible()
    expect(bodiesOf(received, 'runs/preview')).toEqual([{ id: 'run-1', epoch: 4 }])
    fireEvent.keyDown(scrubber, { key: 'ArrowRight', keyCode: 39 })
    expect(await screen.findByRole('button', { name: 'Enlarge at-9.png' })).toBeVisible()
  })

  it('says since when validation climbs away', async () => {
    const validation = [1, 0.7, 0.5, 0.52, 0.6, 0.7, 0.8, 0.95]
    const curves = validation.flatMap((loss, index) => [
      { fold: 0, epoch: index + 1, split: 'train' as const, values: { loss: 1 / (index + 1) } },
      { fold: 0, epoch: index + 1, split: 'validation' as const, values: { loss } },
    ])
    openRun(() => makeDetail(makeRun(), { curves }))
    expect(await screen.findByText(/started to overfit since epoch 3/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Show as a table' }))
    expect(await screen.findByRole('region', { name: 'Curves as a table' })).toBeVisible()
  })
})

describe('a run that failed', () => {
  it('says what happened and what to do, with sizes and numbers filled in', async () => {
    const params = { needBytes: 8 * 1024 ** 3, haveBytes: 4 * 1024 ** 3, tryBatch: 16 }
    const error = { code: 'memory_estimate_exceeded' as const, params }
    openRun(() => makeDetail(makeRun({ state: 'failed', error })))
    expect(await screen.findByText('The training would need 8 GB of memory; 4 GB are there.')).toBeVisible()
    expect(screen.getByText('Choose a smaller network, or a batch size of 16 or less.')).toBeVisible()
  })

  it('speaks the language of the reader', async () => {
    const { setLanguage } = await import('../../src/lib/i18n.ts')
    await setLanguage('zh')
    openRun(() => makeDetail(makeRun({ state: 'failed', error: { code: 'disk_full', params: {} } })))
    expect(await screen.findByText('服务器磁盘空间已用完。')).toBeVisible()
  })
})

describe('a training that is done', () => {
  it('is tested on exactly one data set, by default on the part of its own that was held out', async () => {
    const received = openRun(() => makeDetail(makeDone()))
    const choice = await screen.findByRole('group', { name: 'Choose a test set' })
    const [own, other] = within(choice).getAllByRole('radio')
    expect(own).toBeChecked()
    expect(choice).toHaveTextContent('only its held-out part is tested')
    await userEvent.click(other ?? choice)
    expect(own).not.toBeChecked()
    await userEvent.click(screen.getByRole('button', { name: 'Start test' }))
    await waitFor(() =>
      expect(bodiesOf(received, 'runs/test')).toEqual([{ id: 'run-1', datasets: ['data-2'] }]),
    )
    expect(await screen.findByRole('heading', { name: 'Test 4' })).toBeVisible()
  })

  it('gives mean and spread after several folds', async () => {
    const run = makeDone({
      validation: { method: 'kfold', splits: 5, seed: 7 },
      metrics: { accuracy: 0.9, accuracySd: 0.02 },
    })
    openRun(() => makeDetail(run))
    expect(await screen.findByText(/± 2\.0%/)).toBeVisible()
    expect(screen.getByText(/All 5 folds together/)).toBeVisible()
    expect(screen.getByText(/trained on the images of the other folds, not on all/)).toBeVisible()
  })
})

describe('a training that was stopped', () => {
  it('does not speak of rounds that it never had', async () => {
    const validation = { method: 'kfold', splits: 5, seed: 7 } as const
    openRun(() => makeDetail(makeDone({ validation, state: 'stopped' })))
    expect(await screen.findByText(/Stopped before all 5 folds had been trained/)).toBeVisible()
    expect(screen.queryByText(/All 5 folds together/)).toBeNull()
  })
})

describe('the result of a test', () => {
  const test = makeDone({ id: 'run-1', kind: 'test', parentId: 'run-0', number: 4 })

  it('counts the pictures that were named correctly', async () => {
    openRun(() => makeDetail(test))
    expect(await screen.findByText(/Of 40 images .* classified 36 correctly/)).toBeVisible()
    // Its ranges are below, by the cases that belong together.
    expect(screen.queryByText(/may lie anywhere/)).toBeNull()
  })

  it('has a confusion matrix whose rows are the truth, readable cell by cell', async () => {
    openRun(() => makeDetail(test))
    const matrix = within(await screen.findByRole('region', { name: 'Confusion matrix' })).getByRole(
      'table',
      {
        name: /Rows: what the images really show/,
      },
    )
    const ill = within(matrix).getByRole('row', { name: /truth: ill/ })
    expect(within(ill).getByRole('rowheader')).toHaveTextContent('ill')
    expect(
      within(ill)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['315%', '1785%'])
    expect(within(ill).getByTitle('3 images of “ill” taken for “healthy” (15%)')).toBeVisible()
    expect(
      within(matrix)
        .getAllByRole('columnheader')
        .map((one) => one.textContent),
    ).toEqual(['Predicted class', 'healthy', 'ill'])
  })

  it('shows the worst pictures first, page by page, and any of them large', async () => {
    const received = openRun(() => makeDetail(test), {
      items: ({ after }) =>
        after === 0
          ? { items: [makeItem()], next: 1, total: 2 }
          : { items: [makeItem({ id: 'item-2', name: 'b.png' })], next: null, total: 2 },
    })
    await screen.findByRole('button', { name: 'Enlarge a.png' })
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Enlarge b.png' }))
    expect(await screen.findByRole('dialog', { name: 'b.png' })).toHaveTextContent('Truth: ill')
    expect(bodiesOf(received, 'runs/items')).toEqual([
      { id: 'run-1', order: 'worst', after: 0 },
      { id: 'run-1', order: 'worst', after: 1 },
    ])
  })
})

it('lists all runs with state and score where no run is named', async () => {
  serve({
    ...around,
    'runs/list': () => ({
      covers: { 'run-1': '/worst.png' },
      courses: { 'run-1': [0.5, 0.7, 0.9] },
      runs: [
        makeDone(),
        makeRun({ id: 'run-2', number: 4, network: 'x9', ownNetwork: { name: 'My net', version: 2 } }),
      ],
    }),
    'projects/list': () => makeProjectPage([makeProject()]),
  })
  renderPart(<RunPage />, '/run')
  const link = await screen.findByRole('link', { name: 'Training 3' })
  expect(link).toHaveAttribute('href', '/run?id=run-1')
  const [done, drawn] = screen.getAllByRole('listitem')
  expect(done).toHaveTextContent('90.0%')
  expect(done?.querySelector('img')).toHaveAttribute('src', '/worst.png')
  expect(drawn?.querySelector('img')).toBeNull()
  // How the score went: up, from the left to the right.
  expect(done?.querySelector('polyline')).toHaveAttribute('points', '0.0,40.0 70.0,22.0 140.0,4.0')
  expect(drawn?.querySelector('polyline')).toBeNull()
  await waitFor(() => expect(done).toHaveTextContent('Chest images · Small ResNet · Chest'))
  expect(drawn).toHaveTextContent('Chest images · My net, version 2 · Chest')
})

const around = {
  'user/ticket': () => ({ ticket: 'once' }),
  'projects/detail': () => makeProject(),
  'runs/list': () => ({ covers: {}, courses: {}, runs: [] }),
  'runs/evidence': () => ({ evidence: null }),
  'datasets/list': () => ({
    datasets: [makeDataset({ id: 'data-2', name: 'Other' }), makeDataset()],
  }),
}

type Items = (body: { after?: number | undefined }) => Answer<'runs/items'>

/** Opens `run-1`; a test that is started becomes `run-9`. */
function openRun(
  detail: () => Answer<'runs/detail'>,
  { items = () => ({ items: [], next: null, total: 0 }) }: { items?: Items } = {},
): Received[] {
  const started: Run = makeRun({ id: 'run-9', kind: 'test', parentId: 'run-1', number: 4, state: 'queued' })
  const received = serve({
    ...around,
    'runs/detail': ({ id }) => (id === started.id ? makeDetail(started) : detail()),
    'runs/preview': ({ epoch }) => ({ epoch, items: [makeItem({ name: `at-${epoch}.png` })] }),
    'runs/stop': () => makeRun({ stopping: true }),
    'runs/test': () => started,
    'runs/items': items,
  })
  renderPart(<RunPage />, '/run?id=run-1')
  return received
}

const bodiesOf = (received: Received[], path: string) =>
  received.filter((one) => one.path === path).map(({ body }) => body)

const metrics = (epoch: number, values: Record<string, number>) => ({
  split: 'validation',
  fold: 0,
  epoch,
  values,
  perClass: [],
  confusion: null,
  best: false,
})
