import type { Exchange } from '@neuroloom/contract/labelling/exchange'
import { labelFormats } from '@neuroloom/contract/labelling/label-formats'
import type { LabelSet } from '@neuroloom/contract/labelling/labelling'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ExportDialog } from '../../src/features/labelling/exchange/export-dialog.tsx'
import { ImportDialog } from '../../src/features/labelling/exchange/import-dialog.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'

beforeEach(() => signIn())

const plain = { description: '', key: null, use: 'class' as const, skeleton: null }
const set: LabelSet = {
  ...{ id: 'set-1', name: 'Kidneys', description: 'Cysts', marks: ['boxes'], oneTag: true, blind: true },
  classes: [
    { ...plain, id: 'cyst', name: 'Cyst', colour: '#e69f00' },
    { ...plain, id: 'stone', name: 'Stone', colour: '#56b4e9' },
  ],
  ...{ right: 'own', owner: '', folderId: 'folder-1', projectId: null, state: 'ready', failure: null },
  ...{ items: 3, finished: { mine: 0, any: 0, accepted: 0 }, createdAt: '2026-11-25T10:00:00Z' },
}

const exchange = (more: Partial<Exchange>): Exchange => ({
  ...{ id: 'ex-1', setId: 'set-1', kind: 'export', state: 'looking', format: null, whose: 'mine' },
  ...{ folderId: null, folderName: '', exportPlan: null, importPlan: null, done: 0, total: 0 },
  ...{ failure: null, createdAt: '2026-11-25T10:00:00Z', ...more },
})

type Losses = NonNullable<Exchange['exportPlan']>['losses']
const noLosses = Object.fromEntries(labelFormats.map((format) => [format, []])) as unknown as Losses
const exportPlan = {
  ...{ images: 2, unmarked: 1, marks: 1234 },
  losses: { ...noLosses, coco: [{ feature: 'lines' as const, becomes: 'nothing' as const, count: 7 }] },
}

describe('labels that go out', () => {
  it('are shown with what a format loses before anything is written, and lead to their folder', async () => {
    let now = exchange({ state: 'planned', exportPlan })
    const received = serve({
      'labelling/exportPlan': () => exchange({}),
      'labelling/exchanges': () => ({ exchanges: [now] }),
      'labelling/export': () => {
        now = exchange({ state: 'done', folderId: 'made', folderName: 'Kidneys (COCO)' })
        return now
      },
    })
    const opened = vi.fn()
    renderPart(<ExportDialog set={set} onClose={() => undefined} onOpenFolder={opened} />)
    const person = userEvent.setup()
    await person.click(await screen.findByText('Those that a reviewer accepted'))
    await person.click(screen.getByText('Look at them'))
    expect(await screen.findByText('2 images with 1,234 marks; 1 without.')).toBeInTheDocument()
    expect(screen.getByText('lines (7): left out')).toBeInTheDocument()
    await person.click(screen.getByText('Write the files'))
    expect(await screen.findByText('Done: folder “Kidneys (COCO)”.')).toBeInTheDocument()
    await person.click(screen.getByText('Open the folder'))
    expect(opened).toHaveBeenCalledWith('made')
    const sent = (path: string) => received.find((one) => one.path === path)?.body
    expect(sent('labelling/exportPlan')).toEqual({ id: 'set-1', whose: 'accepted' })
    expect(sent('labelling/export')).toEqual({ exchangeId: 'ex-1', format: 'coco' })
  })

  it('say why they could not be written', async () => {
    serve({
      'labelling/exportPlan': () => exchange({}),
      'labelling/exchanges': () => ({
        exchanges: [exchange({ state: 'failed', failure: 'nothing_marked' })],
      }),
    })
    renderPart(
      <ExportDialog
        set={{ ...set, right: 'read' }}
        onClose={() => undefined}
        onOpenFolder={() => undefined}
      />,
    )
    expect(await screen.findByText('My own')).toBeInTheDocument()
    expect(screen.queryByText('Those that a reviewer accepted')).toBeNull()
    await userEvent.setup().click(screen.getByText('Look at them'))
    expect(await screen.findByText(/^There is nothing to write/)).toBeInTheDocument()
  })
})

