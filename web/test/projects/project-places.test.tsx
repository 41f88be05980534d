import type { RecycledProject } from '@neuroloom/contract/projects'
import type { RecycledRun } from '@neuroloom/contract/runs'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { ProjectFile } from '../../src/pages/project-file.tsx'
import { ProjectRubbish } from '../../src/pages/project-rubbish.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { imageItem, makeDataset, makeDone, makeProject, networks } from '../runs/runs-make.ts'
import { Refusal, serve } from '../serve.ts'

beforeEach(() => signIn())

describe('the recycle station of projects', () => {
  it('says what would be there', async () => {
    serveRecycled([])
    renderPart(<ProjectRubbish />)
    expect(await screen.findByRole('heading', { name: 'No project was deleted' })).toBeVisible()
    expect(screen.getByText(/kept here for 14 days/)).toBeVisible()
  })

  it('tells when each is cleared and brings one back', async () => {
    serveRecycled(['Chest', 'Hand'])
    renderPart(<ProjectRubbish />)
    const [, chest] = await screen.findAllByRole('row')
    if (!chest) throw new Error('no row')
    expect(chest).toHaveTextContent('Cleared on')
    await userEvent.click(within(chest).getByRole('button', { name: 'Restore' }))
    await waitFor(() => expect(screen.queryByText('Chest')).toBeNull())
    expect(screen.getByText('“Chest” is back')).toBeVisible()
  })

  it('deletes one for good, or all, after asking', async () => {
    const received = serveRecycled(['Chest', 'Hand', 'Knee'])
    renderPart(<ProjectRubbish />)
    const [, chest] = await screen.findAllByRole('row')
    if (!chest) throw new Error('no row')
    await userEvent.click(within(chest).getByRole('button', { name: 'Delete permanently' }))
    await confirm('Delete “Chest” permanently?')
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(3))
    await userEvent.click(screen.getByRole('button', { name: 'Clear all' }))
    await confirm('Delete 2 projects permanently?')
    await screen.findByRole('heading', { name: 'No project was deleted' })
    expect(received.filter(({ path }) => path === 'projects/purge').map(({ body }) => body)).toEqual([
      { ids: ['Chest'] },
      { ids: null },
    ])
  })
})

describe('the recycle station of trainings and tests', () => {
  it('says that nothing was deleted', async () => {
    serveRecycledRuns([])
    renderPart(<ProjectRubbish />)
    expect(await screen.findByText(/^No training or test was deleted\..* for 14 days/)).toBeVisible()
  })

  it('tells what each was, of which project, how large, and for how long it stays; and brings one back', async () => {
    serveRecycledRuns(['train', 'test'])
    renderPart(<ProjectRubbish />)
    const [, training] = await screen.findAllByRole('row')
    if (!training) throw new Error('no row')
    for (const told of ['Training 1', 'Chest images · Chest', '2 MB', '3 days left'])
      expect(training).toHaveTextContent(told)
    await userEvent.click(within(training).getByRole('button', { name: 'Restore' }))
    await waitFor(() => expect(screen.queryByText('Training 1')).toBeNull())
    expect(screen.getByText('Training 1 is back')).toBeVisible()
    expect(screen.getByText('Test 2')).toBeVisible()
  })

  it('keeps one for which the level has no place, and says what helps', async () => {
    serveRecycledRuns(['train'], () => {
      throw new Refusal('plan_limit', { limit: 1 })
    })
    renderPart(<ProjectRubbish />)
    await userEvent.click(await screen.findByRole('button', { name: 'Restore' }))
    expect(await screen.findByText(/no more than 1 of these\. Delete one .* or upgrade/)).toBeVisible()
    expect(screen.getByText('Training 1')).toBeVisible()
  })

  it('deletes one for good, or all, after asking', async () => {
    const received = serveRecycledRuns(['train', 'test', 'predict'])
    renderPart(<ProjectRubbish />)
    const [, training] = await screen.findAllByRole('row')
    if (!training) throw new Error('no row')
    await userEvent.click(within(training).getByRole('button', { name: 'Delete permanently' }))
    await confirm('Delete Training 1 permanently?')
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(3))
    await userEvent.click(screen.getByRole('button', { name: 'Clear all' }))
    await confirm('Delete 2 trainings and tests permanently?')
    await screen.findByText(/^No training or test was deleted/)
    expect(received.filter(({ path }) => path === 'runs/purge').map(({ body }) => body)).toEqual([
      { ids: ['run-1'] },
      { ids: null },
    ])
  })
})

