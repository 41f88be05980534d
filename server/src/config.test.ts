import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { planTable } from '@neuroloom/contract/limits'
import { afterAll, expect, test } from 'vitest'
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

const alipay = {
  PAYMENT_ALIPAY_APP_ID: '2021000000000001',
  PAYMENT_ALIPAY_KEY: 'alipay/key.pem',
  PAYMENT_ALIPAY_PUBLIC_KEY: 'alipay/alipay.pem',
}
const wechat = {
  PAYMENT_WECHAT_APP_ID: 'wx0000000000000001',
  PAYMENT_WECHAT_MERCHANT: '1900000001',
  PAYMENT_WECHAT_KEY: 'wechat/key.pem',
  PAYMENT_WECHAT_CERT: 'wechat/cert.pem',
  PAYMENT_WECHAT_SECRET: 'very-secret-0123456789abcdefghij',
}
const bank = {
  PAYMENT_BANK_HOLDER: 'Neuroloom Ltd.',
  PAYMENT_BANK_NAME: 'A bank, Shanghai',
  PAYMENT_BANK_ACCOUNT: '6222 0000 0000 0000',
}

test('each way to pay is offered where it is named whole, by itself', () => {
  expect(readConfig({})).toMatchObject({ alipay: undefined, wechat: undefined, bank: undefined })
  expect(readConfig({ ...alipay, PAYMENT_WECHAT_KEY: '' })).toMatchObject({
    alipay: { appId: '2021000000000001', keyPath: 'alipay/key.pem', publicKeyPath: 'alipay/alipay.pem' },
    wechat: undefined,
    bank: undefined,
  })
  const publicKey = {
    PAYMENT_WECHAT_PUBLIC_KEY: 'wechat/public.pem',
    PAYMENT_WECHAT_PUBLIC_KEY_ID: 'PUB_KEY_ID_0119000000012024',
  }
  expect(readConfig({ ...wechat, ...publicKey, ...bank })).toMatchObject({
    alipay: undefined,
    wechat: {
      merchant: '1900000001',
      certPath: 'wechat/cert.pem',
      publicKey: { id: 'PUB_KEY_ID_0119000000012024', path: 'wechat/public.pem' },
    },
    bank: { holder: 'Neuroloom Ltd.', bank: 'A bank, Shanghai', account: '6222 0000 0000 0000' },
  })
  expect(readConfig(wechat).wechat?.publicKey).toBeUndefined()
})

test.each([
  [{ ...alipay, PAYMENT_ALIPAY_KEY: '' }, 'PAYMENT_ALIPAY_* belong together; missing: PAYMENT_ALIPAY_KEY'],
  [{ ...alipay, PAYMENT_ALIPAY_APP_ID: '2021' }, 'PAYMENT_ALIPAY_APP_ID: the 16 digits'],
  [{ ...alipay, PAYMENT_ALIPAY_ENDPOINT: 'openapi.alipay.com' }, 'PAYMENT_ALIPAY_ENDPOINT: '],
  [
    { PAYMENT_WECHAT_SECRET: wechat.PAYMENT_WECHAT_SECRET },
    'missing: PAYMENT_WECHAT_APP_ID, PAYMENT_WECHAT_MERCHANT, PAYMENT_WECHAT_KEY, PAYMENT_WECHAT_CERT',
  ],
  [{ ...wechat, PAYMENT_WECHAT_SECRET: 'short' }, 'PAYMENT_WECHAT_SECRET: '],
  [{ ...wechat, PAYMENT_WECHAT_PUBLIC_KEY: 'a.pem' }, 'missing: PAYMENT_WECHAT_PUBLIC_KEY_ID'],
  [{ ...bank, PAYMENT_BANK_ACCOUNT: ' ' }, 'PAYMENT_BANK_ACCOUNT: '],
  [{ ...bank, PAYMENT_BANK_NAME: '' }, 'PAYMENT_BANK_* belong together; missing: PAYMENT_BANK_NAME'],
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

const folder = mkdtempSync(join(tmpdir(), 'neuroloom-limits-'))
afterAll(() => rmSync(folder, { recursive: true }))
const limitsFile = (text: string) => {
  const path = join(folder, 'limits.json')
  writeFileSync(path, text)
  return { LIMITS_FILE: path }
}

test('limits are the product’s own, but for those that the operator’s file names', () => {
  expect(readConfig({}).limits).toEqual(planTable)
  expect(readConfig({ LIMITS_FILE: '' }).limits).toEqual(planTable)
  const said = {
    bronze: { projects: 10, storageBytes: 1024 ** 4, sharedModels: null },
    gold: { recycleDays: 365 },
  }
  // As editors of Windows write it.
  const { limits } = readConfig(limitsFile(`\uFEFF${JSON.stringify(said)}`))
  const [ordinary, bronze, silver, gold] = planTable
  expect(limits).toEqual([ordinary, { ...bronze, ...said.bronze }, silver, { ...gold, recycleDays: 365 }])
})

test.each([
  ['{ "bronz": { "projects": 10 } }', 'limits.json: bronz: no such level'],
  ['{ "bronze": { "project": 10 } }', 'limits.json: bronze.project: no such limit'],
  ['{ "gold": { "projects": -1 } }', 'gold.projects: a whole number from 0 on, or null for no limit'],
  ['{ "gold": { "storageBytes": 1.5 } }', 'gold.storageBytes: a whole number from 0 on'],
  ['{ "gold": { "storageBytes": "2 TB" } }', 'gold.storageBytes: a whole number from 0 on'],
  ['{ "silver": { "recycleDays": null } }', 'silver.recycleDays: a whole number of days from 1 to 36500'],
  ['{ "silver": { "recycleDays": 0 } }', 'silver.recycleDays: a whole number of days from 1 to 36500'],
  ['{ "silver": 5 }', 'limits.json: silver: '],
  ['[]', 'limits.json: the file: '],
  ['{ "gold": ', 'limits.json is not JSON: '],
])('limits written as %s are refused with the place that is wrong', (text, sentence) => {
  expect(() => readConfig(limitsFile(text))).toThrow(sentence)
})

test('a file of limits that is not there ends the start', () => {
  expect(() => readConfig({ LIMITS_FILE: join(folder, 'none.json') })).toThrow(
    /LIMITS_FILE cannot be read: .*none\.json/,
  )
})

test('a refusal never shows a secret', () => {
  const given = {
    SMS_KEY_SECRET: 'very-secret',
    MAIL_URL: 'http://user:very-secret@mail.test',
    MAIL_FROM: 'a@b.test',
  }
  const half = { S3_SECRET_ACCESS_KEY: 'very-secret' }
  const paid = { PAYMENT_WECHAT_SECRET: 'very-secret' }
  for (const env of [
    paid,
    { ...wechat, PAYMENT_WECHAT_KEY: '' },
    { ...aliyun, ...given },
    { SMS_KEY_SECRET: 'very-secret' },
    half,
    store,
  ]) {
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
