/** Stands in for WeChat Pay: checks each request's signature by its documents for API v3, and signs and encrypts what it says. */
import { createCipheriv, type KeyObject, randomBytes, verify } from 'node:crypto'
import type { WechatConfig } from '../../src/config.ts'
import type { Callback } from '../../src/features/payments/provider.ts'
import { certificate } from './certificate.ts'
import {
  type Asked,
  type Behaviour,
  keyFiles,
  keyPair,
  type Order,
  orderOf,
  pem,
  signed,
  stand,
} from './standing.ts'
import { APP_ID, inShanghai, MERCHANT, refusal, route, type Said, transactionOf } from './wechat-orders.ts'

const SECRET = '0123456789abcdef0123456789abcdef'
const MERCHANT_SERIAL = '5157F09EFDC096DE15EBE81A47057A7232F1B8E1'

/** `pem`: its certificate, where it has one. */
type Platform = { serial: string; key: KeyObject; pem: string | null }
type Forgery = {
  /** In place of those of the order. */
  fields?: object
  /** Another signer than WeChat Pay; the number of its certificate stays, unless another is given. */
  key?: KeyObject
  serial?: string
  event?: string
  /** What its content is encrypted by. */
  secret?: string
}

export type WechatStandIn = {
  url: string
  /** For `createWechat` and, by its paths, for a whole server. */
  config: WechatConfig
  orders: Map<string, Order>
  /** `GET /v3/certificates` and the like, without queries, whether refused or not. */
  calls: string[]
  behave(behaviour: Behaviour): void
  /** How a refund is answered; as done unless told otherwise. */
  refundAs(status: 'SUCCESS' | 'PROCESSING' | 'ABNORMAL' | 'CLOSED'): void
  /** From now on a new certificate signs; the old one is handed out no more. */
  rotate(): void
  /** From now on it has no certificates, and signs by one public key, as for newer merchants: what `config.publicKey` names. */
  useKey(): { id: string; path: string }
  /** A phone pays; what WeChat Pay then sends to `notifyUrl`. Called again it is the same payment, told once more. */
  pay(orderNo: string): Callback
  /** What WeChat Pay sends about an order as it stands, or a forgery of it. */
  notify(orderNo: string, forgery?: Forgery): Callback
  close(): Promise<void>
}

