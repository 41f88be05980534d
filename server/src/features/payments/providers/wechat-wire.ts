/** Signed requests to WeChat Pay (API v3). What comes back is believed by nobody yet. */
import { randomBytes, sign } from 'node:crypto'
import type { WechatConfig } from '../../../config.ts'
import { readCertificate, readPrivateKey } from './keys.ts'
import { unanswered } from './unanswered.ts'

const ENDPOINT = 'https://api.mch.weixin.qq.com'

export type Reply = { status: number; header: (name: string) => string | null; body: string }

export type Wire = {
  get(path: string): Promise<Reply>
  post(path: string, content: object): Promise<Reply>
}

type Opened = { config: WechatConfig; now: () => Date; limitMs: number }

export function openWire({ config, now, limitMs }: Opened): Wire {
  const key = readPrivateKey(config.keyPath)
  // By this number WeChat Pay finds the public key.
  const serial = readCertificate(config.certPath, key).serialNumber

  async function send(method: 'GET' | 'POST', path: string, content?: object): Promise<Reply> {
    const url = new URL(`${config.endpoint ?? ENDPOINT}${path}`)
    const body = content === undefined ? '' : JSON.stringify(content)
    const seconds = Math.floor(now().getTime() / 1000)
    const nonce = randomBytes(16).toString('hex')
    const text = `${method}\n${url.pathname}${url.search}\n${seconds}\n${nonce}\n${body}\n`
    const signature = sign('RSA-SHA256', Buffer.from(text), key).toString('base64')
    const said = {
      mchid: config.merchant,
      nonce_str: nonce,
      signature,
      timestamp: seconds,
      serial_no: serial,
    }
    const pairs = Object.entries(said).map(([name, value]) => `${name}="${value}"`)
    try {
      const response = await fetch(url, {
        method,
        headers: {
          authorization: `WECHATPAY2-SHA256-RSA2048 ${pairs.join(',')}`,
          accept: 'application/json',
          'user-agent': 'Neuroloom',
          // Says that we can read what its public key signs.
          ...(config.publicKey && { 'wechatpay-serial': config.publicKey.id }),
          ...(content && { 'content-type': 'application/json' }),
        },
        ...(content && { body }),
        redirect: 'error',
        signal: AbortSignal.timeout(limitMs),
      })
      const header = (name: string) => response.headers.get(name)
      return { status: response.status, header, body: await response.text() }
    } catch (error) {
      throw unanswered('WeChat Pay', error)
    }
  }

  return { get: (path) => send('GET', path), post: (path, content) => send('POST', path, content) }
}
