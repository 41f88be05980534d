import type { Answer, Body } from '@neuroloom/contract/calls'
import type { Project, ProjectShare } from '@neuroloom/contract/projects'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ProjectDetail } from '../../src/pages/project-detail.tsx'
import { ProjectHome } from '../../src/pages/project-home.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { makeDataset, makeDone, makeProject, makeProjectPage, networks } from '../runs/runs-make.ts'
import { Refusal, serve } from '../serve.ts'

vi.mock('socket.io-client', () => import('../runs/runs-live.ts'))

beforeEach(() => signIn())

const theirs = { owner: 'Doctor', shareId: 'share-1', visibility: 'shared' } as const

describe('the projects of a tab', () => {
  it('are those that the address asks for, each with whose it is', async () => {
    const received = serve({
      'user/ticket': () => ({ ticket: 'once' }),
      'projects/list': ({ tab }) =>
        makeProjectPage(
          tab === 'public'
            ? [makeProject({ name: 'Open', owner: 'Doctor', access: 'view', visibility: 'public' })]
            : [],
        ),
    })
    renderPart(<ProjectHome />, '/projectHome?tab=public')
    const card = (await screen.findByRole('link', { name: 'Open' })).closest('li')
    expect(card).toHaveTextContent('By Doctor')
    expect(screen.getByRole('link', { name: 'Public' })).toHaveAttribute('aria-current', 'page')
    expect(received.some(({ body }) => body.tab === 'public')).toBe(true)
  })

  it.each([
    ['public', 'No project is public yet'],
    ['private', 'You have no private project'],
    ['shared', 'No project is shared yet'],
  ])('say what would be there: %s', async (tab, title) => {
    serve({ 'user/ticket': () => ({ ticket: 'once' }), 'projects/list': () => makeProjectPage([]) })
    renderPart(<ProjectHome />, `/projectHome?tab=${tab}`)
    expect(await screen.findByRole('heading', { name: title })).toBeVisible()
  })
})

describe('what may be done with a project', () => {
  it.each([
    ['own', {}, ['Open', 'Rename', 'Copy', 'Share', 'Make public', 'Download', 'Delete']],
    ['edit', theirs, ['Open', 'Rename', 'Copy', 'Download', 'Give up access']],
    ['view', theirs, ['Open', 'Copy', 'Download', 'Give up access']],
    ['view', { ...theirs, shareId: null, visibility: 'public' }, ['Open', 'Copy', 'Download']],
  ] as const)('is only what would not be refused: %s', async (access, more, labels) => {
    serveOne({ access, ...more })
    renderPart(<ProjectHome />)
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for Chest images' }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual(labels)
  })

  it('shares with an account, changes and withdraws', async () => {
    const { received } = serveOne()
    renderPart(<ProjectHome />)
    const person = await choose('Share')
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText('Nobody else has access yet.')).toBeInTheDocument()
    await person.click(dialog.getByRole('button', { name: 'Share' }))
    expect(dialog.getByText('Enter the account of the person.')).toBeInTheDocument()
    await person.type(dialog.getByRole('textbox'), 'doctor@hospital.org{Enter}')
    expect(await dialog.findByText('1 of 3 accounts')).toBeInTheDocument()
    expect(dialog.getByText('1 of 2 data sets and folders shared')).toBeInTheDocument()
    expect(dialog.getByText('0 of 2 models shared')).toBeInTheDocument()
    await person.click(dialog.getByRole('button', { name: 'Withdraw' }))
    expect(await dialog.findByText('Nobody else has access yet.')).toBeInTheDocument()
    expect(bodies(received, 'projects/share')).toEqual([
      { id: 'project-1', account: 'doctor@hospital.org', permission: 'view' },
    ])
    expect(bodies(received, 'projects/unshare')).toEqual([{ shareId: 'share-1' }])
  })

  it.each([
    ['share_self', 'You cannot share with yourself. Enter the account of somebody else.'],
    ['account_missing', 'There is no account with this phone number or e-mail address.'],
    ['upgrade_needed', 'This is not part of your membership. Upgrade it to use this.'],
    ['shared_models_limit', /Trained models that you share: 2; .* \(bronze\) allows 2/],
  ] as const)('says why sharing is refused: %s', async (refusal, text) => {
    serveOne({}, refusal)
    renderPart(<ProjectHome />)
    const person = await choose('Share')
    const dialog = within(await screen.findByRole('dialog'))
    await person.type(await dialog.findByRole('textbox'), 'me@hospital.org{Enter}')
    expect(await dialog.findByText(text)).toBeInTheDocument()
  })

  it('asks before everybody may look', async () => {
    const { received } = serveOne()
    renderPart(<ProjectHome />)
    const person = await choose('Make public')
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/no image shows who a patient is/)).toBeInTheDocument()
    expect(await dialog.findByText(/^0 of 2 data sets and folders shared/)).toBeInTheDocument()
    expect(bodies(received, 'projects/setPublic')).toEqual([])
    await person.click(dialog.getByRole('button', { name: 'Make public' }))
    await waitFor(() =>
      expect(bodies(received, 'projects/setPublic')).toEqual([{ id: 'project-1', isPublic: true }]),
    )
  })

  it('copies under another name and tells what stays with others', async () => {
    const { received } = serveOne({ access: 'view', ...theirs })
    const { router } = renderPart(<ProjectHome />)
    const person = await choose('Copy')
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByRole('textbox')).toHaveValue('Chest images (copy)')
    await person.click(dialog.getByRole('button', { name: 'Copy' }))
    await waitFor(() => expect(router.state.location.search).toBe('?id=copy-1'))
    expect(screen.getByText('Copied without 1 data set, which belongs to somebody else.')).toBeVisible()
    expect(bodies(received, 'projects/copy')).toEqual([{ id: 'project-1', name: 'Chest images (copy)' }])
  })

  it('downloads everything, with the pictures or without', async () => {
    const { received } = serveOne()
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(`${this.download} ${this.getAttribute('href')}`)
    })
    renderPart(<ProjectHome />)
    const person = await choose('Download')
    const dialog = within(await screen.findByRole('dialog'))
    await person.click(dialog.getByRole('checkbox', { name: 'With the images and labels themselves' }))
    await person.click(dialog.getByRole('button', { name: 'Download' }))
    await waitFor(() => expect(saved).toContain('chest.zip /archive'))
    expect(bodies(received, 'projects/archive')).toEqual([{ id: 'project-1', data: false }])
  })
})

