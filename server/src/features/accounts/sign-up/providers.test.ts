import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeServer, type TestServer } from '../../../../test/harness.ts'
import { type MailServer, startMailServer } from '../../../../test/mail-server.ts'
import { startTextProvider, type TextProvider } from '../../../../test/text-provider.ts'
import type { Config } from '../../../config.ts'

const account = { keyId: 'key', keySecret: 'secret' }
const form = { nickName: 'Radiology', password: 'another horse 2', agreement: true }

let texts: TextProvider
let mails: MailServer
let sms: Config['sms']
let mail: Config['mail']
beforeAll(async () => {
  texts = await startTextProvider(account)
  mails = await startMailServer()
  const rest = { sign: 'Neuroloom', template: 'SMS_1', appId: '1400006666', endpoint: texts.url }
  sms = { provider: 'tencent', ...account, ...rest }
  mail = { url: mails.url, from: 'no-reply@neuroloom.test' }
})
afterEach(() => {
  texts.behave('answers')
  mails.behave('takes')
})
afterAll(async () => {
  await texts.close()
  await mails.close()
})

const withServer = async (config: Partial<Config>, use: (server: TestServer) => Promise<void>) => {
  const server = await makeServer({ mode: 'production', ...config })
  try {
    await use(server)
  } finally {
    await server.close()
  }
}

const askByText = (server: TestServer, phone: string, purpose: 'register' | 'forget' = 'register') =>
  server.call('user/smscode', { gjPhone: `86${phone}`, phone, purpose })

describe('in production', () => {
  test('without a provider nobody registers, and there is no outbox', () =>
    withServer({}, async (server) => {
      const { data } = await server.call('setting/public', {})
      expect(data).toMatchObject({ registration: false, trial: false, mail: false, smsCountries: [] })
      expect((await askByText(server, '13800138000')).data.error).toBe('registration_closed')
      const answer = await server.call('user/mailcode', { email: 'a@b.test' })
      expect(answer.data.error).toBe('registration_closed')
      expect(await (await fetch(`${server.url}/dev/outbox`)).text()).not.toContain('发件箱')
    }))

  test('with text messages people register by phone', () =>
    withServer({ sms }, async (server) => {
      const { data } = await server.call('setting/public', {})
      expect(data).toMatchObject({ registration: true, mail: false, smsCountries: ['86'] })
      expect((await askByText(server, '13800138000')).code).toBe(10200)
      const { to, code } = texts.sent.at(-1) ?? {}
      expect(to).toBe('+8613800138000')
      const answer = await server.call('user/register', {
        ...form,
        phone: '+8613800138000',
        code: code ?? '',
      })
      expect(answer.code).toBe(10200)
      const byMail = await server.call('user/mailcode', { email: 'a@b.test' })
      expect(byMail.data.error).toBe('registration_closed')
    }))

  test('with a mail server they register by e-mail', () =>
    withServer({ mail }, async (server) => {
      const { data } = await server.call('setting/public', {})
      expect(data).toMatchObject({ registration: true, mail: true, smsCountries: [] })
      const email = 'nurse@hospital.test'
      expect((await server.call('user/mailcode', { email })).code).toBe(10200)
      const { to, text = '' } = mails.received.at(-1) ?? {}
      expect(to).toEqual([email])
      const [code = ''] = /\d{6}/.exec(text) ?? []
      expect((await server.call('user/register', { ...form, email, code })).code).toBe(10200)
      expect((await askByText(server, '13800138000')).data.error).toBe('country_closed')
    }))

  test('a code that could not be sent may be asked for again at once', () =>
    withServer({ sms, mail }, async (server) => {
      texts.behave('refuses')
      mails.behave('refuses')
      expect((await askByText(server, '13900139000')).data.error).toBe('message_failed')
      const email = 'doctor@hospital.test'
      expect((await server.call('user/mailcode', { email })).data.error).toBe('message_failed')
      texts.behave('answers')
      mails.behave('takes')
      expect((await askByText(server, '13900139000')).code).toBe(10200)
      expect((await server.call('user/mailcode', { email })).code).toBe(10200)
    }))

  test('a provider that hangs does not tell who has an account', () =>
    withServer({ sms, mail }, async (server) => {
      await server.signUp({ account: '+8613700137000' })
      await server.signUp({ account: 'known@hospital.test' })
      texts.behave('hangs')
      mails.behave('hangs')
      const answers = await Promise.all([
        askByText(server, '13700137000', 'forget'),
        server.call('user/mailcode', { email: 'known@hospital.test', purpose: 'forget' }),
      ])
      // Had they waited for the provider, they would say that the message failed.
      expect(answers.map(({ code, data }) => ({ code, data }))).toEqual([
        { code: 10200, data: {} },
        { code: 10200, data: {} },
      ])
    }))
})
