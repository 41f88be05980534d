import type { Answer, Body } from '@neuroloom/contract/calls'
import type { OwnNetwork } from '@neuroloom/contract/networks'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ProjectDetail } from '../../src/pages/project-detail.tsx'
import { picked } from '../files/picked.ts'
import { asPhone, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { tell } from '../runs/runs-live.ts'
import {
  makeDataset,
  makeDone,
  makeOwnNetwork,
  makeProject,
  makeRun,
  makeSuggestion,
  networks,
} from '../runs/runs-make.ts'
import { Refusal, serve } from '../serve.ts'

vi.mock('socket.io-client', () => import('../runs/runs-live.ts'))

beforeEach(() => signIn())

const looked = { files: 200, trainSets: 1, testSets: 0, runs: 0, models: 0, displays: 3, reports: 0 }

describe('the steps of a project', () => {
  it('begin with the data while there are none', async () => {
    openProject({ datasets: [] })
    expect(await screen.findByRole('heading', { name: 'Data – Next step' })).toBeVisible()
    expect(screen.getAllByRole('button', { name: 'Upload a folder' })).toHaveLength(1)
    expect(screen.getByRole('button', { name: 'Train' })).toBeDisabled()
  })

  it('wait while the data are being looked at', async () => {
    openProject({ datasets: [makeDataset({ state: 'checking', parts: [], facts: null })] })
    expect(await screen.findByText(/The data are being checked/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Train' })).toBeDisabled()
  })

  it('count the pictures as soon as they have been looked at', async () => {
    let isReady = false
    const set = () => makeDataset(isReady ? {} : { state: 'checking', parts: [], facts: null })
    openProject({ datasets: () => [set()], project: () => makeProject(isReady ? { counts: looked } : {}) })
    await screen.findByText(/The data are being checked/)
    expect(screen.queryByRole('link', { name: /\d files/ })).toBeNull()
    isReady = true
    tell({ id: 1, topic: { kind: 'dataset', id: 'data-1' }, type: 'changed', data: {} })
    expect(await screen.findByRole('link', { name: '200 files' })).toBeVisible()
  })

  it('lead to the training once data are ready', async () => {
    openProject()
    expect(await screen.findByRole('heading', { name: 'Train – Next step' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Train' })).toBeEnabled()
  })

  it('lead to the run that is under way', async () => {
    openProject({ runs: [makeRun()] })
    expect(await screen.findByRole('heading', { name: 'Results – Next step' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Training 3' })).toHaveAttribute('href', '/run?id=run-1')
  })

  it('tell that a folder is on its way, and have it looked at by itself when it is there', async () => {
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const { recognised, container } = openProject({ datasets: [], arrived })
    await screen.findByRole('button', { name: 'Upload a folder' })
    const picker = container.querySelector<HTMLInputElement>('input[webkitdirectory]')
    if (!picker) throw new Error('no picker')
    await userEvent.upload(picker, picked('chest/ill/a.png'))
    expect(await screen.findByText(/Uploading “chest”\. When it is complete/)).toBeVisible()
    expect(screen.queryByRole('heading', { name: 'Start with a folder of images' })).toBeNull()
    arrive()
    await waitFor(() => expect(recognised).toEqual([{ projectId: 'project-1', folderId: 'folder-9' }]))
  })

  it('say what is wrong when the project is not there', async () => {
    serve({
      'projects/detail': () => {
        throw new Refusal('project_missing')
      },
    })
    renderPart(<ProjectDetail />, '/projectDetail?id=project-1')
    const list = await screen.findByRole('link', { name: 'All projects' })
    expect(list).toHaveAttribute('href', '/projectHome')
    // No try brings it back.
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })
})

describe('starting a training', () => {
  it('takes two clicks: the suggestion with its reasons, then the start', async () => {
    const { started, router } = openProject()
    await userEvent.click(await screen.findByRole('button', { name: 'Train' }))
    expect(await screen.findByRole('radio', { name: 'Small ResNet' })).toBeChecked()
    expect(screen.getAllByRole('radio', { name: /Net|Chest/ })).toHaveLength(4)
    await userEvent.click(screen.getByText('Why these settings'))
    const reason = await screen.findByText(/because that makes 500 steps/)
    expect(reason).toHaveTextContent(/^12 epochs, because/)
    await userEvent.click(screen.getByRole('button', { name: 'Start training' }))
    await waitFor(() => expect(router.state.location.search).toBe('?id=run-9'))
    expect(started).toEqual([
      {
        projectId: 'project-1',
        parts: ['image-1', 'label-1'],
        network: 'small_resnet',
        hyper: {},
        force: false,
      },
    ])
  })

  it('asks for settings of the network that the member chooses', async () => {
    const { started } = openProject({
      suggest: ({ network }) => makeSuggestion({ network: network ?? 'small_resnet' }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Train' }))
    await userEvent.click(await screen.findByRole('radio', { name: /^ResNet-18/ }))
    const start = screen.getByRole('button', { name: 'Start training' })
    await waitFor(() => expect(start).toBeEnabled())
    await userEvent.click(start)
    await waitFor(() => expect(started).toMatchObject([{ network: 'resnet18' }]))
  })

  it('says in the first step on a phone, too, that there is no suggestion', async () => {
    const isAsked = vi.spyOn(window, 'matchMedia').mockImplementation(asPhone)
    try {
      openProject({
        suggest: () => {
          throw new Refusal('internal')
        },
      })
      await userEvent.click(await screen.findByRole('button', { name: 'Train' }))
      expect(await screen.findByRole('button', { name: 'Next' })).toBeVisible()
      expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible()
    } finally {
      isAsked.mockRestore()
    }
  })

  it('offers the member’s own networks, the newest first, and trains the one that is chosen', async () => {
    const own = Array.from({ length: 8 }, (_, index) =>
      makeOwnNetwork({ id: `own-${index}`, name: `Net ${index}` }),
    )
    const { started } = openProject({
      own,
      suggest: ({ network }) =>
        makeSuggestion({
          network: network ?? 'small_resnet',
          reasons: [{ field: 'imageSize', reason: 'size_network', params: { width: 48, height: 48 } }],
        }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Train' }))
    const group = await screen.findByRole('group', { name: 'Your own networks' })
    expect(within(group).getAllByRole('radio')).toHaveLength(6)
    await userEvent.click(screen.getByRole('button', { name: 'Show all (8)' }))
    await userEvent.click(within(group).getByRole('radio', { name: 'Net 7' }))
    await userEvent.click(screen.getByText('Why these settings'))
    expect(await screen.findByText(/works with this size/)).toBeVisible()
    const start = screen.getByRole('button', { name: 'Start training' })
    await waitFor(() => expect(start).toBeEnabled())
    await userEvent.click(start)
    await waitFor(() => expect(started).toMatchObject([{ network: 'own-7' }]))
  })

  it.each([
    [{ reason: 'data_channels', node: '@image', channels: 1, expected: 3 }, /“image”.* 1 channels/],
    [{ reason: 'several_inputs', inputs: 2 }, /has 2 inputs/],
    [{ reason: 'something new' }, 'Choose another network.'],
  ])('says what in a drawn network does not fit: %j', async (params, text) => {
    openProject({
      suggest: () => makeSuggestion({ blockers: [{ name: 'network_unfit', params }] }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Train' }))
    expect(await screen.findByText(text)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Start training' })).toBeDisabled()
  })

  it('says at the field what is out of range, and does not start with it', async () => {
    openProject()
    const start = await openSettings()
    const epochs = await screen.findByLabelText(/^Epochs/)
    await userEvent.clear(epochs)
    await userEvent.type(epochs, '5000')
    expect(epochs).toHaveAccessibleDescription('Allowed are 1 to 2000.')
    expect(start).toBeDisabled()
  })

  it('sends only what a gold member changed', async () => {
    const { started } = openProject()
    const start = await openSettings()
    await userEvent.type(await screen.findByLabelText(/^Epochs/), '0')
    expect(screen.getByText(/changed by you \(suggested: 12 epochs\)/)).toBeVisible()
    await userEvent.click(start)
    await waitFor(() => expect(started).toMatchObject([{ hyper: { epochs: 120 } }]))
    expect(started[0]).not.toHaveProperty('validation')
  })

  it('shows the settings to other members without letting them change any', async () => {
    openProject({ suggest: () => makeSuggestion({ mayTune: false }) })
    const start = await openSettings()
    expect(await screen.findByText('Only gold and super members can change these settings')).toBeVisible()
    for (const field of screen.getAllByRole('spinbutton')) expect(field).toBeDisabled()
    for (const field of screen.getAllByRole('combobox')) expect(field).toBeDisabled()
    for (const field of screen.getAllByRole('switch')) expect(field).toBeDisabled()
    expect(start).toBeEnabled()
  })

  it('asks before it trains on few data, and trains when the member says so', async () => {
    const cautions = [{ name: 'few_per_class' as const, params: { class: 'ill', count: 8, wanted: 20 } }]
    const { started } = openProject({ suggest: () => makeSuggestion({ cautions }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Train' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Start training' }))
    const dialog = await screen.findByRole('dialog', { name: 'Only a little data' })
    expect(dialog).toHaveTextContent('“ill” has only 8 images')
    expect(within(dialog).getByRole('button', { name: 'Add more data' })).toBeEnabled()
    expect(started).toEqual([])
    await userEvent.click(within(dialog).getByRole('button', { name: 'Train anyway' }))
    await waitFor(() => expect(started).toMatchObject([{ force: true }]))
  })

  it('asks before it trains on one class alone, and says what that shows', async () => {
    const cautions = [
      { name: 'few_per_class' as const, params: { class: 'ill', count: 8, wanted: 20 } },
      { name: 'one_class_train' as const, params: { class: 'healthy', classes: 'ill' } },
    ]
    const { started } = openProject({ suggest: () => makeSuggestion({ cautions }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Train' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Start training' }))
    const dialog = await screen.findByRole('dialog', { name: 'Only one class for training' })
    expect(dialog).toHaveTextContent('the network will call every image “healthy”')
    expect(dialog).not.toHaveTextContent('may do well here')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Train anyway' }))
    await waitFor(() => expect(started).toMatchObject([{ force: true }]))
  })

  it('does not ask for a word that helps nothing: of what no split can be made it says so', async () => {
    openProject({
      start: () => {
        throw new Refusal('data_too_few', { have: 4, need: 5 })
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Train' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Start training' }))
    expect(await screen.findByText(/at least 5 of each are needed, and there are 4/)).toBeVisible()
    expect(screen.queryByRole('dialog', { name: 'Only a little data' })).toBeNull()
  })

  it('recommends cross-validation first where little is kept aside, with its cost, and leaves the choice', async () => {
    const { started } = openProject({
      suggest: () => makeSuggestion({ crossValidation: { splits: 5, seed: 7 } }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Train' }))
    const choice = await screen.findByRole('group', { name: 'How should it be tested?' })
    const [cross, single, ...others] = within(choice).getAllByRole('radio')
    expect(others).toEqual([])
    expect(cross).toHaveAccessibleName('Cross-validation Recommended')
    expect(cross).toHaveAccessibleDescription(/holds out only about 40 images.*5 trainings instead of one, /)
    expect(single).toHaveAccessibleDescription(/One training, 6 mins/)
    // Before all settings, and nothing that costs five times as much starts by itself.
    const settings = screen.getByRole('heading', { name: 'Settings' })
    expect(choice.compareDocumentPosition(settings)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    expect(single).toBeChecked()
    expect(screen.getByText('About 160 images for training, about 40 images held out')).toBeVisible()
    await userEvent.click(cross ?? choice)
    expect(screen.getByText('Each of 200 images is tested once')).toBeVisible()
    await userEvent.click(single ?? choice)
    expect(screen.getByText(/about 40 images held out$/)).toBeVisible()
    await userEvent.click(cross ?? choice)
    await userEvent.click(screen.getByRole('button', { name: 'Start training' }))
    await waitFor(() => expect(started).toMatchObject([{ validation: { method: 'kfold', splits: 5 } }]))
  })

  it('says at once what another ratio keeps aside', async () => {
    openProject()
    await openSettings()
    const test = await screen.findByLabelText(/^Ratio: test/)
    await userEvent.clear(test)
    await userEvent.type(test, '4')
    expect(await screen.findByText('About 100 images for training, about 100 images held out')).toBeVisible()
  })

  it('cannot be started while something stands in the way, and says what', async () => {
    const params = { needBytes: 2 * 1024 ** 3, haveBytes: 1024 ** 3 }
    const blockers = [{ name: 'memory_exceeded' as const, params }]
    openProject({ suggest: () => makeSuggestion({ blockers }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Train' }))
    expect(await screen.findByText(/It needs about 2 GB; the device has 1 GB/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Start training' })).toBeDisabled()
  })

  it('asks which trained network may go when the level keeps no more', async () => {
    const kept = makeDone({ id: 'old', number: 1 })
    const removed: string[] = []
    const { started } = openProject({
      runs: [kept],
      start: () => {
        if (removed.length === 0) throw new Refusal('plan_limit', { limit: 1 })
      },
      remove: (id) => removed.push(id),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Train' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Start training' }))
    const dialog = await screen.findByRole('dialog', { name: 'Which trained network may go?' })
    await userEvent.click(await within(dialog).findByRole('radio', { name: /Training 1/ }))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete and start' }))
    await waitFor(() => expect(started).toHaveLength(2))
    expect(removed).toEqual(['old'])
    expect(screen.getByText('Deleted. You can bring it back for 14 days.')).toBeVisible()
    // Its place is taken.
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  it('moves a deleted training to the recycle station, and brings it back by undo', async () => {
    const removed: string[] = []
    openProject({ runs: [makeDone({ id: 'old', number: 1 })], remove: (id) => removed.push(id) })
    await userEvent.click(await screen.findByRole('button', { name: 'Delete Training 1' }))
    const dialog = await screen.findByRole('dialog', { name: 'Delete Training 1?' })
    expect(dialog).toHaveTextContent('It goes to the recycle station')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Deleted. You can bring it back for 14 days.')).toBeVisible()
    expect(removed).toEqual(['old'])
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Training 1' })).toBeNull())
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Training 1 is back')).toBeVisible()
    expect(await screen.findByRole('link', { name: 'Training 1' })).toBeVisible()
  })
})

/** Answers the button that starts: looking for it by role takes long among so many fields. */
async function openSettings(): Promise<HTMLElement> {
  await userEvent.click(await screen.findByRole('button', { name: 'Train' }))
  const start = await screen.findByRole('button', { name: 'Start training' })
  await userEvent.click(screen.getByText('Why these settings'))
  await userEvent.click(await screen.findByText('All settings'))
  return start
}

type Options = {
  datasets?: Answer<'datasets/list'>['datasets'] | (() => Answer<'datasets/list'>['datasets'])
  project?: () => Answer<'projects/detail'>
  runs?: Answer<'runs/list'>['runs']
  suggest?: (body: Body<'runs/suggest'>) => Answer<'runs/suggest'>
  /** When an upload is through. */
  arrived?: Promise<void>
  /** Throws to refuse. */
  start?: () => void
  remove?: (id: string) => void
  own?: OwnNetwork[]
}

/** Opens the project's page; `started` fills with what `runs/start` was asked. */
function openProject(options: Options = {}) {
  const { datasets = [makeDataset()], runs = [], suggest = () => makeSuggestion() } = options
  const { project = () => makeProject() } = options
  const started: Body<'runs/start'>[] = []
  /** In the recycle station. */
  const gone = new Set<string>()
  const recognised: Body<'datasets/recognise'>[] = []
  serve({
    'user/ticket': () => ({ ticket: 'once' }),
    'projects/detail': project,
    'datasets/list': () => ({ datasets: typeof datasets === 'function' ? datasets() : datasets }),
    'datasets/items': () => ({ items: [], next: null }),
    // Every file is there already: nothing needs to be sent.
    'files/prepare': async ({ files }) => {
      await options.arrived
      return { conflicts: [], uploads: files.map(() => null), refused: [], folderId: 'folder-9', batch: null }
    },
    'datasets/recognise': (body) => {
      recognised.push(body)
      return makeDataset({ state: 'checking' })
    },
    'runs/list': () => ({ covers: {}, courses: {}, runs: runs.filter(({ id }) => !gone.has(id)) }),
    'runs/suggest': suggest,
    'networks/list': () => ({ ...networks, own: options.own ?? [] }),
    'runs/start': (body) => {
      started.push(body)
      options.start?.()
      return makeRun({ id: 'run-9', state: 'queued' })
    },
    'runs/remove': ({ id }) => {
      options.remove?.(id)
      gone.add(id)
      return { recycleDays: 14 }
    },
    'runs/restore': ({ id }) => {
      gone.delete(id)
      return runs.find((run) => run.id === id) ?? makeRun()
    },
  })
  const { router, container } = renderPart(<ProjectDetail />, '/projectDetail?id=project-1')
  return { started, recognised, router, container }
}
