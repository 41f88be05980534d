import type { Run } from '@neuroloom/contract/runs'
import type { OwnTool } from '@neuroloom/contract/toolbox/own-tools'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { MakeDialog } from '../../src/features/toolbox/own/make-dialog.tsx'
import { ToolboxHome } from '../../src/pages/toolbox/home.tsx'
import { OwnToolPage } from '../../src/pages/toolbox/own-tool.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { makeProject, makeProjectPage, makeRun } from '../runs/runs-make.ts'
import { Refusal, serve } from '../serve.ts'

vi.mock('socket.io-client', async () => import('../runs/runs-live.ts'))

beforeEach(() => signIn())

const home = { favourites: [], unavailable: [] }
const tool = (changes: Partial<OwnTool> = {}): OwnTool => ({
  ...{ id: 't', name: 'Small and grey', about: 'Makes images small.', picture: 'sliders', kind: 'recipe' },
  ...{ level: 0, task: null, state: 'ready', from: null, made: null },
  fields: [
    {
      ...{ kind: 'number', name: '0.width', key: 'width', label: 'How wide', value: 40 },
      ...{ min: 20, max: 60, by: 1, unit: 'px' },
    },
    {
      ...{ kind: 'choice', name: '1.fill', key: 'fill', label: '', do: 'pad', value: 'black' },
      values: ['black', 'edge'],
    },
  ],
  ...changes,
})
const given = { from: { owner: 'Ward 3', group: null } }
const shown = { image: 'data:image/webp;base64,', width: 64, height: 64, depth: null, bits: 8 }
const tried = {
  counts: { images: 1, masks: 0, labels: 0, others: 0, dicom: 0 },
  ...{ unknown: 0, withoutMask: 0, failing: [], usual: null, largest: null, colours: [] },
  samples: [{ name: 'one.png', isMask: false, before: shown, after: [shown], reason: null }],
  folders: [{ id: 'f', path: '', images: 1 }],
}

/** A history with one use of the tool. */
const usedBefore = (inputs: Record<string, string>) => ({
  'toolbox/history': () => ({
    uses: [
      {
        ...{ id: 'u', tool: 'own:t' as const, toolName: 'Small and grey', title: 'study', inputs },
        ...{ jobId: null, usedAt: '2026-11-20T08:00:00.000Z' },
      },
    ],
    next: null,
  }),
  'toolbox/ownTools': () => ({ tools: [] }),
})
const openAgain = async () => {
  renderPart(<ToolboxHome />, '/toolboxHome?tab=history')
  await userEvent.click(await screen.findByRole('link', { name: /Run again/ }))
}

