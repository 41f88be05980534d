import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Dripe } from '../../src/pages/dripe.tsx'
import { renderPart } from '../render.tsx'
import { type Received, Refusal, serve } from '../serve.ts'
import { makeFile } from './dripe-panels-make.tsx'

const user = userEvent.setup({ delay: null })
const empty = `dripe: 1
name: fresh
task: classification
inputs: {image: {kind: image, channels: 3, size: [64, 64]}}
nodes: {}
heads: {main: {task: classification, from: image}}
`
const chain = `dripe: 1
name: chain
task: classification
inputs: {image: {kind: image, channels: 3, size: [64, 64]}}
nodes:
  conv: {op: conv, in: image, out: 8}
  relu: {op: relu, in: conv}
  tanh: {op: tanh, in: conv}
  gap: {op: globalavg, in: relu}
  linear: {op: linear, in: gap, out: 2}
heads: {main: {task: classification, from: linear}}
`

/** Nothing has a size here; the canvas draws what is in view of its window. */
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(1200)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(2000)
})
afterEach(() => vi.restoreAllMocks())

async function open(text: string, handlers: Parameters<typeof serve>[0] = {}): Promise<Received[]> {
  let revision = 1
  const received = serve({
    'networks/open': () => makeFile({ text }),
    'networks/save': () => ({ ...makeFile(), revision: ++revision }),
    ...handlers,
  })
  renderPart(<Dripe />, '/dripe?id=network-1')
  // The first test waits until the editor is loaded.
  await screen.findByRole('group', { name: /^Input image/ }, { timeout: 90_000 })
  return received
}

const card = (name: RegExp) => screen.findByRole('group', { name })
/** A click; the drawing library wants more of a pressed button than there is here. */
async function choose(name: RegExp): Promise<void> {
  fireEvent.click(await card(name))
}
const cards = () =>
  within(screen.getByRole('region', { name: 'Drawing of the network' }))
    .queryAllByRole('group')
    .filter((one) => one.closest('.react-flow__node') !== null)
    .map((one) => one.getAttribute('aria-label') ?? '')

/** As it is saved now; where it saved itself already there is nothing more to save. */
async function written(received: Received[]): Promise<string> {
  await user.keyboard('{Control>}s{/Control}')
  await screen.findByText('Saved')
  return String(received.findLast(({ path }) => path === 'networks/save')?.body.text)
}

async function insert(words: string): Promise<void> {
  await user.keyboard('/')
  const field = await screen.findByRole('combobox', { name: 'Search layers and blocks' })
  await user.type(field, words)
  // Words of other languages come with the first search.
  await screen.findAllByRole('option')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Insert a layer' })).toBeNull())
}

describe('by keyboard alone', () => {
  it('draws a small network on an empty canvas, connected and with its shapes', async () => {
    const received = await open(empty)
    expect(screen.getByRole('heading', { name: 'An empty canvas' })).toBeVisible()
    await user.keyboard('{ArrowDown}')
    await insert('свёртка')
    await insert('全局平均')
    await card(/^Global average globalavg, 64/)
    expect(cards()).toEqual(expect.arrayContaining([expect.stringMatching(/^Convolution conv, 64×64×64/)]))
    expect(screen.queryByRole('heading', { name: 'An empty canvas' })).toBeNull()
    expect(await written(received)).toContain('from: globalavg')
  })

  it('connects: the nearest fitting port first, Enter makes it so', async () => {
    const received = await open(chain)
    await choose(/^ReLU relu/)
    await insert('add')
    await card(/^Add add/)
    await choose(/^Tanh tanh/)
    await user.keyboard('c')
    expect(await screen.findByText(/Arrows choose the target/)).toBeVisible()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByText(/Arrows choose the target/)).toBeNull())
    expect(await written(received)).toMatch(/add: \{op: add, in: \[relu, tanh\]\}/)
  })

  it('deletes with a bridge, and undo brings all of it back', async () => {
    const received = await open(chain)
    await choose(/^ReLU relu/)
    await user.keyboard('{Delete}')
    await waitFor(() => expect(cards().some((name) => name.startsWith('ReLU'))).toBe(false))
    expect(await written(received)).toMatch(/gap: \{op: globalavg, in: conv\}/)
    await user.keyboard('{Control>}z{/Control}')
    await card(/^ReLU relu/)
  })

  it('makes a block of what is chosen, opens it, and dissolves it again', async () => {
    await open(chain)
    await choose(/^Global average gap/)
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}{Control>}g{/Control}')
    const dialog = await screen.findByRole('dialog', { name: 'New block' })
    const name = within(dialog).getByLabelText('Name')
    await user.clear(name)
    await user.type(name, 'classify{Enter}')
    await card(/^classify classify, 2, folded block/)
    await user.keyboard(' ')
    await card(/^classify classify, 2, opened block/)
    expect(cards()).toEqual(expect.arrayContaining([expect.stringMatching(/^Global average gap/)]))
    await user.keyboard('{Control>}{Shift>}g{/Shift}{/Control}')
    await waitFor(() => expect(cards().some((one) => one.startsWith('classify'))).toBe(false))
    await card(/^Global average gap/)
  })

  it('makes numbers of a new block its parameters, under names that it can have', async () => {
    const received = await open(chain.replace('out: 8', 'out: 8, kernel: 5'))
    await choose(/^ReLU relu/)
    await user.keyboard('{Shift>}{ArrowUp}{/Shift}{Control>}g{/Control}')
    const inside = within(await screen.findByRole('dialog', { name: 'New block' }))
    await user.click(inside.getByLabelText(/^Output channels: 8 conv/))
    await user.click(inside.getByLabelText(/^Filter size: 5 conv/))
    const name = inside.getByLabelText('Name of the setting “Filter size: 5”')
    await user.clear(name)
    await user.type(name, 'out')
    expect(inside.getByText(/taken in the block/)).toBeInTheDocument()
    const make = inside.getByText('Make a block').closest('button')
    expect(make).toBeDisabled()
    await user.clear(name)
    await user.type(name, 'Field')
    await user.click(make ?? name)
    await card(/^block block/)
    await user.keyboard('{Control>}s{/Control}')
    const saved = () => String(received.findLast(({ path }) => path === 'networks/save')?.body.text)
    // It may have been saved by itself by now.
    await waitFor(() => expect(saved()).toContain('params: {out: 8, field: 5}'))
    expect(saved()).toMatch(/op: conv, .*out: =out, kernel: =field/)
  })

  it('bypasses, repeats, renames and swaps', async () => {
    const received = await open(chain)
    await choose(/^ReLU relu/)
    await user.keyboard('orr')
    await card(/^ReLU relu, 8×64×64, repeated 3, bypassed/)
    fireEvent.keyDown(document.body, { key: 'F2' })
    // It is fading in, which a page without styles takes for hidden.
    const dialog = await screen.findByRole('dialog', { hidden: true })
    const name = within(dialog).getByLabelText('Name')
    await user.clear(name)
    await user.type(name, 'conv{Enter}')
    expect(await within(dialog).findByText('This name is taken here.')).toBeInTheDocument()
    await user.clear(name)
    await user.type(name, 'bend{Enter}')
    await card(/^ReLU bend/)
    await user.keyboard('s')
    await screen.findByText('In the place of ReLU')
    fireEvent.click(screen.getByRole('button', { name: /^GELU/, hidden: true }))
    await card(/^GELU bend/)
    expect(await written(received)).toMatch(/bend: \{op: gelu, .*repeat: 3/)
  })

  it('leaves keys alone while somebody types', async () => {
    await open(chain)
    await choose(/^ReLU relu/)
    await user.type(
      screen.getAllByRole('searchbox', { name: 'Search layers and blocks' })[0] ?? document.body,
      'or',
    )
    expect(cards()).toEqual(expect.arrayContaining([expect.stringMatching(/^ReLU relu, 8×64×64$/)]))
  })
})

