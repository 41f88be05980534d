import type { Member } from '@neuroloom/contract/accounts/members'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Admin } from '../src/pages/admin.tsx'
import { makeSetting, signIn } from './make.ts'
import { renderPart } from './render.tsx'
import { Refusal, serve } from './serve.ts'

const member = (changes: Partial<Member> = {}): Member => ({
  id: 'user-2',
  account: 'li@hospital.org',
  nickName: 'Dr Li',
  name: '',
  organ: 'Ward 7',
  role: 0,
  vipLevel: 3,
  vipValid: null,
  isSuper: false,
  createdAt: '2026-11-20T09:00:00.000Z',
  signedInAt: null,
  isSignedIn: false,
  isBlocked: false,
  hasSecondFactor: false,
  wrongPasswords: 0,
  ...changes,
})

/** The members' part, where one account is listed and becomes what the calls make of it. */
function openMembers(changes: Partial<Member> = {}, { host = 0 } = {}) {
  signIn({ role: 2, id: 'user-1' })
  let one = member(changes)
  const become = (more: Partial<Member>): Member => {
    one = { ...one, ...more }
    return one
  }
  const received = serve({
    'setting/public': () => makeSetting({ host }),
    'members/list': () => ({ members: [one], total: 1, pageSize: 20 }),
    'members/create': ({ account, nickName, role = 0 }) => {
      if (account === 'taken@hospital.org') throw new Refusal('account_taken')
      if (!account.includes('@')) throw new Refusal('invalid', {}, { account: 'form.phone_format' })
      return { member: member({ id: 'user-3', account, nickName, role }), password: 'drawn1password2here3' }
    },
    'members/password': () => ({ member: one, password: 'drawn1password2here3' }),
    'members/unlock': () => become({ wrongPasswords: 0 }),
    'members/role': ({ role }) => {
      if (one.role === 2 && role !== 2) throw new Refusal('last_administrator')
      return become({ role })
    },
    'members/level': ({ level, until }) => become({ vipLevel: level as Member['vipLevel'], vipValid: until }),
    'members/block': ({ isBlocked }) => become({ isBlocked }),
    'members/close': ({ account }) => {
      if (account !== one.account) throw new Refusal('invalid', {}, { account: 'form.account_differs' })
      return {}
    },
  })
  renderPart(<Admin />, '/admin')
  const person = userEvent.setup()
  const choose = async (action: string) => {
    await person.click(await screen.findByRole('button', { name: 'Actions for Dr Li' }))
    await person.click(await screen.findByRole('menuitem', { name: action }))
  }
  const sent = (path: string) => received.filter((one) => one.path === path).map(({ body }) => body)
  return { person, choose, sent }
}

