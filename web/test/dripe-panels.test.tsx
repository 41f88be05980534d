import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { SidePanel } from '../src/features/networks/panels/side-panel.tsx'
import { makeEditor, renderPanel } from './dripe-panels-make.tsx'

const nodeOf = (store: Awaited<ReturnType<typeof makeEditor>>, id: string) =>
  store.getState().document.nodes.get(id)

describe('the settings of a layer', () => {
  it('take over every keystroke and are one step of undo', async () => {
    const store = await makeEditor()
    store.getState().select(['more'])
    renderPanel(<SidePanel />, store)
    const field = await screen.findByRole('textbox', { name: /out/i })
    expect(field).toHaveValue('32')
    await userEvent.clear(field)
    await userEvent.type(field, '48')
    expect(nodeOf(store, 'more')?.params.get('out')).toBe(48)
    expect(store.getState().resolved.types.get('more')).toEqual({ k: 'map', c: 48, s: [32, 32] })
    store.getState().undo()
    expect(nodeOf(store, 'more')?.params.get('out')).toBe(32)
    expect(field).toHaveValue('32')
  })

  it('say what is wrong at the field and keep the last good value', async () => {
    const store = await makeEditor()
    store.getState().select(['more'])
    renderPanel(<SidePanel />, store)
    const field = await screen.findByRole('textbox', { name: /out/i })
    await userEvent.clear(field)
    await userEvent.type(field, 'abc')
    expect(field).toBeInvalid()
    expect(await screen.findByRole('alert')).toHaveTextContent('A number or a formula is needed')
    await userEvent.clear(field)
    await userEvent.type(field, '70000')
    expect(await screen.findByRole('alert')).toHaveTextContent('65,536')
    expect(nodeOf(store, 'more')?.params.get('out')).toBe(7000)
  })

  it('take formulas and show what they give', async () => {
    const store = await makeEditor()
    store.getState().select(['more'])
    renderPanel(<SidePanel />, store)
    const field = await screen.findByRole('textbox', { name: /out/i })
    await userEvent.clear(field)
    await userEvent.type(field, '=3*width')
    expect(within(field.parentElement ?? document.body).getByText('= 48')).toBeVisible()
    expect(nodeOf(store, 'more')?.params.get('out')).toBe('=3*width')
    await userEvent.type(field, 'x')
    expect(await screen.findByRole('alert')).toHaveTextContent('widthx')
    expect(nodeOf(store, 'more')?.params.get('out')).toBe('=3*width')
  })
})
