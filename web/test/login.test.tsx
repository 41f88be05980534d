import type { Challenge } from '@neuroloom/contract/accounts/accounts'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { checkLogin, type LoginDraft } from '../src/features/accounts/entrance/check-login.ts'
import { LoginForm } from '../src/features/accounts/entrance/login-form.tsx'
import { setLanguage } from '../src/lib/i18n.ts'
import * as session from '../src/lib/session.ts'
import { dismissToast, visibleToasts } from '../src/lib/toast.ts'
import { makeChallenge, makeSignedIn } from './make.ts'
import { renderPart } from './render.tsx'
import { Refusal, serve } from './serve.ts'

const draft: LoginDraft = {
  mode: 'phone',
  region: 'CN',
  phone: '13800138000',
  email: '',
  password: 'secret-1',
}

describe('the rules of the sign-in form', () => {
  it.each<[string, Partial<LoginDraft>, object]>([
    ['a mainland number', {}, {}],
    ['no area code', { region: '' }, { phone: 'enter_area' }],
    ['no area code and no number', { region: '', phone: '' }, { phone: 'enter_area' }],
    ['no number', { phone: ' ' }, { phone: 'enter_phone' }],
    ['letters in the number', { phone: '138abc38000' }, { phone: 'phone_format' }],
    ['a mainland number that begins with 12', { phone: '12800138000' }, { phone: 'phone_format' }],
    ['a mainland number of ten digits', { phone: '1380013800' }, { phone: 'phone_format' }],
    ['the same ten digits in Russia', { region: 'RU', phone: '1380013800' }, {}],
    ['no e-mail address', { mode: 'email' }, { email: 'enter_email' }],
    ['an e-mail address in any form', { mode: 'email', email: 'maria' }, {}],
    ['no password', { password: '' }, { password: 'enter_password' }],
  ])('%s', (_, changes, problems) => {
    expect(checkLogin({ ...draft, ...changes })).toEqual(problems)
  })
})

