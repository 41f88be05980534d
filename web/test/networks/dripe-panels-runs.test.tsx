import type { Body } from '@neuroloom/contract/calls'
import type { Seen } from '@neuroloom/contract/networks'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { stepOf } from '../../src/features/networks/editor/store.ts'
import { SidePanel } from '../../src/features/networks/panels/side-panel.tsx'
import { makeDataset, makeProject, makeProjectPage, makeRun, makeSuggestion } from '../runs/runs-make.ts'
import { Refusal, serve } from '../serve.ts'
import { brokenNetwork, makeEditor, renderPanel, smallNetwork } from './dripe-panels-make.tsx'

const user = userEvent.setup()

async function open(tab: RegExp, changes: Parameters<typeof makeEditor>[0] = {}) {
  const store = await makeEditor(changes)
  renderPanel(<SidePanel />, store)
  await user.click(await screen.findByRole('tab', { name: tab }))
  return store
}

const version = {
  number: 1,
  note: 'before the trial',
  parameters: 5000,
  runs: 2,
  createdAt: '2026-07-01T08:00:00.000Z',
}

describe('versions', () => {
  it('are kept with a note once the present state is saved', async () => {
    const received = serve({
      'networks/versions': () => ({ versions: [] }),
      'networks/keep': ({ note }) => ({ ...version, note }),
    })
    const store = await open(/Versions/)
    act(() => store.getState().edit((document) => ({ ...document, about: 'new' })))
    await user.type(await screen.findByRole('textbox', { name: 'What is special about it' }), 'good one')
    await user.click(screen.getByRole('button', { name: 'Keep' }))
    expect(received.some(({ path }) => path === 'networks/keep')).toBe(false)
    const { document, layout, text, saved, show } = store.getState()
    act(() => show({ saved: { document, layout, text, revision: saved.revision + 1 }, saveState: 'saved' }))
    await waitFor(() =>
      expect(received.find(({ path }) => path === 'networks/keep')?.body).toEqual({
        id: 'network-1',
        note: 'good one',
      }),
    )
  })

  it('tell what changed since, colour the canvas, and come back as one step', async () => {
    serve({
      'networks/versions': () => ({ versions: [version] }),
      'networks/version': () => ({ ...version, text: smallNetwork, layout: { v: 1, pos: {}, open: [] } }),
    })
    const changed = smallNetwork
      .replace('out: 32', 'out: 48')
      .replace('  act: relu\n', '  act: relu\n  drop: dropout\n')
    const store = await open(/Versions/, { text: changed })
    await user.click(await screen.findByRole('button', { name: 'Compare with now' }))
    expect(await screen.findByText('Output channels: 32 → 48')).toBeVisible()
    expect(screen.getByText('added').closest('li')).toHaveTextContent('drop')
    expect(store.getState().compared?.get('more')).toBe('changed')
    expect(store.getState().compared?.get('drop')).toBe('added')
    await user.click(screen.getByRole('button', { name: 'Restore' }))
    await user.click(within(await screen.findByRole('tooltip')).getByRole('button', { name: 'Restore' }))
    await waitFor(() => expect(store.getState().document.nodes.has('drop')).toBe(false))
    expect(store.getState().document).toEqual(
      stepOf({ text: smallNetwork, layout: { v: 1, pos: {}, open: [] } }, store.getState().vocabulary)
        .document,
    )
    act(() => store.getState().undo())
    expect(store.getState().document.nodes.has('drop')).toBe(true)
  })
})

