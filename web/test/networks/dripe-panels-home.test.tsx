import { readYaml } from '@neuroloom/contract/network/yaml/yaml'
import type { OwnNetwork } from '@neuroloom/contract/networks'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { DripeHome } from '../../src/features/networks/panels/home/dripe-home.tsx'
import { renderPart } from '../render.tsx'
import { makeDataset } from '../runs/runs-make.ts'
import { type Received, serve } from '../serve.ts'
import { makeFile, smallNetwork } from './dripe-panels-make.tsx'

const user = userEvent.setup()

function makeNetwork(changes: Partial<OwnNetwork> = {}): OwnNetwork {
  const { text: _text, layout: _layout, mayDownloadPicture: _may, ...network } = makeFile()
  return { ...network, ...changes }
}

function open(networks: OwnNetwork[], more: Parameters<typeof serve>[0] = {}) {
  const received = serve({
    'networks/mine': () => ({ networks, most: 200 }),
    'networks/create': ({ name, text }) => makeFile({ id: 'network-9', name, text }),
    'runs/device': () => ({ kind: 'cpu', memoryBytes: null }),
    ...more,
  })
  return { received, ...renderPart(<DripeHome />, '/dripe') }
}

/** What was sent to be saved, read as a document. */
function created(received: Received[]) {
  const { name, text } = received.find(({ path }) => path === 'networks/create')?.body ?? {}
  const { document, problems } = readYaml(String(text))
  expect(problems).toEqual([])
  return { name, document }
}

describe('own networks', () => {
  const choose = async (action: string) => {
    await user.click(await screen.findByRole('button', { name: 'Actions for “My network”' }))
    await user.click(await screen.findByRole('menuitem', { name: action }))
  }
  const bodyOf = (received: Received[], path: string) =>
    waitFor(() => {
      const found = received.find((one) => one.path === path)
      if (found === undefined) throw new Error(`no ${path} yet`)
      return found.body
    })

  it('lead into the editor, say what is wrong with them, and are copied', async () => {
    const networks = [makeNetwork(), makeNetwork({ id: 'network-2', name: 'Other', mistakes: 2 })]
    const { received } = open(networks, { 'networks/copy': ({ name }) => makeNetwork({ name }) })
    expect(await screen.findByRole('link', { name: 'My network' })).toHaveAttribute(
      'href',
      '/dripe?id=network-1',
    )
    expect(screen.getByText('2 mistakes')).toBeVisible()
    await choose('Copy')
    expect(await bodyOf(received, 'networks/copy')).toEqual({ id: 'network-1', name: 'My network (copy)' })
  })

  it('are renamed', async () => {
    const { received } = open([makeNetwork()], { 'networks/rename': ({ name }) => makeNetwork({ name }) })
    await choose('Rename')
    const field = await screen.findByRole('textbox', { name: 'Name' })
    await user.clear(field)
    await user.paste('Better')
    await user.keyboard('{Enter}')
    expect(await bodyOf(received, 'networks/rename')).toEqual({ id: 'network-1', name: 'Better' })
  })

  it('are deleted after a question', async () => {
    const { received } = open([makeNetwork()], { 'networks/remove': () => ({}) })
    await choose('Delete')
    const question = await screen.findByRole('dialog', { name: 'Delete “My network”?' })
    await user.click(within(question).getByRole('button', { name: 'Delete' }))
    expect(await bodyOf(received, 'networks/remove')).toEqual({ id: 'network-1' })
  })

  it('leave no room for more than the server keeps', async () => {
    open([makeNetwork()], { 'networks/mine': () => ({ networks: [makeNetwork()], most: 1 }) })
    expect(await screen.findByText(/You have 1 network already/)).toBeVisible()
    expect(screen.queryByRole('button', { name: /Empty canvas/ })).not.toBeInTheDocument()
  })
})

/** Sliders read the old numbers of keys, which the simulated keyboard leaves out. */
const codes = { right: 39, home: 36 }
const press = (element: HTMLElement, keyCode: number) => fireEvent.keyDown(element, { keyCode })

