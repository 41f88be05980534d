import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const aliyun = {
  SMS_PROVIDER: 'aliyun',
  SMS_KEY_ID: 'id',
  SMS_KEY_SECRET: 'secret',
  SMS_SIGN: 'sign',
  SMS_TEMPLATE: 'SMS_1',
}

test('without variables nothing is sent for real, and codes go to the mainland', () => {
  expect(readConfig({})).toMatchObject({
    mode: 'trial',
    sms: undefined,
    mail: undefined,
    smsCountries: ['86'],
  })
})

test('a provider and a mail server are read whole', () => {
  const env = {
    ...aliyun,
    SMS_COUNTRIES: ' 86, 852,7 ',
    MAIL_URL: 'smtps://user:word@mail.hospital.test',
    MAIL_FROM: 'Neuroloom <no-reply@hospital.test>',
  }
  expect(readConfig(env)).toMatchObject({
    sms: { provider: 'aliyun', keyId: 'id', keySecret: 'secret', sign: 'sign', template: 'SMS_1' },
    smsCountries: ['86', '852', '7'],
    mail: { url: env.MAIL_URL, from: env.MAIL_FROM },
  })
})

test.each([
  [
    { ...aliyun, SMS_SIGN: '' },
    'SMS_PROVIDER=aliyun needs SMS_KEY_ID, SMS_KEY_SECRET, SMS_SIGN and SMS_TEMPLATE',
  ],
  [{ ...aliyun, SMS_PROVIDER: 'tencent' }, 'SMS_PROVIDER=tencent needs SMS_APP_ID'],
  [{ SMS_KEY_ID: 'id' }, 'SMS_PROVIDER is missing'],
  [{ SMS_PROVIDER: 'pigeon' }, 'SMS_PROVIDER: '],
  [{ SMS_COUNTRIES: '86;852' }, 'SMS_COUNTRIES: area codes, by commas'],
  [{ MAIL_URL: 'smtp://mail.test' }, 'MAIL_URL and MAIL_FROM belong together'],
  [{ MAIL_FROM: 'a@b.test' }, 'MAIL_URL and MAIL_FROM belong together'],
  [{ MAIL_URL: 'http://mail.test', MAIL_FROM: 'a@b.test' }, 'MAIL_URL: '],
])('%j is refused in words', (env, sentence) => {
  expect(() => readConfig(env)).toThrow(sentence)
})

test('a refusal never shows a secret', () => {
  const given = {
    SMS_KEY_SECRET: 'very-secret',
    MAIL_URL: 'http://user:very-secret@mail.test',
    MAIL_FROM: 'a@b.test',
  }
  for (const env of [{ ...aliyun, ...given }, { SMS_KEY_SECRET: 'very-secret' }]) {
    const error = refusalOf(env)
    expect(error).toContain('Configuration: ')
    expect(error).not.toContain('very-secret')
  }
})

function refusalOf(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(env)
    return ''
  } catch (error) {
    return String(error)
  }
}
