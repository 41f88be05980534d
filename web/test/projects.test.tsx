import type { Project } from '@neuroloom/contract/projects'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { ProjectHome } from '../src/pages/project-home.tsx'
import { signIn } from './make.ts'
import { renderPart } from './render.tsx'
import { Refusal, serve } from './serve.ts'

beforeEach(() => signIn())

describe('the projects', () => {
  it('show what they are for, what is in them and how the last run went', async () => {
    serveProjects([
      makeProject({ name: 'Chest', lastRun: { id: 'r', state: 'done', score: 0.9817 } }),
      makeProject({
        name: 'Nuclei',
        task: 'segmentation',
        counts: { files: 0, datasets: 0, runs: 0, models: 0 },
      }),
    ])
    renderPart(<ProjectHome />)
    const chest = within(await cardOf('Chest'))
    expect(chest.getByRole('link', { name: 'Chest' })).toHaveAttribute('href', '/projectDetail?id=Chest')
    expect(chest.getByText('Correct')).toHaveTextContent('Correct 98.2%')
    expect(chest.getByText('5,812 images')).toBeVisible()
    const nuclei = within(await cardOf('Nuclei'))
    expect(nuclei.getByText('Segmentation')).toBeVisible()
    expect(nuclei.getByText('Next step: add your images')).toBeVisible()
    expect(screen.getByText('2 of 3 projects used')).toBeVisible()
  })

  it('begin with an invitation that leads to the first one', async () => {
    serveProjects([])
    renderPart(<ProjectHome />)
    expect(await screen.findByRole('heading', { name: 'Start your first project' })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'New project' }))
    expect(await screen.findByRole('dialog')).toHaveTextContent('What should be recognised?')
  })

  it('say what to do when the membership holds no more', async () => {
    serveProjects(['a', 'b', 'c'].map((name) => makeProject({ name })))
    renderPart(<ProjectHome />)
    expect(await screen.findByText('Your membership holds no more projects')).toBeVisible()
    expect(screen.getByRole('button', { name: 'New project' })).toBeDisabled()
  })

  it('are found by name or description', async () => {
    const names = ['Chest', 'Hand', 'Knee', 'Skull', 'Nuclei']
    serveProjects(names.map((name) => makeProject({ name, description: name === 'Knee' ? 'cartilage' : '' })))
    renderPart(<ProjectHome />)
    const person = userEvent.setup()
    const search = await screen.findByRole('textbox', { name: 'Search projects' })
    await person.type(search, 'CARTI')
    expect(screen.getByRole('link', { name: 'Knee' })).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Chest' })).toBeNull()
    await person.type(search, 'x')
    await person.click(screen.getByRole('button', { name: 'Show all projects' }))
    expect(screen.getByRole('link', { name: 'Chest' })).toBeVisible()
  })

  it('are deleted at once and brought back by undo', async () => {
    const { received } = serveProjects([makeProject({ name: 'Chest' }), makeProject({ name: 'Hand' })])
    renderPart(<ProjectHome />)
    const person = userEvent.setup()
    await chooseAction(person, 'Chest', 'Delete')
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Chest' })).toBeNull())
    await person.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByRole('link', { name: 'Chest' })).toBeVisible()
    expect(received.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['projects/remove', 'projects/restore']),
    )
  })

  it('ask first when a training would be stopped', async () => {
    const lastRun = { id: 'r', state: 'running', score: null }
    const { received } = serveProjects([makeProject({ name: 'Chest', lastRun })])
    renderPart(<ProjectHome />)
    const person = userEvent.setup()
    await chooseAction(person, 'Chest', 'Delete')
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveTextContent('Delete “Chest” while it is training?')
    expect(received.some(({ path }) => path === 'projects/remove')).toBe(false)
    await person.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await screen.findByRole('heading', { name: 'Start your first project' })
  })

  it('are renamed with their description', async () => {
    const { received } = serveProjects([makeProject({ name: 'Chest', description: 'old' })])
    renderPart(<ProjectHome />)
    const person = userEvent.setup()
    await chooseAction(person, 'Chest', 'Rename')
    const dialog = within(await screen.findByRole('dialog'))
    const field = dialog.getByRole('textbox', { name: 'Name of the project' })
    await person.clear(field)
    await person.type(field, 'Thorax')
    await person.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('link', { name: 'Thorax' })).toBeInTheDocument()
    expect(received.find(({ path }) => path === 'projects/rename')?.body).toEqual({
      id: 'Chest',
      name: 'Thorax',
      description: 'old',
    })
  })
})

