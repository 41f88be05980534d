import type { LabelSet } from '@neuroloom/contract/labelling/labelling'
import type { Rounds } from '@neuroloom/contract/labelling/proposals'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ChooseHelper } from '../../src/features/labelling/proposals/choose-helper.tsx'
import { RoundsDialog } from '../../src/features/labelling/proposals/rounds-dialog.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'

beforeEach(() => signIn())

const set: LabelSet = {
  ...{ id: 'set-1', name: 'Smears', description: 'Cells', marks: ['pixels'], oneTag: true, blind: true },
  classes: [
    { id: 'cell', name: 'Cell', description: '', colour: '#e69f00', key: 1, use: 'class', skeleton: null },
  ],
  ...{ right: 'own', owner: '', folderId: 'folder-1', projectId: null, state: 'ready', failure: null },
  ...{ items: 60, finished: { mine: 24, any: 24, accepted: 0 }, createdAt: '2026-11-25T10:00:00Z' },
}
const round = (
  labels: number,
  score: number,
  order: 'doubt' | 'random' = 'doubt',
): Rounds['rounds'][number] => ({
  ...{
    id: `round-${labels}`,
    state: 'done',
    failure: null,
    order,
    labels,
    score,
    tested: 12,
    runId: `run-${labels}`,
  },
  createdAt: '2026-11-25T10:00:00Z',
})
const told: Rounds = {
  rounds: [round(8, 0.78), round(16, 0.84), round(24, 0.86, 'random')],
  ...{ metric: 'dice', images: 12, fresh: 3 },
  expected: { gain: 0.014, low: 0.003, high: 0.025, more: 8 },
  difference: { gain: 0.004, low: -0.01, high: 0.02, more: 8 },
  shares: {
    classes: [{ class: 'cell', accepted: 6, mended: 3, refused: 1 }],
    days: [{ day: '2026-11-25', accepted: 6, mended: 3, refused: 1 }],
  },
}

async function show(more: Partial<Rounds> = {}) {
  const received = serve({
    'labelling/rounds': () => ({ ...told, ...more }),
    'labelling/train': () => ({ ...round(8, 0), state: 'waiting' }),
  })
  renderPart(<RoundsDialog set={set} onClose={vi.fn()} />)
  return { received, dialog: within(await screen.findByRole('dialog')) }
}

describe('rounds of training', () => {
  it('tell what more labels are worth, with range and the images they stand on', async () => {
    const { dialog } = await show()
    expect(
      await dialog.findByText('8 more labels are worth about + 1.4 points (0.3 to 2.5).'),
    ).toBeInTheDocument()
    expect(dialog.getByText('All figures are based on the same 12 images held out.')).toBeInTheDocument()
  })

  it('say in words when the order makes no difference, and when it does', async () => {
    const { dialog } = await show()
    expect(await dialog.findByText(/by doubt or at random makes no difference/)).toHaveTextContent(
      '12 images',
    )
    expect(dialog.queryByText(/^Choosing by doubt instead of at random/)).toBeNull()
  })

  it('say why one failed, and lead to its training', async () => {
    const failed = { ...round(30, 0), state: 'failed' as const, score: null }
    const failure = { name: 'too_many_rounds', params: { limit: 40 } }
    const { dialog } = await show({ rounds: [round(8, 0.78), { ...failed, failure }] })
    expect(await dialog.findByText(/^This set has had 40 rounds of training/)).toBeInTheDocument()
    expect(dialog.getByRole('link', { name: 'Failed' })).toHaveAttribute('href', '/run?id=run-30')
  })

  it('tell a difference that was shown', async () => {
    const { dialog } = await show({ difference: { gain: 0.03, low: 0.01, high: 0.05, more: 8 } })
    expect(
      await dialog.findByText(
        /^Choosing by doubt instead of at random changes what 8 labels are worth by 3 points/,
      ),
    ).toBeInTheDocument()
    expect(dialog.queryByText(/no difference/)).toBeNull()
  })

  it('say what is missing while there is too little', async () => {
    const { dialog } = await show({ rounds: [round(8, 0.78)], images: 3, expected: null, difference: null })
    expect(await dialog.findByText(/There is too little to say .*there are 3\./)).toBeInTheDocument()
  })

  it('show what became of proposals by class and day, and begin anew on wish', async () => {
    const { dialog, received } = await show()
    const row = await dialog.findByRole('row', { name: /Cell/ })
    expect(
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['6 · 60%', '3 · 30%', '1 · 10%'])
    await userEvent.click(dialog.getByRole('button', { name: 'Train now (3 new images)' }))
    expect(received.find(({ path }) => path === 'labelling/train')?.body).toEqual({ id: 'set-1' })
  })
})

describe('the network that helps', () => {
  const network = {
    ...{ runId: 'run-1', project: 'Smears', number: 4, score: 0.9 },
    task: 'segmentation' as const,
  }

  it('finds classes of the same name, and asks for the others', async () => {
    const one = { ...network, classes: ['background', 'CELL', 'nucleus'], unfit: null, isReshaped: false }
    const received = serve({
      'labelling/chooseHelper': ({ id: _, ...choice }) => ({ ...choice, network: one }),
    })
    const networks = [one]
    const onChosen = vi.fn()
    renderPart(
      <ChooseHelper set={set} networks={networks} chosen={null} onClose={vi.fn()} onChosen={onChosen} />,
    )
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.queryByText('background')).toBeNull()
    expect(dialog.getByText('nucleus')).toBeInTheDocument()
    await userEvent.click(dialog.getByRole('button', { name: 'Use it' }))
    expect(received[0]?.body).toMatchObject({
      runId: 'run-1',
      classes: [null, 'cell', null],
      order: 'doubt',
      every: 8,
    })
    expect(onChosen).toHaveBeenCalledOnce()
  })

  it('cannot be one that does not fit, and says what to do where none does', async () => {
    serve({})
    const networks = [{ ...network, classes: ['a'], unfit: 'marks' as const, isReshaped: false }]
    renderPart(
      <ChooseHelper set={set} networks={networks} chosen={null} onClose={vi.fn()} onChosen={vi.fn()} />,
    )
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/None of your trained networks fits this set/)).toBeInTheDocument()
    expect(dialog.getByRole('button', { name: 'Use it' })).toBeDisabled()
  })
})
