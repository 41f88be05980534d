/** Alipay's gateway through its own package: requests are signed, and an answer counts only with Alipay's signature. */
import { createPublicKey } from 'node:crypto'
import { AlipaySdk } from 'alipay-sdk'
import * as z from 'zod'
import type { AlipayConfig } from '../../../config.ts'
import { within } from '../../../infra/within.ts'
import { ProviderError } from '../provider.ts'
import { readPrivateKey, readPublicKey } from './keys.ts'
import { shanghaiText } from './shanghai.ts'
import { unanswered } from './unanswered.ts'

const ENDPOINT = 'https://openapi.alipay.com/gateway.do'
/** "The call was carried out"; all others are refusals. */
const DONE = '10000'

export type Content = Record<string, string>

/** `refusal`: why it was not done, by Alipay's names; null where it was. */
export type Answer = { refusal: string | null; body: unknown }

export type Gateway = {
  call(method: string, content: Content, notifyUrl?: string): Promise<Answer>
  isSigned(fields: Record<string, string>): boolean
}

type Opened = { config: AlipayConfig; now: () => Date; limitMs: number }

export function openGateway({ config, now, limitMs }: Opened): Gateway {
  const sdk = new StrictSdk({ ...keysOf(config), ...wireOf(config), timeout: limitMs })
  return {
    call: async (method, content, notifyUrl) => {
      // The package would write the time of this server's own zone.
      const params = { timestamp: shanghaiText(now()), ...(notifyUrl && { notifyUrl }), bizContent: content }
      const work = sdk.exec(method, params, { validateSign: true })
      const body: unknown = await within(limitMs, work).catch((error: unknown) => {
        // Without its cause: the package's failures hold whole answers.
        throw unanswered('Alipay', error)
      })
      const { code, sub_code } = answer.parse(body)
      return { refusal: code === DONE ? null : (sub_code ?? code), body }
    },
    // Whoever sends chooses the field: by it the package would also take SHA-1.
    isSigned: (fields) => fields.sign_type === 'RSA2' && sdk.checkNotifySignV2(fields),
  }
}

const answer = z
  .object({ code: z.string(), sub_code: z.string().optional() })
  .catch({ code: 'unreadable', sub_code: undefined })

const wireOf = ({ appId, endpoint }: AlipayConfig) =>
  ({ appId, gateway: endpoint ?? ENDPOINT, signType: 'RSA2', camelcase: false }) as const

function keysOf({ keyPath, publicKeyPath }: AlipayConfig) {
  const key = readPrivateKey(keyPath)
  const theirs = readPublicKey(publicKeyPath)
  if (createPublicKey(key).equals(theirs)) {
    throw new Error(`${publicKeyPath}: the application's own public key, where Alipay's is asked for`)
  }
  return {
    keyType: 'PKCS8',
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    alipayPublicKey: theirs.export({ type: 'spki', format: 'pem' }).toString(),
  } as const
}

/**
 * The package looks for what is signed by the first name of the answer and the last signature, and then takes another
 * reading of the text: with a name that comes twice, it verifies one content and returns another. Here the whole text must
 * be one content and its signature.
 */
class StrictSdk extends AlipaySdk {
  override checkResponseSign(raw: string, name: string): void {
    const whole = new RegExp(
      `^\\s*\\{\\s*"${name}"\\s*:\\s*(\\{.*\\})\\s*,\\s*"sign"\\s*:\\s*"([^"]+)"\\s*\\}\\s*$`,
      's',
    )
    const [, signed, signature] = whole.exec(raw) ?? []
    if (signed && signature && this.rsaCheck(signed, signature.replaceAll('\\/', '/'), 'RSA2')) return
    throw new ProviderError('Alipay: an answer that Alipay did not sign')
  }
}