describe('tools that members made', () => {
  it('stand beside the others by who made them, are found, and say when they do not work', async () => {
    const received = serve({
      'toolbox/home': () => ({ ...home, favourites: ['own:g'] }),
      'toolbox/ownTools': () => ({
        tools: [
          tool(),
          tool({ ...given, id: 'g', name: 'Cells' }),
          tool({ ...given, id: 'w', name: 'Old', state: 'withdrawn' }),
        ],
      }),
      'toolbox/setFavourite': () => ({}),
    })
    renderPart(<ToolboxHome />, '/toolboxHome')
    const own = await screen.findByRole('region', { name: 'Own tools' })
    expect(within(own).getByRole('link', { name: 'Small and grey' })).toHaveAttribute(
      'href',
      '/toolboxHome?tool=own%3At',
    )
    const shared = screen.getByRole('region', { name: 'Shared with me' })
    expect(within(shared).getByText('from Ward 3')).toBeVisible()
    expect(within(shared).getByText(/its maker has stopped sharing it/)).toBeVisible()
    const favourites = screen.getByRole('region', { name: 'Favourites' })
    expect(within(favourites).getByRole('link', { name: 'Cells' })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Favourite: Small and grey' }))
    expect(received.find(({ path }) => path === 'toolbox/setFavourite')?.body).toEqual({
      tool: 'own:t',
      isFavourite: true,
    })
    await userEvent.type(screen.getByRole('textbox'), 'small images')
    expect(screen.getAllByRole('link', { name: /Small and grey|Viewer/ })).toHaveLength(1)
  })

  it('are told how to be made where there are none', async () => {
    serve({ 'toolbox/home': () => home, 'toolbox/ownTools': () => ({ tools: [] }) })
    renderPart(<ToolboxHome />, '/toolboxHome')
    expect(await screen.findByText(/Make a tool of your own/)).toBeVisible()
  })

  it('stand in the history by the name that they had', async () => {
    serve(usedBefore({}))
    renderPart(<ToolboxHome />, '/toolboxHome?tab=history')
    expect(await screen.findByText('Small and grey')).toBeVisible()
    expect(screen.getByRole('link', { name: /Run again/ })).toHaveAttribute(
      'href',
      '/toolboxHome?tool=own%3At',
    )
  })
})

describe('a tool of a recipe', () => {
  it('shows what was left open, with the look before, and starts with what was chosen', async () => {
    const received = serve({
      ...usedBefore({ folder: 'f', name: 'study', settings: '{"0.width":50}' }),
      'toolbox/ownTool': () => tool(),
      'toolbox/tryTool': () => tried,
      'recipes/works': () => ({ works: [], next: null }),
      'toolbox/prepareByTool': () => {
        throw new Refusal('recipe_waiting', { limit: 20 })
      },
    })
    await openAgain()
    const wide = await screen.findByRole('spinbutton', { name: 'How wide' })
    expect(wide).toHaveValue('50')
    expect(screen.getByText('20 to 60')).toBeVisible()
    expect(screen.getByRole('combobox', { name: 'Filled with' })).toBeInTheDocument()
    expect(screen.getByText('By what is known, nothing will fail.')).toBeVisible()
    await userEvent.clear(wide)
    await userEvent.type(wide, '30')
    await userEvent.click(screen.getByRole('button', { name: 'Run' }))
    const sent = received.find(({ path }) => path === 'toolbox/prepareByTool')?.body
    expect(sent).toMatchObject({
      ...{ id: 't', folderId: 'f', settings: { '0.width': 30, '1.fill': 'black' } },
      name: 'study – Small and grey',
    })
  })

  it.each([
    ['withdrawn', /its maker has stopped sharing it/],
    ['expired', /the time for which it was shared is over/],
    ['source_gone', /the recipe or the trained network that it was made of has been deleted/],
    ['owner_gone', /its maker’s account is closed/],
    ['broken', /Its maker can make the tool again/],
  ] as const)('says why it does not work: %s', async (state, text) => {
    serve({ 'toolbox/ownTool': () => tool({ ...given, state }), 'toolbox/home': () => home })
    renderPart(<OwnToolPage id="t" />)
    expect(await screen.findByText(text)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Put away' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Choose a folder' })).toBeNull()
  })

  it('says so where it is gone', async () => {
    serve({
      'toolbox/ownTool': () => {
        throw new Refusal('own_tool_missing')
      },
    })
    renderPart(<OwnToolPage id="t" />)
    expect(await screen.findByText(/not there any more/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'To the tools' })).toBeVisible()
  })
})

