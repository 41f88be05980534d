import type { User } from '@neuroloom/contract/accounts/accounts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { deviceOf } from '../src/features/accounts/entrance/device.ts'
import { setLanguage } from '../src/lib/i18n.ts'
import * as session from '../src/lib/session.ts'
import { UserCenter } from '../src/pages/user-center.tsx'
import { field, fill, problemAt } from './fill.ts'
import { makeSetting, makeUser, signIn } from './make.ts'
import { messages } from './messages.ts'
import { renderPart } from './render.tsx'
import { Refusal, serve } from './serve.ts'

const member: Partial<User> = {
  type: 1,
  vipLevel: 1,
  job: 'Dr',
  name: 'Maria',
  surname: 'Lopez',
  appellation: 'doctor',
  sex: 'female',
  country: 'ES',
  currCountry: 'CN',
  area: '440000/440300/440305',
  cardType: 'passport',
  cardNumber: '****2345',
  email: 'maria@hospital.org',
  firstContact: 'email',
  organ: 'City Hospital',
  dept: 'Radiology',
  address: '1 Keyuan Road',
  postcode: '518000',
  title: 'Professor;MD',
  photo: 'doctor-female',
}

async function open(tab: string, handlers: Parameters<typeof serve>[0], user: Partial<User> = member) {
  const received = serve({ 'user/info': () => makeUser(user), ...handlers })
  signIn(user)
  const page = renderPart(<UserCenter />, `/userCenter${tab === '' ? '' : `?tab=${tab}`}`)
  await screen.findByRole('navigation', { name: 'Personal centre' })
  return { received, ...page, person: userEvent.setup() }
}

describe('the personal centre', () => {
  it('leads to each of its sections by an address of its own', async () => {
    const { person, router } = await open('', { 'user/signins': () => ({ items: [] }) })
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Member information' })).toBeVisible())
    await person.click(await screen.findByRole('link', { name: 'Sign-in history' }))
    expect(router.state.location.search).toBe('?tab=signins')
    expect(await screen.findByRole('link', { name: 'Sign-in history' })).toHaveAttribute(
      'aria-current',
      'page',
    )
  })

  it('offers e-mails about ended runs, where there is an address and a server that sends them', async () => {
    const save = {
      'setting/public': () => makeSetting(),
      'user/edit': () => makeUser({ ...member, runMail: true }),
    }
    const { received, person, unmount } = await open('letters', save)
    const wish = await screen.findByRole('switch', { name: 'E-mail me when a run ends' })
    expect(wish).toHaveAccessibleDescription(/longer than five minutes.*names no project/)
    await person.click(wish)
    await waitFor(() =>
      expect(received.find(({ path }) => path === 'user/edit')?.body).toMatchObject({ runMail: true }),
    )
    unmount()
    const other = await open('letters', save, { ...member, account: 'phone', email: '' })
    expect(await screen.findByRole('switch')).toBeDisabled()
    expect(screen.getByRole('link', { name: 'Add one' })).toHaveAttribute('href', '/userCenter?tab=member')
    other.unmount()
    await open('letters', { 'setting/public': () => makeSetting({ letters: false }) })
    expect(await screen.findByText(/This server sends no e-mail/)).toBeVisible()
  })

  it('shows the own data in words', async () => {
    await open('', {})
    expect(await screen.findByText('Dr Maria Lopez')).toBeVisible()
    expect(
      await screen.findByText(/^China, Guangdong, Shenzhen, Nanshan District, 1 Keyuan Road/),
    ).toBeVisible()
    expect(screen.getByText('Passport ****2345')).toBeVisible()
    expect(screen.getByText('Professor, MD')).toBeVisible()
    expect(document.querySelector('[data-portrait="doctor-female"]')).not.toBeNull()
    expect(screen.queryByText('Complete your member information.')).toBeNull()
  })

  it.each([
    ['en', 'Complete your member information.'],
    ['zh', '请完善会员信息。'],
    ['ru', 'Дополните данные участника.'],
  ] as const)('asks a visitor in %s to complete it', async (language, text) => {
    serve({ 'user/info': () => makeUser({ vipLevel: 0 }) })
    signIn()
    await setLanguage(language)
    renderPart(<UserCenter />, '/userCenter')
    expect(await screen.findByText(text)).toBeVisible()
  })
})

