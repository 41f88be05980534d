import type { FlowSummary } from '@neuroloom/contract/flow/calls'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Flow } from '../../src/pages/flow.tsx'
import { ProjectDetail } from '../../src/pages/project-detail.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { makeProject, makeProjectPage } from '../runs/runs-make.ts'
import { serve } from '../serve.ts'
import { makeFlowRun } from './make-run.ts'
import { makeDetail, makeHead, makeSummary } from './make-study.ts'

vi.mock('socket.io-client', async () => import('../runs/runs-live.ts'))

beforeEach(() => signIn())

const flowProject = makeProject({ task: 'flow', displays: ['vortex', 'fluid_line'] })
const inProject = (changes: Partial<FlowSummary>, isOwn = true) => ({
  ...makeSummary(changes),
  ...{ isOwn, addedAt: '2026-11-20T08:00:00.000Z' },
})

function open(handlers: Parameters<typeof serve>[0] = {}) {
  const received = serve({
    'projects/detail': () => flowProject,
    'flow/projectStudies': () => ({ studies: [], missing: [] }),
    'runs/list': () => ({ covers: {}, courses: {}, runs: [] }),
    ...handlers,
  })
  return {
    received,
    person: userEvent.setup(),
    ...renderPart(<ProjectDetail />, '/projectDetail?id=project-1'),
  }
}

describe('a project of 4D flow', () => {
  it('asks for a study first, in one of three ways, and for no images', async () => {
    const { received } = open()
    expect(await screen.findByRole('heading', { name: 'Add your first study' })).toBeVisible()
    const primary = screen.getByRole('button', { name: 'Open files of the cloud' })
    expect(primary).toHaveClass('ant-btn-primary')
    expect(screen.getByRole('button', { name: 'Choose one of my studies' })).toBeEnabled()
    expect(screen.getByRole('button', { name: 'Measure a known flow' })).toBeEnabled()
    expect(screen.queryByRole('heading', { name: /[Tt]rain/ })).toBeNull()
    expect(received.some(({ path }) => path === 'datasets/list')).toBe(false)
    expect(screen.queryByRole('link', { name: /0 ?studies/ })).toBeNull()
  })

  it('offers with each study what can be done next', async () => {
    const { person, router } = open({
      'flow/projectStudies': () => ({
        studies: [
          inProject({ id: 'ready-1', name: 'Ready one' }),
          inProject({ id: 'asked-1', name: 'Asked one', state: 'asked' }),
          inProject({ id: 'failed-1', name: 'Failed one', state: 'failed' }),
          inProject({ id: 'other-1', name: 'Of another', state: 'asked' }, false),
        ],
        missing: [],
      }),
    })
    const rows = await screen.findAllByRole('listitem')
    const row = (name: string) => within(rows.find((one) => one.textContent?.includes(name)) ?? document.body)
    // The bar at the top has the next thing to do, whatever is seen of the page.
    expect(screen.getByRole('link', { name: 'Compute flow' })).toHaveAttribute(
      'href',
      '/projectFlow?id=project-1&study=ready-1',
    )
    expect(row('Asked one').getByRole('link', { name: 'Settle the table' })).toHaveAttribute(
      'href',
      '/flow?study=asked-1&project=project-1',
    )
    expect(row('Failed one').getByRole('link', { name: 'See why' })).toBeVisible()
    expect(row('Of another').queryByRole('link')).toBeNull()
    await person.click(row('Ready one').getByRole('button', { name: 'Compute the flow of Ready one' }))
    const { pathname, search } = router.state.location
    expect(pathname + search).toBe('/projectFlow?id=project-1&study=ready-1')
  })

  it('takes in one of the member’s own studies, and lets it go after asking', async () => {
    const { received, person } = open({
      'flow/projectStudies': () => ({ studies: [inProject({ id: 'in-1', name: 'Inside' })], missing: [] }),
      'flow/studies': () => ({
        studies: [makeSummary({ id: 'in-1', name: 'Inside' }), makeSummary({ id: 'out-1', name: 'Outside' })],
        ...{ next: null, missing: [] },
      }),
      'flow/addToProject': () => ({}),
      'flow/takeFromProject': () => ({}),
    })
    await person.click(await screen.findByRole('button', { name: 'Choose one of my studies' }))
    const dialog = within(await screen.findByRole('dialog', { hidden: true }))
    await person.click(await dialog.findByRole('radio', { name: /Outside/, hidden: true }))
    expect(dialog.queryByRole('radio', { name: /Inside/, hidden: true })).toBeNull()
    await person.click(dialog.getByText('Add to the project'))
    await waitFor(() =>
      expect(bodyOf('flow/addToProject')).toEqual({ projectId: 'project-1', studyId: 'out-1' }),
    )
    await person.click(screen.getByRole('button', { name: 'Take Inside out of the project', hidden: true }))
    expect(await screen.findByText(/The study itself stays/)).toBeInTheDocument()
    await person.click(screen.getByText('Take out', { selector: '.ant-modal-footer span' }))
    await waitFor(() =>
      expect(bodyOf('flow/takeFromProject')).toEqual({ projectId: 'project-1', studyId: 'in-1' }),
    )

    function bodyOf(path: string) {
      return received.find((one) => one.path === path)?.body
    }
  })

  it('lists its runs by number and study, and compares two that are done', async () => {
    open({
      'runs/list': () => ({
        covers: {},
        courses: {},
        runs: [makeFlowRun({ id: 'b', number: 2 }), makeFlowRun({ id: 'a', number: 1 })],
      }),
    })
    expect(await screen.findByRole('link', { name: 'Flow 2' })).toHaveAttribute('href', '/run?id=b')
    expect(screen.getAllByText('Aorta 12')).toHaveLength(2)
    expect(screen.getByRole('link', { name: 'See the latest result' })).toHaveAttribute('href', '/run?id=b')
    expect(screen.getByRole('link', { name: 'Compare results' })).toHaveAttribute(
      'href',
      '/compare?project=project-1',
    )
  })

  it('shows results as vortex or fluid line, one at least', async () => {
    const { person } = open({ 'projects/detail': () => ({ ...flowProject, displays: ['vortex'] }) })
    const vortex = await screen.findByRole('checkbox', { name: /Vortex/ })
    await person.click(vortex)
    expect(await screen.findByText('Choose at least one way to show results.')).toBeVisible()
  })

  it('may be looked at without being changed', async () => {
    open({
      'projects/detail': () => ({ ...flowProject, access: 'view' }),
      'flow/projectStudies': () => ({ studies: [inProject({})], missing: [] }),
    })
    expect(await screen.findByText('Aorta 12')).toBeVisible()
    expect(screen.queryByRole('button', { name: /Compute|Take|Open files/ })).toBeNull()
  })
})