describe('a tool of a network', () => {
  const network = tool({ kind: 'network', level: 2, task: 'classification', name: 'Cells', fields: [] })

  it('asks which project keeps the answers, and makes one where there is none', async () => {
    const run: Run = makeRun({ id: 'r' })
    const received = serve({
      ...usedBefore({ folder: 'f', name: 'study' }),
      'toolbox/ownTool': () => network,
      'toolbox/home': () => home,
      'projects/list': () => makeProjectPage([]),
      'projects/create': () => makeProject({ id: 'p' }),
      'toolbox/predictByTool': () => run,
    })
    await openAgain()
    expect(await screen.findByText('New project “Cells”')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Run' }))
    await vi.waitFor(() => expect(received.map(({ path }) => path)).toContain('toolbox/predictByTool'))
    const bodyOf = (path: string) => received.find((one) => one.path === path)?.body
    expect(bodyOf('projects/create')).toMatchObject({ name: 'Cells', task: 'classification' })
    expect(bodyOf('toolbox/predictByTool')).toEqual({ id: 't', settings: {}, projectId: 'p', folderId: 'f' })
  })

  it('is refused in a sentence below bronze', async () => {
    serve({
      'toolbox/ownTool': () => network,
      'toolbox/home': () => ({ favourites: [], unavailable: ['predictor'] }),
    })
    renderPart(<OwnToolPage id="t" />)
    expect(await screen.findByText('Application not available (upgrade membership).')).toBeVisible()
  })
})

describe('making a tool', () => {
  it('takes a name, a sentence, a picture and what may be changed between what', async () => {
    const received = serve({ 'toolbox/makeTool': () => tool() })
    const onDone = vi.fn()
    const steps = [{ do: 'size' as const, how: 'stretch' as const, width: 40, height: 40 }]
    renderPart(
      <MakeDialog
        source={{ of: 'recipe', sourceId: 'r', name: 'Small', steps }}
        onDone={onDone}
        onClose={() => undefined}
      />,
    )
    const person = userEvent.setup()
    await person.type(screen.getByRole('textbox', { name: /one sentence/ }), 'Makes images small.')
    await person.click(screen.getByRole('radio', { name: 'Pen' }))
    await person.click(screen.getByRole('checkbox', { name: 'Width: 40 px' }))
    await person.type(screen.getByRole('textbox', { name: 'Called' }), 'How wide')
    await person.type(screen.getByRole('spinbutton', { name: 'To' }), '60')
    await person.click(screen.getByRole('button', { name: 'Make the tool' }))
    await vi.waitFor(() => expect(onDone).toHaveBeenCalled())
    expect(received[0]?.body).toEqual({
      ...{ of: 'recipe', sourceId: 'r', name: 'Small', about: 'Makes images small.', picture: 'pen' },
      open: [{ step: 0, key: 'width', label: 'How wide', min: null, max: 60 }],
    })
  })

  it('tells its maker from which version it is, takes the newest, shares and withdraws', async () => {
    const made = {
      ...{ sourceId: 'r', sourceName: 'Small', madeFrom: '2026-11-20T08:00:00.000Z', hasNewer: true },
      recipe: {
        v: 1 as const,
        steps: [{ do: 'size' as const, how: 'stretch' as const, width: 40, height: 40 }],
      },
      open: [{ step: 0, key: 'width', label: 'How wide', min: 20, max: 60 }],
      shares: [
        { id: 's', member: 'Ward 3', group: null, sharedAt: '2026-11-20T08:00:00.000Z', expiresAt: null },
      ],
    }
    const received = serve({
      'toolbox/ownTool': () => tool({ made }),
      'recipes/works': () => ({ works: [], next: null }),
      'recipes/list': () => ({
        recipes: [
          {
            ...{ id: 'r', name: 'Small', description: '', from: null, shares: [] },
            recipe: { v: 1, steps: [{ do: 'size', how: 'stretch', width: 80, height: 40 }] },
            updatedAt: '2026-11-21T08:00:00.000Z',
          },
        ],
      }),
      'files/groups': () => ({ groups: [], ownLimit: null }),
      'toolbox/changeTool': () => tool({ made: { ...made, hasNewer: false } }),
      'toolbox/shareTool': () => tool({ made }),
      'toolbox/unshareTool': () => tool({ made }),
    })
    const person = userEvent.setup()
    renderPart(<OwnToolPage id="t" />)
    expect(await screen.findByText(/Made from the recipe “Small”, version of/)).toBeVisible()
    await person.click(await screen.findByRole('button', { name: 'Take the newest' }))
    // The range that was chosen does not hold the new value, so it is open again.
    expect(screen.getByRole('spinbutton', { name: 'From' })).toHaveValue('')
    await person.click(screen.getByRole('button', { name: 'Save' }))
    const bodyOf = (path: string) => received.find((one) => one.path === path)?.body
    await vi.waitFor(() =>
      expect(bodyOf('toolbox/changeTool')).toMatchObject({
        takeNewest: true,
        open: [{ step: 0, key: 'width', label: 'How wide', min: null, max: null }],
      }),
    )
    await person.click(screen.getByRole('button', { name: 'Share …' }))
    await person.type(await screen.findByRole('textbox', { name: 'Account of a member' }), 'a@b.c')
    await person.click(screen.getByRole('button', { name: 'Share' }))
    await person.click(screen.getByRole('button', { name: 'Withdraw from Ward 3' }))
    await vi.waitFor(() => expect(bodyOf('toolbox/unshareTool')).toEqual({ id: 't', shareId: 's' }))
    expect(bodyOf('toolbox/shareTool')).toEqual({ id: 't', account: 'a@b.c', days: null })
  })
})
