import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeScreen } from '../../src/features/networks/editor/screen.ts'
import type { EditorStore } from '../../src/features/networks/editor/store.ts'
import { CostBar } from '../../src/features/networks/panels/cost/cost-bar.tsx'
import { SidePanel } from '../../src/features/networks/panels/side-panel.tsx'
import { serve } from '../serve.ts'
import { brokenNetwork, makeEditor, makeFile, renderPanel } from './dripe-panels-make.tsx'

const user = userEvent.setup()
const nodeOf = (store: EditorStore, id: string) => store.getState().document.nodes.get(id)
const paramOf = (store: EditorStore, id: string, name: string) => nodeOf(store, id)?.params.get(name)

async function open(paths: string[], changes: Parameters<typeof makeEditor>[0] = {}): Promise<EditorStore> {
  const store = await makeEditor(changes)
  store.getState().select(paths)
  renderPanel(<SidePanel />, store)
  await screen.findByRole('tablist')
  return store
}

const fieldOf = (name: string | RegExp) => screen.findByRole('textbox', { name })

async function retype(name: string | RegExp, text: string): Promise<HTMLElement> {
  const field = await fieldOf(name)
  await user.clear(field)
  await user.type(field, text)
  return field
}

describe('the settings of a layer', () => {
  it('take over every keystroke, and all of them are one step of undo', async () => {
    const store = await open(['more'])
    expect(await fieldOf('Output channels')).toHaveValue('32')
    await retype('Output channels', '48')
    expect(store.getState().resolved.types.get('more')).toEqual({ k: 'map', c: 48, s: [32, 32] })
    store.getState().undo()
    expect(paramOf(store, 'more', 'out')).toBe(32)
    await waitFor(async () => expect(await fieldOf('Output channels')).toHaveValue('32'))
  })

  it('say at the field what is wrong and keep the last good value', async () => {
    const store = await open(['more'])
    const field = await retype('Output channels', 'abc')
    expect(field).toBeInvalid()
    expect(screen.getByRole('alert')).toHaveTextContent('A number or a formula is needed')
    await retype('Output channels', '70000')
    expect(screen.getByRole('alert')).toHaveTextContent('“Output channels” must lie between 1 and 65,536')
    expect(paramOf(store, 'more', 'out')).toBe(7000)
  })

  it('take formulas and show what they give', async () => {
    const store = await open(['more'])
    const field = await retype('Output channels', '=3*width')
    expect(within(field.parentElement ?? document.body).getByText('= 48')).toBeVisible()
    await user.type(field, 'x')
    expect(screen.getByRole('alert')).toHaveTextContent('widthx')
    expect(paramOf(store, 'more', 'out')).toBe('=3*width')
  })

  it('know one number for each axis, and the default again', async () => {
    const store = await open(['more'])
    const tools = await screen.findAllByRole('button', { name: 'One value for each axis' })
    await user.click(tools[0] ?? document.body)
    const height = await fieldOf('Filter size, Height')
    await user.clear(height)
    await user.type(height, '5')
    expect(paramOf(store, 'more', 'kernel')).toEqual([5, 3])
    await user.click(screen.getByRole('button', { name: 'Back to the default (3)' }))
    expect(nodeOf(store, 'more')?.params.has('kernel')).toBe(false)
  })

  it('rename a node, and whatever reads it follows', async () => {
    const store = await open(['pool'])
    await retype('Name', 'Half Size{Enter}')
    expect(nodeOf(store, 'more')?.in).toEqual(['half_size'])
    expect([...store.getState().selection]).toEqual(['half_size'])
    await retype('Name', 'stem')
    expect(screen.getByRole('alert')).toHaveTextContent('taken')
  })

  it('disconnect an input and say what is missing', async () => {
    const store = await open(['more'])
    await user.click(await screen.findByRole('button', { name: 'Disconnect Input' }))
    expect(nodeOf(store, 'more')?.in).toEqual([])
    // The input is called as its field is.
    expect(await screen.findByText('Nothing is connected to the input “Input”.')).toBeVisible()
  })

  it('change several chosen layers at once', async () => {
    const store = await open(['stem', 'more'])
    expect(await screen.findByRole('heading', { name: '2 chosen' })).toBeVisible()
    expect(await fieldOf('Output channels')).toHaveAttribute('placeholder', 'different values')
    await retype('Output channels', '24')
    expect([paramOf(store, 'stem', 'out'), paramOf(store, 'more', 'out')]).toEqual([24, 24])
    store.getState().undo()
    expect([paramOf(store, 'stem', 'out'), paramOf(store, 'more', 'out')]).toEqual(['=width', 32])
  })

  it('tell shape, cost and how much of the picture a layer sees', async () => {
    await open(['more'])
    const facts = await screen.findByRole('region', { name: 'What comes out' })
    expect(facts).toHaveTextContent('32×32×32')
    expect(facts).toHaveTextContent('4,640')
    expect(facts).toHaveTextContent('8 × 8 pixels')
  })

  it('show a block of the library, and make a copy that can be changed', async () => {
    const store = await open(['unit/conv'], {
      text: makeFile().text.replace('act: relu', 'unit: {op: conv_bn_relu, out: 8}'),
      layout: { v: 1, pos: {}, open: ['unit'] },
    })
    expect(await fieldOf('Output channels')).toHaveAttribute('readonly')
    await user.click(screen.getByRole('button', { name: 'Make my own copy of the block' }))
    expect(store.getState().document.blocks.size).toBe(1)
    await waitFor(async () => expect(await fieldOf('Output channels')).not.toHaveAttribute('readonly'))
  })
})

