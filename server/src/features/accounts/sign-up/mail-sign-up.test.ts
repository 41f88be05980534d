import { codes as limits } from '@neuroloom/contract/limits'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drag } from '../../../../test/drag.ts'
import { makeServer, PASSWORD, type TestServer } from '../../../../test/harness.ts'
import { askForCode, codeFor, messagesTo, wrongOf } from '../../../../test/outbox.ts'
import { findByAccount } from '../account.ts'

const NEW_PASSWORD = 'another horse 2'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

let made = 0
const newEmail = () => {
  made += 1
  return `nurse${made}@hospital.test`
}

const register = (email: string, code: string, changes: object = {}) =>
  server.call('user/register', {
    email,
    code,
    nickName: 'Radiology',
    password: NEW_PASSWORD,
    agreement: true,
    ...changes,
  })

const renew = (email: string, code: string) =>
  server.call('user/forgetpwd', { email, code, password: NEW_PASSWORD })

const login = (account: string, password: string) => server.call('user/login', { account, password })

describe('an account by e-mail', () => {
  test('is made by a code, in whatever letters its owner writes the address', async () => {
    const email = newEmail()
    const code = await codeFor(server, email)
    expect((await register(email.toUpperCase(), code)).code).toBe(10200)
    const { data } = await login(email, NEW_PASSWORD)
    expect(data).toMatchObject({ account: 'email', email, phone: '', type: 0, vipLevel: 0 })
  })

  test('its code serves once, even twice at the same time', async () => {
    const email = newEmail()
    const code = await codeFor(server, email)
    const answers = await Promise.all([register(email, code), register(email, code)])
    expect(answers.map((answer) => answer.data.error ?? 'made').sort()).toEqual(['code_wrong', 'made'])
  })

  test('five wrong codes burn the right one', async () => {
    const email = newEmail()
    const code = await codeFor(server, email)
    for (let attempt = 0; attempt < limits.tries; attempt++) {
      const proof = await drag(server, 'register')
      expect((await register(email, wrongOf(code), { proof })).data.error).toBe('code_wrong')
    }
    const proof = await drag(server, 'register')
    expect((await register(email, code, { proof })).data.error).toBe('code_wrong')
    expect(await findByAccount(server.ctx.db, email)).toBeNull()
  })

  test('guesses without the slider end after a few', async () => {
    const email = newEmail()
    const answers = []
    for (let attempt = 0; attempt < 6; attempt++) answers.push((await register(email, '123456')).data.error)
    expect(answers).toEqual([...Array.from({ length: 5 }, () => 'code_wrong'), 'drag_required'])
  })

  test('a code is void for another address, for another purpose, and after five minutes', async () => {
    const [email, other] = [newEmail(), newEmail()]
    const code = await codeFor(server, email)
    expect((await register(other, code)).data.error).toBe('code_wrong')
    expect((await renew(email, code)).data.error).toBe('code_wrong')
    server.forward(limits.validMs + 1000)
    expect((await register(email, code)).data.error).toBe('code_wrong')
  })

  test('only who reads the e-mail learns that it has an account', async () => {
    const { account } = await server.signUp()
    expect((await register(account, '123456')).data.error).toBe('code_wrong')
    expect((await register(account, await codeFor(server, account))).data.error).toBe('account_taken')
  })

  test('a phone that is given as well is not what an e-mail code proves', async () => {
    const email = newEmail()
    const code = await codeFor(server, email)
    const answer = await register(email, code, { phone: '+8613911112222' })
    expect(answer.data.error).toBe('code_wrong')
  })

  test.each([
    [{ email: 'nurse@hospital' }, 'email_format'],
    [{ email: 'a@b.test;c@d.test' }, 'email_format'],
    [{ email: 'nursе@hospital.test' }, 'email_format'],
    [{ email: 'nurse@hospital.test\r\nBcc: all@hospital.test' }, 'email_format'],
    [{ email: '' }, 'email_format'],
  ])('no code is sent for %j', async (body, problem) => {
    const answer = await server.call('user/mailcode', body)
    expect(answer.data).toMatchObject({ error: 'invalid', fields: { email: `form.${problem}` } })
  })
})