describe('differences of versions', () => {
  it('name settings and their values in words, wherever they are', async () => {
    serve({
      'networks/versions': () => ({ versions: [version] }),
      'networks/version': () => ({ ...version, text: smallNetwork, layout: { v: 1, pos: {}, open: [] } }),
    })
    const text = smallNetwork
      .replace('out: 32', 'out: 32, groups: 4, bias: false, mode: reflect, repeat: 2')
      .replace('op: maxpool', 'op: avgpool')
      .replace('act: relu', 'act: {op: relu, off: true}')
      .replace('default: 16', 'default: 24')
      .replace('channels: 3, size: [64, 64]', 'channels: 1, size: [32, 64]')
      .replace('from: logits', 'from: logits, weight: 2')
    await open(/Versions/, { text })
    await user.click(await screen.findByRole('button', { name: 'Compare with now' }))
    const rowOf = async (name: string) => (await screen.findByText(name)).closest('li')
    const more = await rowOf('more')
    for (const told of ['Groups: 1 → 4', 'Bias: On → Off', 'Method: Zeros → Mirror', 'Repeat: 1 → 2'])
      expect(more).toHaveTextContent(told)
    expect(await rowOf('pool')).toHaveTextContent('Layer: Max pooling → Average pooling')
    expect(await rowOf('act')).toHaveTextContent('Bypass: Off → On')
    expect(await rowOf('Value for formulas “Width (width)”')).toHaveTextContent('Value: 16 → 24')
    const image = await rowOf('Data “image”')
    expect(image).toHaveTextContent('Channels: 3 → 1')
    expect(image).toHaveTextContent('Size: 64, 64 → 32, 64')
    expect(await rowOf('Result “main”')).toHaveTextContent('Weight: 1 → 2')
  })

  it('name what is inside a block, and how a value is described', async () => {
    const block = (out: string) =>
      smallNetwork
        .replace('  act: relu', '  act: own')
        .replace(
          'nodes:',
          `blocks:\n  own: {title: My part, params: {foo: ${out}}, nodes: {c: {op: conv, out: =foo}}}\nnodes:`,
        )
    serve({
      'networks/versions': () => ({ versions: [version] }),
      'networks/version': () => ({ ...version, text: block('8'), layout: { v: 1, pos: {}, open: [] } }),
    })
    const text = block('{type: int, default: 9}').replace(
      'op: conv, out: =foo',
      'op: conv, out: =foo, in: []',
    )
    const store = await open(/Versions/, { text })
    await user.click(await screen.findByRole('button', { name: 'Compare with now' }))
    const foo = (await screen.findByText('Block “My part” / Setting “foo”')).closest('li')
    expect(foo).toHaveTextContent('Kind: – → whole number')
    expect(foo).toHaveTextContent('Value: 8 → 9')
    expect(screen.getByText('Block “My part” / c').closest('li')).toHaveTextContent('Comes from: x → –')
    expect([...(store.getState().compared ?? [])]).toEqual([
      ['act', 'changed'],
      ['act/c', 'changed'],
    ])
  })
})

describe('looking in', () => {
  const seen = (node: string): Seen => ({
    node,
    channels: 2,
    allChannels: 16,
    width: 2,
    height: 2,
    min: -1,
    max: 3,
    data: btoa('\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007'),
  })

  it('asks for what the canvas shows and shows the chosen layer large', async () => {
    const received = serve({
      'runs/list': () => ({
        covers: {},
        courses: {},
        runs: [makeRun({ network: 'network-1', state: 'done' })],
      }),
      'networks/look': ({ nodes }) => ({
        image: 'data:image/png;base64,',
        seen: nodes.filter((node) => node !== 'logits').map(seen),
        values: [{ node: 'logits', values: [0.25, -0.5] }],
      }),
    })
    const store = await open(/Inspect/)
    act(() => store.getState().select(['stem']))
    await user.click(await screen.findByRole('button', { name: 'Inspect' }))
    expect(await screen.findByText(/2 of 16 maps, 2 × 2\. Values from -1 to 3\./)).toBeVisible()
    const { body } = received.find(({ path }) => path === 'networks/look') ?? {}
    expect(body).toMatchObject({ image: { from: 'sample' }, runId: null })
    expect(body?.nodes).toEqual(['stem', 'act', 'pool', 'more', 'gap', 'logits'])
    expect(store.getState().seen?.get('pool')?.allChannels).toBe(16)
    act(() => store.getState().select(['logits']))
    expect(await screen.findByText('-0.5')).toBeVisible()
    act(() => store.getState().edit((document) => ({ ...document, about: 'changed' })))
    expect(await screen.findByText('The network has changed since. Inspect it again.')).toBeVisible()
  })

  it('says why it did not work', async () => {
    serve({
      'runs/list': () => ({ covers: {}, courses: {}, runs: [] }),
      'networks/look': () => {
        throw new Refusal('look_busy')
      },
    })
    await open(/Inspect/)
    await user.click(await screen.findByRole('button', { name: 'Inspect' }))
    expect(await screen.findByText(/Others are looking into networks/)).toBeVisible()
  })

  it('waits until the mistakes are repaired', async () => {
    await open(/Inspect/, { text: brokenNetwork })
    expect(await screen.findByText('Repair the problems first')).toBeVisible()
  })
})