describe('a project that somebody else shared', () => {
  it('shows whoever may look everything and offers nothing that would be refused', async () => {
    openDetail({ access: 'view', ...theirs })
    expect(
      await screen.findByText('Doctor shared this project with you. You may look at everything in it.'),
    ).toBeVisible()
    expect(await screen.findByRole('link', { name: 'Training 3' })).toBeVisible()
    for (const name of ['Train', 'Upload a folder', 'Delete Training 3'])
      expect(screen.queryByRole('button', { name })).toBeNull()
    expect(screen.queryByRole('checkbox')).toBeNull()
    expect(screen.getByText('Confusion matrix')).toBeVisible()
  })

  it('lets an editor train and add data, but not delete', async () => {
    openDetail({ access: 'edit', ...theirs })
    expect(await screen.findByText(/You may add data and train in it/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Train' })).toBeEnabled()
    expect(screen.getByRole('button', { name: 'Upload a folder' })).toBeVisible()
    await screen.findByRole('link', { name: 'Training 3' })
    expect(screen.queryByRole('button', { name: 'Delete Training 3' })).toBeNull()
    // Data of the owner: neither renamed nor taken out by others.
    expect(screen.queryByRole('button', { name: 'Actions for Chest' })).toBeNull()
  })
})

describe('the page of a project', () => {
  it('counts six things, each leading to what it counts', async () => {
    openDetail({
      counts: { files: 1200, trainSets: 1, testSets: 2, runs: 5, models: 1, displays: 3, reports: 4 },
    })
    const counts = await screen.findByRole('list', { name: 'What the project holds' })
    const tiles = within(counts).getAllByRole('link')
    expect(tiles.map(({ textContent }) => textContent)).toEqual([
      '1,200files',
      '1train set',
      '2test sets',
      '1model',
      '3result-display models',
      '4reports',
    ])
    expect(tiles[3]).toHaveAttribute('href', '/projectFile?id=project-1&part=models')
  })

  it('keeps one way to show results at least', async () => {
    const { received } = openDetail({ displays: ['per_class_table', 'confusion_matrix'] })
    const person = userEvent.setup()
    await person.click(await screen.findByRole('checkbox', { name: /Table by class/ }))
    expect(bodies(received, 'projects/setDisplays')).toEqual([
      { id: 'project-1', displays: ['confusion_matrix'] },
    ])
    await waitFor(() => expect(screen.getByRole('checkbox', { name: /Table by class/ })).not.toBeChecked())
    await person.click(screen.getByRole('checkbox', { name: /Confusion matrix/ }))
    expect(screen.getByRole('alert')).toHaveTextContent('Choose at least one way to show results.')
    expect(bodies(received, 'projects/setDisplays')).toHaveLength(1)
  })

  it('keeps a data set for testing, and then has nothing to learn from', async () => {
    const { received } = openDetail()
    await userEvent.click(await screen.findByRole('button', { name: 'Show details' }))
    await userEvent.click(await screen.findByText('For testing'))
    expect(bodies(received, 'datasets/setUse')).toEqual([
      { id: 'data-1', projectId: 'project-1', use: 'test' },
    ])
    expect(await screen.findByText(/All data sets are kept for testing/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Train' })).toBeDisabled()
  })

  it.each([
    ['private', 0],
    ['shared', 2],
    ['public', 2],
  ] as const)('tells that nothing more can be shared where others look on: %s', async (visibility, count) => {
    openDetail({ visibility })
    await userEvent.click(await screen.findByRole('button', { name: 'Show details' }))
    await screen.findByText('For testing')
    await waitFor(() =>
      expect(screen.queryAllByText(/^Others see this project, and you share/)).toHaveLength(count),
    )
  })

  it('asks for a project where none is named', async () => {
    serve({})
    renderPart(<ProjectDetail />, '/projectDetail')
    expect(await screen.findByRole('heading', { name: 'Choose a project first' })).toBeVisible()
  })
})

type Received = ReturnType<typeof serve>
const bodies = (received: Received, wanted: string) =>
  received.filter(({ path }) => path === wanted).map(({ body }) => body)

async function choose(action: string) {
  const person = userEvent.setup()
  await person.click(await screen.findByRole('button', { name: 'Actions for Chest images' }))
  await person.click(await screen.findByRole('menuitem', { name: action }))
  return person
}

/** The list of projects with one in it; `refusal` answers every share. */
function serveOne(
  changes: Partial<Project> = {},
  refusal?: 'share_self' | 'account_missing' | 'upgrade_needed' | 'shared_models_limit',
) {
  const project = makeProject(changes)
  let shares: ProjectShare[] = []
  const received = serve({
    'user/ticket': () => ({ ticket: 'once' }),
    'projects/list': () => makeProjectPage([project]),
    'projects/shares': () => ({ shares, limit: 3 }),
    'plans/shared': () => ({ datasets: { used: shares.length, limit: 2 }, models: { used: 0, limit: 2 } }),
    'projects/share': ({ account, permission }) => {
      if (refusal) throw new Refusal(refusal, { used: 2, total: 3, limit: 2, level: 2 })
      const share: ProjectShare = {
        id: 'share-1',
        member: { nickName: 'Doctor', photo: '', account },
        permission,
        sharedAt: project.createdAt,
      }
      shares = [share]
      return share
    },
    'projects/unshare': () => {
      shares = []
      return {}
    },
    'projects/setPublic': () => project,
    'projects/copy': ({ name }) => ({ project: makeProject({ id: 'copy-1', name }), leftOut: 1 }),
    'projects/archive': () => ({ url: '/archive', name: 'chest.zip' }),
  })
  return { received }
}

function openDetail(changes: Partial<Project> = {}) {
  let project = makeProject(changes)
  const isTheirs = project.access !== 'own'
  let use: Body<'datasets/setUse'>['use'] = 'train'
  const dataset = () => makeDataset({ use, owner: isTheirs ? 'Doctor' : '' })
  const answers: { 'runs/list': () => Answer<'runs/list'> } = {
    'runs/list': () => ({ covers: {}, courses: {}, runs: [makeDone()] }),
  }
  const received = serve({
    'user/ticket': () => ({ ticket: 'once' }),
    'projects/detail': () => project,
    'plans/shared': () => ({ datasets: { used: 2, limit: 2 }, models: { used: 2, limit: 2 } }),
    'projects/setDisplays': ({ displays }) => {
      project = { ...project, displays }
      return project
    },
    'datasets/list': () => ({ datasets: [dataset()] }),
    'datasets/items': () => ({ items: [], next: null }),
    'datasets/setUse': (body) => {
      use = body.use
      return dataset()
    },
    'networks/list': () => networks,
    ...answers,
  })
  renderPart(<ProjectDetail />, '/projectDetail?id=project-1')
  return { received }
}
