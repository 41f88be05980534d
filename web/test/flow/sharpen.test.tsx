import { flowTrainStart } from '@neuroloom/contract/flow/sharpen'
import type { Run } from '@neuroloom/contract/runs'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ProjectDetail } from '../../src/pages/project-detail.tsx'
import { RunPage } from '../../src/pages/run.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { makeOwnNetwork, makeProject } from '../runs/runs-make.ts'
import { Refusal, serve } from '../serve.ts'
import { makeRunDetail } from './make-run.ts'
import { makeHead, makeSummary } from './make-study.ts'
import {
  lost,
  makeSharpened,
  makeSharpener,
  makeTrained,
  makeTraining,
  makeTrainingRun,
} from './make-training.ts'

vi.mock('socket.io-client', async () => import('../runs/runs-live.ts'))

beforeEach(() => signIn())

type Handlers = Parameters<typeof serve>[0]

const flowProject = makeProject({ task: 'flow', displays: ['vortex', 'fluid_line'] })
const common: Handlers = {
  'projects/detail': () => flowProject,
  'runs/device': () => ({ kind: 'cpu', memoryBytes: null }),
  'networks/mine': () => ({ networks: [], most: 50 }),
  'flow/sharpeners': () => ({ sharpeners: [] }),
  'flow/forecast': () => ({ seconds: 600, isSure: false }),
}

