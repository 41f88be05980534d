import type { Answer } from '@neuroloom/contract/calls'
import { moduleNames } from '@neuroloom/contract/office/modules'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../serve.ts'
import { openOffice } from './make-orders.ts'

type Modules = Answer<'office/modules'>

function openModules(handlers: Parameters<typeof openOffice>[1] = {}) {
  let off: string[] = []
  const shown = (): Modules => ({
    modules: moduleNames.map((name) => {
      const isOff = off.includes(name)
      return { name, isOff, since: isOff ? '2027-01-02T09:00:00.000Z' : null }
    }),
  })
  return openOffice('modules', {
    'office/modules': shown,
    'office/switchModule': ({ name, isOff }) => {
      off = isOff ? [name] : []
      return shown()
    },
    ...handlers,
  })
}

describe('the modules of the server', () => {
  it('are switched off once it was said what goes on, and on again at once', async () => {
    const { person, sent } = openModules()
    const card = () => within(screen.getByRole('article', { name: 'Market for work' }))
    await screen.findByRole('article', { name: 'Market for work' })
    expect(screen.getAllByRole('article')).toHaveLength(moduleNames.length)
    expect(card().getByText('On')).toBeVisible()
    await person.click(card().getByRole('button', { name: 'Switch off …' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/Work that is paid continues to its end/)).toBeVisible()
    expect(sent('office/switchModule')).toEqual([])
    await person.click(dialog.getByRole('button', { name: 'Switch off' }))
    expect(await card().findByText('Off')).toBeVisible()
    // What pages offer changes with it.
    await waitFor(() => expect(sent('setting/public').length).toBeGreaterThan(1))
    await person.click(await card().findByRole('button', { name: 'Switch on' }))
    expect(await card().findByText('On')).toBeVisible()
    expect(sent('office/switchModule')).toEqual([
      { name: 'market', isOff: true },
      { name: 'market', isOff: false },
    ])
  })

  it('stay as they are when the server refuses, which the dialog says', async () => {
    const refuse = () => {
      throw new Refusal('not_found')
    }
    const { person } = openModules({ 'office/switchModule': refuse })
    const card = within(await screen.findByRole('article', { name: 'Social centre' }))
    await person.click(card.getByRole('button', { name: 'Switch off …' }))
    const dialog = within(await screen.findByRole('dialog'))
    await person.click(dialog.getByRole('button', { name: 'Switch off' }))
    expect(await dialog.findByRole('alert')).toBeVisible()
    expect(card.getByText('On')).toBeVisible()
  })
})
