import { emailsProblem } from '@neuroloom/contract/accounts/form-rules'
import { codes as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeServer, type TestServer } from '../../../../test/harness.ts'
import { brokenFields, englishFields, memberForm } from '../../../../test/member-form.ts'
import { askForCode, codeFor } from '../../../../test/outbox.ts'
import { findByAccount } from '../account.ts'

const PASSWORD = 'another horse 2'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

let lastNumber = 13_600_000_000
const newPhone = () => {
  lastNumber += 1
  return `+86${lastNumber}`
}

const register = (changes: object) =>
  server.call('user/register', {
    type: 1,
    ...memberForm,
    code: '123456',
    password: PASSWORD,
    agreement: true,
    ...changes,
  })

describe('the member form', () => {
  test('makes an ordinary member whose phone the code proved; the e-mail is for contact alone', async () => {
    const phone = newPhone()
    const code = await codeFor(server, phone)
    const answer = await register({
      phone: phone.slice(1),
      code,
      email: 'lin@hospital.test; l@home.test',
      age: 41,
    })
    expect(answer.code).toBe(10200)
    const { data } = await server.call('user/login', { account: phone, password: PASSWORD })
    expect(data).toMatchObject({
      ...memberForm,
      phone,
      email: 'lin@hospital.test; l@home.test',
      cardNumber: '**************002X',
      age: 41,
      account: 'phone',
      type: 1,
      vipLevel: 1,
    })
    expect(await findByAccount(server.ctx.db, 'lin@hospital.test')).toBeNull()
  })

  test('proves the main e-mail address where no text message goes to; the phone is for contact alone', async () => {
    const code = await codeFor(server, 'ivan@clinic.test')
    const changes = {
      phone: '+79161234567',
      email: 'ivan@clinic.test;i@home.test',
      currCountry: 'RU',
      area: '',
    }
    expect((await register({ ...changes, code })).code).toBe(10200)
    const { data } = await server.call('user/login', { account: 'Ivan@clinic.test', password: PASSWORD })
    expect(data).toMatchObject({ account: 'email', phone: '+79161234567', type: 1, vipLevel: 1 })
    expect(await findByAccount(server.ctx.db, '+79161234567')).toBeNull()
    expect(await findByAccount(server.ctx.db, 'i@home.test')).toBeNull()
  })

  test('does not take a code of the other address', async () => {
    const code = await codeFor(server, 'second@clinic.test')
    expect((await register({ phone: newPhone(), email: 'second@clinic.test', code })).data.error).toBe(
      'code_wrong',
    )
    const foreign = { phone: '+79160000001', email: 'main@clinic.test;second@clinic.test', code }
    expect((await register(foreign)).data.error).toBe('code_wrong')
  })

  test('makes one account of two submits at once', async () => {
    const phone = newPhone()
    const code = await codeFor(server, phone)
    const answers = await Promise.all([register({ phone, code }), register({ phone, code })])
    expect(answers.map((answer) => answer.data.error ?? 'made').sort()).toEqual(['code_wrong', 'made'])
  })

  test('a second one for the same phone is refused after the right code alone', async () => {
    const phone = newPhone()
    await server.signUp({ account: phone })
    expect((await register({ phone })).data.error).toBe('code_wrong')
    expect((await register({ phone, code: await codeFor(server, phone) })).data.error).toBe('account_taken')
  })
})

describe('a broken rule', () => {
  test.each(brokenFields)('%s: %.40j is %s', async (field, value, problem) => {
    const { data } = await register({ [field]: value })
    // What is far too long for any field is refused by its length before its rule is looked at.
    expect(data).toMatchObject({ error: 'invalid', fields: { [field]: `form.${problem}` } })
  })

  test.each(englishFields)('%s must not be in Chinese', async (field) => {
    const { data } = await register({ [field]: '医院' })
    expect(data).toMatchObject({ error: 'invalid', fields: { [field]: 'form.english_only' } })
  })

  test('even the use of the second phone must not be in Chinese while registering', async () => {
    const { data } = await register({ bakPhoneUsage: '晚上' })
    expect(data.fields).toEqual({ bakPhoneUsage: 'form.english_only' })
  })

  test.each([
    ['job', 'King'],
    ['sex', 'other'],
    ['edu', 'school'],
    ['cardType', 'library card'],
    ['firstContact', 'pigeon'],
    ['country', 'China'],
    ['country', 'QQ'],
    ['currCountry', 'cn'],
    ['area', '北京/朝阳'],
    ['area', '11/1101/110105/1'],
    ['area', '11//110105'],
    ['photo', 'https://elsewhere.test/picture.png'],
  ])('%s: %s is on no list', async (field, value) => {
    const { data } = await register({ [field]: value })
    expect(data).toMatchObject({ error: 'invalid', fields: { [field]: 'form.invalid' } })
  })

  test('several are named at once', async () => {
    const { data } = await register({ surname: '', postcode: '', email: 'x', password: 'abc' })
    expect(data.fields).toEqual({
      surname: 'form.required',
      postcode: 'form.required',
      email: 'form.email_format',
      password: 'form.password_rule',
    })
  })

  test('burns no try of the code', async () => {
    const phone = newPhone()
    const code = await codeFor(server, phone)
    for (let attempt = 0; attempt <= limits.tries; attempt++) await register({ phone, code, country: 'QQ' })
    expect((await register({ phone, code })).code).toBe(10200)
  })
})

test('the area may be left out at any level, and abroad altogether', async () => {
  for (const changes of [{ area: '11/other' }, { area: 'other' }, { currCountry: 'RU', area: '' }]) {
    expect((await register({ phone: newPhone(), ...changes })).data.error).toBe('code_wrong')
  }
})

test('lists of e-mail addresses that were built to be slow are read like others', () => {
  // So long that whatever grew with their square would not end within the test.
  const lists = [
    `${'a@b.cc;'.repeat(140_000)}`,
    `${'a.'.repeat(1_000_000)}@b.cc`,
    `a@${'b.'.repeat(1_000_000)}`,
    `${'a-'.repeat(1_000_000)}`,
    '@'.repeat(2_000_000),
    ';'.repeat(2_000_000),
  ]
  for (const list of lists) expect(emailsProblem(list, { required: true })).toBe('email_format')
})

test('a long list in the form is refused by its length, and one of 100 kB together with its form', async () => {
  const { data } = await register({ email: 'a@b.cc;'.repeat(1400) })
  expect(data).toMatchObject({ error: 'invalid', fields: { email: 'form.too_big' } })
  expect((await register({ email: 'a@b.cc;'.repeat(14_000) })).data.error).toBe('too_large')
})

test('a flood of forms without the slider ends at its account', async () => {
  const phone = newPhone()
  const answers = await Promise.all(Array.from({ length: 8 }, () => register({ phone })))
  expect(answers.filter(({ data }) => data.error === 'code_wrong')).toHaveLength(5)
  expect(answers.filter(({ data }) => data.error === 'drag_required')).toHaveLength(3)
  // The owner still gets a code.
  server.forward(limits.perAddressMs)
  expect((await askForCode(server, phone)).code).toBe(10200)
})