describe('labels that come in', () => {
  const importPlan = {
    ...{ found: 'coco' as const, images: 2, marked: 1, problemCount: 1 },
    classes: [
      {
        name: 'cyst',
        use: 'class' as const,
        colour: null,
        skeleton: null,
        proposed: 'cyst',
        isAlike: true,
        count: 3,
      },
      {
        name: 'Vessel',
        use: 'class' as const,
        colour: null,
        skeleton: null,
        proposed: null,
        isAlike: false,
        count: 2,
      },
    ],
    problems: [{ path: 'coco.json', reason: 'image_missing' as const, params: { name: 'gone.png' } }],
  }

  const chooseLabels = async () => {
    renderPart(
      <ImportDialog
        set={set}
        onClose={() => undefined}
        picker={({ open, onPick }) =>
          open && (
            <button type="button" onClick={() => onPick('folder-2')}>
              labels
            </button>
          )
        }
      />,
    )
    const person = userEvent.setup()
    await person.click(await screen.findByText('Choose the folder with the labels'))
    await person.click(await screen.findByText('labels'))
    return person
  }
  const looked = (plan: Exchange['importPlan']) =>
    serve({
      'labelling/importPlan': () => exchange({ kind: 'import' }),
      'labelling/exchanges': () => ({
        exchanges: [exchange({ kind: 'import', state: 'planned', folderName: 'labels', importPlan: plan })],
      }),
    })

  it('that fit no image are told with the reasons, and another folder can be chosen', async () => {
    const problem = { path: 'coco.json', reason: 'image_missing' as const, params: { name: 'b', number: 12 } }
    looked({ ...importPlan, images: 0, classes: [], problems: [problem] })
    await chooseLabels()
    expect(await screen.findByText(/^Labels were found \(COCO\), but none/)).toBeInTheDocument()
    expect(screen.getByText('coco.json #12')).toBeInTheDocument()
    expect(screen.queryByText('Take them in')).toBeNull()
    expect(screen.getByText('Choose the folder with the labels')).toBeInTheDocument()
  })

  it('say which new classes become one', async () => {
    const [one] = importPlan.classes
    if (!one) throw new Error('no class')
    const classes = ['Vessel', 'VESSEL'].map((name) => ({ ...one, name, proposed: null, isAlike: false }))
    looked({ ...importPlan, classes })
    await chooseLabels()
    expect(await screen.findByText(/^Differs from “Vessel” in its letters’ case/)).toBeInTheDocument()
  })

  it('ask what their classes become and what happens to marks that are there', async () => {
    let now = exchange({ kind: 'import', state: 'planned', folderName: 'labels', importPlan })
    const received = serve({
      'labelling/importPlan': () => exchange({ kind: 'import' }),
      'labelling/exchanges': () => ({ exchanges: [now] }),
      'labelling/import': () => {
        now = exchange({ kind: 'import', state: 'done', done: 2, total: 2 })
        return now
      },
    })
    const person = await chooseLabels()
    expect(await screen.findByText(/^Found in “labels”: COCO for 2 images/)).toBeInTheDocument()
    expect(screen.getByText('Spelled otherwise in the set: is it the same?')).toBeInTheDocument()
    await person.click(screen.getByText('1 thing to know'))
    expect(await screen.findByText(/“gone.png” is named here/)).toBeInTheDocument()
    await person.click(screen.getByText('Replace them (can be undone image by image)'))
    await person.click(screen.getByText('Take them in'))
    expect(await screen.findByText('Done: 2 images.')).toBeInTheDocument()
    expect(received.find(({ path }) => path === 'labelling/import')?.body).toEqual({
      ...{ exchangeId: 'ex-1', merge: 'replace' },
      classes: [
        { name: 'cyst', to: 'cyst' },
        { name: 'Vessel', to: 'new' },
      ],
    })
  })

  it('are refused in words', async () => {
    serve({
      'labelling/importPlan': () => {
        throw new Refusal('exchange_waiting', { limit: 5 })
      },
    })
    renderPart(
      <ImportDialog
        set={set}
        onClose={() => undefined}
        picker={({ open, onPick }) =>
          open && (
            <button type="button" onClick={() => onPick('folder-2')}>
              labels
            </button>
          )
        }
      />,
    )
    const person = userEvent.setup()
    await person.click(await screen.findByText('Choose the folder with the labels'))
    await person.click(await screen.findByText('labels'))
    await waitFor(() => expect(screen.getByText(/^5 imports and exports/)).toBeInTheDocument())
  })
})
