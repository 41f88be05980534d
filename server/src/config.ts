/** The configuration: environment variables, parsed once. Documented with defaults in docs/operating.md. */
import { resolve } from 'node:path'
import { objectStore, type PlanTable } from '@neuroloom/contract/limits'
import * as z from 'zod'
import { readLimits } from './limits-file.ts'

const text = z.string().trim().min(1)
/** An empty variable counts as not set, so that `PORT= npm start` does what people mean. */
const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

const schema = z.object({
  PORT: optional(z.coerce.number().int().min(0).max(65_535)),
  HOST: optional(text),
  DATA_DIR: optional(text),
  DATABASE_URL: optional(text),
  PUBLIC_URL: optional(z.url()),
  DEPLOYMENT: optional(z.enum(['public', 'private'])),
  MODE: optional(z.enum(['trial', 'production'])),
  OUTBOX_OPEN: optional(z.enum(['0', '1'])),
  ENGINE_PYTHON: optional(text),
  SMS_PROVIDER: optional(z.enum(['aliyun', 'tencent'])),
  SMS_KEY_ID: optional(text),
  SMS_KEY_SECRET: optional(text),
  SMS_SIGN: optional(text),
  SMS_TEMPLATE: optional(text),
  SMS_APP_ID: optional(text),
  SMS_ENDPOINT: optional(z.url({ protocol: /^https?$/ })),
  SMS_COUNTRIES: optional(z.string().regex(/^\s*\d{1,4}(\s*,\s*\d{1,4})*\s*$/, 'area codes, by commas')),
  MAIL_URL: optional(z.url({ protocol: /^smtps?$/ })),
  MAIL_FROM: optional(text),
  PAYMENT_ALIPAY_APP_ID: optional(z.string().regex(/^\d{16}$/, 'the 16 digits of an application')),
  PAYMENT_ALIPAY_KEY: optional(text),
  PAYMENT_ALIPAY_PUBLIC_KEY: optional(text),
  PAYMENT_ALIPAY_ENDPOINT: optional(z.url({ protocol: /^https?$/ })),
  PAYMENT_WECHAT_APP_ID: optional(text),
  PAYMENT_WECHAT_MERCHANT: optional(z.string().regex(/^\d{8,10}$/, 'the digits of a merchant')),
  PAYMENT_WECHAT_KEY: optional(text),
  PAYMENT_WECHAT_CERT: optional(text),
  PAYMENT_WECHAT_SECRET: optional(z.string().length(32)),
  PAYMENT_WECHAT_PUBLIC_KEY: optional(text),
  PAYMENT_WECHAT_PUBLIC_KEY_ID: optional(z.string().regex(/^PUB_KEY_ID_\w+$/, 'the number of a public key')),
  PAYMENT_WECHAT_ENDPOINT: optional(z.url({ protocol: /^https?$/ })),
  PAYMENT_BANK_HOLDER: optional(text),
  PAYMENT_BANK_NAME: optional(text),
  PAYMENT_BANK_ACCOUNT: optional(text),
  S3_BUCKET: optional(z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'no name of a bucket')),
  S3_ENDPOINT: optional(z.url({ protocol: /^https?$/ })),
  S3_REGION: optional(text),
  S3_ACCESS_KEY_ID: optional(text),
  S3_SECRET_ACCESS_KEY: optional(text),
  S3_PREFIX: optional(
    z.string().regex(/^[\w.-]+(\/[\w.-]+)*\/?$/, 'letters, digits, dots and hyphens, separated by slashes'),
  ),
  S3_ADDRESSING: optional(z.enum(['path', 'host'])),
  S3_CACHE_GB: optional(z.coerce.number().positive().max(1_000_000)),
  LIMITS_FILE: optional(text),
  BACKUP_DIR: optional(text),
  MIN_FREE_GB: optional(z.coerce.number().min(0).max(1_000_000)),
  ADMIN_SECOND_FACTOR: optional(z.enum(['required', 'optional'])),
  ADMIN_PASSWORD: optional(z.string().min(8).max(128)),
  TRUST_PROXY: optional(text),
  METRICS_TOKEN: optional(z.string().min(16)),
  TLS_CERT: optional(text),
  TLS_KEY: optional(text),
  LOG_LEVEL: optional(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])),
})