describe('the profile dialog', () => {
  async function edit(user: Partial<User> = member, handlers: Parameters<typeof serve>[0] = {}) {
    let stored = makeUser(user)
    const opened = await open(
      '',
      {
        'user/info': () => stored,
        'user/edit': ({ userId: _, ...changes }) => {
          // The page sends a profile; anything else would fail the expectations below.
          stored = { ...stored, ...(changes as Partial<User>) }
          return stored
        },
        ...handlers,
      },
      user,
    )
    await opened.person.click(await screen.findByRole('button', { name: 'Edit' }))
    const dialog = await screen.findByRole('dialog', { name: 'Member information' })
    return { ...opened, dialog }
  }
  const sent = (received: Awaited<ReturnType<typeof edit>>['received']) =>
    received.filter(({ path }) => path === 'user/edit').map(({ body }) => body)

  it('saves the whole profile, fetches it anew and keeps it', async () => {
    const { person, received, dialog } = await edit()
    fill('profile', { nickName: 'Dr Lopez', organ: 'North Hospital' })
    await person.click(within(dialog).getByRole('radio', { name: 'Nurse, woman' }))
    await person.click(within(dialog).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(session.user()?.nickName).toBe('Dr Lopez'))
    expect(session.user()?.photo).toBe('nurse-female')
    expect(await screen.findByText('North Hospital')).toBeVisible()
    expect(sent(received)).toEqual([
      expect.objectContaining({
        userId: 'user-1',
        nickName: 'Dr Lopez',
        organ: 'North Hospital',
        photo: 'nurse-female',
        area: '440000/440300/440305',
        phone: '+8613800138000',
        // As it was: masked.
        cardNumber: '****2345',
        title: 'Professor;MD',
      }),
    ])
    expect(received.filter(({ path }) => path === 'user/info').length).toBeGreaterThan(1)
  })

  it('changes nothing when it is closed', async () => {
    const { person, received, dialog } = await edit()
    fill('profile', { nickName: 'Somebody' })
    await person.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent(received)).toEqual([])
    expect(received.filter(({ path }) => path === 'user/info')).toHaveLength(1)
  })

  it('shows the number of the sign-in without letting it be changed', async () => {
    await edit()
    expect(field('profile', 'phone')).toHaveAttribute('readonly')
    expect(field('profile', 'phone')).toHaveValue('+8613800138000')
  })

  it('lets who signs in by e-mail change the phone', async () => {
    await edit({ ...member, account: 'email', phone: '+34600123456' })
    expect(field('profile', 'phone')).not.toHaveAttribute('readonly')
    expect(field('profile', 'phone')).toHaveValue('600123456')
  })

  it('begins a new document number with the first letter typed', async () => {
    const { person } = await edit()
    await person.type(field('profile', 'cardNumber'), 'X99')
    expect(field('profile', 'cardNumber')).toHaveValue('X99')
  })

  it.each(['en', 'zh', 'ru'] as const)('says in %s what is missing or wrong', async (language) => {
    await edit()
    await setLanguage(language)
    const required = [
      'job',
      'name',
      'surname',
      'appellation',
      'sex',
      'cardType',
      'firstContact',
      'organ',
      'dept',
    ]
    fill('profile', Object.fromEntries([...required, 'address', 'postcode'].map((name) => [name, ''])))
    await waitFor(() => expect(problemAt('profile', 'job')).toBe(messages.required[language]))
    for (const name of [...required, 'address', 'postcode']) {
      expect([name, problemAt('profile', name)]).toEqual([name, messages.required[language]])
    }
    fill('profile', { email: '', email1: 'x', nickName: '玛丽亚', organ: '医院', bakPhoneUsage: '夜间' })
    await waitFor(() => expect(problemAt('profile', 'email')).toBe(messages.enter_email[language]))
    expect(problemAt('profile', 'email1')).toBe(messages.email_format[language])
    expect(problemAt('profile', 'nickName')).toBe(messages.english_only[language])
    expect(problemAt('profile', 'organ')).toBe(messages.english_only[language])
    // In the member's own words.
    expect(problemAt('profile', 'bakPhoneUsage')).toBeNull()
  })

  it('stops with a dialog where something is in Chinese', async () => {
    const { person, received, dialog } = await edit()
    fill('profile', { dept: '放射科' })
    await person.click(within(dialog).getByRole('button', { name: 'Save' }))
    const warning = await screen.findByRole('dialog', { name: 'Please write in English', hidden: true })
    await person.click(within(warning).getByText('Correct it'))
    await waitFor(() => expect(field('profile', 'dept')).toHaveFocus())
    expect(sent(received)).toEqual([])
  })

  it('says at its field what the server refused', async () => {
    const { person, dialog } = await edit(member, {
      'user/edit': () => {
        throw new Refusal('invalid', {}, { cardNumber: 'form.number_format' })
      },
    })
    await person.click(within(dialog).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(problemAt('profile', 'cardNumber')).toBe(messages.number_format.en))
  })
})

