import type { Project } from '@neuroloom/contract/projects'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ProjectHome } from '../../src/pages/project-home.tsx'
import { picked } from '../files/picked.ts'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { makeDataset, makeProject, makeProjectPage } from '../runs/runs-make.ts'
import { type Received, Refusal, serve } from '../serve.ts'

vi.mock('socket.io-client', () => import('../runs/runs-live.ts'))

beforeEach(() => signIn())

describe('the projects', () => {
  it('show what they are for, what is in them and how the last run went', async () => {
    serveProjects(
      [
        named('Chest', { lastRun: { id: 'r', state: 'done', score: 0.9817 } }),
        makeProject({ id: 'Nuclei', name: 'Nuclei', task: 'segmentation' }),
      ],
      undefined,
      { Chest: ['data:,one', 'data:,two'] },
    )
    renderPart(<ProjectHome />)
    const chest = within(await cardOf('Chest'))
    expect(chest.getByRole('link', { name: 'Chest' })).toHaveAttribute('href', '/projectDetail?id=Chest')
    expect(chest.getByText('Correct')).toHaveTextContent('Correct 98.2%')
    expect(chest.getByText('5,812 images')).toBeVisible()
    expect(imagesOf(await cardOf('Chest'))).toEqual(['data:,one', 'data:,two'])
    expect(imagesOf(await cardOf('Nuclei'))).toEqual([])
    const nuclei = within(await cardOf('Nuclei'))
    expect(nuclei.getByText('Segmentation')).toBeVisible()
    expect(nuclei.getByText('Next step: add your images')).toBeVisible()
    expect(screen.getByText('2 of 3 projects used')).toBeVisible()
  })

  it('say whether the data are ready to be learnt from', async () => {
    const counts = { ...makeProject().counts, trainSets: 1, files: 0 }
    serveProjects([named('Checked', { counts }), named('Ready', { counts: { ...counts, files: 48 } })])
    renderPart(<ProjectHome />)
    expect(within(await cardOf('Checked')).getByText('Your data are not ready yet')).toBeVisible()
    expect(within(await cardOf('Ready')).getByText('Next step: start training')).toBeVisible()
  })

  it('begin with an invitation that leads to the first one', async () => {
    serveProjects([])
    renderPart(<ProjectHome />)
    expect(await screen.findByRole('heading', { name: 'Start your first project' })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'New project' }))
    expect(await screen.findByRole('dialog')).toHaveTextContent('What do you want to recognise?')
  })

  it('begin at once where the address asks for a new one', async () => {
    serveProjects([])
    const { router } = renderPart(<ProjectHome />, '/projectHome?new')
    const dialog = within(await screen.findByRole('dialog'))
    expect(addressOf(router)).toBe('/projectHome')
    await userEvent.click(await dialog.findByRole('button', { name: 'Try with sample images' }))
    await waitFor(() => expect(router.state.location.search).toBe('?id=p9'))
  })

  it('begin with sample images for whoever has none at hand', async () => {
    const { received } = serveProjects([])
    const { router } = renderPart(<ProjectHome />)
    await userEvent.click(await screen.findByRole('button', { name: 'Try with sample images' }))
    await waitFor(() => expect(router.state.location.search).toBe('?id=p9'))
    expect(received.find(({ path }) => path === 'samples/create')?.body).toEqual({ kind: 'fields' })
  })

  it('say what to do when the membership holds no more', async () => {
    serveProjects(['a', 'b', 'c'].map((name) => named(name)))
    renderPart(<ProjectHome />)
    expect(await screen.findByText('Your membership holds no more projects')).toBeVisible()
    expect(screen.getByRole('button', { name: 'New project' })).toBeDisabled()
  })

  it('are found by name or description', async () => {
    const names = ['Chest', 'Hand', 'Knee', 'Skull', 'Nuclei']
    serveProjects(names.map((name) => named(name, { description: name === 'Knee' ? 'cartilage' : '' })))
    renderPart(<ProjectHome />)
    const person = userEvent.setup()
    const search = await screen.findByRole('textbox', { name: 'Search projects' })
    await person.type(search, 'CARTI')
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Chest' })).toBeNull())
    expect(screen.getByRole('link', { name: 'Knee' })).toBeVisible()
    await person.type(search, 'x')
    await person.click(await screen.findByRole('button', { name: 'Show all projects' }))
    expect(await screen.findByRole('link', { name: 'Chest' })).toBeVisible()
  })

  it('are deleted at once and brought back by undo', async () => {
    const { received } = serveProjects([named('Chest'), named('Hand')])
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
    const { received } = serveProjects([named('Chest', { lastRun })])
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
    const { received } = serveProjects([named('Chest', { description: 'old' })])
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
  it('has its answer and a name already: one press makes it, with the data to come later', async () => {
    const { received } = serveProjects([named('Image classification')])
    const { router } = renderPart(<ProjectHome />)
    const { person, dialog } = await openDialog()
    expect(dialog.getByRole('radio', { name: /^What kind of image is it/ })).toBeChecked()
    expect(dialog.getByRole('textbox', { name: 'What is the project called?' })).toHaveValue(
      'Image classification 2',
    )
    await person.click(dialog.getByRole('button', { name: 'Add them later' }))
    await waitFor(() => expect(addressOf(router)).toBe('/projectDetail?id=Image%20classification%202'))
    expect(created(received)).toEqual([
      { task: 'classification', name: 'Image classification 2', description: '' },
    ])
  })

  it('takes another task and a description', async () => {
    const { received } = serveProjects([])
    const { router } = renderPart(<ProjectHome />)
    const { person, dialog } = await openDialog()
    await person.click(dialog.getByText('Where exactly is it?'))
    await person.click(dialog.getByRole('button', { name: 'Add a description' }))
    await person.type(dialog.getByRole('textbox', { name: 'Description' }), 'for the congress')
    await rename(person, dialog, 'Nuclei{Enter}')
    await waitFor(() => expect(addressOf(router)).toBe('/projectDetail?id=Nuclei'))
    expect(created(received)).toEqual([
      { task: 'segmentation', name: 'Nuclei', description: 'for the congress' },
    ])
  })

  it('says what is missing: a name, a name of its own, a description that is more than spaces', async () => {
    const { received } = serveProjects([named('Chest')])
    renderPart(<ProjectHome />)
    const { person, dialog } = await openDialog()
    await person.clear(dialog.getByRole('textbox', { name: 'What is the project called?' }))
    await person.click(dialog.getByRole('button', { name: 'Use a cloud folder' }))
    expect(await dialog.findByText('Please give the project a name.')).toBeInTheDocument()
    await rename(person, dialog, 'Chest{Enter}')
    expect(await dialog.findByText(/You already have a project with this name/)).toBeInTheDocument()
    await person.click(dialog.getByRole('button', { name: 'Add a description' }))
    await person.type(dialog.getByRole('textbox', { name: 'Description' }), '  ')
    await rename(person, dialog, 'Hand{Enter}')
    expect(await dialog.findByText(/The description holds only spaces/)).toBeInTheDocument()
    expect(created(received)).toEqual([])
  })

  it('ends with the folder being looked at, when one is uploaded at once', async () => {
    const { received } = serveProjects([])
    const { router } = renderPart(<ProjectHome />)
    const { person, dialog } = await openDialog()
    await rename(person, dialog, 'Chest')
    await person.upload(folderInput(), picked('chest/ill/a.png'))
    await waitFor(() => expect(addressOf(router)).toBe('/projectDetail?id=Chest'))
    await waitFor(() => expect(recognised(received)).toEqual([{ projectId: 'Chest', folderId: 'folder-9' }]))
  })

  it('keeps the folder for the next try when the name is refused', async () => {
    let isTaken = true
    const received = serve({
      'user/ticket': () => ({ ticket: 'once' }),
      'projects/list': () => makeProjectPage([]),
      'projects/create': ({ name }) => {
        if (isTaken) throw new Refusal('name_taken')
        return named(name)
      },
      'files/prepare': ({ files }) => ({
        ...{ conflicts: [], refused: [], folderId: 'folder-9', batch: null },
        uploads: files.map(() => null),
      }),
      'datasets/recognise': () => makeDataset({ state: 'checking' }),
    })
    const { router } = renderPart(<ProjectHome />)
    const { person, dialog } = await openDialog()
    await person.upload(folderInput(), picked('chest/ill/a.png'))
    expect(await dialog.findByText(/You already have a project with this name/)).toBeInTheDocument()
    isTaken = false
    await rename(person, dialog, 'Hand')
    await person.click(dialog.getByRole('button', { name: /Create the project/ }))
    await waitFor(() => expect(addressOf(router)).toBe('/projectDetail?id=Hand'))
    await waitFor(() => expect(recognised(received)).toEqual([{ projectId: 'Hand', folderId: 'folder-9' }]))
  })

  it.each([
    ['name_taken', 'You already have a project with this name. Choose another one.'],
    ['plan_limit', 'Your membership holds no more projects'],
  ] as const)('says what stands in the way: %s', async (failure, text) => {
    serveProjects([], failure)
    const { router } = renderPart(<ProjectHome />)
    const { person, dialog } = await openDialog()
    await person.click(dialog.getByRole('button', { name: 'Add them later' }))
    expect(await dialog.findByText(text)).toBeInTheDocument()
    expect(addressOf(router)).toBe('/')
  })
})

