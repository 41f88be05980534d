import type { Partner } from '@neuroloom/contract/accounts/partners'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../serve.ts'
import { fill, openOffice } from './make-orders.ts'

const makePartner = (changes: Partial<Partner> = {}): Partner => ({
  id: 'partner-1',
  name: 'City Hospital',
  members: 2,
  madeAt: '2027-01-01T09:00:00.000Z',
  usedAt: null,
  ...changes,
})

function openPartners(partners: Partner[], handlers: Parameters<typeof openOffice>[1] = {}) {
  let shown = partners
  return openOffice('partners', {
    'partners/list': () => ({ partners: shown }),
    'partners/create': ({ name }) => {
      const partner = makePartner({ id: 'partner-2', name, members: 0 })
      shown = [...shown, partner]
      return { partner, secret: 'nlp_first' }
    },
    'partners/secret': () => ({ partner: makePartner(), secret: 'nlp_second' }),
    'partners/revoke': ({ id }) => {
      shown = shown.filter((one) => one.id !== id)
      return {}
    },
    ...handlers,
  })
}
const card = async (name: string) => within(await screen.findByRole('article', { name }))

describe('partners', () => {
  it('are made with a secret that is shown once', async () => {
    const { person, sent } = openPartners([])
    expect(await screen.findByText('No partners')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'New partner' }))
    const dialog = within(await screen.findByRole('dialog'))
    const make = dialog.getByRole('button', { name: 'Make the partner' })
    expect(make).toBeDisabled()
    await fill(person, dialog.getByRole('textbox', { name: 'Name' }), ' City Hospital ')
    await person.click(make)
    expect(await screen.findByRole('textbox', { name: 'Secret' })).toHaveValue('nlp_first')
    expect(screen.getByRole('textbox', { name: 'Number' })).toHaveValue('partner-2')
    await waitFor(() => expect(sent('partners/create')).toEqual([{ name: 'City Hospital' }]))
    expect((await card('City Hospital')).getByText('none yet')).toBeVisible()
  })

  it('get a new secret, or are revoked, once that is confirmed', async () => {
    const { person, sent } = openPartners([makePartner()])
    await person.click((await card('City Hospital')).getByRole('button', { name: 'New secret …' }))
    expect(sent('partners/secret')).toEqual([])
    await person.click(await screen.findByRole('button', { name: 'Give a new secret' }))
    const field = await screen.findByRole('textbox', { name: 'Secret' })
    expect(field).toHaveValue('nlp_second')
    const shown = field.closest<HTMLElement>('[role="dialog"]')
    if (!shown) throw new Error('No dialog')
    await person.click(within(shown).getByRole('button', { name: 'Done' }))
    await person.click((await card('City Hospital')).getByRole('button', { name: 'Revoke …' }))
    await person.click(await screen.findByRole('button', { name: 'Revoke' }))
    expect(await screen.findByText('No partners')).toBeVisible()
    expect(sent('partners/revoke')).toEqual([{ id: 'partner-1' }])
  })

  it('have members, who are added by their account and removed', async () => {
    let members = [{ id: 'user-2', nickName: 'Nurse', account: 'nurse@hospital.example' }]
    const { person, sent } = openPartners([makePartner()], {
      'partners/members': () => ({ members, total: members.length, pageSize: 20 }),
      'partners/addMember': ({ account }) => {
        if (account === 'other@hospital.example') throw new Refusal('partner_elsewhere')
        members = [...members, { id: 'user-3', nickName: 'Doctor', account }]
        return {}
      },
      'partners/removeMember': ({ memberId }) => {
        members = members.filter(({ id }) => id !== memberId)
        return {}
      },
    })
    await person.click((await card('City Hospital')).getByRole('button', { name: 'Members …' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText('Nurse')).toBeVisible()
    const account = dialog.getByRole('textbox', { name: 'Account to add' })
    await fill(person, account, 'other@hospital.example')
    await person.click(dialog.getByRole('button', { name: 'Add' }))
    expect(await dialog.findByText(/^This member belongs to another partner/)).toBeInTheDocument()
    await fill(person, account, 'doctor@hospital.example')
    await person.click(dialog.getByRole('button', { name: 'Add' }))
    expect(await dialog.findByText('Doctor')).toBeVisible()
    expect(account).toHaveValue('')
    await person.click(dialog.getByRole('button', { name: 'Remove Nurse' }))
    await waitFor(() => expect(dialog.queryByText('Nurse')).toBeNull())
    expect(sent('partners/removeMember')).toEqual([{ id: 'partner-1', memberId: 'user-2' }])
  })
})