describe('the sign-in form', () => {
  it.each([
    ['en', 'Password', 'Please enter the phone number.', 'Please enter a password.'],
    ['zh', '密码', '请输入手机号码。', '请输入密码。'],
    ['ru', 'Пароль', 'Введите номер телефона.', 'Введите пароль.'],
  ] as const)(
    'says in %s what is wrong at a field that was left',
    async (language, label, phone, password) => {
      await setLanguage(language)
      serve({ 'user/challenge': () => makeChallenge() })
      renderPart(<LoginForm onSignedIn={() => undefined} onCodeNeeded={() => undefined} />)
      const person = userEvent.setup()
      await person.click(await screen.findByRole('textbox'))
      expect(screen.queryByRole('alert')).toBeNull()
      await person.tab()
      expect(await screen.findByRole('alert')).toHaveTextContent(phone)
      expect(screen.getByRole('textbox')).toBeInvalid()
      expect(screen.getByRole('textbox')).toHaveAccessibleDescription(phone)
      await person.click(screen.getByLabelText(label))
      await person.tab()
      await waitFor(() => expect(screen.getByLabelText(label)).toHaveAccessibleDescription(password))
    },
  )

  it('signs in with area code and number, the proof of the slider and ocibe 1', async () => {
    const { person, received, entered } = await show(() => makeSignedIn())
    await person.type(screen.getByRole('textbox', { name: 'Phone number' }), '13800138000')
    await person.type(screen.getByLabelText('Password'), 'secret-1')
    await dragByKeys(person)
    await person.click(screen.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(entered()).toBe(true))
    const { proof, ...body } = received.find(({ path }) => path === 'user/login')?.body ?? {}
    expect(body).toEqual({ account: '+8613800138000', password: 'secret-1', ocibe: 1 })
    expect(JSON.parse(String(proof))).toMatchObject({ number: 7, signature: 'signed' })
    expect(session.token()).toBe('c'.repeat(20))
    expect(sessionStorage.getItem('isOcibe')).toBe('0')
  })

  it('begins in its first field, and says nothing of it to whoever presses something else', async () => {
    const { person } = await show(() => makeSignedIn())
    const phone = screen.getByRole('textbox', { name: 'Phone number' })
    expect(phone).toHaveFocus()
    await person.click(screen.getByRole('button', { name: 'Show password' }))
    expect(phone).not.toHaveFocus()
    expect(phone).toBeValid()
    await person.click(phone)
    await person.click(screen.getByRole('button', { name: 'Hide password' }))
    expect(phone).toBeInvalid()
  })

  it('offers first what people signed in with the last time, also after a sign-out and a day', async () => {
    const { person, entered } = await show(() => makeSignedIn())
    await person.click(screen.getByRole('radio', { name: 'E-mail' }))
    await person.type(screen.getByRole('textbox', { name: 'E-mail address' }), 'maria@hospital.org')
    await person.type(screen.getByLabelText('Password'), 'secret-1')
    await dragByKeys(person)
    await person.click(screen.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(entered()).toBe(true))
    session.cleanStale(new Date(Date.now() + 48 * 60 * 60 * 1000))
    session.end()
    expect(JSON.stringify({ ...localStorage })).not.toContain('maria')
    cleanup()
    await show(() => makeSignedIn())
    expect(screen.getByRole('radio', { name: 'E-mail' })).toBeChecked()
    expect(screen.getByRole('textbox', { name: 'E-mail address' })).toHaveFocus()
  })

  it('signs in by e-mail', async () => {
    const { person, received, entered } = await show(() => makeSignedIn())
    await person.click(screen.getByRole('radio', { name: 'E-mail' }))
    await person.type(screen.getByRole('textbox', { name: 'E-mail address' }), 'maria@hospital.org')
    await person.type(screen.getByLabelText('Password'), 'secret-1')
    await dragByKeys(person)
    await person.click(screen.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(entered()).toBe(true))
    expect(received.at(-1)?.body.account).toBe('maria@hospital.org')
  })

  it('asks to drag the slider first', async () => {
    const { person, received } = await show(() => makeSignedIn())
    await person.type(screen.getByRole('textbox', { name: 'Phone number' }), '13800138000')
    await person.type(screen.getByLabelText('Password'), 'secret-1')
    await person.click(screen.getByRole('button', { name: 'Sign in' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('drag the slider')
    expect(received.some(({ path }) => path === 'user/login')).toBe(false)
    const slider = screen.getByRole('slider')
    expect(slider).toHaveFocus()
    expect(slider).toHaveAccessibleDescription(/drag the slider/)
    await person.keyboard('{End}')
    await waitFor(() => expect(slider).toHaveAttribute('aria-valuetext', 'Verified'))
    expect(slider).toHaveAccessibleDescription('')
  })

  it('waits for a puzzle that is still being solved, and then signs in', async () => {
    let give: (given: Challenge) => void = () => undefined
    const puzzle = new Promise<Challenge>((resolve) => {
      give = resolve
    })
    const { person, received, entered } = await show(
      () => makeSignedIn(),
      () => puzzle,
    )
    await person.type(screen.getByRole('textbox', { name: 'Phone number' }), '13800138000')
    await person.type(screen.getByLabelText('Password'), 'secret-1')
    screen.getByRole('slider').focus()
    await person.keyboard('{End}')
    await person.click(screen.getByRole('button', { name: 'Sign in' }))
    expect(received.some(({ path }) => path === 'user/login')).toBe(false)
    give(makeChallenge())
    await waitFor(() => expect(entered()).toBe(true))
  })

  it('is free again when the puzzle cannot be had', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { person } = await show(
      () => makeSignedIn(),
      () => {
        throw new Refusal('busy')
      },
    )
    await person.type(screen.getByRole('textbox', { name: 'Phone number' }), '13800138000')
    await person.type(screen.getByLabelText('Password'), 'secret-1')
    screen.getByRole('slider').focus()
    await person.keyboard('{End}')
    await waitFor(() =>
      expect(screen.getByRole('slider').getAttribute('aria-valuetext')).toMatch(/Drag again/),
    )
    await person.click(screen.getByRole('button', { name: 'Sign in' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('drag the slider')
  })

  it('goes to the first wrong field instead of sending', async () => {
    const { person, received } = await show(() => makeSignedIn())
    await person.click(screen.getByRole('button', { name: 'Sign in' }))
    expect(screen.getByRole('textbox', { name: 'Phone number' })).toHaveFocus()
    expect(received.some(({ path }) => path === 'user/login')).toBe(false)
  })

  it('asks to wait when submitted again while the first is under way', async () => {
    const { person, received } = await show(() => new Promise(() => undefined))
    await person.type(screen.getByRole('textbox', { name: 'Phone number' }), '13800138000')
    await person.type(screen.getByLabelText('Password'), 'secret-1')
    await dragByKeys(person)
    await person.click(screen.getByRole('button', { name: 'Sign in' }))
    await person.click(screen.getByRole('button', { name: 'Sign in' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Please wait')
    expect(received.filter(({ path }) => path === 'user/login')).toHaveLength(1)
  })

  it('says why a sign-in was refused and starts the slider anew', async () => {
    const { person, entered } = await show(() => {
      throw new Refusal('wrong_credentials')
    })
    await person.type(screen.getByRole('textbox', { name: 'Phone number' }), '13800138000')
    await person.type(screen.getByLabelText('Password'), 'wrong')
    await dragByKeys(person)
    await person.click(screen.getByRole('button', { name: 'Sign in' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('The account or the password is not correct')
    // What is said over the page goes by itself; the form goes on saying it.
    for (const { id } of visibleToasts()) act(() => dismissToast(id))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByText(/The account or the password is not correct/)).toBeVisible()
    await waitFor(() => expect(screen.getByRole('slider')).toHaveAttribute('aria-valuenow', '0'))
    expect(entered()).toBe(false)
    expect(session.user()).toBeNull()
  })

  it('shows and hides the password', async () => {
    const { person } = await show(() => makeSignedIn())
    const field = screen.getByLabelText('Password')
    expect(field).toHaveAttribute('type', 'password')
    await person.click(screen.getByRole('button', { name: 'Show password' }))
    expect(field).toHaveAttribute('type', 'text')
  })
})

type Login = Parameters<typeof serve>[0]['user/login']

async function show(
  login: NonNullable<Login>,
  challenge: () => Challenge | Promise<Challenge> = makeChallenge,
) {
  let isIn = false
  const received = serve({ 'user/challenge': () => challenge(), 'user/login': login })
  renderPart(
    <LoginForm
      onSignedIn={() => {
        isIn = true
      }}
      onCodeNeeded={() => undefined}
    />,
  )
  await screen.findByRole('slider')
  return { person: userEvent.setup(), received, entered: () => isIn }
}

async function dragByKeys(person: ReturnType<typeof userEvent.setup>) {
  screen.getByRole('slider').focus()
  await person.keyboard('{End}')
  await waitFor(() => expect(screen.getByRole('slider')).toHaveAttribute('aria-valuetext', 'Verified'))
}
