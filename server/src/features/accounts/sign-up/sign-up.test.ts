import type { CodePurpose } from '@neuroloom/contract/accounts/sign-up'
import { codes as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drag } from '../../../../test/drag.ts'
import { makeServer, PASSWORD, type TestServer } from '../../../../test/harness.ts'
import { askForCode, codeFor as codeTo, messagesTo as messages, wrongOf } from '../../../../test/outbox.ts'
import { findByAccount } from '../account.ts'

const NEW_PASSWORD = 'another horse 2'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

let lastNumber = 13_800_000_000
const newPhone = () => {
  lastNumber += 1
  return String(lastNumber)
}

const messagesTo = (phone: string) => messages(server, `+86${phone}`)
const ask = (phone: string, purpose: CodePurpose = 'register') => askForCode(server, `+86${phone}`, purpose)
const codeFor = (phone: string, purpose: CodePurpose = 'register') => codeTo(server, `+86${phone}`, purpose)

const register = (phone: string, code: string, changes: object = {}) =>
  server.call('user/register', {
    type: 0,
    phone: `+86${phone}`,
    code,
    nickName: 'Radiology',
    password: NEW_PASSWORD,
    agreement: true,
    ...changes,
  })

const renew = (phone: string, code: string) =>
  server.call('user/forgetpwd', { phone: `+86${phone}`, code, password: NEW_PASSWORD })

const login = (phone: string, password: string) =>
  server.call('user/login', { account: `+86${phone}`, password })

describe('a new account', () => {
  test('is made by a code sent to the phone, and its owner is signed in, then and later', async () => {
    const phone = newPhone()
    const code = await codeFor(phone)
    const made = await register(phone, code)
    expect(made).toMatchObject({
      code: 10200,
      data: { nickName: 'Radiology', account: 'phone', vipLevel: 0 },
    })
    const opened = { userId: made.data.id, token: made.data.token }
    expect((await server.call('user/info', {}, opened)).data.id).toBe(made.data.id)
    expect((await login(phone, NEW_PASSWORD)).data).toMatchObject({ nickName: 'Radiology', vipLevel: 0 })
    const user = await findByAccount(server.ctx.db, `+86${phone}`)
    expect(user?.agreedAt).toBeInstanceOf(Date)
  })

  test('a code serves once, even twice at the same time', async () => {
    const phone = newPhone()
    const code = await codeFor(phone)
    const answers = await Promise.all([register(phone, code), register(phone, code)])
    expect(answers.map((answer) => answer.data.error ?? 'made').sort()).toEqual(['code_wrong', 'made'])
    expect((await register(phone, code)).data.error).toBe('code_wrong')
  })

  test('five wrong codes burn the right one', async () => {
    const phone = newPhone()
    const code = await codeFor(phone)
    for (let attempt = 0; attempt < limits.tries; attempt++) {
      const proof = await drag(server, 'register')
      expect((await register(phone, wrongOf(code), { proof })).data.error).toBe('code_wrong')
    }
    const proof = await drag(server, 'register')
    expect((await register(phone, code, { proof })).data.error).toBe('code_wrong')
    expect(await findByAccount(server.ctx.db, `+86${phone}`)).toBeNull()
  })

  test('a proof for another form is refused', async () => {
    const proof = await drag(server, 'login')
    expect((await register(newPhone(), '123456', { proof })).data.error).toBe('drag_required')
  })

  test('a code is void after five minutes, for another number, and for another purpose', async () => {
    const [phone, other] = [newPhone(), newPhone()]
    const code = await codeFor(phone)
    expect((await register(other, code)).data.error).toBe('code_wrong')
    expect((await renew(phone, code)).data.error).toBe('code_wrong')
    server.forward(limits.validMs + 1000)
    expect((await register(phone, code)).data.error).toBe('code_wrong')
  })

  test('only who holds the phone learns that it has an account', async () => {
    const phone = newPhone()
    expect((await register(phone, await codeFor(phone))).code).toBe(10200)
    expect((await register(phone, '123456')).data.error).toBe('code_wrong')
    expect((await register(phone, await codeFor(phone))).data.error).toBe('account_taken')
  })

  test.each([
    [{ nickName: ' ' }, { nickName: 'form.required' }],
    [{ nickName: 'x'.repeat(10_000) }, { nickName: 'form.too_big' }],
    [{ nickName: 'admin\u202e' }, { nickName: 'form.name_hidden' }],
    [{ password: 'abcdefgh' }, { password: 'form.password_rule' }],
    [{ password: '密码abcd1234' }, { password: 'form.password_no' }],
    [{ agreement: false }, { agreement: 'form.agree_first' }],
    [{ code: '' }, { code: 'form.enter_code' }],
    [{ phone: '+8612800138000' }, { phone: 'form.phone_format' }],
    [{ type: 2 }, { type: 'form.invalid' }],
  ])('%j is refused at its field', async (changes, fields) => {
    const answer = await register(newPhone(), '123456', changes)
    expect(answer.data).toMatchObject({ error: 'invalid', fields })
  })

  test('asks for the form as a page of the specification sends it', async () => {
    const phone = newPhone()
    server.forward(limits.perAddressMs)
    const form = new URLSearchParams({ gjPhone: `86${phone}`, phone })
    const answer = await fetch(`${server.url}/AI/api/user/smscode`, { method: 'POST', body: form })
    expect(await answer.json()).toMatchObject({ code: 10200 })
    expect(await messagesTo(phone)).toHaveLength(1)
  })
})