describe('in a project of 4D flow', () => {
  function open(handlers: Handlers = {}) {
    const received = serve({
      ...common,
      'flow/projectStudies': () => ({ studies: [], missing: [] }),
      'runs/list': () => ({ covers: {}, courses: {}, runs: [] }),
      ...handlers,
    })
    const page = renderPart(<ProjectDetail />, '/projectDetail?id=project-1')
    return { received, person: userEvent.setup(), ...page }
  }
  const openForm = async (handlers: Handlers = {}) => {
    const opened = open(handlers)
    await opened.person.click(await screen.findByRole('button', { name: 'Train a network' }))
    await screen.findByRole('button', { name: 'Start training' })
    return opened
  }
  const sent = (received: ReturnType<typeof open>['received']) =>
    received.find(({ path }) => path === 'flow/train')?.body

  it('says what learning is for, that no patient is needed, and that numbers are estimated', async () => {
    open()
    expect(await screen.findByRole('heading', { name: /Finer velocities \(learned\)/ })).toBeVisible()
    expect(screen.getByText(/no patient data are needed/)).toBeVisible()
    expect(screen.getByText(/estimated, not measured/)).toBeVisible()
  })

  it('starts with safe values in one press and leads to the training', async () => {
    const { received, person, router } = await openForm({
      'flow/train': () => makeTrainingRun({ id: 'run-8', state: 'queued' }),
    })
    expect(screen.getByRole('radio', { name: 'Small 4DFlowNet' })).toBeChecked()
    await person.click(screen.getByRole('button', { name: 'Start training' }))
    await waitFor(() => expect(router.state.location.search).toBe('?id=run-8'))
    expect(sent(received)).toEqual({
      projectId: 'project-1',
      asked: flowTrainStart,
    })
  })

  it('tells before the start about how long it takes, and what stands in the way', async () => {
    const { person } = await openForm({
      'flow/forecast': ({ asked }) => {
        if (asked.network === 'flow4d')
          throw new Refusal('memory_exceeded', { needBytes: 9e9, haveBytes: 4e9 })
        return { seconds: 600, isSure: asked.seed === 5 }
      },
    })
    expect(await screen.findByText(/^About 5 mins to 20 mins on this server/)).toBeVisible()
    await person.click(screen.getByText('More'))
    const seed = screen.getByLabelText('Random seed')
    await person.clear(seed)
    await person.type(seed, '5')
    expect(await screen.findByText('About 10 mins on this server.')).toBeVisible()
    await person.click(screen.getByRole('radio', { name: '4DFlowNet' }))
    expect(await screen.findByText(/memory/)).toBeVisible()
  })

  it('offers own networks of this task that have no mistake, and the way to draw one', async () => {
    await openForm({
      'networks/mine': () => ({
        networks: [
          makeOwnNetwork({ id: 'mine', name: 'My flow', task: 'flow' }),
          makeOwnNetwork({ id: 'broken', name: 'Broken', task: 'flow', mistakes: 2 }),
          makeOwnNetwork({ id: 'other', name: 'For images' }),
        ],
        most: 50,
      }),
    })
    expect(await screen.findByRole('radio', { name: 'My flow' })).toBeEnabled()
    expect(screen.queryByRole('radio', { name: /Broken|For images/ })).toBeNull()
    expect(screen.getByRole('link', { name: 'Draw one in DRIPE' })).toHaveAttribute(
      'href',
      '/dripe?template=flow4d',
    )
  })

  it('warns of the full network where there is no graphics card', async () => {
    const { person } = await openForm()
    expect(screen.queryByText(/would train for days/)).toBeNull()
    await person.click(screen.getByRole('radio', { name: '4DFlowNet' }))
    expect(await screen.findByText(/would train for days/)).toBeVisible()
  })

  it('refuses a number out of range at its field, and asks nothing of the server', async () => {
    const { received, person } = await openForm()
    const flows = screen.getByLabelText('Known flows')
    await person.clear(flows)
    await person.type(flows, '19')
    expect(await screen.findByText('Enter a whole number from 20 to 400.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Start training' })).toBeDisabled()
    expect(sent(received)).toBeUndefined()
  })

  it('says beside the button why the server refused', async () => {
    const { person } = await openForm({
      'flow/train': () => {
        throw new Refusal('flow_packages', { packages: 'torch' })
      },
    })
    await person.click(screen.getByRole('button', { name: 'Start training' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(/torch/)
  })

  it.each([
    [{ reason: 'flow_inputs' }, /exactly two inputs called velocity and magnitude/],
    [{ reason: 'unknown_ref', ref: 'up', node: '@velocity' }, /At “velocity”: “up” does not name any layer/],
    [{ reason: 'unknown' }, /does not fit flow/],
  ])('tells of a network that does not fit what is wrong with it: %o', async (params, text) => {
    const { person } = await openForm({
      'flow/train': () => {
        throw new Refusal('network_unfit', params)
      },
    })
    await person.click(screen.getByRole('button', { name: 'Start training' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(text)
  })

  it('lists each training with its verdict, apart from the flow runs', async () => {
    open({
      'runs/list': () => ({
        covers: {},
        courses: {},
        runs: [
          makeTrainingRun({ id: 'c', number: 9, state: 'running', phase: 'training' }),
          makeTrainingRun({ id: 'b', number: 8 }),
          makeTrainingRun({ id: 'a', number: 7 }),
        ],
      }),
      'flow/sharpeners': () => ({
        sharpeners: [
          makeSharpener({ trainingId: 'b', number: 8, wins: false, gain: lost }),
          makeSharpener({ trainingId: 'a', number: 7 }),
        ],
      }),
    })
    const row = (name: string) => screen.getByRole('link', { name }).closest('li')
    await screen.findByText(/Better than interpolation/)
    expect(row('Flow training 7')).toHaveTextContent(
      /Small 4DFlowNet.*Better than interpolation by 12% \(8% to 16%\) on 10 flows held out/,
    )
    expect(row('Flow training 8')).toHaveTextContent(/No better than interpolation.*not offered/)
    expect(row('Flow training 9')).not.toHaveTextContent(/interpolation/)
    expect(screen.getByText(/Nothing has been computed yet/)).toBeVisible()
  })

  it('is only looked at by whoever may not change the project', async () => {
    open({
      'projects/detail': () => ({ ...flowProject, access: 'view' }),
      'runs/list': () => ({ covers: {}, courses: {}, runs: [makeTrainingRun()] }),
      'flow/sharpeners': () => ({ sharpeners: [makeSharpener()] }),
    })
    expect(await screen.findByText(/Better than interpolation/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Train a network' })).toBeNull()
  })

  it('marks a study that a network made', async () => {
    const shown = { isOwn: true, addedAt: '2026-11-20T08:00:00.000Z' }
    open({
      'flow/projectStudies': () => ({
        studies: [
          { ...makeSummary({ id: 'a', name: 'Aorta ×2', source: 'sharpened' }), ...shown },
          { ...makeSummary({ id: 'b', name: 'Aorta' }), ...shown },
        ],
        missing: [],
      }),
    })
    const marked = (await screen.findByRole('link', { name: 'Aorta ×2' })).closest('li')
    expect(marked).toHaveTextContent(/Made finer by a network.*Learned/)
    expect(screen.getByRole('link', { name: 'Aorta' }).closest('li')).not.toHaveTextContent(/Learned/)
  })
})

describe('the page of a training', () => {
  function open(run: Partial<Run> = {}, detail: Parameters<typeof makeTraining>[0] = {}) {
    const shown = makeTrainingRun(run)
    const training = makeTraining({ run: shown, ...detail })
    serve({
      ...common,
      'runs/detail': () => ({ run: shown, curves: training.curves, preview: null, previewEpochs: [] }),
      'flow/training': () => training,
    })
    return renderPart(<RunPage />, '/run?id=run-7')
  }

  it('shows a network that won: verdict, errors beside both interpolations, each flow kept aside', async () => {
    open({
      artifacts: [
        { kind: 'weights', sizeBytes: 1000, sha256: 'a' },
        { kind: 'flow_training', sizeBytes: 900, sha256: 'b' },
      ],
    })
    expect(
      await screen.findByText('Better than interpolation by 12% (8% to 16%) on 2 flows held out'),
    ).toBeVisible()
    expect(screen.getByText(/than that of cubic interpolation.*above 0 %/)).toBeVisible()
    const [scores, kept] = screen.getAllByRole('table')
    const row = (table: HTMLElement | undefined, name: RegExp) =>
      within(table ?? document.body).getByRole('row', { name })
    expect(row(scores, /^Network/)).toHaveTextContent('Network3.053.1%4.2%3.2°')
    expect(row(scores, /^Linear/)).toHaveTextContent('4.124.3%7.1%5.1°')
    expect(row(kept, /^Bent tube/)).toHaveTextContent('Bent tube12.5354')
    expect(screen.getByText(/smallest error in 1 of 2/)).toBeVisible()
    expect(
      screen.getByText(
        /epoch 2: network 3.1 cm\/s, linear 4.12 cm\/s, weighted by signal 3.89 cm\/s, cubic 3.47 cm\/s/,
      ),
    ).toBeVisible()
    expect(screen.getByRole('img', { name: 'Error of velocity' })).toBeVisible()
    expect(screen.getByText('30, 10, 10')).toBeVisible()
    expect(await screen.findByRole('button', { name: /Verdict \(JSON\)/ })).toBeVisible()
    expect(screen.queryByRole('button', { name: /PyTorch program/ })).toBeNull()
    expect(screen.getByRole('link', { name: 'To the flow runs' })).toHaveAttribute(
      'href',
      '/projectDetail?id=project-1#step-2',
    )
  })

  it('says of one that did not win that it is not offered, and what helps', async () => {
    open({}, { results: makeTrained({ wins: false, gain: lost }) })
    expect(
      await screen.findByText(/No better than interpolation on 2 flows held out \(1%; -3% to 5%\)/),
    ).toHaveTextContent(/not offered. More known flows or more epochs often help/)
    expect(screen.queryByRole('link', { name: 'To the flow runs' })).toBeNull()
  })

  it('has no verdict where it was stopped before its first result', async () => {
    open({ state: 'stopped' }, { results: null, curves: [] })
    expect(await screen.findByText(/There is no verdict/)).toBeVisible()
    expect(screen.getByText(/You stopped this training/)).toBeVisible()
  })

  it('tells of one under way how far it is, with its words and no verdict', async () => {
    const progress = { fold: 0, folds: 1, epoch: 4, epochs: 40, step: 40, steps: 400 }
    open(
      {
        ...{ state: 'running', phase: 'validating', startedAt: '2026-11-20T08:00:00.000Z' },
        progress: { ...progress, loss: 0.1, learningRate: 0.003, itemsPerSecond: 9, etaSeconds: 60 },
      },
      { results: null },
    )
    expect(await screen.findByText('Checking on flows that choose the epoch')).toBeVisible()
    expect(screen.getByText('4 of 40')).toBeVisible()
    // But for the project's name.
    const said = screen.queryAllByText(/pictures/).map(({ textContent }) => textContent)
    expect(said.filter((text) => text !== 'Chest images')).toEqual([])
    expect(screen.queryByText(/verdict/i)).toBeNull()
    expect(screen.getByText('Small 4DFlowNet')).toBeVisible()
  })
})

describe('the page of a done flow run', () => {
  function open(handlers: Handlers = {}, detail: Parameters<typeof makeRunDetail>[0] = {}) {
    const shown = makeRunDetail(detail)
    const received = serve({
      ...common,
      'runs/detail': () => ({ run: shown.run, curves: [], preview: null, previewEpochs: [] }),
      'flow/run': () => shown,
      ...handlers,
    })
    return { received, person: userEvent.setup(), ...renderPart(<RunPage />, '/run?id=run-1') }
  }

  it('makes a finer study by a network that won; the others are seen with the reason', async () => {
    const { received, person } = open({
      'flow/sharpeners': () => ({
        sharpeners: [
          makeSharpener({ trainingId: 'b', number: 8, wins: false, gain: lost }),
          makeSharpener({ trainingId: 'a', number: 7 }),
        ],
      }),
      'flow/sharpen': () => makeSummary({ id: 'study-2', name: 'Arch, fine', state: 'making' }),
    })
    expect(await screen.findByRole('radio', { name: /Flow training 7/ })).toBeChecked()
    const other = screen.getByRole('radio', { name: /Flow training 8/ })
    expect(other).toBeDisabled()
    expect(other.closest('label')).toHaveTextContent(/No better than interpolation.*not offered/)
    expect(screen.getByText(/2 times finer along each axis, so with 8 times as many voxels/)).toBeVisible()
    const name = screen.getByLabelText('Name of the new study')
    expect(name).toHaveValue('Aorta 12 ×2')
    await person.clear(name)
    await person.type(name, 'Arch, fine')
    await person.click(screen.getByRole('button', { name: 'Make a finer study' }))
    expect(await screen.findByText(/“Arch, fine” is being made/)).toBeVisible()
    expect(received.find(({ path }) => path === 'flow/sharpen')?.body).toEqual({
      ...{ runId: 'run-1', trainingId: 'a', name: 'Arch, fine' },
    })
  })

  it('offers none where none won, and leads to the trainings', async () => {
    open({ 'flow/sharpeners': () => ({ sharpeners: [makeSharpener({ wins: false, gain: lost })] }) })
    expect(await screen.findByText(/None of them beat interpolation/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Make a finer study' })).toBeNull()
    expect(screen.getByRole('link', { name: 'To the trainings' })).toHaveAttribute(
      'href',
      '/projectDetail?id=project-1#step-3',
    )
  })

  it('says in words why the server refused', async () => {
    const { person } = open({
      'flow/sharpeners': () => ({ sharpeners: [makeSharpener()] }),
      'flow/sharpen': () => {
        throw new Refusal('flow_too_fine')
      },
    })
    await person.click(await screen.findByRole('button', { name: 'Make a finer study' }))
    expect(await screen.findByText(/finer study would be too large/)).toBeVisible()
  })

  it('marks numbers of a study that a network made, and does not let it be done again', async () => {
    const head = makeHead({ source: 'sharpened', sharpened: makeSharpened() })
    const { received } = open({}, { study: { name: 'Aorta ×2', id: 'study-2', head } })
    expect(
      await screen.findByText(/“Small 4DFlowNet” made this study 2 times finer.*not measured.*12% smaller/),
    ).toBeVisible()
    // Once for the page, the numbers, the curves and the planes.
    expect(screen.getAllByText('Learned ×2')).toHaveLength(4)
    expect(await screen.findByText(/cannot be done again/)).toBeVisible()
    expect(received.some(({ path }) => path === 'flow/sharpeners')).toBe(false)
  })
})