describe('the settings around the layers', () => {
  it('offer the nearest picture size that works', async () => {
    const store = await open(['@image'], {
      text: makeFile()
        .text.replace('size: [64, 64]', 'size: [66, 66]')
        .replace('act: relu', 'act: {op: pixelunshuffle, factor: 4}'),
    })
    expect(await screen.findByText('Works with multiples of 4.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Take 68 × 68' }))
    expect(store.getState().document.inputs.get('image')?.size).toEqual([68, 68])
    expect(store.getState().resolved.errors).toEqual([])
  })

  it('let a result come from another layer and count less', async () => {
    const store = await open(['heads.main'])
    await retype('Weight', '0,5')
    expect(store.getState().document.heads.get('main')?.weight).toBe(0.5)
  })

  it('add a value for formulas, which layers can use at once', async () => {
    const store = await open([])
    await retype('New value', 'Depth{Enter}')
    expect(store.getState().document.params.get('depth')?.default).toBe(1)
    await retype('New value', 'width')
    expect(screen.getByRole('alert')).toHaveTextContent('not a name that is used already')
  })
})

describe('the name of a value for formulas', () => {
  it('is changed by keyboard alone, and all formulas follow in one step', async () => {
    const store = await open([])
    const before = store.getState().document
    const tool = await screen.findByRole('button', { name: 'Rename width' })
    tool.focus()
    await user.keyboard('{Enter}')
    const field = await fieldOf('New name for width')
    expect(field).toHaveFocus()
    await user.clear(field)
    await user.type(field, 'Wide Part{Enter}')
    expect([...store.getState().document.params.keys()]).toEqual(['classes', 'wide_part'])
    expect(paramOf(store, 'stem', 'out')).toBe('=wide_part')
    expect(store.getState().resolved.errors).toEqual([])
    expect(screen.getByRole('button', { name: 'Rename wide_part' })).toHaveFocus()
    store.getState().undo()
    expect(store.getState().document).toBe(before)
  })

  it('stays as it is while the new one is taken or none', async () => {
    const store = await open([])
    const before = store.getState().document
    await user.click(await screen.findByRole('button', { name: 'Rename width' }))
    await retype('New name for width', 'image{Enter}')
    expect(screen.getByRole('alert')).toHaveTextContent('taken or has a meaning of its own')
    await retype('New name for width', '2{Enter}')
    expect(screen.getByRole('alert')).toHaveTextContent('a letter first')
    expect(store.getState().document).toBe(before)
  })
})

describe('problems', () => {
  it('lead to their place and are repaired at a click, as one step', async () => {
    const store = await open([], { text: brokenNetwork })
    await user.click(screen.getByRole('tab', { name: /Problems/ }))
    expect(await screen.findByRole('heading', { name: '1 mistake' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'join' }))
    expect([...store.getState().selection]).toEqual(['join'])
    const fixes = await screen.findByRole('list', { name: 'Ways to repair it' })
    const before = store.getState().document
    await user.click(within(fixes).getAllByRole('button')[0] ?? fixes)
    expect(store.getState().resolved.errors).toEqual([])
    expect(await screen.findByText('No problems')).toBeVisible()
    store.getState().undo()
    expect(store.getState().document).toBe(before)
  })
})

it('shows at a block what is wrong inside it, with repairs', async () => {
  const store = await open(['unit'], {
    text: makeFile().text.replace('act: relu', 'unit: {op: conv_bn_relu, out: 8, groups: 3}'),
  })
  const here = await screen.findByRole('region', { name: 'Problems here' })
  expect(here).toHaveTextContent('unit/conv')
  expect(here).toHaveTextContent('cannot be split into 3 equal groups')
  await user.click((await within(here).findAllByRole('button', { name: /“Groups”/ }))[0] ?? here)
  expect(store.getState().resolved.errors).toEqual([])
})

describe('the cost', () => {
  beforeEach(() => {
    serve({ 'runs/device': () => ({ kind: 'cuda', memoryBytes: 800_000_000 }) })
  })

  it('is told by layer and colours the canvas', async () => {
    const store = await open([])
    await user.click(screen.getByRole('tab', { name: 'Cost' }))
    expect(await screen.findByRole('row', { name: /more/ })).toHaveTextContent(/4\.64\s?k/)
    await user.click(screen.getByText('work'))
    expect(store.getState().heat).toBe('macs')
  })

  it('is held against the memory of the device before any run', async () => {
    const store = await makeEditor({ text: makeFile().text.replaceAll('[64, 64]', '[512, 512]') })
    renderPanel(<CostBar />, store)
    expect(await screen.findByText('The model occupies too much memory.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: /Use a batch of/ }))
    expect(screen.queryByText('The model occupies too much memory.')).not.toBeInTheDocument()
  })

  it('leads to the problems while there are some', async () => {
    const store = await makeEditor({ text: brokenNetwork })
    const open = makeScreen()
    renderPanel(<CostBar />, store, open)
    await user.click(await screen.findByRole('button', { name: 'Show the problems' }))
    expect(open.getState().tab).toBe('problems')
  })
})