describe('a new project', () => {
  it('needs a name only, with classification chosen already, and opens', async () => {
    const { received } = serveProjects([])
    const { router } = renderPart(<ProjectHome />)
    const { person, dialog } = await openDialog()
    expect(dialog.getByRole('radio', { name: /^Classification/ })).toBeChecked()
    await person.click(dialog.getByRole('button', { name: 'Create' }))
    expect(dialog.getByText('Please give the project a name.')).toBeInTheDocument()
    await person.type(dialog.getByRole('textbox', { name: 'Name of the project' }), ' Chest {Enter}')
    await waitFor(() => expect(addressOf(router)).toBe('/projectDetail?id=Chest'))
    expect(received.filter(({ path }) => path === 'projects/create').map(({ body }) => body)).toEqual([
      { task: 'classification', name: 'Chest', description: '' },
    ])
  })

  it('takes another task and a description', async () => {
    const { received } = serveProjects([])
    const { router } = renderPart(<ProjectHome />)
    const { person, dialog } = await openDialog()
    await person.click(dialog.getByText('Segmentation'))
    await person.click(dialog.getByRole('button', { name: 'Add a description' }))
    await person.type(dialog.getByRole('textbox', { name: 'Description' }), 'for the congress')
    await person.type(dialog.getByRole('textbox', { name: 'Name of the project' }), 'Nuclei')
    await person.click(dialog.getByRole('button', { name: 'Create' }))
    await waitFor(() => expect(addressOf(router)).toBe('/projectDetail?id=Nuclei'))
    expect(received.find(({ path }) => path === 'projects/create')?.body).toEqual({
      task: 'segmentation',
      name: 'Nuclei',
      description: 'for the congress',
    })
  })

  it.each([
    ['name_taken', 'You already have a project with this name. Choose another one.'],
    ['plan_limit', 'Your membership holds no more projects'],
  ] as const)('says what stands in the way: %s', async (failure, text) => {
    serveProjects([], failure)
    const { router } = renderPart(<ProjectHome />)
    const { person, dialog } = await openDialog()
    await person.type(dialog.getByRole('textbox', { name: 'Name of the project' }), 'Chest{Enter}')
    expect(await dialog.findByText(text)).toBeInTheDocument()
    expect(addressOf(router)).toBe('/')
  })
})

type Router = ReturnType<typeof renderPart>['router']
const addressOf = ({ state: { location } }: Router) => location.pathname + location.search

async function openDialog() {
  const person = userEvent.setup()
  await person.click(await screen.findByRole('button', { name: 'New project' }))
  return { person, dialog: within(await screen.findByRole('dialog')) }
}

async function chooseAction(person: ReturnType<typeof userEvent.setup>, name: string, action: string) {
  await person.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
  await person.click(await screen.findByRole('menuitem', { name: action }))
}

async function cardOf(name: string): Promise<HTMLElement> {
  const card = (await screen.findByRole('link', { name })).closest('li')
  if (!card) throw new Error(`no card shows ${name}`)
  return card
}

function makeProject({ name = 'Chest', ...more }: Partial<Project>): Project {
  return {
    id: name,
    name,
    description: '',
    task: 'classification',
    visibility: 'private',
    createdAt: '2026-11-20T08:00:00.000Z',
    modifiedAt: '2026-11-20T08:00:00.000Z',
    counts: { files: 5812, datasets: 1, runs: 1, models: 1 },
    lastRun: null,
    ...more,
  }
}

/** Projects that remember what is done to them; `refusal` answers every new one. */
function serveProjects(start: Project[], refusal?: 'name_taken' | 'plan_limit') {
  let projects = start
  let removed: Project[] = []
  const received = serve({
    'projects/list': () => ({ projects, limit: 3 }),
    'projects/create': ({ name, task }) => {
      if (refusal) throw new Refusal(refusal, { limit: 3 })
      return makeProject({ name: name.trim(), task })
    },
    'projects/rename': ({ id, name }) => {
      projects = projects.map((project) => (project.id === id ? { ...project, name } : project))
      return makeProject({ name })
    },
    'projects/remove': ({ id }) => {
      removed = projects.filter((project) => project.id === id)
      projects = projects.filter((project) => project.id !== id)
      return { recycleDays: 7 }
    },
    'projects/restore': ({ id }) => {
      projects = [...projects, ...removed]
      return makeProject({ name: id })
    },
  })
  return { received }
}