describe('a new network', () => {
  it('is empty but for data and result', async () => {
    const { received, router } = open([])
    expect(await screen.findByRole('heading', { name: 'Your first network' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: /Empty canvas/ }))
    await user.click(await screen.findByRole('textbox', { name: 'Name' }))
    await user.paste('Cells')
    await user.click(screen.getByRole('button', { name: 'Create and draw' }))
    await waitFor(() => expect(router.state.location.search).toBe('?id=network-9'))
    const { name, document } = created(received)
    expect(name).toBe('Cells')
    expect(document?.inputs.get('image')).toMatchObject({ kind: 'image', size: [256, 256] })
    expect([...(document?.heads.keys() ?? [])]).toEqual(['main'])
    expect(document?.nodes.size).toBe(0)
  })

  it('fits the member’s data, with a word why', async () => {
    const dataset = makeDataset({ classes: ['a', 'b', 'c', 'd'] })
    const { received } = open([], { 'datasets/list': () => ({ datasets: [dataset] }) })
    await user.click(await screen.findByRole('button', { name: /From my data/ }))
    const recommended = await screen.findByRole('radio', { name: 'Small ResNet' })
    expect(recommended).toBeChecked()
    expect(recommended).toHaveAccessibleDescription(/Your images are small \(64 pixels\)/)
    await user.click(screen.getByRole('button', { name: 'Make this network' }))
    await waitFor(() => expect(received.some(({ path }) => path === 'networks/create')).toBe(true))
    const { name, document } = created(received)
    expect(name).toBe('Small ResNet, Chest')
    expect(document?.params.get('classes')?.default).toBe(4)
    expect(document?.params.get('in_channels')?.default).toBe(1)
  })

  it('becomes as wide and as deep as one likes, by keyboard, and says what that costs', async () => {
    const { received } = open([], { 'datasets/list': () => ({ datasets: [makeDataset()] }) })
    await user.click(await screen.findByRole('button', { name: /From my data/ }))
    const width = await screen.findByRole('slider', { name: 'Width' })
    const cost = () => screen.getByText(/for 32 images of 64 × 64/).parentElement
    const before = cost()?.textContent
    expect(before).toMatch(/parameters.*for training/)
    press(width, codes.right)
    press(width, codes.right)
    expect(width).toHaveAttribute('aria-valuenow', '24')
    const depth = screen.getByRole('slider', { name: 'Depth' })
    press(depth, codes.right)
    await waitFor(() => expect(cost()?.textContent).not.toBe(before))
    await user.click(screen.getByRole('button', { name: 'Make this network' }))
    await waitFor(() => expect(received.some(({ path }) => path === 'networks/create')).toBe(true))
    const { params } = created(received).document ?? {}
    expect([params?.get('width')?.default, params?.get('depth')?.default]).toEqual([24, 2])
  })

  it('offers only what its template has, and goes back to it', async () => {
    open([], {
      'datasets/list': () => ({ datasets: [makeDataset()] }),
      'runs/device': () => ({ kind: 'cuda', memoryBytes: 500_000_000 }),
    })
    await user.click(await screen.findByRole('button', { name: /From my data/ }))
    await user.click(await screen.findByRole('radio', { name: 'ResNet-50' }))
    const width = await screen.findByRole('slider', { name: 'Width' })
    expect(screen.queryByRole('slider', { name: 'Depth' })).not.toBeInTheDocument()
    expect(await screen.findByText('The model occupies too much memory.')).toBeInTheDocument()
    press(width, codes.home)
    await waitFor(() =>
      expect(screen.queryByText('The model occupies too much memory.')).not.toBeInTheDocument(),
    )
    await user.click(screen.getByRole('button', { name: 'As in the template' }))
    expect(width).toHaveAttribute('aria-valuenow', '64')
    // Pictures cannot be given to a network for lists of numbers.
    expect(screen.queryByRole('radio', { name: /Multilayer|MLP/ })).not.toBeInTheDocument()
  })

  it('comes from a YAML file, or says at which line it cannot be read', async () => {
    const { received } = open([])
    await screen.findByRole('button', { name: /From a YAML file/ })
    const field = document.querySelector<HTMLInputElement>('input[type="file"]')
    if (field === null) throw new Error('no file field')
    await user.upload(field, new File(['dripe: 1\nname: &a x\n'], 'bad.yaml'))
    expect(await screen.findByRole('dialog', { name: '“bad.yaml” cannot be read' })).toHaveTextContent(
      'Line 2:',
    )
    await user.upload(field, new File([smallNetwork], 'good.yaml'))
    await waitFor(() => expect(received.some(({ path }) => path === 'networks/create')).toBe(true))
    expect(created(received).name).toBe('good')
  })
})