/** An account at a provider of text messages. */
export type SmsConfig = {
  provider: 'aliyun' | 'tencent'
  keyId: string
  keySecret: string
  /** The sender's name that the provider approved. */
  sign: string
  template: string
  /** Tencent's number of the application; empty at Alibaba. */
  appId: string
  /** Instead of the provider's own address. */
  endpoint: string | undefined
}

export type MailConfig = { url: string; from: string }

/** An application at Alipay; keys are the paths of PEM files. */
export type AlipayConfig = {
  appId: string
  keyPath: string
  /** Alipay's own, by which what it says is verified. */
  publicKeyPath: string
  /** Instead of Alipay's own address. */
  endpoint: string | undefined
}

/** A merchant at WeChat Pay (API v3); keys are the paths of PEM files. */
export type WechatConfig = {
  appId: string
  merchant: string
  keyPath: string
  /** The merchant's own certificate, by whose number WeChat Pay knows the key. */
  certPath: string
  /** The 32 characters of the API v3 key. */
  secret: string
  /** WeChat Pay's own, with its number: merchants since the end of 2024 get this instead of its certificates. */
  publicKey: { id: string; path: string } | undefined
  endpoint: string | undefined
}

/** Where bank transfers go. */
export type BankConfig = { holder: string; bank: string; account: string }

/** A bucket of Amazon S3, or of a store that speaks its language. */
export type S3Config = {
  bucket: string
  /** Absent: Amazon's own. */
  endpoint: string | undefined
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Before every key; ends in a slash. */
  prefix: string
  /** The bucket stands in the path instead of the host's name. */
  pathStyle: boolean
  /** Copies of bytes on this machine's disk, at most. */
  cacheBytes: number
}