const created = (received: Received[]) =>
  received.filter(({ path }) => path === 'projects/create').map(({ body }) => body)

const recognised = (received: Received[]) =>
  received.filter(({ path }) => path === 'datasets/recognise').map(({ body }) => body)

async function rename(person: UserEvent, dialog: Dialog, name: string) {
  const field = dialog.getByRole('textbox', { name: 'What is the project called?' })
  await person.clear(field)
  await person.type(field, name)
}

function folderInput(): HTMLInputElement {
  const input = document.querySelector<HTMLInputElement>('input[webkitdirectory]')
  if (!input) throw new Error('no picker')
  return input
}

type UserEvent = ReturnType<typeof userEvent.setup>
type Dialog = Awaited<ReturnType<typeof openDialog>>['dialog']
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

const imagesOf = (card: HTMLElement): (string | null)[] =>
  [...card.querySelectorAll('img')].map((image) => image.getAttribute('src'))

async function cardOf(name: string): Promise<HTMLElement> {
  const card = (await screen.findByRole('link', { name })).closest('li')
  if (!card) throw new Error(`no card shows ${name}`)
  return card
}

const named = (name: string, more: Partial<Project> = {}): Project =>
  makeProject({
    id: name,
    name,
    counts: { files: 5812, trainSets: 1, testSets: 0, runs: 1, models: 1, displays: 3, reports: 0 },
    ...more,
  })