describe('training', () => {
  const greyNetwork = smallNetwork.replace('channels: 3', 'channels: 1')
  const dataset = makeDataset({ classes: ['a', 'b', 'c'] })
  const calls = {
    'runs/list': () => ({ covers: {}, courses: {}, runs: [] }),
    'projects/list': () => makeProjectPage([makeProject({ task: 'classification' })], null),
    'datasets/list': () => ({ datasets: [dataset] }),
    'runs/suggest': () => makeSuggestion({ network: 'network-1' }),
  }

  async function choose() {
    await user.click(await screen.findByRole('combobox', { name: 'Data set' }))
    await user.click(await screen.findByTitle(dataset.name))
  }

  it('binds classes, channels and size from the data and starts with the saved network', async () => {
    const received = serve({
      ...calls,
      'runs/start': (_: Body<'runs/start'>) => makeRun({ network: 'network-1', state: 'queued' }),
    })
    const store = await open(/Train/, { text: greyNetwork })
    await choose()
    await waitFor(() => expect(store.getState().data?.facts.size).toEqual(makeSuggestion().hyper.imageSize))
    expect(store.getState().data?.facts.classes).toBe(3)
    expect(store.getState().resolved.errors).toEqual([])
    await user.click(await screen.findByRole('button', { name: /^Train \d+ epoch/ }))
    await waitFor(() => expect(received.some(({ path }) => path === 'runs/start')).toBe(true))
    expect(received.find(({ path }) => path === 'runs/start')?.body).toMatchObject({
      network: 'network-1',
      parts: dataset.parts.map(({ id }) => id),
    })
  })

  it('recommends cross-validation first where little is kept aside, and starts what is chosen', async () => {
    const received = serve({
      ...calls,
      'runs/suggest': () => makeSuggestion({ network: 'network-1', crossValidation: { splits: 5, seed: 7 } }),
      'runs/start': (_: Body<'runs/start'>) => makeRun({ network: 'network-1', state: 'queued' }),
    })
    await open(/Train/, { text: greyNetwork })
    await choose()
    const choice = await screen.findByRole('group', { name: 'How should it be tested?' })
    const [cross, single] = within(choice).getAllByRole('radio')
    expect(cross).toHaveAccessibleName('Cross-validation Recommended')
    expect(single).toBeChecked()
    await user.click(cross ?? choice)
    await user.click(await screen.findByRole('button', { name: /^Train \d+ epoch/ }))
    await waitFor(() => expect(received.some(({ path }) => path === 'runs/start')).toBe(true))
    expect(received.find(({ path }) => path === 'runs/start')?.body).toMatchObject({
      validation: { method: 'kfold', splits: 5, seed: 7 },
    })
  })

  it('says what stands in the way', async () => {
    serve({
      ...calls,
      'runs/suggest': () =>
        makeSuggestion({ blockers: [{ name: 'data_too_few', params: { have: 4, need: 10 } }] }),
    })
    await open(/Train/, { text: greyNetwork })
    await choose()
    expect(await screen.findByText('There are too few images to train on')).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Train \d/ })).not.toBeInTheDocument()
  })

  it('says in one sentence that a task cannot be trained yet, or where it is trained', async () => {
    serve(calls)
    await open(/Train/, { text: smallNetwork.replaceAll('classification', 'weather') })
    expect(await screen.findByText(/can be drawn here, but not trained yet/)).toBeVisible()
  })

  it('leads from a network of flow to where it learns', async () => {
    serve(calls)
    await open(/Train/, { text: smallNetwork.replaceAll('classification', 'flow') })
    expect(await screen.findByText(/open a project of 4D flow MRI/)).toBeVisible()
  })
})