export async function startWechat(now: () => Date = () => new Date()): Promise<WechatStandIn> {
  const [merchant, stranger] = [keyPair(), keyPair()]
  const files = keyFiles()
  const orders = new Map<string, Order>()
  const calls: string[] = []
  let platform = newPlatform(now())
  let behaviour: Behaviour = 'answers'
  let refundStatus = 'SUCCESS'

  const seal = (body: string, { key = platform.key, serial = platform.serial }: Forgery = {}) => {
    const timestamp = String(Math.floor(now().getTime() / 1000))
    const nonce = randomBytes(16).toString('hex')
    return {
      'wechatpay-timestamp': timestamp,
      'wechatpay-nonce': nonce,
      'wechatpay-serial': serial,
      'wechatpay-signature': signed(`${timestamp}\n${nonce}\n${body}\n`, key),
    }
  }

  const done = (asked: { call: string; search: string; body: string }) =>
    asked.call === 'GET /v3/certificates'
      ? handedOut(platform, now())
      : route({ ...asked, orders, refundStatus })
  const answer = ({ request, response, body }: Asked) => {
    const { pathname, search } = new URL(request.url ?? '', 'http://stand-in')
    const call = `${request.method} ${pathname}`
    calls.push(call)
    const { authorization } = request.headers
    const wrong = problemOf({ request: `${call}${search}`, authorization, body }, merchant.publicKey, now())
    const { status, content } = wrong ? refusal(401, wrong) : done({ call, search, body })
    const said = content === null ? '' : JSON.stringify(content)
    const headers =
      behaviour === 'unsigned' ? {} : seal(said, behaviour === 'forged' ? { key: stranger.privateKey } : {})
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(said)
  }
  const server = await stand(answer, () => behaviour)

  const notify = (orderNo: string, forgery: Forgery = {}): Callback => {
    const order = orderOf(orders, orderNo)
    const { fields = {}, event = 'TRANSACTION.SUCCESS', secret = SECRET } = forgery
    const body = JSON.stringify({
      id: `notice-${orderNo}`,
      create_time: inShanghai(now()),
      event_type: event,
      resource_type: 'encrypt-resource',
      resource: encrypted(JSON.stringify({ ...transactionOf(order), ...fields }), 'transaction', secret),
    })
    const headers = { 'content-type': 'application/json', ...seal(body, forgery) }
    return { headers, raw: Buffer.from(body) }
  }
  return {
    url: server.url,
    config: {
      appId: APP_ID,
      merchant: MERCHANT,
      keyPath: files.write('key.pem', pem(merchant.privateKey)),
      certPath: files.write(
        'cert.pem',
        certificate({ ...yearOf(now()), key: merchant.privateKey, serial: MERCHANT_SERIAL }),
      ),
      secret: SECRET,
      publicKey: undefined,
      endpoint: server.url,
    },
    orders,
    calls,
    behave: (next) => {
      behaviour = next
    },
    refundAs: (status) => {
      refundStatus = status
    },
    rotate: () => {
      platform = newPlatform(now())
    },
    useKey: () => {
      const { publicKey, privateKey } = keyPair()
      platform = { serial: 'PUB_KEY_ID_0119000000012024', key: privateKey, pem: null }
      return { id: platform.serial, path: files.write('public.pem', pem(publicKey)) }
    },
    pay: (orderNo) => {
      const order = orderOf(orders, orderNo)
      if (order.state === 'closed') throw new Error(`${orderNo} is closed: nobody can pay it`)
      if (order.state === 'waiting') Object.assign(order, { state: 'paid', paidAt: now() })
      return notify(orderNo)
    },
    notify,
    close: async () => {
      files.remove()
      await server.close()
    },
  }
}

function newPlatform(now: Date): Platform {
  const { privateKey: key } = keyPair()
  // Its first bit is the sign of a whole number.
  const serial = `5${randomBytes(20).toString('hex').slice(1)}`.toUpperCase()
  return { serial, key, pem: certificate({ ...yearOf(now), key, serial }) }
}

const yearOf = (now: Date) => ({
  from: new Date(now.getTime() - 86_400_000),
  until: new Date(now.getTime() + 365 * 86_400_000),
})

type Signed = { request: string; authorization: string | undefined; body: string }

function problemOf({ request, authorization = '', body }: Signed, key: KeyObject, now: Date): string | null {
  const [scheme, rest = ''] = authorization.split(' ')
  const said = Object.fromEntries(
    [...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
  if (scheme !== 'WECHATPAY2-SHA256-RSA2048' || said.mchid !== MERCHANT) return 'MCH_NOT_EXISTS'
  if (said.serial_no !== MERCHANT_SERIAL) return 'SIGN_ERROR'
  if (!(Math.abs(now.getTime() / 1000 - Number(said.timestamp)) <= 300)) return 'SIGN_ERROR'
  const text = `${request.replace(' ', '\n')}\n${said.timestamp}\n${said.nonce_str}\n${body}\n`
  const signature = Buffer.from(said.signature ?? '', 'base64')
  return verify('RSA-SHA256', Buffer.from(text), key, signature) ? null : 'SIGN_ERROR'
}

function handedOut({ serial, pem: text }: Platform, now: Date): Said {
  if (text === null) return refusal(404, 'RESOURCE_NOT_EXISTS')
  const { from, until } = yearOf(now)
  const encrypt_certificate = encrypted(text, 'certificate', SECRET)
  const one = {
    serial_no: serial,
    effective_time: inShanghai(from),
    expire_time: inShanghai(until),
    encrypt_certificate,
  }
  return { status: 200, content: { data: [one] } }
}

function encrypted(text: string, associated_data: string, secret: string): object {
  const nonce = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(associated_data))
  const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return { algorithm: 'AEAD_AES_256_GCM', ciphertext: bytes.toString('base64'), associated_data, nonce }
}
