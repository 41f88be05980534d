import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { noFilter, possibleFilter } from '../../src/features/runs/run-filter.ts'
import { RunPage } from '../../src/pages/run.tsx'
import { makeUser, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'
import { makeDone, makeProject, makeProjectPage, makeRun } from './runs-make.ts'

beforeEach(() => signIn(makeUser()))

const training = makeDone({ startedAt: '2026-01-01T00:00:00Z', busySeconds: 75 })
const tested = makeDone({ id: 'run-2', number: 4, kind: 'test', projectId: 'project-2' })

function open(runs = [training, tested]) {
  serve({
    'runs/list': () => ({ covers: {}, courses: {}, runs }),
    'projects/list': () =>
      makeProjectPage([makeProject(), makeProject({ id: 'project-2', name: 'Brain scans' })]),
  })
  renderPart(<RunPage />, '/run')
}

describe('the list of all runs', () => {
  it('is narrowed to one kind', async () => {
    open()
    const kinds = await screen.findByRole('radiogroup', { name: 'Kind of run' })
    expect(within(kinds).getAllByRole('radio')).toHaveLength(3)
    await userEvent.click(within(kinds).getByText('Tests'))
    expect(screen.getByRole('link', { name: 'Test 4' })).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Training 3' })).toBeNull()
  })

  it('is narrowed to one project, and says when no run matches', async () => {
    open()
    await userEvent.click(await screen.findByRole('combobox', { name: 'Project' }))
    await userEvent.click(await screen.findByTitle('Brain scans'))
    expect(screen.getByRole('link', { name: 'Test 4' })).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Training 3' })).toBeNull()
    await userEvent.click(screen.getByText('Trainings'))
    expect(screen.getByText('Nothing matches this choice.')).toBeVisible()
  })

  it('has no filters where there is one kind and one project', async () => {
    open([training])
    await screen.findByRole('link', { name: 'Training 3' })
    expect(screen.queryByRole('radiogroup')).toBeNull()
    expect(screen.queryByRole('combobox')).toBeNull()
  })

  it('gives the duration of a run that has ended, and of no other', async () => {
    open([training, makeRun({ id: 'run-5', number: 5, busySeconds: 30 })])
    await screen.findByRole('link', { name: 'Training 3' })
    const [ended, running] = screen.getAllByRole('listitem')
    expect(ended).toHaveTextContent('1m 15sDuration')
    expect(running).not.toHaveTextContent('Duration')
  })
})

describe('a chosen filter', () => {
  it('is dropped once no run is left that it could match', () => {
    const choices = { groups: ['train' as const], projectIds: ['project-1'] }
    expect(possibleFilter({ group: 'test', projectId: 'gone' }, choices)).toEqual(noFilter)
    expect(possibleFilter({ group: 'train', projectId: 'project-1' }, choices)).toEqual({
      group: 'train',
      projectId: 'project-1',
    })
  })
})
