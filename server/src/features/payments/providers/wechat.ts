/** Payment by a QR code of WeChat Pay (API v3, native), and its encrypted callbacks. */
import { membership as limits } from '@neuroloom/contract/limits'
import * as z from 'zod'
import type { WechatConfig } from '../../../config.ts'
import { within } from '../../../infra/within.ts'
import { type Callback, type Provider, ProviderError, type Reported } from '../provider.ts'
import { readPublicKey } from './keys.ts'
import { shanghaiText } from './shanghai.ts'
import { unanswered } from './unanswered.ts'
import { json, keepSeals, resourceSchema } from './wechat-seals.ts'
import { openWire, type Reply } from './wechat-wire.ts'

/** What clocks may differ, by WeChat Pay's documents. */
const TOLERANCE_MS = 5 * 60_000

export function createWechat(
  config: WechatConfig,
  now: () => Date,
  limitMs: number = limits.providerMs,
): Provider {
  const wire = openWire({ config, now, limitMs })
  const { secret, publicKey: given } = config
  const publicKey = given && { id: given.id, key: readPublicKey(given.path) }
  const seals = keepSeals({ wire, secret, now, toleranceMs: TOLERANCE_MS, publicKey })
  const account = { appid: config.appId, mchid: config.merchant }

  /** An answer that WeChat Pay signed; `refusal`: its name for why it was not done. */
  async function verified(sent: Promise<Reply>): Promise<{ refusal: string | null; body: unknown }> {
    const work = sent.then(async (reply) => {
      await seals.check({ ...reply, toleranceMs: TOLERANCE_MS })
      return reply
    })
    const { status, body } = await within(limitMs, work).catch((error: unknown) => {
      throw unanswered('WeChat Pay', error)
    })
    if (status < 300) return { refusal: null, body: json(body) }
    return { refusal: failure.safeParse(json(body)).data?.code ?? String(status), body: undefined }
  }

  async function ask(orderNo: string): Promise<Reported | null> {
    const { refusal, body } = await verified(wire.get(`${orderPath(orderNo)}?mchid=${config.merchant}`))
    // Its documents write it with and without.
    if (refusal?.replaceAll('_', '') === 'ORDERNOTEXIST') return null
    const report = reportOf(contentOf({ refusal, body }, transaction), account)
    if (report.orderNo !== orderNo) throw new ProviderError('WeChat Pay: an answer about another order')
    return report
  }

  return {
    ask,
    request: async ({ orderNo, amountFen, subject, expiresAt, notifyUrl }) => {
      const content = {
        ...account,
        description: fitting(subject, 127),
        out_trade_no: orderNo,
        time_expire: `${shanghaiText(expiresAt).replace(' ', 'T')}+08:00`,
        notify_url: notifyUrl,
        amount: { total: amountFen, currency: 'CNY' },
      }
      return contentOf(await verified(wire.post('/v3/pay/transactions/native', content)), requested).code_url
    },
    close: async (orderNo) => {
      const { refusal } = await verified(wire.post(`${orderPath(orderNo)}/close`, { mchid: config.merchant }))
      if (refusal === null) return
      const { state } = (await ask(orderNo)) ?? { state: 'closed' }
      if (state !== 'closed' && state !== 'refunded') throw refused(refusal)
    },
    refund: async ({ orderNo, refundNo, amountFen, totalFen, reason }) => {
      const content = {
        out_trade_no: orderNo,
        out_refund_no: refundNo,
        reason: fitting(reason, 80),
        amount: { refund: amountFen, total: totalFen, currency: 'CNY' },
      }
      const found = contentOf(await verified(wire.post('/v3/refund/domestic/refunds', content)), refunded)
      if (found.out_refund_no !== refundNo || found.amount.refund !== amountFen) {
        throw new ProviderError('WeChat Pay: an answer about another refund')
      }
      if (found.status === 'SUCCESS') return 'done'
      if (found.status === 'PROCESSING') return 'pending'
      throw refused(found.status)
    },
    read: async (callback) => {
      const { raw } = callback
      if (raw.length > limits.callbackBytes)
        throw new ProviderError('WeChat Pay: a callback that is too long')
      const body = raw.toString('utf8')
      await seals.check({ header: headerOf(callback), body, toleranceMs: limits.callbackMs })
      const { event_type, resource } = parsed(notice, json(body))
      if (event_type !== 'TRANSACTION.SUCCESS') return null
      return reportOf(parsed(transaction, json(seals.open(resource))), account)
    },
    answer: (isHeard) => ({
      status: isHeard ? 200 : 500,
      type: 'application/json',
      body: JSON.stringify(isHeard ? { code: 'SUCCESS' } : { code: 'FAIL', message: 'FAIL' }),
    }),
  }
}

