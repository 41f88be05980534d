import type { SignIn } from '@neuroloom/contract/accounts/accounts'
import type { ImportLine } from '@neuroloom/contract/accounts/member-import'
import type { Member } from '@neuroloom/contract/accounts/members'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
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
  usedBytes: 5 * 1024 ** 3,
  wrongPasswords: 0,
  ...changes,
})

const signedIn = (isOpen: boolean): SignIn => ({
  id: 'session-1',
  startedAt: '2026-11-20T09:00:00.000Z',
  usedAt: '2026-11-20T10:00:00.000Z',
  endedAt: isOpen ? null : '2026-11-20T10:00:00.000Z',
  endReason: isOpen ? null : 'signed_out',
  address: '10.0.0.7',
  agent: '',
})

const line = (changes: Partial<ImportLine> = {}): ImportLine => ({
  line: 2,
  account: 'a@b.org',
  nickName: 'A',
  ...{ role: '', level: '', organ: '', dept: '', problems: [] },
  ...changes,
})
const lines = [line(), line({ line: 3, problems: [{ problem: 'account_twice', other: 2 }] })]

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
    'members/sessions': () => ({ items: [signedIn(one.isSignedIn)] }),
    'members/signOut': () => become({ isSignedIn: false }),
    'members/preview': () => ({ lines, unknown: ['Shoe size'], good: 1 }),
    'members/import': () => ({
      made: [{ account: 'a@b.org', nickName: 'A', password: 'drawn1password2here3' }],
    }),
    'user/key': ({ path }) => ({ key: 'opaque-1', url: `${path}?key=opaque-1`, expiresAt: 0 }),
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
    const all = { search: '', role: null, level: null, state: null, hasSecondFactor: null }
    const newest = { sort: 'made', isDescending: true, page: 1 }
    await waitFor(() => expect(sent('members/list').at(-1)).toEqual({ ...all, ...newest, search: 'li' }))
    const row = screen.getByRole('row', { name: /Dr Li/ })
    for (const text of ['li@hospital.org', 'Ward 7', 'Silver member', 'Never', '5 GB'])
      expect(row).toHaveTextContent(text)
    await person.clear(screen.getByRole('searchbox'))
    await person.click(screen.getByRole('combobox', { name: 'State' }))
    await person.click(await screen.findByTitle('Blocked'))
    await waitFor(() => expect(sent('members/list').at(-1)).toEqual({ ...all, ...newest, state: 'blocked' }))
  })

  it('are sorted by a column, and the other way round by its second press', async () => {
    const { person, sent } = openMembers()
    const head = await screen.findByRole('columnheader', { name: 'Storage' })
    const order = () => {
      const { sort, isDescending } = sent('members/list').at(-1) ?? {}
      return [sort, isDescending]
    }
    await person.click(within(head).getByRole('button'))
    await waitFor(() => expect(order()).toEqual(['storage', true]))
    expect(head).toHaveAttribute('aria-sort', 'descending')
    await person.click(within(head).getByRole('button'))
    await waitFor(() => expect(order()).toEqual(['storage', false]))
    await person.click(screen.getByRole('button', { name: 'Name' }))
    await waitFor(() => expect(order()).toEqual(['name', false]))
  })

  it('have sign-ins that are listed, and a session that is ended', async () => {
    const { person, choose, sent } = openMembers({ isSignedIn: true })
    await choose('Sign-ins …')
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText('10.0.0.7')).toBeVisible()
    await person.click(dialog.getByRole('button', { name: 'End the open session' }))
    await waitFor(() => expect(sent('members/signOut')).toEqual([{ id: 'user-2', confirmed: true }]))
    await waitFor(() => expect(dialog.queryByRole('button', { name: 'End the open session' })).toBeNull())
  })

  it('get a link that signs in once', async () => {
    const { person, choose, sent } = openMembers()
    await choose('Sign-in link …')
    const dialog = within(await screen.findByRole('dialog'))
    await person.click(dialog.getByRole('button', { name: 'Create link' }))
    const link = await dialog.findByLabelText('Link')
    expect(link).toHaveValue(`${window.location.origin}/mangeHome?key=opaque-1`)
    expect(sent('user/key')).toEqual([{ account: 'li@hospital.org', path: '/mangeHome' }])
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
    expect(await screen.findAllByText('3 wrong passwords')).not.toEqual([])
    await choose('Reset failed sign-ins')
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
      'Sign-ins …',
      'New password …',
      'Change role …',
      'Remove all limits …',
      'Sign-in link …',
      'Block sign-in …',
      'Delete permanently …',
    ])
    expect(screen.queryByText('Silver member')).toBeNull()
  })

  it('are made from a table: each line is shown, the good ones only when meant, passwords once as a file', async () => {
    const { person, sent } = openMembers()
    await person.click(await screen.findByRole('button', { name: 'Import from a table' }))
    const dialog = await screen.findByRole('dialog')
    const file = new File(['account\na@b.org\na@b.org'], 'ward.csv', { type: 'text/csv' })
    const input = dialog.querySelector('input[type=file]')
    if (!(input instanceof HTMLInputElement)) throw new Error('No field for a file')
    await person.upload(input, file)
    expect(await within(dialog).findByText('1 line has a problem')).toBeVisible()
    const rows = within(within(dialog).getByRole('table')).getAllByRole('row')
    expect(rows[1]).toHaveTextContent('3a@b.orgAalready in line 2')
    expect(within(dialog).getByText('Columns that are not used: Shoe size')).toBeVisible()
    await person.click(within(dialog).getByRole('button', { name: /^Create only the 1 account/ }))
    const saving = vi.spyOn(URL, 'createObjectURL')
    const done = await screen.findByRole('button', { name: 'I have saved them' })
    expect(done).toBeDisabled()
    await person.click(screen.getByRole('button', { name: /Save passwords/ }))
    const [[saved]] = saving.mock.calls as [[Blob]]
    expect(await saved.text()).toContain('a@b.org,A,drawn1password2here3')
    expect(done).toBeEnabled()
    expect(sent('members/import')).toEqual([{ file: btoa('account\na@b.org\na@b.org'), only: 'good' }])
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
    expect(await screen.findAllByText('Sign-in blocked')).not.toEqual([])
    await choose('Delete permanently …')
    const name = await screen.findByLabelText('Type li@hospital.org to confirm')
    const remove = screen.getByRole('button', { name: /Delete permanently$/ })
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