describe('the history', () => {
  it('says what happened, when and from where', async () => {
    const at = '2026-03-01T08:00:00.000Z'
    await open('history', {
      'user/history': () => ({
        items: [
          { id: '2', deed: 'wrong_password', at, address: '203.0.113.7' },
          { id: '1', deed: 'register', at, address: '' },
        ],
      }),
    })
    const rows = (await screen.findAllByRole('row')).slice(1)
    expect(rows.map((row) => within(row).getAllByRole('cell')[1]?.textContent)).toEqual([
      'Wrong password tried',
      'Account made',
    ])
    expect(screen.getByRole('cell', { name: '203.0.113.7' })).toBeVisible()
  })

  it('says that there is nothing yet', async () => {
    await open('history', { 'user/history': () => ({ items: [] }) })
    expect(await screen.findByText('Nothing yet.')).toBeVisible()
  })
})

describe('the sign-in history', () => {
  it('says when, with what, from where and how each ended', async () => {
    const at = '2026-03-01T08:00:00.000Z'
    const item = {
      id: '1',
      startedAt: at,
      usedAt: at,
      endedAt: null,
      endReason: null,
      address: '203.0.113.7',
    }
    await open('signins', {
      'user/signins': () => ({
        items: [
          { ...item, agent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/130 Safari/537', isCurrent: true },
          { ...item, id: '2', endedAt: at, endReason: 'replaced', agent: '', isCurrent: false },
          { ...item, id: '3', endedAt: at, endReason: 'signed_out', agent: 'x', isCurrent: false },
          { ...item, id: '4', endedAt: at, endReason: 'expired', agent: 'x', isCurrent: false },
          { ...item, id: '5', agent: 'x', isCurrent: false },
        ],
      }),
    })
    const rows = (await screen.findAllByRole('row')).slice(1)
    const cells = rows.map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    )
    expect(cells.map(([, device]) => device)).toEqual([
      'Chrome · Windows',
      'A program',
      'Unknown browser',
      'Unknown browser',
      'Unknown browser',
    ])
    expect(cells.every(([, , address]) => address === '203.0.113.7')).toBe(true)
    expect(cells.map(([, , , state]) => state?.replace(/ \d.*? by/, ' by').split(/ \d/)[0])).toEqual([
      'This session',
      'Ended by another sign-in',
      'Signed out',
      'Ran out',
      'Open; last used',
    ])
  })

  it.each([
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 17) AppleWebKit Version/17 Mobile Safari/604', ['Safari', 'iPhone']],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:130) Gecko Firefox/130', ['Firefox', 'Linux']],
    ['Mozilla/5.0 (Windows NT 10.0) Chrome/130 Safari/537 Edg/130', ['Edge', 'Windows']],
    ['Mozilla/5.0 (Macintosh; Mac OS X 14) Chrome/130 YaBrowser/24 Safari/537', ['Yandex', 'macOS']],
    ['Mozilla/5.0 (Linux; Android 14) Chrome/130 MicroMessenger/8', ['WeChat', 'Android']],
    ['', null],
  ])('reads %s', (agent, device) => {
    expect(deviceOf(agent)).toEqual(device)
  })
})

