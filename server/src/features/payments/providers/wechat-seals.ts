/**
 * What proves that WeChat Pay said something: its signature, by certificates that it hands out and changes now and then, or
 * by the one public key that it gives merchants since the end of 2024 instead.
 */
import { createDecipheriv, type KeyObject, verify, X509Certificate } from 'node:crypto'
import * as z from 'zod'
import { ProviderError } from '../provider.ts'
import type { Wire } from './wechat-wire.ts'

/** An unknown number makes us ask for certificates: but forged ones must not make us ask as often as they come. */
const PAUSE_MS = 60_000
const TAG_BYTES = 16

export type Sealed = {
  header: (name: string) => string | null
  body: string
  /** How far its time may be from ours. */
  toleranceMs: number
}

export type Seals = {
  /** Rejects where WeChat Pay did not sign it, or at another time. */
  check(sealed: Sealed): Promise<void>
  open(resource: z.infer<typeof resourceSchema>): string
}

export const resourceSchema = z.object({
  algorithm: z.literal('AEAD_AES_256_GCM'),
  ciphertext: z.string(),
  nonce: z.string(),
  associated_data: z.string().nullish(),
})

type Kept = {
  wire: Wire
  secret: string
  now: () => Date
  toleranceMs: number
  publicKey: { id: string; key: KeyObject } | undefined
}

export function keepSeals({ wire, secret, now, toleranceMs, publicKey }: Kept): Seals {
  if (Buffer.byteLength(secret) !== 32) throw new Error('PAYMENT_WECHAT_SECRET: 32 plain characters')
  let known = new Map<string, X509Certificate>()
  let askedAt: number | undefined
  let asking: Promise<void> | undefined

  const lasting = (serial: string) => (serial === publicKey?.id ? publicKey.key : undefined)

  async function renew(): Promise<void> {
    const reply = await wire.get('/v3/certificates')
    if (reply.status !== 200) throw new ProviderError(`WeChat Pay: no certificates (${reply.status})`)
    const found = certificatesOf(reply.body, secret)
    // Whoever cannot encrypt by our secret cannot have written them; only now there is a key for their signature.
    const seal = sealOf({ ...reply, toleranceMs }, now())
    verifyBy(lasting(seal.serial) ?? keyIn(found, seal.serial, now()), seal)
    known = found
  }

  async function provide(serial: string): Promise<void> {
    const time = now().getTime()
    if (lasting(serial) || keyIn(known, serial, now())) return
    if (askedAt === undefined || Math.abs(time - askedAt) >= PAUSE_MS) {
      askedAt = time
      asking = renew().finally(() => {
        asking = undefined
      })
    }
    await asking
  }

  return {
    check: async (sealed) => {
      // Before anything is asked of anybody.
      const seal = sealOf(sealed, now())
      await provide(seal.serial)
      verifyBy(lasting(seal.serial) ?? keyIn(known, seal.serial, now()), seal)
    },
    open: (resource) => opened(resource, secret),
  }
}

const certificates = z.object({
  data: z.array(z.object({ serial_no: z.string(), encrypt_certificate: resourceSchema })),
})

/** By their numbers. */
function certificatesOf(body: string, secret: string): Map<string, X509Certificate> {
  const parsed = certificates.safeParse(json(body))
  if (!parsed.success) throw new ProviderError('WeChat Pay: certificates that cannot be read')
  const pairs = parsed.data.data.flatMap(({ serial_no, encrypt_certificate }) => {
    const pem = opened(encrypt_certificate, secret)
    const certificate = attempt(() => new X509Certificate(pem))
    return certificate ? [[serial_no, certificate] as const] : []
  })
  return new Map(pairs)
}

/** Of one that is valid now. */
function keyIn(known: Map<string, X509Certificate>, serial: string, now: Date): KeyObject | undefined {
  const certificate = known.get(serial)
  if (!certificate) return undefined
  const { validFrom, validTo, publicKey } = certificate
  const isValid = Date.parse(validFrom) <= now.getTime() && now.getTime() <= Date.parse(validTo)
  return isValid && publicKey.asymmetricKeyType === 'rsa' ? publicKey : undefined
}

function verifyBy(key: KeyObject | undefined, { text, signature }: Seal): void {
  if (!key) throw new ProviderError('WeChat Pay: signed by a certificate that is not known')
  if (verify('RSA-SHA256', Buffer.from(text), key, signature)) return
  throw new ProviderError('WeChat Pay: not signed by WeChat Pay')
}

type Seal = { serial: string; text: string; signature: Buffer }

function sealOf({ header, body, toleranceMs }: Sealed, now: Date): Seal {
  const timestamp = header('wechatpay-timestamp')
  const nonce = header('wechatpay-nonce')
  const signature = header('wechatpay-signature')
  const serial = header('wechatpay-serial')
  if (!timestamp || !nonce || !signature || !serial)
    throw new ProviderError('WeChat Pay: without a signature')
  const isInTime =
    /^\d{1,12}$/.test(timestamp) && Math.abs(now.getTime() - Number(timestamp) * 1000) <= toleranceMs
  if (!isInTime) throw new ProviderError('WeChat Pay: signed at another time')
  const text = `${timestamp}\n${nonce}\n${body}\n`
  return { serial, text, signature: Buffer.from(signature, 'base64') }
}

function opened(
  { ciphertext, nonce, associated_data }: z.infer<typeof resourceSchema>,
  secret: string,
): string {
  try {
    const bytes = Buffer.from(ciphertext, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', secret, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(associated_data ?? ''))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    throw new ProviderError('WeChat Pay: encrypted by another key than ours')
  }
}

/** Undefined where it is none: schemas refuse that. */
export const json = (text: string): unknown => attempt<unknown>(() => JSON.parse(text))

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
