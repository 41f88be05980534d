import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import * as goal from '../src/lib/goal.ts'
import { setLanguage } from '../src/lib/i18n.ts'
import * as session from '../src/lib/session.ts'
import { Forget } from '../src/pages/forget.tsx'
import { Register } from '../src/pages/register.tsx'
import { makeChallenge, makeSetting, makeSignedIn } from './make.ts'
import { renderPart } from './render.tsx'
import { Refusal, serve } from './serve.ts'

const open = { 'setting/public': () => makeSetting() }
const done = {
  ...open,
  'user/challenge': () => makeChallenge(),
  'user/smscode': () => ({}),
  'user/mailcode': () => ({}),
  'setting/contract': () => ({ url: '/agreement/Neuroloom-Agreement-Chinese.pdf' }),
  'user/register': () => makeSignedIn(),
  'user/forgetpwd': () => ({}),
}

const emailForm = {
  nickName: 'Maria',
  email: 'maria@hospital.org',
  code: '123456',
  password: 'abcd1234',
  confirm: 'abcd1234',
}

type Person = ReturnType<typeof userEvent.setup>

async function dragByKeys(person: Person) {
  screen.getByRole('slider').focus()
  await person.keyboard('{End}')
  await waitFor(() => expect(screen.getByRole('slider')).toHaveAttribute('aria-valuetext', 'Verified'))
}

async function fillRegister(person: Person) {
  await person.type(await screen.findByRole('textbox', { name: 'Nickname' }), 'Radiology')
  await person.type(screen.getByRole('textbox', { name: 'Phone number' }), '13800138000')
  await person.type(screen.getByRole('textbox', { name: 'Verification code' }), '123456')
  await person.type(screen.getByLabelText('Password'), 'abcd1234')
  await person.type(screen.getByLabelText('Confirm password'), 'abcd1234')
}

