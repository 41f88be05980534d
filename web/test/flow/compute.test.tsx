import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { ProjectFlow } from '../../src/pages/project-flow.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { makeProject } from '../runs/runs-make.ts'
import { Refusal, serve } from '../serve.ts'
import { makeAsked, makeFlowRun, makeRunDetail } from './make-run.ts'
import { makeSummary } from './make-study.ts'

beforeEach(() => signIn())

const address = '/projectFlow?id=project-1&study=study-1'
const studies = {
  studies: [{ ...makeSummary(), isOwn: true, addedAt: '2026-11-20T08:00:00.000Z' }],
  missing: [],
}

function open(handlers: Parameters<typeof serve>[0] = {}) {
  const received = serve({
    'projects/detail': () => makeProject({ task: 'flow', displays: ['vortex', 'fluid_line'] }),
    'flow/projectStudies': () => studies,
    'runs/list': () => ({ covers: {}, courses: {}, runs: [] }),
    'flow/start': () => makeFlowRun({ id: 'run-9', state: 'queued' }),
    ...handlers,
  })
  return { received, person: userEvent.setup(), ...renderPart(<ProjectFlow />, address) }
}

const startButton = () => screen.findByRole('button', { name: 'Compute flow' })

describe('the form of a flow run', () => {
  it('starts with safe values in one press and leads to the run', async () => {
    const { received, person, router } = open()
    await person.click(await startButton())
    await waitFor(() => expect(router.state.location.pathname).toBe('/run'))
    expect(received.find(({ path }) => path === 'flow/start')?.body).toEqual({
      projectId: 'project-1',
      studyId: 'study-1',
      asked: makeAsked(),
    })
  })

  it('begins with corrections off on a study that a network made finer, and says why', async () => {
    const fine = { ...makeSummary({ id: 'study-1', source: 'sharpened' }), isOwn: true }
    const { received, person } = open({
      'flow/projectStudies': () => ({
        studies: [{ ...fine, addedAt: '2026-11-20T08:00:00.000Z' }],
        missing: [],
      }),
      // Asked of a study that was measured: its unwrapping is none for this one.
      'runs/list': () => ({ covers: {}, courses: {}, runs: [makeFlowRun({ id: 'before' })] }),
      'flow/run': () => makeRunDetail(),
    })
    expect(await screen.findByText(/corrected before a network made it finer/)).toBeVisible()
    expect(screen.getByRole('radio', { name: 'Leave it' })).toBeChecked()
    expect(screen.getByRole('switch', { name: 'Unwrap velocities' })).not.toBeChecked()
    await person.click(await startButton())
    await waitFor(() => expect(received.some(({ path }) => path === 'flow/start')).toBe(true))
    expect(received.find(({ path }) => path === 'flow/start')?.body).toMatchObject({
      asked: { corrections: { offset: null, unwrap: false, turn: null } },
    })
  })

  it('is refused without any kind, beside the button, and nothing is asked of the server', async () => {
    const { received, person } = open()
    const start = await startButton()
    await person.click(screen.getByRole('checkbox', { name: /Vortex/ }))
    await person.click(screen.getByRole('checkbox', { name: /Fluid line/ }))
    const told = screen.getAllByText(/Fluid results need at least one of vortex or fluid line/)
    expect(told).toHaveLength(2)
    expect(start).toBeDisabled()
    expect(received.some(({ path }) => path === 'flow/start')).toBe(false)
  })

  it('says at the study that it is too large to be computed, and what would not be', async () => {
    const [study] = studies.studies
    const large = { ...studies, studies: study ? [{ ...study, size: [160, 160, 40], frames: 80 }] : [] }
    const { received } = open({ 'flow/projectStudies': () => large as typeof studies })
    const start = await startButton()
    expect(await screen.findByText(/at most 55 frames, or cut out a smaller block/)).toBeVisible()
    expect(start).toBeDisabled()
    expect(received.some(({ path }) => path === 'flow/start')).toBe(false)
  })

  it('says at its field what is wrong with a number, and takes what is put right', async () => {
    const { received, person } = open()
    const start = await startButton()
    const window = screen.getByLabelText('Vorticity calculation window')
    await person.clear(window)
    await person.type(window, '6')
    expect(await screen.findByText(/must be odd, so that it has a middle; 6 is even/)).toBeVisible()
    expect(start).toBeDisabled()
    // Of the smallest side of the study, whichever plane it is in.
    await person.clear(window)
    await person.type(window, '7')
    await waitFor(() => expect(start).toBeEnabled())
    await person.click(screen.getByRole('radio', { name: 'Linear' }))
    await person.click(screen.getByRole('radio', { name: 'Own level' }))
    expect(screen.getByText('Enter a level from 0 to 100 %.')).toBeVisible()
    await person.type(screen.getByLabelText('Level, % of the brightest'), '12.5')
    const places = screen.getByLabelText(/Keep only pieces at these places/)
    await person.type(places, '97, 1, 1')
    expect(screen.getByText(/Line 1 is no place in this study/)).toBeVisible()
    await person.clear(places)
    await person.type(places, '96, 1, 32')
    await person.click(start)
    await waitFor(() =>
      expect(received.find(({ path }) => path === 'flow/start')?.body).toMatchObject({
        asked: {
          settings: { vorticityCalculationWindow: 7 },
          corrections: { offset: 1 },
          mask: { kind: 'threshold', level: 0.125, grow: [[95, 0, 31]] },
        },
      }),
    )
  })

  it('shows a refusal of the server where it belongs', async () => {
    const { person } = open({
      'flow/start': () => {
        throw new Refusal('study_not_ready', {})
      },
    })
    await person.click(await startButton())
    expect(await screen.findByText('Look at the marked settings above.')).toBeVisible()
    expect(screen.getByRole('alert').closest('section')).toHaveTextContent('Which scan is computed')
  })

  it('remembers what the last run of the project was asked', async () => {
    const asked = makeAsked({
      corrections: { offset: 2, unwrap: false, turn: { order: [1, 0, 2], signs: [1, -1, 1] } },
      mask: { kind: 'threshold', level: 0.2, grow: [[4, 5, 6]] },
    })
    const { received, person } = open({
      'runs/list': () => ({ covers: {}, courses: {}, runs: [makeFlowRun({ number: 4 })] }),
      'flow/run': () => makeRunDetail({ asked, run: makeFlowRun({ number: 4 }) }),
    })
    expect(await screen.findByText(/Taken over from flow 4/)).toBeVisible()
    expect(screen.getByRole('radio', { name: 'Quadratic' })).toBeChecked()
    expect(screen.getByLabelText(/Keep only pieces at these places/)).toHaveValue('5, 6, 7')
    await person.click(screen.getByRole('button', { name: 'Leave directions as recorded' }))
    await person.click(await startButton())
    await waitFor(() =>
      expect(received.find(({ path }) => path === 'flow/start')?.body).toMatchObject({
        asked: { ...asked, corrections: { offset: 2, unwrap: false, turn: null } },
      }),
    )
  })

  it('does not carry directions, places and masks over to another study', async () => {
    const asked = makeAsked({
      corrections: { offset: 1, unwrap: true, turn: { order: [1, 0, 2], signs: [1, 1, 1] } },
      mask: { kind: 'file', fileId: 'mask-1' },
    })
    const { received, person } = open({
      'runs/list': () => ({ covers: {}, courses: {}, runs: [makeFlowRun()] }),
      'flow/run': () => {
        const detail = makeRunDetail({ asked })
        return { ...detail, study: { ...detail.study, id: 'study-2' } }
      },
    })
    await person.click(await startButton())
    await waitFor(() =>
      expect(received.find(({ path }) => path === 'flow/start')?.body).toMatchObject({
        asked: {
          corrections: { offset: 1, turn: null },
          mask: { kind: 'threshold', level: null, grow: [] },
        },
      }),
    )
  })

  it('is not offered to whoever may only look', async () => {
    open({ 'projects/detail': () => makeProject({ task: 'flow', access: 'view', displays: ['vortex'] }) })
    expect(await screen.findByText(/but not compute in it/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Compute flow' })).toBeNull()
  })
})