/** Projects that remember what is done to them; `refusal` answers every new one. */
function serveProjects(
  start: Project[],
  refusal?: 'name_taken' | 'plan_limit',
  covers: Record<string, string[]> = {},
) {
  let projects = start
  let removed: Project[] = []
  const received = serve({
    'user/ticket': () => ({ ticket: 'once' }),
    'projects/list': ({ search = '' }) => ({
      ...makeProjectPage(
        projects.filter(({ name, description }) =>
          `${name} ${description}`.toLowerCase().includes(search.toLowerCase()),
        ),
      ),
      covers,
    }),
    'samples/create': () => ({ projectId: 'p9' }),
    'projects/create': ({ name, task }) => {
      if (refusal) throw new Refusal(refusal, { limit: 3 })
      return named(name.trim(), { task })
    },
    'projects/rename': ({ id, name }) => {
      projects = projects.map((project) => (project.id === id ? { ...project, name } : project))
      return named(name)
    },
    'projects/remove': ({ id }) => {
      removed = projects.filter((project) => project.id === id)
      projects = projects.filter((project) => project.id !== id)
      return { recycleDays: 7 }
    },
    'projects/restore': ({ id }) => {
      projects = [...projects, ...removed]
      return named(id)
    },
    'files/prepare': ({ files }) => ({
      conflicts: [],
      uploads: files.map(() => null),
      refused: [],
      folderId: 'folder-9',
      batch: null,
    }),
    'datasets/recognise': () => makeDataset({ state: 'checking' }),
  })
  return { received }
}
