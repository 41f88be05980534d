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
    outboxOpen: false,
    sms: undefined,
    mail: undefined,
    smsCountries: ['86'],
  })
})

test.each([
  [{}, undefined],
  [{ MIN_FREE_GB: '' }, undefined],
  [{ MIN_FREE_GB: '0' }, 0],
  [{ MIN_FREE_GB: '1.5' }, 1.5 * 1024 ** 3],
])('of %j the room that is left alone on the disk is %s', (env, bytes) => {
  expect(readConfig(env).minFreeBytes).toBe(bytes)
})

test('what opens a server to others is said in one way alone', () => {
  expect(readConfig({ OUTBOX_OPEN: '1' }).outboxOpen).toBe(true)
  for (const no of ['0', '']) expect(readConfig({ OUTBOX_OPEN: no }).outboxOpen).toBe(false)
  expect(() => readConfig({ OUTBOX_OPEN: 'yes' })).toThrow('OUTBOX_OPEN')
  expect(() => readConfig({ METRICS_TOKEN: 'short' })).toThrow('METRICS_TOKEN')
  expect(() => readConfig({ MIN_FREE_GB: '-1' })).toThrow('MIN_FREE_GB')
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

const store = { S3_BUCKET: 'bytes', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'very-secret' }

test('files lie on the disk unless a bucket is named', () => {
  expect(readConfig({}).s3).toBeUndefined()
  expect(readConfig({ S3_BUCKET: '', S3_ENDPOINT: '' }).s3).toBeUndefined()
})

test('a store of another maker is asked by path, Amazon by host, unless told otherwise', () => {
  const endpoint = 'http://minio.hospital.test:9000'
  expect(
    readConfig({ ...store, S3_ENDPOINT: endpoint, S3_PREFIX: 'ward/3/', S3_CACHE_GB: '1.5' }).s3,
  ).toEqual({
    bucket: 'bytes',
    endpoint,
    region: 'us-east-1',
    accessKeyId: 'id',
    secretAccessKey: 'very-secret',
    prefix: 'ward/3/',
    pathStyle: true,
    cacheBytes: 1.5 * 1024 ** 3,
  })
  const amazon = { ...store, S3_REGION: 'cn-north-1' }
  expect(readConfig(amazon).s3).toMatchObject({ endpoint: undefined, prefix: 'neuroloom/', pathStyle: false })
  expect(readConfig({ ...amazon, S3_ADDRESSING: 'path' }).s3?.pathStyle).toBe(true)
  expect(readConfig({ ...store, S3_ENDPOINT: endpoint, S3_ADDRESSING: 'host' }).s3?.pathStyle).toBe(false)
})

test.each([
  [{ ...store, S3_BUCKET: '' }, 'S3_ACCESS_KEY_ID is set; files in S3 need S3_BUCKET, S3_ACCESS_KEY_ID and'],
  [{ S3_ENDPOINT: 'http://minio.test' }, 'S3_ENDPOINT is set; files in S3 need S3_BUCKET'],
  [{ ...store, S3_SECRET_ACCESS_KEY: '' }, 'S3_BUCKET is set; files in S3 need'],
  [store, 'S3_BUCKET needs S3_ENDPOINT or S3_REGION'],
  [{ ...store, S3_ENDPOINT: 'minio.test:9000' }, 'S3_ENDPOINT: '],
  [{ ...store, S3_BUCKET: 'a/b' }, 'S3_BUCKET: no name of a bucket'],
  [{ ...store, S3_PREFIX: '/../x' }, 'S3_PREFIX: letters, digits'],
  [{ ...store, S3_CACHE_GB: '0' }, 'S3_CACHE_GB: '],
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
  const half = { S3_SECRET_ACCESS_KEY: 'very-secret' }
  for (const env of [{ ...aliyun, ...given }, { SMS_KEY_SECRET: 'very-secret' }, half, store]) {
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
