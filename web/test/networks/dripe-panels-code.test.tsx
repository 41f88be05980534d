import { EditorView } from '@codemirror/view'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { EditorStore } from '../../src/features/networks/editor/store.ts'
import { CodeSide } from '../../src/features/networks/panels/code/code-side.tsx'
import { brokenNetwork, makeEditor, makeFile, renderPanel, smallNetwork } from './dripe-panels-make.tsx'

const user = userEvent.setup()

async function open(changes: Parameters<typeof makeEditor>[0] = {}): Promise<[EditorStore, EditorView]> {
  const store = await makeEditor(changes)
  renderPanel(<CodeSide />, store)
  return [store, await viewOf('Network as YAML')]
}

async function viewOf(name: string): Promise<EditorView> {
  const content = await screen.findByRole('textbox', { name })
  const view = EditorView.findFromDOM(content)
  if (view === null) throw new Error(`no text editor ${name}`)
  return view
}

/** As if it were typed: a browser's typing needs a layout, which this one does not have. */
function replace(view: EditorView, before: string, after: string): void {
  const from = view.state.doc.toString().indexOf(before)
  const change = { from, to: from + before.length, insert: after }
  act(() => view.dispatch({ changes: change, userEvent: 'input.type' }))
}

const shown = (view: EditorView): string => view.state.doc.toString()

describe('the text of a network', () => {
  it('is taken over when it can be read, comments and all', async () => {
    const [store, view] = await open()
    replace(view, 'more: {op: conv, out: 32}', 'more: {op: conv, out: 40} # wider')
    await waitFor(() => expect(store.getState().document.nodes.get('more')?.params.get('out')).toBe(40))
    expect(shown(view)).toContain('# wider')
    expect(store.getState().past).toHaveLength(1)
  })

  it('keeps the last good drawing while it cannot be read, says where, and gives way', async () => {
    const [store, view] = await open()
    const before = store.getState().document
    replace(view, 'pool: {op: maxpool}', 'pool: {op: maxpool')
    const message = await screen.findByRole('alert')
    expect(message).toHaveTextContent(/Line \d+:/)
    expect(store.getState().document).toBe(before)
    // Drawing goes on; the text being written is left alone.
    act(() => store.getState().edit((document) => ({ ...document, about: 'drawn' })))
    expect(shown(view)).toContain('pool: {op: maxpool')
    await user.click(screen.getByRole('button', { name: 'Back to the text of the drawing' }))
    await waitFor(() => expect(shown(view)).toContain('about: drawn'))
  })

  it('follows the drawing line by line', async () => {
    const text = smallNetwork.replace('  act: relu\n', '  act: relu # keep me\n')
    const [store, view] = await open({ text })
    act(() =>
      store.getState().edit((document) => ({
        ...document,
        nodes: new Map([...document.nodes].filter(([id]) => id !== 'pool')),
      })),
    )
    await waitFor(() => expect(shown(view)).not.toContain('maxpool'))
    expect(shown(view)).toContain('act: relu # keep me')
  })

  it('shows what is selected, and selects where the cursor stands', async () => {
    const [store, view] = await open()
    act(() => store.getState().select(['gap']))
    await waitFor(() => expect(view.dom.querySelector('.cm-chosen')).toHaveTextContent('gap: globalavg'))
    const at = shown(view).indexOf('logits:') + 2
    act(() => view.dispatch({ selection: { anchor: at }, userEvent: 'select.pointer' }))
    expect([...store.getState().selection]).toEqual(['logits'])
  })

  it('opens from a file, but not from one beyond all bounds', async () => {
    const [store] = await open()
    const field = document.querySelector<HTMLInputElement>('input[type="file"]')
    if (field === null) throw new Error('no file field')
    await user.upload(field, new File(['x'.repeat(1024 * 1024 + 1)], 'large.yaml'))
    expect(await screen.findByText('The file is larger than 1 MB.')).toBeVisible()
    await user.upload(field, new File([smallNetwork.replace('out: 32', 'out: 8')], 'small.yaml'))
    await waitFor(() => expect(store.getState().document.nodes.get('more')?.params.get('out')).toBe(8))
  })
})

describe('the program of a network', () => {
  it('is plain PyTorch, and changes with the drawing', async () => {
    const [store] = await open()
    await user.click(screen.getByText('PyTorch'))
    const view = await viewOf('Network as a PyTorch program')
    expect(shown(view)).toContain('class Net(nn.Module):')
    act(() => {
      store.getState().type(makeFile().text.replace('out: 32', 'out: 9'))
    })
    await waitFor(() => expect(shown(view)).toContain('nn.Conv2d(16, 9, 3'))
  })

  it('waits until the mistakes are repaired', async () => {
    await open({ text: brokenNetwork })
    await user.click(screen.getByText('PyTorch'))
    expect(await screen.findByText('No program yet')).toBeVisible()
  })
})