describe('codes', () => {
  test('a number gets one a minute and five a day', async () => {
    const phone = newPhone()
    server.forward(limits.perAddressMs)
    expect((await ask(phone)).code).toBe(10200)
    const soon = await ask(phone)
    expect(soon.data).toMatchObject({ error: 'code_wait', params: { seconds: expect.any(Number) } })
    for (let sent = 1; sent < limits.perPhone; sent++) {
      server.forward(limits.perAddressMs)
      expect((await ask(phone)).code).toBe(10200)
    }
    server.forward(limits.perAddressMs)
    expect((await ask(phone)).data.error).toBe('code_limit')
  })

  test('an address without the proof of a slider gets three an hour, even in parallel', async () => {
    server.forward(limits.perAddressMs)
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(newPhone())))
    expect(answers.filter(({ code }) => code === 10200)).toHaveLength(limits.perAddressUnproven)
  })

  test.each([
    [{ gjPhone: '8613800138000', phone: '13900139000' }, 'form.enter_area'],
    [{ gjPhone: '8612800138000', phone: '12800138000' }, 'form.phone_format'],
    [{ gjPhone: '', phone: '' }, 'form.enter_phone'],
    [{ gjPhone: '79161234567', phone: '9161234567', purpose: 'forget' as const }, 'form.phone_format'],
    // Parted elsewhere, it would pass as a number of another country.
    [{ gjPhone: '8612800138000', phone: '2800138000' }, 'form.phone_format'],
  ])('%j is refused', async (body, problem) => {
    const answer = await server.call('user/smscode', body)
    expect(answer.data).toMatchObject({ error: 'invalid', fields: { phone: problem } })
  })
})

describe('countries', () => {
  test('text messages go to those that the operator allows', async () => {
    server.forward(limits.perAddressMs)
    const russian = { gjPhone: '79161234567', phone: '9161234567' }
    expect((await server.call('user/smscode', russian)).data.error).toBe('country_closed')
    expect(await messages(server, '+79161234567')).toEqual([])
    const answer = await register('', '123456', { phone: '+79161234567' })
    expect(answer.data.error).toBe('country_closed')
    const { data } = await server.call('setting/public', {})
    expect(data).toMatchObject({ registration: true, mail: true, smsCountries: ['86'] })
  })

  test('another country is open once the operator says so', async () => {
    const open = await makeServer({ smsCountries: ['7', '852'] })
    try {
      const russian = { gjPhone: '79161234567', phone: '9161234567' }
      expect((await open.call('user/smscode', russian)).code).toBe(10200)
      expect(await messages(open, '+79161234567')).toHaveLength(1)
      const mainland = { gjPhone: '8613800138000', phone: '13800138000' }
      expect((await open.call('user/smscode', mainland)).data.error).toBe('country_closed')
    } finally {
      await open.close()
    }
  })
})

describe('a forgotten password', () => {
  test('is renewed by a code, ends the session and opens none', async () => {
    const phone = newPhone()
    const member = await server.signUp({ account: `+86${phone}` })
    const code = await codeFor(phone, 'forget')
    expect((await server.call('user/info', {}, member)).code).toBe(10200)
    expect((await renew(phone, code)).code).toBe(10200)
    expect((await server.call('user/info', {}, member)).data.error).toBe('not_signed_in')
    expect((await login(phone, PASSWORD)).data.error).toBe('wrong_credentials')
    expect((await login(phone, NEW_PASSWORD)).code).toBe(10200)
  })

  test('a number without an account gets the same answers and no message', async () => {
    const phone = newPhone()
    server.forward(limits.perAddressMs)
    const answer = await ask(phone, 'forget')
    expect(answer).toMatchObject({ code: 10200, data: {} })
    // Messages follow the answers in their order: one that was asked for later is there.
    const known = newPhone()
    await server.signUp({ account: `+86${known}` })
    await codeFor(known, 'forget')
    expect(await messagesTo(phone)).toEqual([])
    expect((await renew(phone, '123456')).data.error).toBe('code_wrong')
  })
})

test("on a hospital's own server nobody makes an account or asks for a code", async () => {
  const closed = await makeServer({ deployment: 'private' })
  try {
    expect((await closed.call('setting/public', {})).data.registration).toBe(false)
    const phone = newPhone()
    const body = { gjPhone: `86${phone}`, phone }
    expect((await closed.call('user/smscode', body)).data.error).toBe('registration_closed')
  } finally {
    await closed.close()
  }
})
