import { flowRefusals } from '@neuroloom/contract/flow/run'
import type { FlowRunDetail } from '@neuroloom/contract/flow/run-calls'
import type { Run } from '@neuroloom/contract/runs'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { RunPage } from '../../src/pages/run.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { makeProject } from '../runs/runs-make.ts'
import { serve } from '../serve.ts'
import { isKnown } from '../texts.ts'
import { makeFlowRun, makeLight, makeResults, makeRunDetail, makeSection } from './make-run.ts'
import { makeHead } from './make-study.ts'

vi.mock('socket.io-client', async () => import('../runs/runs-live.ts'))

beforeEach(() => signIn())

type Shown = { run?: Partial<Run>; detail?: Partial<FlowRunDetail>; access?: 'own' | 'view' }

function open({ run = {}, detail = {}, access = 'own' }: Shown = {}, more: Parameters<typeof serve>[0] = {}) {
  const shown = makeFlowRun(run)
  const received = serve({
    'projects/detail': () => makeProject({ task: 'flow', access, displays: ['vortex', 'fluid_line'] }),
    'runs/detail': () => ({ run: shown, curves: [], preview: null, previewEpochs: [] }),
    'flow/run': () => makeRunDetail({ run: shown, ...detail }),
    ...more,
  })
  return { received, person: userEvent.setup(), ...renderPart(<RunPage />, '/run?id=run-1') }
}

const sent = (received: ReturnType<typeof open>['received'], path: string) =>
  received.find((one) => one.path === path)?.body

describe('a flow run under way', () => {
  it('names its phase and the study, and speaks of no network', async () => {
    open({
      run: { state: 'running', phase: 'correcting', startedAt: '2026-11-20T08:00:00.000Z' },
      detail: { results: null },
    })
    expect(await screen.findByText('Correcting the velocities')).toBeVisible()
    expect(screen.getByText('Study')).toBeVisible()
    expect(screen.queryByText('Network')).toBeNull()
    expect(await screen.findByText('What was asked')).toBeVisible()
  })

  it('says why nothing was computed, with what helps', async () => {
    const params = { refusal: 'static_tissue_little', share: 0.12, needed: 0.6, order: 2 }
    open({
      run: { state: 'failed', error: { code: 'flow_not_computed', params } },
      detail: { results: null },
    })
    expect(await screen.findByText(/Only 12% of the tissue stands still/)).toBeVisible()
    expect(screen.getByText(/needs 60%. Choose a lower order/)).toBeVisible()
  })

  it('has words for every refusal of the engine', () => {
    const unknown = flowRefusals.filter(
      (name) => !isKnown({ key: `refusal.${name}`, from: ['flow-run'], isPrefix: false }),
    )
    expect(unknown).toEqual([])
  })
})