export type Config = {
  port: number
  host: string
  /** Absolute. */
  dataDir: string
  /** Absent: the supervisor starts the embedded PostgreSQL and fills it in for its children. */
  databaseUrl: string | undefined
  /** The address people use, when it is not the one this server listens on. */
  publicUrl: string | undefined
  deployment: 'public' | 'private'
  mode: 'trial' | 'production'
  /** The trial's outbox is shown to everybody who reaches the server, not on this machine alone. */
  outboxOpen: boolean
  enginePython: string | undefined
  sms: SmsConfig | undefined
  /** Area codes of the countries that text messages are sent to. */
  smsCountries: string[]
  mail: MailConfig | undefined
  alipay: AlipayConfig | undefined
  wechat: WechatConfig | undefined
  bank: BankConfig | undefined
  /** Absent: files lie in `dataDir`. */
  s3: S3Config | undefined
  /** What the membership levels 1 to 4 allow: the contract's numbers, with the operator's own in their place. */
  limits: PlanTable
  /** Where backups of the back-office go; absolute. Absent: none are made there. */
  backupDir: string | undefined
  /** Free bytes of the disk that uploads and runs leave alone; absent: the larger of 2 GB and 2 % of it. */
  minFreeBytes: number | undefined
  /** Whether administrators need a second factor for the back-office. */
  adminSecondFactor: 'required' | 'optional'
  adminPassword: string | undefined
  /** Addresses of the proxies whose `X-Forwarded-*` headers count; false = none. */
  trustProxy: string[] | false
  /** Whoever shows it may read /metrics; absent: programs of this machine alone. */
  metricsToken: string | undefined
  tls: { certPath: string; keyPath: string } | undefined
  logLevel: string
}

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const parsed = schema.safeParse(env)
  if (!parsed.success) throw new Error(`Configuration: ${describe(parsed.error)}`)
  const value = parsed.data
  if ((value.TLS_CERT === undefined) !== (value.TLS_KEY === undefined)) {
    throw new Error('Configuration: TLS_CERT and TLS_KEY belong together; only one of them is set')
  }
  return {
    port: value.PORT ?? 8080,
    host: value.HOST ?? '0.0.0.0',
    dataDir: resolve(value.DATA_DIR ?? 'data'),
    databaseUrl: value.DATABASE_URL,
    publicUrl: value.PUBLIC_URL,
    deployment: value.DEPLOYMENT ?? 'public',
    mode: value.MODE ?? 'trial',
    outboxOpen: value.OUTBOX_OPEN === '1',
    enginePython: value.ENGINE_PYTHON,
    sms: smsOf(value),
    smsCountries: (value.SMS_COUNTRIES ?? MAINLAND).split(',').map((code) => code.trim()),
    mail: mailOf(value),
    ...paymentsOf(value),
    s3: s3Of(value),
    limits: readLimits(value.LIMITS_FILE),
    backupDir: value.BACKUP_DIR === undefined ? undefined : resolve(value.BACKUP_DIR),
    minFreeBytes: value.MIN_FREE_GB === undefined ? undefined : value.MIN_FREE_GB * GIGABYTE,
    adminSecondFactor: value.ADMIN_SECOND_FACTOR ?? (value.MODE === 'production' ? 'required' : 'optional'),
    adminPassword: value.ADMIN_PASSWORD,
    trustProxy: value.TRUST_PROXY === undefined ? false : value.TRUST_PROXY.split(',').map((a) => a.trim()),
    metricsToken: value.METRICS_TOKEN,
    tls: value.TLS_CERT && value.TLS_KEY ? { certPath: value.TLS_CERT, keyPath: value.TLS_KEY } : undefined,
    logLevel: value.LOG_LEVEL ?? 'info',
  }
}

type Values = z.infer<typeof schema>

const MAINLAND = '86'

function paymentsOf(value: Values): Pick<Config, 'alipay' | 'wechat' | 'bank'> {
  const alipay = together('PAYMENT_ALIPAY', {
    APP_ID: value.PAYMENT_ALIPAY_APP_ID,
    KEY: value.PAYMENT_ALIPAY_KEY,
    PUBLIC_KEY: value.PAYMENT_ALIPAY_PUBLIC_KEY,
  })
  const wechat = together('PAYMENT_WECHAT', {
    APP_ID: value.PAYMENT_WECHAT_APP_ID,
    MERCHANT: value.PAYMENT_WECHAT_MERCHANT,
    KEY: value.PAYMENT_WECHAT_KEY,
    CERT: value.PAYMENT_WECHAT_CERT,
    SECRET: value.PAYMENT_WECHAT_SECRET,
  })
  const publicKey = together('PAYMENT_WECHAT_PUBLIC', {
    KEY: value.PAYMENT_WECHAT_PUBLIC_KEY,
    KEY_ID: value.PAYMENT_WECHAT_PUBLIC_KEY_ID,
  })
  const bank = together('PAYMENT_BANK', {
    HOLDER: value.PAYMENT_BANK_HOLDER,
    NAME: value.PAYMENT_BANK_NAME,
    ACCOUNT: value.PAYMENT_BANK_ACCOUNT,
  })
  const isTold = value.PUBLIC_URL !== undefined || (value.MODE ?? 'trial') === 'trial'
  if ((alipay || wechat) && !isTold)
    throw new Error(
      'Configuration: PAYMENT_* needs PUBLIC_URL, by which providers tell that something was paid',
    )
  return {
    alipay: alipay && {
      appId: alipay.APP_ID,
      keyPath: alipay.KEY,
      publicKeyPath: alipay.PUBLIC_KEY,
      endpoint: value.PAYMENT_ALIPAY_ENDPOINT,
    },
    wechat: wechat && {
      appId: wechat.APP_ID,
      merchant: wechat.MERCHANT,
      keyPath: wechat.KEY,
      certPath: wechat.CERT,
      secret: wechat.SECRET,
      publicKey: publicKey && { id: publicKey.KEY_ID, path: publicKey.KEY },
      endpoint: value.PAYMENT_WECHAT_ENDPOINT,
    },
    bank: bank && { holder: bank.HOLDER, bank: bank.NAME, account: bank.ACCOUNT },
  }
}

