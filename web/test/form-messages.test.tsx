/** Each rule of the forms before the workspace: what is typed, and what stands below the field, in every language. */
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { setLanguage } from '../src/lib/i18n.ts'
import { Forget } from '../src/pages/forget.tsx'
import { Login } from '../src/pages/login.tsx'
import { Register } from '../src/pages/register.tsx'
import { field, fill, problemAt } from './fill.ts'
import { makeChallenge, makeSetting } from './make.ts'
import { type MessageName, messages } from './messages.ts'
import { renderPart } from './render.tsx'
import { serve } from './serve.ts'

type Rule = [field: string, value: string, message: MessageName | null]

const phone: Rule[] = [
  ['phone', '', 'enter_phone'],
  ['phone', '12800138000', 'phone_format'],
  ['phone', '1380013800', 'phone_format'],
  ['phone', '138abc38000', 'phone_format'],
  ['phone', '13800138000', null],
]
const newPassword: Rule[] = [
  ['code', '', 'enter_code'],
  ['code', '12ab', 'code_format'],
  ['code', '123456', null],
  ['password', '', 'enter_password'],
  ['password', 'abcd123', 'password_rule'],
  ['password', '12345678', 'password_rule'],
  ['password', 'abcdefgh', 'password_rule'],
  ['password', '!!!!!!!!', 'password_rule'],
  ['password', '密码abcd1234', 'password_no'],
  ['password', `a1${'x'.repeat(200)}`, 'too_big'],
  ['password', 'abcd1234', null],
  ['confirm', 'abcd12345', 'passwords_differ'],
  ['confirm', 'abcd1234', null],
]
const nickName: Rule[] = [
  ['nickName', '', 'required'],
  ['nickName', 'x'.repeat(51), 'too_big'],
  ['nickName', 'Maria\u202Eairam', 'name_hidden'],
  ['nickName', 'Maria', null],
]
const login: Rule[] = [...phone, ['password', '', 'enter_password'], ['password', 'x', null]]

const forms = [
  { name: 'login', prefix: 'login', page: <Login />, address: '/login', rules: login },
  {
    name: 'short registration',
    prefix: 'register',
    page: <Register />,
    address: '/register',
    rules: [...nickName, ...phone, ...newPassword],
  },
  {
    name: 'forgotten password',
    prefix: 'forget',
    page: <Forget />,
    address: '/forget',
    rules: [...phone, ...newPassword],
  },
] as const

const long: Rule[] = [
  ...nickName,
  ['nickName', '玛丽亚', 'english_only'],
  ...(['job', 'name', 'surname', 'appellation', 'sex', 'country', 'cardType'] as const).map(
    (name): Rule => [name, '', 'required'],
  ),
  ['name', '玛丽亚', 'english_only'],
  ['name', 'Maria', null],
  ['age', '151', 'too_big'],
  ['age', '38', null],
  ['cardNumber', '', 'enter_number'],
  ['cardType', 'card_number', null],
  ['cardNumber', '12345', 'number_format'],
  ['cardNumber', '123456789012345', null],
  ['cardNumber', '12345678901234567X', null],
  ['cardType', 'passport', null],
  ['cardNumber', 'E12345', null],
  ...phone,
  ['email', '', 'enter_email'],
  ['email', 'maria@hospital', 'email_format'],
  ['email', 'maria@hospital.org; second', 'email_format'],
  ['email', 'maria@hospital.org; second.one@hospital.org', null],
  ['email1', 'x', 'email_format'],
  ['email2', 'a..b@hospital.org', 'email_format'],
  ['email3', 'a@b.c', 'email_format'],
  ['email3', '', null],
  ['fax', '12', 'phone_format'],
  ['fax', '', null],
  ['bakPhone', '12', 'phone_format'],
  ['bakPhone', '13800138001', null],
  ['bakPhoneUsage', '夜间', 'english_only'],
  ['firstContact', '', 'required'],
  ['firstContact', 'email', null],
  ...(['organ', 'dept', 'currCountry', 'address', 'postcode'] as const).map(
    (name): Rule => [name, '', 'required'],
  ),
  ['organ', '市医院', 'english_only'],
  ['dept', 'Radiology', null],
  ['position', '主任', 'english_only'],
  ['address', '科苑路', 'english_only'],
  ...newPassword,
]

/** Every language is shown the same rules. */
describe.each(['en', 'zh', 'ru'] as const)('in %s', (language) => {
  it.each(forms)('the form of the $name says what is wrong', async ({ prefix, page, address, rules }) => {
    await show(language, page, address)
    await followed(prefix, rules, language)
  })

  it('the long registration says what is wrong', async () => {
    await show(language, <Register />, '/register?form=member')
    await followed('register', long, language)
  })

  it('no area code is chosen', async () => {
    await show(language, <Login />, '/login')
    const area = document.querySelector('select[aria-label]:not([class*=select])') as HTMLSelectElement
    fireEvent.change(area, { target: { value: '' } })
    fireEvent.blur(area)
    await waitFor(() => expect(problemAt('login', 'phone')).toBe(messages.enter_area[language]))
  })

  it('no e-mail address is written', async () => {
    await show(language, <Login />, '/login')
    fireEvent.click(screen.getAllByRole('radio')[1] as HTMLElement)
    fireEvent.blur(await waitFor(() => field('login', 'email')))
    await waitFor(() => expect(problemAt('login', 'email')).toBe(messages.enter_email[language]))
  })

  it('a country gets no text messages, and the agreement is not accepted', async () => {
    await show(language, <Register />, '/register')
    await waitFor(() => expect(screen.getAllByRole('radio')).toHaveLength(4))
    const area = field('register', 'phone').parentElement?.querySelector('select') as HTMLSelectElement
    fireEvent.change(area, { target: { value: 'DE' } })
    fireEvent.submit(screen.getByRole('form'))
    await waitFor(() => expect(problemAt('register', 'phone')).toBe(messages.no_text_messages[language]))
    expect(problemAt('register', 'agreement')).toBe(messages.agree_first[language])
  })
})

async function show(language: 'en' | 'zh' | 'ru', page: React.ReactElement, address: string) {
  await setLanguage(language)
  serve({
    'setting/public': () => makeSetting(),
    'user/challenge': () => makeChallenge(),
  })
  renderPart(page, address)
  await screen.findByRole('form')
}

async function followed(prefix: string, rules: readonly Rule[], language: 'en' | 'zh' | 'ru') {
  const shown: [string, string, string | null][] = []
  for (const [name, value] of rules) {
    fill(prefix, { [name]: value })
    // The field's texts are there once React has drawn it anew.
    await Promise.resolve()
    shown.push([name, value, problemAt(prefix, name)])
  }
  expect(shown).toEqual(
    rules.map(([name, value, message]) => [
      name,
      value,
      message === null ? null : messages[message][language],
    ]),
  )
}