describe('codes by e-mail', () => {
  test('an address gets one a minute and five a day', async () => {
    const email = newEmail()
    server.forward(limits.perAddressMs)
    expect((await askForCode(server, email)).code).toBe(10200)
    expect((await askForCode(server, email.toUpperCase())).data.error).toBe('code_wait')
    for (let sent = 1; sent < limits.perPhone; sent++) {
      server.forward(limits.perAddressMs)
      expect((await askForCode(server, email)).code).toBe(10200)
    }
    server.forward(limits.perAddressMs)
    expect((await askForCode(server, email)).data.error).toBe('code_limit')
    expect(await messagesTo(server, email)).toHaveLength(limits.perPhone)
  })

  test('speak the language of the account, whatever that of the browser which asks', async () => {
    const member = await server.signUp()
    await server.call('user/edit', { language: 'ru' }, member)
    await codeFor(server, member.account, 'forget')
    const [mail] = await messagesTo(server, member.account)
    expect(mail?.subject).toBe('Ваш код Neuroloom')
    expect(mail?.text).toContain('Код для смены пароля в Neuroloom:')
  })

  test('a computer gets few an hour, by text message and e-mail together', async () => {
    server.forward(limits.perAddressMs)
    const accounts = [newEmail(), '+8613700000001', newEmail(), '+8613700000002', newEmail()]
    const answers = await Promise.all(accounts.map((account) => askForCode(server, account)))
    expect(answers.filter(({ code }) => code === 10200)).toHaveLength(limits.perAddressUnproven)
    expect(answers.filter(({ data }) => data.error === 'code_limit')).toHaveLength(2)
  })

  test('the colleagues behind one address register one after the other, each by a proof, within an hour', async () => {
    server.forward(limits.perAddressMs)
    const early = await drag(server, 'sms')
    const ask = async (email = newEmail()) =>
      server.call('user/mailcode', { email, proof: await drag(server, 'sms') })
    for (let sent = 0; sent < limits.freePerAddress; sent++) expect((await ask()).code).toBe(10200)
    const eleventh = newEmail()
    expect((await ask(eleventh)).code).toBe(10200)
    const [message] = await messagesTo(server, eleventh)
    const code = /\d{6}/.exec(message?.text ?? '')?.[0] ?? ''
    expect((await register(eleventh, code)).code).toBe(10200)
    // A flood costs more and more work, and a puzzle of before is too small for it.
    expect((await server.call('user/mailcode', { email: newEmail(), proof: early })).data.error).toBe(
      'drag_again',
    )
  })

  test('an address gets a hundred an hour, with whatever proof', async () => {
    server.forward(limits.perAddressMs)
    expect((await askForCode(server, newEmail())).code).toBe(10200)
    await server.ctx.db.execute(sql`
      insert into codes (account_key, purpose, address, is_proven, sent_at)
      select 'colleague' || number, 'register', address, true, ${server.ctx.now()}
      from (select address from codes order by id desc limit 1) as mine,
        generate_series(1, ${limits.perAddress - 1}) as number`)
    const proof = await drag(server, 'sms')
    expect((await server.call('user/mailcode', { email: newEmail(), proof })).data.error).toBe('code_limit')
  })

  test('a proof serves once, and for its purpose alone', async () => {
    server.forward(limits.perAddressMs)
    const proof = await drag(server, 'sms')
    expect((await server.call('user/mailcode', { email: newEmail(), proof })).code).toBe(10200)
    const wrong = [proof, await drag(server, 'register'), '{}']
    for (const one of wrong) {
      const answer = await server.call('user/mailcode', { email: newEmail(), proof: one })
      expect(answer.data.error).toBe('drag_required')
    }
  })

  test.each([
    ['en', 'Your Neuroloom code'],
    ['zh', 'Neuroloom 验证码'],
    ['ru', 'Ваш код Neuroloom'],
  ])('speak %s, and the outbox shows them', async (language, subject) => {
    server.forward(limits.perAddressMs)
    const email = newEmail()
    await fetch(`${server.url}/AI/api/user/mailcode`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': language },
      body: JSON.stringify({ email }),
    })
    const [message] = await messagesTo(server, email)
    expect(message).toMatchObject({ kind: 'mail', subject, text: expect.stringMatching(/\b\d{6}\b/) })
    const page = await (await fetch(`${server.url}/dev/outbox`)).text()
    expect(page).toContain(subject)
    expect(page).toContain(email)
  })
})

test('the whole server sends so many a day and no more', async () => {
  await server.ctx.pool.query(
    `insert into codes (account_key, purpose, address, is_proven, sent_at)
    select 'flood' || n, 'register', '10.0.0.' || n, true, $1 from generate_series(1, $2::int) n`,
    [server.ctx.now(), limits.perDay],
  )
  server.forward(limits.perAddressMs)
  expect((await askForCode(server, newEmail())).data.error).toBe('code_limit')
  expect((await askForCode(server, '+8613700000009')).data.error).toBe('code_limit')
  server.forward(limits.keepMs)
  expect((await askForCode(server, newEmail())).code).toBe(10200)
})

describe('a forgotten password', () => {
  test('is renewed by a code sent by e-mail; the owner finds a notice', async () => {
    const member = await server.signUp()
    const code = await codeFor(server, member.account, 'forget')
    expect((await renew(member.account, code)).code).toBe(10200)
    expect((await server.call('user/info', {}, member)).data.error).toBe('not_signed_in')
    expect((await login(member.account, PASSWORD)).data.error).toBe('wrong_credentials')
    const { data } = await login(member.account, NEW_PASSWORD)
    const box = await server.call('notice/list', {}, { userId: data.id, token: data.token })
    expect(box.data.items[0]).toMatchObject({ kind: 'password_changed', isRead: false })
  })

  test('an address without an account gets the same answers and no message', async () => {
    server.forward(limits.perAddressMs)
    const email = newEmail()
    expect(await askForCode(server, email, 'forget')).toMatchObject({ code: 10200, data: {} })
    expect((await askForCode(server, email, 'forget')).data.error).toBe('code_wait')
    // Messages follow the answers in their order: one that was asked for later is there.
    await codeFor(server, (await server.signUp()).account, 'forget')
    expect(await messagesTo(server, email)).toEqual([])
    expect((await renew(email, '123456')).data.error).toBe('code_wrong')
  })

  test("an address that stands in somebody's profile alone opens nothing", async () => {
    server.forward(limits.perAddressMs)
    const email = newEmail()
    const member = await server.signUp({ account: '+8613700000003' })
    expect((await server.call('user/edit', { email }, member)).code).toBe(10200)
    expect((await askForCode(server, email, 'forget')).code).toBe(10200)
    await codeFor(server, member.account, 'forget')
    expect(await messagesTo(server, email)).toEqual([])
  })
})