const orderPath = (orderNo: string): string =>
  `/v3/pay/transactions/out-trade-no/${encodeURIComponent(orderNo)}`

const failure = z.object({ code: z.string() })
const requested = z.object({ code_url: z.string().min(1) })
const notice = z.object({ event_type: z.string(), resource: resourceSchema })
const fen = z.int().nonnegative()
const refunded = z.object({
  out_refund_no: z.string(),
  status: z.enum(['SUCCESS', 'PROCESSING', 'ABNORMAL', 'CLOSED']),
  amount: z.object({ refund: fen }),
})
/** Of what nobody has paid it tells neither number, nor time, nor, at times, amount. */
const transaction = z.object({
  appid: z.string(),
  mchid: z.string(),
  out_trade_no: z.string(),
  trade_state: z.enum([
    'SUCCESS',
    'REFUND',
    'NOTPAY',
    'USERPAYING',
    'PAYERROR',
    'ACCEPT',
    'CLOSED',
    'REVOKED',
  ]),
  transaction_id: z.string().default(''),
  success_time: z.iso.datetime({ offset: true }).optional(),
  amount: z
    .object({ total: fen, currency: z.string().default('CNY') })
    .default({ total: 0, currency: 'CNY' }),
})

type Account = { appid: string; mchid: string }

function reportOf(found: z.infer<typeof transaction>, { appid, mchid }: Account): Reported {
  if (found.appid !== appid || found.mchid !== mchid)
    throw new ProviderError('WeChat Pay: of another merchant')
  const state = stateOf(found.trade_state)
  const wasPaid = state === 'paid' || state === 'refunded'
  if (wasPaid && found.transaction_id === '') throw new ProviderError('WeChat Pay: paid without a number')
  return {
    orderNo: found.out_trade_no,
    state,
    transactionId: wasPaid ? found.transaction_id : '',
    amountFen: found.amount.total,
    currency: found.amount.currency,
    paidAt: wasPaid && found.success_time ? new Date(found.success_time) : null,
  }
}

function stateOf(state: z.infer<typeof transaction>['trade_state']): Reported['state'] {
  switch (state) {
    case 'SUCCESS':
      return 'paid'
    // All of it or a part.
    case 'REFUND':
      return 'refunded'
    // A payment that failed may be tried again until the order is closed.
    case 'NOTPAY':
    case 'USERPAYING':
    case 'PAYERROR':
    case 'ACCEPT':
      return 'waiting'
    case 'CLOSED':
    case 'REVOKED':
      return 'closed'
    default:
      return state satisfies never
  }
}

type Answer = { refusal: string | null; body: unknown }

function contentOf<S extends z.ZodType>({ refusal, body }: Answer, schema: S): z.infer<S> {
  if (refusal !== null) throw refused(refusal)
  return parsed(schema, body)
}

function parsed<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const result = schema.safeParse(value)
  if (!result.success) throw new ProviderError('WeChat Pay: signed, but not what its documents promise')
  return result.data
}

const refused = (refusal: string): ProviderError => new ProviderError(`WeChat Pay: refused (${refusal})`)

const headerOf =
  ({ headers }: Callback) =>
  (name: string): string | null => {
    const value = headers[name]
    return typeof value === 'string' ? value : null
  }

/** As many whole characters as go into so many bytes. */
function fitting(text: string, bytes: number): string {
  const characters = [...text]
  while (Buffer.byteLength(characters.join('')) > bytes) characters.pop()
  return characters.join('')
}