describe('the files of a project', () => {
  it('are its pictures by data set, with what was set aside and the way to the folder', async () => {
    serveFiles()
    renderPart(<ProjectFile />, '/projectFile?id=project-1')
    expect(await screen.findByRole('link', { name: 'Open the folder in the cloud' })).toHaveAttribute(
      'href',
      '/cloudFile?id=folder-1',
    )
    expect(await screen.findByText('a.png')).toBeVisible()
    expect(screen.getByRole('button', { name: '2 files were set aside' })).toBeVisible()
  })

  it('are its networks with size and digest', async () => {
    serveFiles()
    renderPart(<ProjectFile />, '/projectFile?id=project-1&part=models')
    const row = (await screen.findByRole('link', { name: 'Training 3' })).closest('li')
    expect(row).toHaveTextContent('SHA-256 abc123')
    expect(screen.getByRole('button', { name: 'Weights (safetensors) of Training 3' })).toBeVisible()
  })

  it('say to train first where there is none, and to choose a project where none is named', async () => {
    serveFiles()
    renderPart(<ProjectFile />, '/projectFile?id=project-1&part=results')
    expect(await screen.findByRole('heading', { name: /^Test a trained network first/ })).toBeVisible()
    renderPart(<ProjectFile />, '/projectFile')
    expect(await screen.findByRole('heading', { name: 'Choose a project first' })).toBeVisible()
  })
})

async function confirm(title: string) {
  const dialog = await screen.findByRole('dialog', { name: title })
  await userEvent.click(within(dialog).getByRole('button', { name: /Delete permanently/ }))
}

function serveRecycled(names: string[]) {
  const at = '2026-11-20T08:00:00.000Z'
  let projects = names.map(
    (name): RecycledProject => ({
      ...{ id: name, name, description: '', task: 'classification' },
      ...{ recycledAt: at, clearsAt: '2026-12-04T08:00:00.000Z' },
    }),
  )
  return serve({
    'runs/recycled': () => ({ runs: [], recycleDays: 14 }),
    'projects/recycled': () => ({ projects, recycleDays: 14 }),
    'projects/restore': ({ id }) => {
      projects = projects.filter((project) => project.id !== id)
      return makeProject({ id, name: id })
    },
    'projects/purge': ({ ids }) => {
      const purged = projects.filter(({ id }) => ids === null || ids.includes(id))
      projects = projects.filter((project) => !purged.includes(project))
      return { purged: purged.length }
    },
  })
}

function serveRecycledRuns(kinds: RecycledRun['kind'][], onRestore?: () => never) {
  const from = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString()
  let runs = kinds.map(
    (kind, index): RecycledRun => ({
      ...{ id: `run-${index + 1}`, kind, number: index + 1, task: 'classification', projectId: 'project-1' },
      ...{ project: 'Chest images', datasetName: 'Chest', sizeBytes: 2 * 1024 * 1024 },
      ...{ recycledAt: from(-11), clearsAt: from(2.5) },
    }),
  )
  return serve({
    'projects/recycled': () => ({ projects: [], recycleDays: 14 }),
    'runs/recycled': () => ({ runs, recycleDays: 14 }),
    'runs/restore': ({ id }) => {
      onRestore?.()
      runs = runs.filter((run) => run.id !== id)
      return makeDone({ id, number: 1 })
    },
    'runs/purge': ({ ids }) => {
      const purged = runs.filter(({ id }) => ids === null || ids.includes(id))
      runs = runs.filter((run) => !purged.includes(run))
      return { purged: purged.length }
    },
  })
}

function serveFiles() {
  return serve({
    'projects/detail': () => makeProject(),
    'datasets/list': () => ({ datasets: [makeDataset({ problemCount: 2 })] }),
    'datasets/detail': () => makeDataset({ problemCount: 2 }),
    'datasets/items': () => ({
      items: [
        {
          ...imageItem,
          id: 'i',
          name: 'ill/a.png',
          class: 1,
          width: 64,
          height: 64,
          image: null,
          mask: null,
        },
      ],
      next: null,
    }),
    'runs/list': () => ({
      covers: {},
      courses: {},
      runs: [makeDone({ artifacts: [{ kind: 'weights', sizeBytes: 2000, sha256: 'abc123' }] })],
    }),
    'networks/list': () => networks,
  })
}