describe('the change of password', () => {
  const values = { old: 'abcd1234', password: 'efgh5678', confirm: 'efgh5678' }

  it('goes on under the new token', async () => {
    const { person, received } = await open('password', {
      'user/password': () => ({ token: 'n'.repeat(20), closing: 'closing-9' }),
    })
    await screen.findByRole('form', { name: 'Change password' })
    fill('change', values)
    await person.click(screen.getByRole('button', { name: 'Change password' }))
    expect(await screen.findByText('Your password is changed.')).toBeVisible()
    expect(received.at(-1)?.body).toEqual({ userId: 'user-1', old: 'abcd1234', password: 'efgh5678' })
    expect(session.token()).toBe('n'.repeat(20))
    expect(session.closing()).toBe('closing-9')
    expect(session.user()?.id).toBe('user-1')
    expect(field('change', 'old')).toHaveValue('')
  })

  it.each(['en', 'zh', 'ru'] as const)('says in %s what is wrong', async (language) => {
    await open('password', {})
    await screen.findByRole('form')
    await setLanguage(language)
    fill('change', { old: '', password: 'abcdefgh', confirm: 'x' })
    await waitFor(() => expect(problemAt('change', 'old')).toBe(messages.enter_password[language]))
    expect(problemAt('change', 'password')).toBe(messages.password_rule[language])
    expect(problemAt('change', 'confirm')).toBe(messages.passwords_differ[language])
    fill('change', { password: '密码abcd12' })
    await waitFor(() => expect(problemAt('change', 'password')).toBe(messages.password_no[language]))
  })

  it('keeps the session when the present password is wrong', async () => {
    const { person } = await open('password', {
      'user/password': () => {
        throw new Refusal('password_wrong')
      },
    })
    await screen.findByRole('form')
    fill('change', values)
    await person.click(screen.getByRole('button', { name: 'Change password' }))
    expect(await screen.findByText(/The present password is not correct/)).toBeVisible()
    expect(session.token()).toBe('a'.repeat(20))
  })
})

describe('closing the account', () => {
  it.each([
    ['en', 'close', 'Please type the word “close”.'],
    ['zh', '注销', '请输入“注销”。'],
    ['ru', 'удалить', 'Введите слово «удалить».'],
  ] as const)(
    'takes in %s the password and a typed word, shows the front page, and then signs out',
    async (language, word, text) => {
      const { received, person, router } = await open('cancel', { 'user/cancel': () => ({}) })
      await screen.findByRole('form')
      await setLanguage(language)
      const submit = screen.getByRole('form').querySelector('button[type=submit]') as HTMLElement
      await person.click(submit)
      expect(problemAt('cancel', 'password')).toBe(messages.enter_password[language])
      expect(problemAt('cancel', 'word')).toBe(text)
      fill('cancel', { password: 'abcd1234', word: 'no' })
      await person.click(submit)
      expect(problemAt('cancel', 'word')).toBe(text)
      expect(received.some(({ path }) => path === 'user/cancel')).toBe(false)
      fill('cancel', { word: ` ${word.toUpperCase()} ` })
      await person.click(submit)
      await waitFor(() => expect(session.user()).toBeNull())
      expect(router.state.location.pathname).toBe('/')
      expect(received.find(({ path }) => path === 'user/cancel')?.body).toEqual({
        userId: 'user-1',
        password: 'abcd1234',
      })
    },
  )

  it('offers the own data first', async () => {
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push(this.getAttribute('href') ?? '')
    })
    const saved: string[] = []
    const { person } = await open('cancel', { 'user/export': () => ({ url: '/AI/export/1' }) })
    await person.click(await screen.findByRole('button', { name: 'Download my data' }))
    await waitFor(() => expect(saved).toEqual(['/AI/export/1']))
    click.mockRestore()
  })
})

describe('the function introductions', () => {
  it('are shown again, and put away', async () => {
    let showIntroduce = '15'
    const { person, received } = await open('introduction', {
      'user/info': () => makeUser({ ...member, showIntroduce }),
      'user/edit': (body) => {
        showIntroduce = body.showIntroduce ?? ''
        return makeUser({ ...member, showIntroduce })
      },
    })
    sessionStorage.setItem('introduced2', '1')
    expect(await screen.findByRole('switch', { name: 'Projects' })).toBeChecked()
    await person.click(screen.getByRole('switch', { name: 'Cloud storage' }))
    await waitFor(() => expect(screen.getByRole('switch', { name: 'Cloud storage' })).toBeChecked())
    expect(sessionStorage.getItem('introduced2')).toBeNull()
    await person.click(screen.getByRole('switch', { name: 'Projects' }))
    await waitFor(() => expect(screen.getByRole('switch', { name: 'Projects' })).not.toBeChecked())
    const sent = received.filter(({ path }) => path === 'user/edit').map(({ body }) => body.showIntroduce)
    expect(sent).toEqual(['125', '25'])
  })
})
