import type { LearnedRun } from '@neuroloom/contract/runs'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { SourcePicker } from '../../src/features/files/source-picker.tsx'
import { PredictView } from '../../src/features/runs/predict/predict-view.tsx'
import { makeUser, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'
import { makeDone, makeItem } from './runs-make.ts'

beforeEach(() => signIn(makeUser()))

const nothingAside = { setAside: [], next: null, total: 0 }
const prediction = (changes: Partial<LearnedRun> = {}) =>
  makeDone({
    ...{ kind: 'predict', parentId: 'run-0', datasetId: null, datasetName: 'Ward 3' },
    ...{
      score: null,
      metrics: {},
      perClass: [],
      confusion: null,
      counts: { files: 3, predicted: 2, bad: 1 },
    },
    artifacts: [{ kind: 'predictions_csv', sizeBytes: 1000, sha256: 'a' }],
    ...changes,
  })

describe('what a network says of new pictures', () => {
  it('is shown without a truth, least sure first, with what was set aside and why', async () => {
    serve({
      'runs/items': () => ({ items: [makeItem({ truth: null, score: 0.8 })], next: null, total: 1 }),
      'runs/setAside': () => ({
        setAside: [{ name: 'b.png', reason: 'truncated' }],
        next: null,
        total: 1,
      }),
    })
    renderPart(<PredictView run={prediction()} />)
    expect(await screen.findByText('2 images were analysed.')).toBeVisible()
    expect(screen.getByText(/They are not a diagnosis/)).toBeVisible()
    expect(await screen.findByText(/^80(\.0)?%/)).toBeVisible()
    expect(screen.getByText('Least confident first')).toBeVisible()
    expect(screen.queryByText(/Truth/)).toBeNull()
    expect(await screen.findByText('The image is damaged or incomplete')).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Downloads' })).toBeVisible()
  })

  it.each([
    ['detection', 1, 'In 1 of them it found nothing.'],
    ['detection', 2, /^It found nothing in any of them\. .* The JSON file/],
    ['segmentation', 2, /^It marked nothing in any of them/],
    ['multilabel', 2, /^It named no finding in any of them/],
  ] as const)('says of %s where nothing was found (%i of 2)', async (task, empty, sentence) => {
    serve({
      'runs/items': () => ({ items: [], next: null, total: 0 }),
      'runs/setAside': () => nothingAside,
    })
    const counts = { files: 2, predicted: 2, bad: 0, empty }
    renderPart(<PredictView run={prediction({ task, counts })} />)
    const lead = await screen.findByText(/2 images were analysed/)
    expect(lead.textContent?.replace('2 images were analysed. ', '')).toMatch(sentence)
  })

  it('counts boxes by class, in a picture and in all, and says what was learned from', async () => {
    const box = (classIndex: number, score: number) => {
      const x0 = 100 * score
      return { class: classIndex, x0, y0: 0, x1: x0 + 9, y1: 9, score }
    }
    const found = [box(0, 0.9), box(1, 0.8), box(0, 0.7), box(0, 0.6), box(2, 0.1)]
    const item = makeItem({
      ...{ truth: null, probabilities: [], score: null, overlay: '/overlay.png' },
      ...{ boxes: { truth: [], found }, values: { found: 4 } },
    })
    const received = serve({
      'runs/items': () => ({ items: [item], next: null, total: 1 }),
      'runs/setAside': () => nothingAside,
    })
    const counts = { predicted: 80, learned: 64, boxes_0: 1210, boxes_1: 23, boxes_2: 0 }
    renderPart(
      <PredictView run={prediction({ task: 'detection', classes: ['RBC', 'WBC', 'Platelets'], counts })} />,
    )
    expect(await screen.findByText('RBC 3 · WBC 1')).toBeVisible()
    expect(screen.getByText('In all: RBC 1,210 · WBC 23.')).toBeVisible()
    expect(screen.getByText(/^64 of these images were used for training/)).toBeVisible()
    expect(screen.getAllByText(/^(RBC|WBC), /).map((one) => one.textContent)).toEqual([
      'RBC, 90%',
      'WBC, 80%',
      'RBC, 70%',
    ])
    await userEvent.click(screen.getByText('Most confident first'))
    await vi.waitFor(() =>
      expect(received.findLast(({ path }) => path === 'runs/items')?.body).toMatchObject({ order: 'best' }),
    )
  })

  it('tells how much of a picture each structure takes, and opens it large', async () => {
    const item = makeItem({
      ...{ truth: null, probabilities: [], score: null, overlay: '/overlay.png' },
      values: { foreground: 0.25 },
    })
    serve({
      'runs/items': () => ({ items: [item], next: null, total: 1 }),
      'runs/setAside': () => nothingAside,
    })
    renderPart(
      <PredictView run={prediction({ task: 'segmentation', classes: ['background', 'foreground'] })} />,
    )
    expect(await screen.findByText(/25(\.0)?% of the image/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Enlarge a.png' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByRole('img', { name: /what the network drew/ })).toBeInTheDocument()
  })
})

describe('the choice of pictures', () => {
  const entry = (id: string, kind: 'folder' | 'file', name: string) => ({
    ...{ id, kind, name, type: '', sizeBytes: 1, fileCount: 2, modifiedAt: '2026-11-21T08:00:00.000Z' },
    ...{ modifiedBy: '', shared: false, thumbnail: null },
  })

  it('takes a folder that somebody shared, or single files in it', async () => {
    serve({
      'files/list': ({ folderId }) => ({
        ...{ folder: null, path: [], access: 'view', next: null, total: 1, withheld: 0 },
        place: { kind: 'shared', groupId: null, owner: 'Ann' },
        entries: folderId === null ? [] : [entry('f1', 'file', 'one.png')],
      }),
      'files/sharedWithMe': () => ({
        shared: [
          {
            ...{ shareId: 's', access: 'view', owner: 'Ann', sharedAt: '2026-11-21T08:00:00.000Z' },
            entry: entry('d1', 'folder', 'Ward 3'),
          },
        ],
        next: null,
      }),
    })
    const picked: object[] = []
    renderPart(<SourcePicker open busy={false} onPick={(chosen) => picked.push(chosen)} onClose={() => {}} />)
    expect(await screen.findByText('There is nothing here.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Apply to this folder' })).toBeDisabled()
    await userEvent.click(screen.getByText('Shared with me'))
    await userEvent.click(await screen.findByRole('button', { name: /Ward 3/ }))
    await userEvent.click(screen.getByRole('button', { name: 'Apply to this folder' }))
    await userEvent.click(await screen.findByRole('checkbox', { name: 'one.png' }))
    await userEvent.click(screen.getByRole('button', { name: 'Apply to 1 file' }))
    expect(picked).toEqual([{ folderId: 'd1' }, { fileIds: ['f1'] }])
  })
})