it('finds a layer in the palette by a Chinese word and puts it behind the chosen one', async () => {
  const received = await open(chain)
  await choose(/^Convolution conv/)
  const [field] = screen.getAllByRole('searchbox', { name: 'Search layers and blocks' })
  if (field === undefined) throw new Error('no palette')
  await user.type(field, '批归一化{Enter}')
  await card(/^Batch norm.* bn/)
  expect(await written(received)).toMatch(/bn: (bn|\{op: bn, in: conv\})/)
})

it('asks what to do when the network was changed elsewhere; the newer one can be undone', async () => {
  let isChanged = false
  await open(chain, {
    'networks/open': () =>
      isChanged
        ? makeFile({ text: chain.replace('out: 8', 'out: 24'), revision: 5 })
        : makeFile({ text: chain }),
    'networks/save': ({ revision }) => {
      if (revision === 1) throw new Refusal('network_changed')
      return { ...makeFile(), revision: 6 }
    },
  })
  isChanged = true
  await choose(/^Tanh tanh/)
  await user.keyboard('{Delete}{Control>}s{/Control}')
  expect(await screen.findByText('This network was saved from another window.')).toBeVisible()
  const differences = await screen.findByRole('region', { name: /^Different here from what was saved there/ })
  expect(await within(differences).findByText('tanh')).toBeVisible()
  expect(within(differences).getByText('conv').closest('li')).toHaveTextContent(/24.*8/)
  await user.click(screen.getByRole('button', { name: 'Load the newer one' }))
  await card(/^Convolution conv, 24×64×64/)
  await card(/^Tanh tanh/)
  await choose(/^Tanh tanh/)
  await user.keyboard('{Control>}z{/Control}')
  await card(/^Convolution conv, 8×64×64/)
})

it.each([
  ['wide', 1200, 500, 'ArrowRight'],
  ['high', 700, 900, 'ArrowDown'],
])('draws from left to right or downwards, as the canvas is: %s', async (_shape, width, height, along) => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, width, height))
  await open(chain)
  await choose(/^Input image/)
  await user.keyboard(`{${along}}`)
  await waitFor(() => expect(document.activeElement).toHaveAccessibleName(/^Convolution conv/))
})

it('calls ports as the form does', async () => {
  await open(chain.replace('  tanh: {op: tanh, in: conv}', '  like: {op: resize_like, in: [relu, conv]}'))
  const like = (await card(/ like,/)).closest('.react-flow__node')
  const titles = [...(like?.querySelectorAll('.react-flow__handle-top') ?? [])].map((port) =>
    port.getAttribute('title'),
  )
  expect(titles).toEqual(['Input', 'Size like'])
  await choose(/ like,/)
  const form = within(await screen.findByRole('tabpanel'))
  for (const name of titles) expect(form.getByText(name ?? '', { exact: true })).toBeVisible()
})

it('says what keys there are', async () => {
  await open(chain)
  await user.keyboard('?')
  const dialog = await screen.findByRole('dialog', { name: 'Keys of the editor' })
  expect(within(dialog).getByText('Group into a block')).toBeInTheDocument()
})