describe('the members', () => {
  it('are made with a password that is shown once', async () => {
    const { person, sent } = openMembers()
    await person.click(await screen.findByRole('button', { name: 'New account' }))
    const dialog = within(await screen.findByRole('dialog'))
    const account = dialog.getByRole('textbox', { name: 'Account' })
    const make = dialog.getByRole('button', { name: 'Make the account' })
    await fill(person, dialog.getByRole('textbox', { name: 'Name' }), 'Nurse')
    await fill(person, account, '123')
    await person.click(make)
    expect(await dialog.findByText('This phone number is not complete or not valid.')).toBeInTheDocument()
    await fill(person, account, 'taken@hospital.org')
    await person.click(make)
    expect(await dialog.findByText(/^This account exists already/)).toBeInTheDocument()
    await fill(person, account, 'nurse@hospital.org')
    await person.keyboard('{Enter}')
    expect(await screen.findByLabelText('Password')).toHaveValue('drawn1password2here3')
    expect(screen.getByText('This password is shown only now')).toBeInTheDocument()
    expect(sent('members/create').at(-1)).toEqual({
      account: 'nurse@hospital.org',
      nickName: 'Nurse',
      role: 0,
      level: 1,
    })
  })

  it('are found by search and role', async () => {
    const { person, sent } = openMembers()
    await person.type(await screen.findByRole('searchbox'), 'li')
    await waitFor(() => expect(sent('members/list').at(-1)).toEqual({ search: 'li', role: null, page: 1 }))
    expect(screen.getByRole('article', { name: 'Dr Li' })).toHaveTextContent('li@hospital.org · Ward 7')
  })

  it('get a new password only after a question', async () => {
    const { person, choose, sent } = openMembers()
    await choose('New password …')
    const dialog = within(await screen.findByRole('dialog'))
    expect(sent('members/password')).toEqual([])
    await person.click(dialog.getByRole('button', { name: 'New password' }))
    expect(await screen.findByLabelText('Password')).toHaveValue('drawn1password2here3')
  })

  it('are unlocked where passwords were wrong', async () => {
    const { choose } = openMembers({ wrongPasswords: 3 })
    expect(await screen.findByText('3 wrong passwords')).toBeVisible()
    await choose('Forget wrong passwords')
    await waitFor(() => expect(screen.queryByText('3 wrong passwords')).toBeNull())
  })

  it('have a level until a day that is not over', async () => {
    const { person, choose, sent } = openMembers()
    await choose('Change level …')
    const dialog = within(await screen.findByRole('dialog'))
    await person.click(dialog.getByRole('radio', { name: 'Gold member' }))
    const day = dialog.getByLabelText('Last day (may be left empty)')
    await person.type(day, '2020-01-01')
    expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    await person.clear(day)
    await person.type(day, '2999-12-31')
    await person.click(dialog.getByRole('button', { name: 'Save' }))
    const until = new Date('2999-12-31T23:59:59').toISOString()
    await waitFor(() => expect(sent('members/level')).toEqual([{ id: 'user-2', level: 4, until }]))
  })

  it('have no level on a hospital’s own server', async () => {
    const { person } = openMembers({}, { host: -1 })
    await person.click(await screen.findByRole('button', { name: 'Actions for Dr Li' }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'New password …',
      'Change role …',
      'Free of all limits …',
      'Block sign-in …',
      'Delete for good …',
    ])
    expect(screen.queryByText('Silver member')).toBeNull()
  })

  it('include oneself, who gives up the office only knowingly, and never as the last one', async () => {
    const { person, choose } = openMembers({ id: 'user-1', role: 2 })
    await choose('Change role …')
    const dialog = within(await screen.findByRole('dialog'))
    await person.click(dialog.getByRole('radio', { name: /^Member/ }))
    expect(dialog.getByText(/^You will no longer see the back-office/)).toBeInTheDocument()
    await person.click(dialog.getByRole('button', { name: 'Give up the back-office' }))
    expect(await screen.findByText(/^You are the only administrator/)).toBeInTheDocument()
    expect(dialog.getByRole('radio', { name: /^Member/ })).toBeChecked()
  })

  it('are closed to their owner, and deleted only by name', async () => {
    const { person, choose, sent } = openMembers()
    await choose('Block sign-in …')
    const ask = within(await screen.findByRole('dialog'))
    await person.click(ask.getByRole('button', { name: 'Block sign-in' }))
    expect(await screen.findByText('Sign-in blocked')).toBeInTheDocument()
    await choose('Delete for good …')
    const name = await screen.findByLabelText('Type li@hospital.org to confirm')
    const remove = screen.getByRole('button', { name: /Delete for good$/ })
    expect(remove).toBeDisabled()
    await fill(person, name, 'wang@hospital.org')
    await person.click(remove)
    expect(await screen.findByText(/^This is not the account shown above/)).toBeInTheDocument()
    await fill(person, name, 'li@hospital.org')
    await person.click(remove)
    await waitFor(() => expect(sent('members/close')).toHaveLength(2))
  })
})

/** As one paste: typing letter by letter would try nothing more, and takes its time. */
async function fill(person: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await person.clear(field)
  await person.click(field)
  await person.paste(text)
}
