import type { OfficeInvoice } from '@neuroloom/contract/membership/orders'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../serve.ts'
import { fill, makeInvoice, openOffice } from './make-orders.ts'

/** The invoices' part, where one is listed as long as it is in the state that is asked for. */
function openInvoices(changes: Partial<OfficeInvoice> = {}) {
  let invoice = makeInvoice(changes)
  return openOffice('invoices', {
    'office/invoices': ({ state }) => {
      const invoices = state === null || state === invoice.state ? [invoice] : []
      return { invoices, total: invoices.length, pageSize: 20 }
    },
    'office/invoice': ({ decision }) => {
      if (decision.is === 'issued' && decision.number === 'old') throw new Refusal('order_over')
      invoice =
        decision.is === 'issued'
          ? { ...invoice, state: 'issued', number: decision.number }
          : { ...invoice, state: 'refused', reason: decision.reason }
      return invoice
    },
  })
}

describe('the invoices', () => {
  it('that wait come first, with all that they need, the account at the bank too', async () => {
    const { person, sent } = openInvoices()
    const card = within(await screen.findByRole('article', { name: 'District hospital' }))
    for (const text of ['91310000MA1FL0000X', '1 Long Street', 'Bank of the City', '6222 0000', 'CN¥10,000'])
      expect(card.getByText(text)).toBeVisible()
    expect(card.getByText('Member (member@hospital.example)')).toBeVisible()
    expect(card.getByText('Silver member')).toBeVisible()
    expect(sent('office/invoices')[0]).toEqual({ state: 'asked', page: 1 })
    await person.click(card.getByRole('button', { name: 'Copy details' }))
    expect(await navigator.clipboard.readText()).toContain('Taxpayer number: 91310000MA1FL0000X\n')
  })

  it('are issued under a number', async () => {
    const { person, sent } = openInvoices()
    await person.click(await screen.findByRole('button', { name: 'Issued under number …' }))
    const dialog = within(await screen.findByRole('dialog'))
    const save = dialog.getByRole('button', { name: 'Save the number' })
    expect(save).toBeDisabled()
    await fill(person, dialog.getByRole('textbox', { name: 'Invoice number' }), 'old')
    await person.click(save)
    expect(await dialog.findByRole('alert')).toHaveTextContent('This is over or decided already')
    await fill(person, dialog.getByRole('textbox', { name: 'Invoice number' }), '00112233')
    await person.click(save)
    expect(await screen.findByRole('heading', { name: 'No invoice waits' })).toBeVisible()
    expect(sent('office/invoice').at(-1)).toEqual({
      id: 'invoice-1',
      decision: { is: 'issued', number: '00112233' },
    })
  })

  it('are refused for a reason, and found again by their state', async () => {
    const { person, sent } = openInvoices()
    await person.click(await screen.findByRole('button', { name: 'Refuse …' }))
    const dialog = within(await screen.findByRole('dialog'))
    await fill(person, dialog.getByRole('textbox', { name: 'Reason' }), 'The taxpayer number is wrong.')
    await person.click(dialog.getByRole('button', { name: 'Refuse' }))
    await waitFor(() =>
      expect(sent('office/invoice')).toEqual([
        { id: 'invoice-1', decision: { is: 'refused', reason: 'The taxpayer number is wrong.' } },
      ]),
    )
    await person.click(await screen.findByRole('combobox', { name: 'Which invoices' }))
    await person.click(await screen.findByTitle('Refused'))
    const card = within(await screen.findByRole('article', { name: 'District hospital' }))
    expect(card.getByText('The taxpayer number is wrong.')).toBeVisible()
    expect(card.queryByRole('button', { name: 'Refuse …' })).toBeNull()
  })

  it('of a person have only a title', async () => {
    const person = { type: 0, title: 'Person', tax: '', addr: '', phone: '', bank: '', account: '' } as const
    openInvoices({ ...person, level: 0, model: 'Nuclei' })
    const card = within(await screen.findByRole('article', { name: 'Person' }))
    expect(card.getByText('Nuclei')).toBeVisible()
    expect(card.getByText('A person')).toBeVisible()
    expect(card.queryByText('Taxpayer number')).toBeNull()
  })
})