describe('a ready study', () => {
  it('leads to the form of a run in one press, in a project made for it', async () => {
    const received = serve({
      'flow/study': () => makeDetail({ head: makeHead() }),
      'projects/list': () => makeProjectPage([makeProject({ id: 'p-1', name: 'Aorta 12' })]),
      'projects/create': () => ({ ...flowProject, id: 'p-2' }),
      'flow/addToProject': () => ({}),
    })
    const { router } = renderPart(<Flow />, '/flow?study=study-1')
    await userEvent.click(await screen.findByRole('button', { name: 'Compute with corrections' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/projectFlow'))
    expect(router.state.location.search).toBe('?id=p-2&study=study-1')
    expect(received.find(({ path }) => path === 'projects/create')?.body).toEqual({
      name: 'Aorta 12 2',
      task: 'flow',
    })
    expect(received.find(({ path }) => path === 'flow/addToProject')?.body).toEqual({
      ...{ projectId: 'p-2', studyId: 'study-1' },
    })
  })

  it('that was come to from a project leads back and on to it, and asks for none', async () => {
    serve({ 'flow/study': () => makeDetail({ head: makeHead() }) })
    const { router } = renderPart(<Flow />, '/flow?study=study-1&project=project-1')
    const back = await screen.findByRole('link', { name: 'Project' })
    expect(back).toHaveAttribute('href', '/projectDetail?id=project-1')
    await userEvent.click(await screen.findByRole('button', { name: 'Compute with corrections' }))
    const { pathname, search } = router.state.location
    expect(pathname + search).toBe('/projectFlow?id=project-1&study=study-1')
  })
})