describe('making an account', () => {
  it('sends the short form with the proof of the slider, signs in and leads to where one wanted to go', async () => {
    goal.remember({ pathname: '/projectDetail', search: '?id=7' })
    const received = serve(done)
    const { router } = renderPart(<Register />, '/register')
    const person = userEvent.setup()
    await fillRegister(person)
    await dragByKeys(person)
    await person.click(screen.getByRole('checkbox'))
    await person.click(screen.getByRole('button', { name: 'Create account' }))
    await screen.findByText(
      'Your account is ready, and you are signed in. Next time, sign in with +8613800138000.',
    )
    const sent = received.find(({ path }) => path === 'user/register')
    const { proof, ...body } = sent?.body ?? {}
    expect(body).toEqual({
      type: 0,
      nickName: 'Radiology',
      phone: '+8613800138000',
      email: '',
      code: '123456',
      password: 'abcd1234',
      agreement: true,
    })
    expect(JSON.parse(String(proof))).toMatchObject({ number: 7 })
    expect(session.token()).toBe('c'.repeat(20))
    await waitFor(() => expect(router.state.location.pathname).toBe('/projectDetail'))
    expect(router.state.location.search).toBe('?id=7')
  })

  it.each([
    ['en', 'Password', 'Confirm password'],
    ['zh', '密码', '再次输入密码'],
    ['ru', 'Пароль', 'Пароль ещё раз'],
  ] as const)(
    'calls the first password of an account no new one, in %s',
    async (language, password, confirm) => {
      await setLanguage(language)
      serve(done)
      renderPart(<Register />, '/register')
      expect(await screen.findByLabelText(password)).toHaveAttribute('id', 'register-password')
      expect(screen.getByLabelText(confirm)).toHaveAttribute('id', 'register-confirm')
    },
  )

  it('leads to the group that the address names', async () => {
    serve(done)
    const { router } = renderPart(<Register />, '/register?nbr=12')
    const person = userEvent.setup()
    await person.click(await screen.findByRole('radio', { name: 'Member (full form)' }))
    expect(router.state.location.search).toBe('?nbr=12&form=member')
    await person.click(await screen.findByRole('radio', { name: 'Visitor (short form)' }))
    await fillRegister(person)
    await dragByKeys(person)
    await person.click(screen.getByRole('checkbox'))
    await person.click(screen.getByRole('button', { name: 'Create account' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/cloudHome'))
    expect(router.state.location.search).toBe('?nbr=12')
  })

  it.each([
    ['en', 'Create account', 'This account exists already. Sign in, or set a new password.'],
    ['zh', '注册', '此账号已存在。请直接登录，或设置新密码。'],
    ['ru', 'Создать учётную запись', 'Такая учётная запись уже есть. Войдите или задайте новый пароль.'],
  ] as const)(
    'goes on saying in %s why it was refused, of an e-mail as well',
    async (language, button, text) => {
      await setLanguage(language)
      serve({
        ...done,
        'user/register': () => {
          throw new Refusal('account_taken')
        },
      })
      renderPart(<Register />, '/register')
      const person = userEvent.setup()
      const at = (field: string) => document.getElementById(`register-${field}`) as HTMLInputElement
      await waitFor(() => expect(at('nickName')).toBeVisible())
      await waitFor(() => expect(screen.getAllByRole('radio')).toHaveLength(4))
      await person.click(screen.getAllByRole('radio').at(-1) as HTMLElement)
      for (const [field, typed] of Object.entries(emailForm)) await person.type(at(field), typed)
      screen.getByRole('slider').focus()
      await person.keyboard('{End}')
      await person.click(screen.getByRole('checkbox'))
      await waitFor(() => expect(screen.getByRole('slider')).toHaveAttribute('aria-valuenow', '100'))
      const form = screen.getByRole('form')
      await person.click(within(form).getByRole('button', { name: button }))
      expect(await within(form).findByText(text)).toBeVisible()
      await person.type(at('email'), 'x')
      expect(within(form).queryByText(text)).toBeNull()
    },
  )

  it('says at every field what is missing, and sends nothing', async () => {
    const received = serve(done)
    renderPart(<Register />, '/register')
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Create account' }))
    const alerts = await screen.findAllByRole('alert')
    expect(alerts.map((alert) => alert.textContent)).toEqual([
      'Please fill in this field.',
      'Please enter the phone number.',
      'Please enter the code.',
      'Please enter a password.',
      'Please read and accept the agreement first.',
    ])
    expect(screen.getByRole('textbox', { name: 'Nickname' })).toHaveFocus()
    expect(received.some(({ path }) => path === 'user/register')).toBe(false)
  })

  it.each([
    ['en', 'The two passwords do not match.'],
    ['zh', '两次输入的密码不一致。'],
    ['ru', 'Пароли не совпадают.'],
  ] as const)('says in %s that the passwords differ', async (language, text) => {
    await setLanguage(language)
    serve(done)
    renderPart(<Register />, '/register')
    const person = userEvent.setup()
    const [password, confirm] = await waitFor(() => {
      const found = document.querySelectorAll<HTMLInputElement>('input[type=password]')
      expect(found).toHaveLength(2)
      return [...found]
    })
    await person.type(password as HTMLInputElement, 'abcd1234')
    await person.type(confirm as HTMLInputElement, 'abcd12345')
    await person.tab()
    expect(await screen.findByText(text)).toBeVisible()
  })

  it('asks for a code once the number is right, then counts down', async () => {
    const received = serve(done)
    renderPart(<Register />, '/register')
    const person = userEvent.setup()
    const ask = await screen.findByRole('button', { name: 'Send code' })
    await person.click(ask)
    expect(await screen.findByText('Please enter the phone number.')).toBeVisible()
    await person.type(screen.getByRole('textbox', { name: 'Phone number' }), '13800138000')
    await person.click(ask)
    expect(await screen.findByRole('button', { name: /Again in (60|59) s/ })).toBeDisabled()
    const sent = received.filter(({ path }) => path === 'user/smscode')
    expect(sent).toHaveLength(1)
    expect(sent[0]?.body).toMatchObject({
      gjPhone: '8613800138000',
      phone: '13800138000',
      purpose: 'register',
    })
  })

  it('frees the button at once when no code could be sent', async () => {
    serve({
      ...done,
      'user/smscode': () => {
        throw new Refusal('message_failed')
      },
    })
    renderPart(<Register />, '/register')
    const person = userEvent.setup()
    await person.type(await screen.findByRole('textbox', { name: 'Phone number' }), '13800138000')
    await person.click(screen.getByRole('button', { name: 'Send code' }))
    expect(await screen.findByText(/message could not be sent/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Send code' })).toBeEnabled()
  })

  it.each([
    ['en', 'user agreement', 'Download as PDF', 'English'],
    ['zh', '用户协议', '下载 PDF 文件', 'Chinese'],
    ['ru', 'пользовательское соглашение', 'Скачать в PDF', 'Russian'],
  ] as const)('shows the agreement in %s, and gives it as a file', async (language, button, link, word) => {
    await setLanguage(language)
    serve(done)
    renderPart(<Register />, '/register')
    await userEvent.click(await screen.findByRole('button', { name: button }))
    const file = await screen.findByRole('link', { name: link, hidden: true })
    expect(file).toHaveAttribute('href', `/agreement/Neuroloom-Agreement-${word}.pdf`)
    expect(file).toHaveAttribute('download')
  })

  it('offers e-mail where no text messages are sent, and sends the code there', async () => {
    const received = serve(done)
    renderPart(<Register />, '/register')
    const person = userEvent.setup()
    await screen.findByRole('radiogroup', { name: 'Where the code goes' })
    await person.selectOptions(screen.getByRole('combobox', { name: 'Area code' }), 'DE')
    await person.type(screen.getByRole('textbox', { name: 'Phone number' }), '15112345678')
    await person.click(screen.getByRole('button', { name: 'Send code' }))
    expect(await screen.findByText(/Text messages are not sent to this country/)).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Use my e-mail address instead' }))
    await person.type(screen.getByRole('textbox', { name: 'E-mail address' }), 'maria@hospital.org')
    await person.click(screen.getByRole('button', { name: 'Send code' }))
    await screen.findByText('The code is on its way.')
    const sent = received.filter(({ path }) => path.endsWith('code'))
    expect(sent.map(({ path }) => path)).toEqual(['user/mailcode'])
    expect(sent[0]?.body).toMatchObject({ email: 'maria@hospital.org', purpose: 'register' })
  })

  it('is done by the keyboard alone', async () => {
    const received = serve(done)
    renderPart(<Register />, '/register')
    const person = userEvent.setup()
    await screen.findByRole('radiogroup', { name: 'Where the code goes' })
    const press = async (...steps: string[]) => {
      for (const step of steps) await person.keyboard(step)
    }
    screen.getByRole('textbox', { name: 'Nickname' }).focus()
    await press('Radiology', '{Tab}', '{ArrowRight}', '{Tab}')
    expect(screen.getByRole('textbox', { name: 'E-mail address' })).toHaveFocus()
    await press('maria@hospital.org', '{Tab}', '123456', '{Tab}', '{Tab}')
    await press('abcd1234', '{Tab}', '{Tab}', 'abcd1234', '{Tab}', '{Tab}')
    expect(screen.getByRole('slider')).toHaveFocus()
    await press('{End}')
    await waitFor(() => expect(screen.getByRole('slider')).toHaveAttribute('aria-valuetext', 'Verified'))
    await press('{Tab}', ' ', '{Tab}', '{Tab}', '{Enter}')
    await screen.findByText(
      'Your account is ready, and you are signed in. Next time, sign in with maria@hospital.org.',
    )
    expect(received.find(({ path }) => path === 'user/register')?.body).toMatchObject({
      nickName: 'Radiology',
      phone: '',
      email: 'maria@hospital.org',
      agreement: true,
    })
  })
})

describe('a forgotten password', () => {
  it('is renewed by a code', async () => {
    const received = serve(done)
    const { router } = renderPart(<Forget />, '/forget')
    const person = userEvent.setup()
    await person.type(await screen.findByRole('textbox', { name: 'Phone number' }), '13800138000')
    await person.type(screen.getByRole('textbox', { name: 'Verification code' }), '123456')
    await person.type(screen.getByLabelText('New password', { selector: 'input' }), 'abcd1234')
    await person.type(screen.getByLabelText('Confirm new password'), 'abcd1234')
    await dragByKeys(person)
    await person.click(screen.getByRole('button', { name: 'Set new password' }))
    await screen.findByText('Your new password is set. Please sign in.')
    const { proof: _, ...body } = received.find(({ path }) => path === 'user/forgetpwd')?.body ?? {}
    expect(body).toEqual({ phone: '+8613800138000', email: '', code: '123456', password: 'abcd1234' })
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
  })

  it('takes mainland numbers only', async () => {
    serve(done)
    renderPart(<Forget />, '/forget')
    const person = userEvent.setup()
    await person.selectOptions(await screen.findByRole('combobox', { name: 'Area code' }), 'RU')
    await person.type(screen.getByRole('textbox', { name: 'Phone number' }), '9161234567')
    await person.tab()
    expect(await screen.findByText('This phone number is not complete or not valid.')).toBeVisible()
  })

  it('is renewed by e-mail as well', async () => {
    const received = serve(done)
    renderPart(<Forget />, '/forget')
    const person = userEvent.setup()
    await person.click(await screen.findByRole('radio', { name: 'E-mail' }))
    await person.type(screen.getByRole('textbox', { name: 'E-mail address' }), 'maria@hospital.org')
    await person.type(screen.getByRole('textbox', { name: 'Verification code' }), '123456')
    await person.type(screen.getByLabelText('New password', { selector: 'input' }), 'abcd1234')
    await person.type(screen.getByLabelText('Confirm new password'), 'abcd1234')
    await dragByKeys(person)
    await person.click(screen.getByRole('button', { name: 'Set new password' }))
    await screen.findByText('Your new password is set. Please sign in.')
    expect(received.find(({ path }) => path === 'user/forgetpwd')?.body).toMatchObject({
      phone: '',
      email: 'maria@hospital.org',
    })
  })
})