/** Variables that say something together alone: all of them, or none. */
function together<Name extends string>(
  prefix: string,
  values: Record<Name, string | undefined>,
): Record<Name, string> | undefined {
  const all = Object.entries<string | undefined>(values)
  const missing = all.filter(([, value]) => value === undefined).map(([name]) => `${prefix}_${name}`)
  if (missing.length === all.length) return undefined
  if (missing.length > 0)
    throw new Error(`Configuration: ${prefix}_* belong together; missing: ${missing.join(', ')}`)
  // None is missing.
  return values as Record<Name, string>
}

function smsOf(value: Values): SmsConfig | undefined {
  const { SMS_PROVIDER: provider, SMS_KEY_ID: keyId, SMS_KEY_SECRET: keySecret } = value
  const { SMS_SIGN: sign, SMS_TEMPLATE: template, SMS_APP_ID: appId, SMS_ENDPOINT: endpoint } = value
  const given = Object.entries({ keyId, keySecret, sign, template, appId, endpoint })
  if (provider === undefined) {
    if (given.every(([, one]) => one === undefined)) return undefined
    throw new Error('Configuration: SMS_PROVIDER is missing; other SMS variables are set')
  }
  if (!keyId || !keySecret || !sign || !template) {
    throw new Error(
      `Configuration: SMS_PROVIDER=${provider} needs SMS_KEY_ID, SMS_KEY_SECRET, SMS_SIGN and SMS_TEMPLATE`,
    )
  }
  if (provider === 'tencent' && !appId) {
    throw new Error('Configuration: SMS_PROVIDER=tencent needs SMS_APP_ID')
  }
  return { provider, keyId, keySecret, sign, template, appId: appId ?? '', endpoint }
}

function mailOf({ MAIL_URL: url, MAIL_FROM: from }: Values): MailConfig | undefined {
  if ((url === undefined) !== (from === undefined)) {
    throw new Error('Configuration: MAIL_URL and MAIL_FROM belong together; only one of them is set')
  }
  return url && from ? { url, from } : undefined
}

function s3Of(value: Values): S3Config | undefined {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = value
  const { S3_ENDPOINT: endpoint, S3_REGION, S3_PREFIX, S3_ADDRESSING, S3_CACHE_GB } = value
  if (!bucket || !accessKeyId || !secretAccessKey) {
    const given = Object.entries(value).filter(([name, one]) => name.startsWith('S3_') && one !== undefined)
    if (given.length === 0) return undefined
    throw new Error(
      `Configuration: ${given[0]?.[0]} is set; files in S3 need S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY`,
    )
  }
  if (!endpoint && !S3_REGION) throw new Error('Configuration: S3_BUCKET needs S3_ENDPOINT or S3_REGION')
  return {
    bucket,
    endpoint,
    region: S3_REGION ?? 'us-east-1',
    accessKeyId,
    secretAccessKey,
    prefix: `${(S3_PREFIX ?? 'neuroloom').replace(/\/$/, '')}/`,
    // Amazon wants the bucket in the host's name; most others know it in the path alone.
    pathStyle: S3_ADDRESSING ? S3_ADDRESSING === 'path' : endpoint !== undefined,
    cacheBytes: S3_CACHE_GB === undefined ? objectStore.cacheBytes : S3_CACHE_GB * GIGABYTE,
  }
}

const GIGABYTE = 1024 ** 3

const describe = (error: z.ZodError): string =>
  error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
