/** Payment by a QR code of Alipay (face to face, native): by its gateway, and by callbacks that are forms. */
import { membership as limits } from '@neuroloom/contract/limits'
import { yuanText } from '@neuroloom/contract/membership/money'
import * as z from 'zod'
import type { AlipayConfig } from '../../../config.ts'
import { type Callback, type Provider, ProviderError, type Reported } from '../provider.ts'
import { type Answer, type Content, openGateway } from './alipay-gateway.ts'
import { shanghaiText, shanghaiTime } from './shanghai.ts'

/** A trade begins when its code is scanned: before, Alipay knows of nothing. */
const UNKNOWN = 'ACQ.TRADE_NOT_EXIST'

export function createAlipay(
  config: AlipayConfig,
  now: () => Date,
  limitMs: number = limits.providerMs,
): Provider {
  const gateway = openGateway({ config, now, limitMs })

  async function ask(orderNo: string): Promise<Reported | null> {
    const answer = await gateway.call('alipay.trade.query', { out_trade_no: orderNo })
    if (answer.refusal === UNKNOWN) return null
    return reportOf(about(orderNo, contentOf(answer, query)))
  }

  return {
    ask,
    request: async ({ orderNo, amountFen, subject, expiresAt, notifyUrl }) => {
      const content = {
        out_trade_no: orderNo,
        total_amount: yuanText(amountFen),
        subject: plain(subject),
        time_expire: shanghaiText(expiresAt),
      }
      const answer = await gateway.call('alipay.trade.precreate', content, notifyUrl)
      return about(orderNo, contentOf(answer, precreated)).qr_code
    },
    // What was never scanned cannot be closed: its code ends by itself at `time_expire`.
    close: async (orderNo) => {
      const { refusal } = await gateway.call('alipay.trade.close', { out_trade_no: orderNo })
      if (refusal === null || refusal === UNKNOWN) return
      const { state } = (await ask(orderNo)) ?? { state: 'closed' }
      if (state !== 'closed' && state !== 'refunded') throw refused(refusal)
    },
    refund: async ({ orderNo, refundNo, amountFen, reason }) => {
      const which: Content = { out_trade_no: orderNo, out_request_no: refundNo }
      const asked = { ...which, refund_amount: yuanText(amountFen), refund_reason: plain(reason) }
      const answer = await gateway.call('alipay.trade.refund', asked)
      if (about(orderNo, contentOf(answer, refunded)).fund_change === 'Y') return 'done'
      // No money moved this time: it was done before, or it is under way.
      const found = await gateway.call('alipay.trade.fastpay.refund.query', which)
      const { refund_status, refund_amount } = contentOf(found, refundQuery)
      return refund_status === 'REFUND_SUCCESS' && refund_amount === amountFen ? 'done' : 'pending'
    },
    read: async (callback) => {
      const fields = formOf(callback)
      if (!gateway.isSigned(fields)) throw new ProviderError('Alipay: a callback that Alipay did not sign')
      const { app_id, notify_time, notify_type } = parsed(notice, fields)
      if (app_id !== config.appId) throw new ProviderError('Alipay: a callback for another application')
      if (Math.abs(now().getTime() - notify_time.getTime()) > limits.callbackMs) {
        throw new ProviderError('Alipay: a callback of another time')
      }
      if (notify_type !== 'trade_status_sync' || fields.gmt_refund || fields.refund_fee) return null
      const { gmt_payment, ...trade } = parsed(tradeNotice, fields)
      return reportOf({ ...trade, send_pay_date: gmt_payment })
    },
    answer: (isHeard) => ({ status: 200, type: 'text/plain', body: isHeard ? 'success' : 'fail' }),
  }
}

/** Yuan with two digits of fen; read as the digits that it is, never as a fraction. */
const yuan = z
  .string()
  .regex(/^(0|[1-9]\d{0,8})\.\d{2}$/)
  .transform((text) => Number(text.replace('.', '')))

const trade = z.object({
  out_trade_no: z.string(),
  trade_no: z.string(),
  trade_status: z.enum(['WAIT_BUYER_PAY', 'TRADE_SUCCESS', 'TRADE_FINISHED', 'TRADE_CLOSED']),
  total_amount: yuan,
  /** Told of trades that are not in yuan alone. */
  trans_currency: z.string().default('CNY'),
})
const query = trade.extend({ send_pay_date: shanghaiTime.optional() })
const notice = z.object({ app_id: z.string(), notify_time: shanghaiTime, notify_type: z.string() })
const tradeNotice = trade.extend({ gmt_payment: shanghaiTime.optional() })
const precreated = z.object({ out_trade_no: z.string(), qr_code: z.string().min(1) })
const refunded = z.object({ out_trade_no: z.string(), fund_change: z.enum(['Y', 'N']).default('N') })
/** Without a status where the refund is not known, or not done. */
const refundQuery = z.object({ refund_status: z.string().optional(), refund_amount: yuan.optional() })

function reportOf(found: z.infer<typeof query>): Reported {
  const paidAt = found.send_pay_date ?? null
  const state = stateOf(found.trade_status, paidAt !== null)
  return {
    orderNo: found.out_trade_no,
    state,
    transactionId: state === 'paid' || state === 'refunded' ? found.trade_no : '',
    amountFen: found.total_amount,
    currency: found.trans_currency,
    paidAt,
  }
}

function stateOf(status: z.infer<typeof query>['trade_status'], wasPaid: boolean): Reported['state'] {
  switch (status) {
    case 'WAIT_BUYER_PAY':
      return 'waiting'
    case 'TRADE_SUCCESS':
    case 'TRADE_FINISHED':
      return 'paid'
    // Never paid, or all of it paid back.
    case 'TRADE_CLOSED':
      return wasPaid ? 'refunded' : 'closed'
    default:
      return status satisfies never
  }
}

function contentOf<S extends z.ZodType>({ refusal, body }: Answer, schema: S): z.infer<S> {
  if (refusal !== null) throw refused(refusal)
  return parsed(schema, body)
}

function parsed<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const result = schema.safeParse(value)
  if (!result.success) throw new ProviderError('Alipay: signed, but not what its documents promise')
  return result.data
}

/** A right signature alone does not say that it belongs to what was asked. */
function about<T extends { out_trade_no: string }>(orderNo: string, content: T): T {
  if (content.out_trade_no !== orderNo) throw new ProviderError('Alipay: an answer about another order')
  return content
}

const refused = (refusal: string): ProviderError => new ProviderError(`Alipay: refused (${refusal})`)

/** Alipay takes none of these in texts, and no more than so many characters. */
const plain = (text: string): string => text.replaceAll(/[/=&]/g, ' ').slice(0, 256)

function formOf({ raw }: Callback): Record<string, string> {
  if (raw.length > limits.callbackBytes) throw new ProviderError('Alipay: a callback that is too long')
  const entries = [...new URLSearchParams(raw.toString('utf8'))]
  const fields = Object.fromEntries(entries)
  // The signature is of a text in which names and values stand unescaped: two fields could pose as one, or one as two.
  const isOfOneReading = entries.every(([name, value]) => /^\w+$/.test(name) && !/&\w+=/.test(value))
  if (!isOfOneReading || Object.keys(fields).length !== entries.length) {
    throw new ProviderError('Alipay: a callback that can be read in two ways')
  }
  return fields
}