describe('the results of a flow run', () => {
  it('judge themselves in words and numbers, the worst first, with what to do', async () => {
    const results = makeResults({
      lights: [
        makeLight(),
        makeLight({ name: 'torn', value: 3, unit: '%', good: 0.1, fair: 1, colour: 'red' }),
        makeLight({
          name: 'noise',
          value: null,
          unit: '',
          good: 10,
          isMoreBetter: true,
          colour: 'grey',
          why: 'one_frame',
        }),
      ],
    })
    open({ detail: { results } })
    const lights = within(await screen.findByRole('list', { name: 'Can the numbers be trusted?' }))
    const [first, second, third] = lights.getAllByRole('listitem')
    expect(first).toHaveTextContent(/Poor.*still wrapped.*3 %.*good up to 0.1 %.*Switch unwrapping on/)
    expect(second).toHaveTextContent(/Not known.*one frame only/)
    expect(third).toHaveTextContent(/Good.*Size of a voxel.*2.3 mm.*good up to 2.5 mm/)
  })

  it('tell each number with its region and the corrections before it', async () => {
    open()
    expect(await screen.findByText(/the mask at 12% of the brightest: 45.2 mL in 1 piece/)).toBeVisible()
    expect(screen.getByText(/After: Unwrapping\./)).toBeVisible()
    expect(screen.getByText('140 cm/s')).toBeVisible()
    expect(screen.getByText('12 mJ')).toBeVisible()
    expect(screen.getByText(/too low near walls/)).toBeVisible()
    expect(screen.getByText(/noise alone gives ± 12/)).toBeVisible()
    const steps = within(screen.getByRole('table'))
    expect(steps.getByRole('row', { name: /Unwrapping/ })).toHaveTextContent(/1.2 %.*0.04 %.*3% of all/)
    expect(steps.getByRole('row', { name: /Background/ })).toHaveTextContent(/Left as it was/)
  })

  it('offer to turn the directions, and do so only when it is pressed', async () => {
    const taken = { order: [0, 1, 2], signs: [1, 1, 1], score: 0.5 } as const
    const best = { order: [1, 0, 2], signs: [1, -1, 1], score: 0.1 } as const
    const results = makeResults({
      directions: {
        ...{ isSure: true, ratio: 2.4 },
        best: { ...best, order: [...best.order], signs: [...best.signs] },
        taken: { ...taken, order: [...taken.order], signs: [...taken.signs] },
      },
    })
    const { received, person, router } = open(
      { detail: { results } },
      { 'flow/start': () => makeFlowRun({ id: 'run-2', state: 'queued' }) },
    )
    expect(await screen.findByText('The directions of velocity are probably swapped')).toBeVisible()
    expect(sent(received, 'flow/start')).toBeUndefined()
    await person.click(screen.getByRole('button', { name: 'Turn and compute again' }))
    await waitFor(() => expect(router.state.location.search).toBe('?id=run-2'))
    expect(sent(received, 'flow/start')).toMatchObject({
      studyId: 'study-1',
      asked: { corrections: { turn: { order: [1, 0, 2], signs: [1, -1, 1] } } },
    })
  })

  it('change nothing where the directions are not sure', async () => {
    const check = makeResults().directions
    const results = makeResults({ directions: check && { ...check, isSure: false, ratio: 1.05 } })
    open({ detail: { results } })
    expect(await screen.findByText(/Not sure: the next best order.*1.05 times/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Turn and compute again' })).toBeNull()
  })

  it('tell what flows through kept planes, and the ratio of any two', async () => {
    const sections = [
      makeSection('Lung', 1.2e-4),
      makeSection('Aorta', 8e-5),
      makeSection('Lost', null, { numbers: null, refusal: 'centre_outside_mask' }),
    ]
    const massBalance = makeLight({
      name: 'massBalance',
      value: 40,
      unit: '%',
      good: 10,
      fair: 20,
      colour: 'red',
    })
    const { person } = open({ detail: { sections, massBalance } })
    const row = await screen.findByRole('row', { name: /Lung/ })
    expect(row).toHaveTextContent(/120.*120.*0.*2%.*150.*8.2.*Good.*3% too low/)
    expect(screen.getByRole('row', { name: /Lost/ })).toHaveTextContent(/lies outside the vessels/)
    const ratio = within(screen.getByRole('region', { name: 'Ratio of two planes (Qp/Qs)' }))
    expect(ratio.getByText('= 1.5')).toBeVisible()
    await person.click(ratio.getByLabelText('Second plane'))
    await person.click(await screen.findByText('Lung', { selector: '.ant-select-item-option-content' }))
    expect(ratio.getByText('= 1')).toBeVisible()
    expect(screen.getByText(/Check that each plane stands across the vessel/)).toBeVisible()
  })

  it('of a single moment tell what flows then, and say what they cannot', async () => {
    const none = { forward: null, backward: null, net: null, regurgitantFraction: null, pulsatility: null }
    const one = { rate: [9.06e-5], area: [2.115e-4], mean: [0.428], peak: [0.568], p99: [0.55] }
    const kept = makeSection('Arch', null)
    const section = { ...kept, numbers: kept.numbers && { ...kept.numbers, ...none, ...one } }
    const study = { name: 'Aorta 12', id: 'study-1', head: makeHead({ frames: 1, times: [0], period: null }) }
    const results = makeResults({
      lights: [makeLight({ name: 'noise', value: null, unit: '', colour: 'grey', why: 'one_frame' })],
      ...{ energy: [0.001], loss: [0.001], speed: { max: [0.9], p99: [0.8], mean: [0.5] } },
    })
    open({ detail: { sections: [section], results, study } })
    expect(await screen.findByText('A single moment')).toBeVisible()
    const table = within(screen.getByRole('region', { name: 'Planes' }))
    expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      ...['Plane', 'Flow, mL/s', 'Mean velocity, cm/s', 'Area, mm²', 'Peak, cm/s', 'Voxels across'],
    ])
    expect(table.getByRole('row', { name: /Arch/ })).toHaveTextContent(/Arch90\.642\.821256\.88/)
    expect(screen.getByText(/so this cannot be told/)).toBeVisible()
    expect(screen.queryByText(/of the beat/)).toBeNull()
    expect(screen.getByText(/a plain pipe shows about half/)).toBeVisible()
  })

  it('say that planes could not be measured, and measure them again when it is pressed', async () => {
    const failed = { numbers: null, refusal: 'not_measured' as const }
    const sections = [makeSection('Aorta', null, failed), makeSection('Lung', null, failed)]
    const { received, person } = open({ detail: { sections } }, { 'flow/keepSections': () => ({ sections }) })
    expect(await screen.findByText(/The planes could not be measured. Try once more/)).toBeVisible()
    expect(screen.getAllByText(/every try failed/)).toHaveLength(2)
    expect(screen.queryByText(/being measured/)).toBeNull()
    await person.click(screen.getByRole('button', { name: 'Measure again' }))
    const asked = ({ numbers: _, refusal: __, ...section }: (typeof sections)[number]) => section
    await waitFor(() =>
      expect(sent(received, 'flow/keepSections')).toEqual({ runId: 'run-1', sections: sections.map(asked) }),
    )
  })

  it('take planes that were given up without a word for not measured', async () => {
    open({ detail: { sections: [makeSection('Aorta', null, { numbers: null })] }, access: 'view' })
    expect(await screen.findByText(/every try failed/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Measure again' })).toBeNull()
  })

  it('lead to two moments side by side', async () => {
    open()
    const link = await screen.findByRole('link', { name: 'Two moments side by side' })
    expect(link).toHaveAttribute('href', '/compare?flow=run-1')
  })

  it('keep pictures with their captions, which may be taken out again', async () => {
    const figures = [{ id: 'figure-1', caption: 'Jet in systole', url: '/a.png', width: 12, height: 8 }]
    const { received, person } = open(
      { detail: { figures } },
      { 'flow/removeFigure': () => ({ figures: [] }) },
    )
    expect(await screen.findByRole('img', { name: 'Jet in systole' })).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Remove “Jet in systole”' }))
    await person.click(await screen.findByText('Delete', { selector: '.ant-modal-footer span' }))
    await waitFor(() =>
      expect(sent(received, 'flow/removeFigure')).toEqual({ runId: 'run-1', figureId: 'figure-1' }),
    )
  })

  it('put the angiogram into a folder of its own and lead to the labelling', async () => {
    const { received, person } = open(
      {},
      {
        'files/createFolder': ({ name }) => ({ id: 'folder-1', name }) as never, // What is read of it.
        'flow/keepFile': () => ({ fileId: 'file-1', name: 'angiogram.nii.gz' }),
      },
    )
    await person.click(await screen.findByRole('button', { name: /Put into the cloud for drawing/ }))
    const link = await screen.findByRole('link', { name: /angiogram.nii.gz is in the cloud/ })
    expect(link).toHaveAttribute('href', '/labelling?new&folder=folder-1&name=Aorta+12')
    expect(sent(received, 'flow/keepFile')).toEqual({
      ...{ runId: 'run-1', kind: 'flow_angiogram', folderId: 'folder-1' },
    })
  })

  it('lead to the report, and to the same settings with a change', async () => {
    const { person, router } = open()
    expect(await screen.findByRole('link', { name: 'Change and compute again' })).toHaveAttribute(
      'href',
      '/projectFlow?id=project-1&study=study-1&run=run-1',
    )
    await person.click(screen.getByRole('button', { name: /Report$/ }))
    expect(router.state.location.pathname + router.state.location.search).toBe('/report?id=run-1')
  })

  it('are only looked at by whoever may not change the project', async () => {
    const check = makeResults().directions
    const best = { order: [1, 0, 2] as [number, number, number], signs: [1, 1, 1] as [1, 1, 1], score: 0.1 }
    open({ access: 'view', detail: { results: makeResults({ directions: check && { ...check, best } }) } })
    expect(await screen.findByText('The directions of velocity are probably swapped')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Turn and compute again' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Change and compute again' })).toBeNull()
    expect(screen.getByText('No plane was kept with this run.')).toBeVisible()
  })
})
