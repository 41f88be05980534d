/** Stands in for Alipay: checks each request's signature by its published rules, not by its package, and signs what it says. */
import { type KeyObject, verify } from 'node:crypto'
import type { AlipayConfig } from '../../src/config.ts'
import type { Callback } from '../../src/features/payments/provider.ts'
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

export const APP_ID = '2021000000000001'

type Fields = Record<string, string>
/** `type`: RSA is the older way, by SHA-1. */
type Forgery = { fields?: Fields; key?: KeyObject; type?: 'RSA' | 'RSA2' }

export type AlipayStandIn = {
  url: string
  /** For `createAlipay` and, by its paths, for a whole server. */
  config: AlipayConfig
  orders: Map<string, Order>
  /** The methods that were called, whether refused or not. */
  calls: string[]
  behave(behaviour: Behaviour | 'doubled'): void
  /** A phone reads the code: from now on there is a trade. */
  scan(orderNo: string): void
  /** A phone pays; what Alipay then sends to `notifyUrl`. Called again it is the same payment, told once more. */
  pay(orderNo: string): Callback
  /** What Alipay sends about an order as it stands; with other fields (signed like all) or signed by another key. */
  notify(orderNo: string, forgery?: Forgery): Callback
  close(): Promise<void>
}

export async function startAlipay(now: () => Date = () => new Date()): Promise<AlipayStandIn> {
  const [merchant, own, stranger] = [keyPair(), keyPair(), keyPair()]
  const files = keyFiles()
  const orders = new Map<string, Order>()
  const calls: string[] = []
  let behaviour: Behaviour | 'doubled' = 'answers'

  const answer = ({ request, response, body }: Asked) => {
    const { searchParams } = new URL(request.url ?? '', 'http://stand-in')
    const fields = Object.fromEntries([...searchParams, ...new URLSearchParams(body)])
    calls.push(fields.method ?? '')
    const wrong = problemOf(fields, merchant.publicKey, now())
    const content = wrong ? refusal(wrong) : trade(orders, fields)
    const text = JSON.stringify(content)
    const name = `"${fields.method?.replaceAll('.', '_')}_response"`
    const signature = signed(text, behaviour === 'forged' ? stranger.privateKey : own.privateKey)
    const ending = behaviour === 'unsigned' ? '' : `,"sign":"${signature}"`
    const other = JSON.stringify({
      ...content,
      code: '10000',
      trade_status: 'TRADE_SUCCESS',
      qr_code: 'https://evil.test',
    })
    // The true content with its signature, and after it another of the same name, which readers of JSON take.
    const after = behaviour === 'doubled' ? `,${name}:${other}` : ''
    response.setHeader('content-type', 'application/json;charset=utf-8')
    response.end(`{${name}:${text}${ending}${after}}`)
  }
  const server = await stand(answer, () => (behaviour === 'doubled' ? 'answers' : behaviour))

  const notify = (
    orderNo: string,
    { fields = {}, key = own.privateKey, type = 'RSA2' }: Forgery = {},
  ): Callback => {
    const all = { ...noticeOf(orderOf(orders, orderNo), now()), ...fields }
    const sign = signed(sorted(all), key, type === 'RSA' ? 'RSA-SHA1' : 'RSA-SHA256')
    const form = new URLSearchParams({ ...all, sign_type: type, sign })
    return {
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      raw: Buffer.from(form.toString()),
    }
  }
  return {
    url: server.url,
    config: {
      appId: APP_ID,
      keyPath: files.write('key.pem', pem(merchant.privateKey)),
      publicKeyPath: files.write('alipay.pem', pem(own.publicKey)),
      endpoint: `${server.url}/gateway.do`,
    },
    orders,
    calls,
    behave: (next) => {
      behaviour = next
    },
    scan: (orderNo) => {
      orderOf(orders, orderNo).state = 'waiting'
    },
    pay: (orderNo) => {
      const order = orderOf(orders, orderNo)
      if (order.state === 'closed') throw new Error(`${orderNo} is closed: nobody can pay it`)
      if (order.state === 'new' || order.state === 'waiting') {
        Object.assign(order, { state: 'paid', paidAt: now() })
      }
      return notify(orderNo)
    },
    notify,
    close: async () => {
      files.remove()
      await server.close()
    },
  }
}

const sorted = (fields: Fields): string =>
  Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')

function problemOf({ sign, ...fields }: Fields, key: KeyObject, now: Date): string | null {
  if (fields.app_id !== APP_ID) return 'isv.invalid-app-id'
  if (fields.sign_type !== 'RSA2' || fields.charset !== 'utf-8' || fields.version !== '1.0')
    return 'isv.invalid-sign-type'
  const sentAt = Date.parse(`${fields.timestamp?.replace(' ', 'T')}+08:00`)
  if (!(Math.abs(now.getTime() - sentAt) < 600_000)) return 'isv.invalid-timestamp'
  const isGenuine = verify('RSA-SHA256', Buffer.from(sorted(fields)), key, Buffer.from(sign ?? '', 'base64'))
  return isGenuine ? null : 'isv.invalid-signature'
}

const refusal = (sub_code: string) => ({
  code: '40004',
  msg: 'Business Failed',
  sub_code,
  sub_msg: 'refused',
})
const done = (fields: Fields) => ({ code: '10000', msg: 'Success', ...fields })

function trade(orders: Map<string, Order>, fields: Fields): Fields {
  // As this adapter writes it: texts alone.
  const content = JSON.parse(fields.biz_content ?? '{}') as Fields
  const { out_trade_no = '' } = content
  const order = orders.get(out_trade_no)
  if (fields.method === 'alipay.trade.precreate') {
    if (order && order.state !== 'new') return refusal('ACQ.TRADE_HAS_SUCCESS')
    orders.set(out_trade_no, order ?? created(content, fields.notify_url ?? ''))
    return done({ out_trade_no, qr_code: `https://qr.alipay.test/${out_trade_no}` })
  }
  if (!order || order.state === 'new') return refusal('ACQ.TRADE_NOT_EXIST')
  switch (fields.method) {
    case 'alipay.trade.query':
      return done(queryOf(order))
    case 'alipay.trade.close':
      if (order.state !== 'waiting') return refusal('ACQ.TRADE_STATUS_ERROR')
      order.state = 'closed'
      return done({ out_trade_no, trade_no: order.transactionId })
    case 'alipay.trade.refund':
      return refund(order, content)
    case 'alipay.trade.fastpay.refund.query': {
      const fen = order.refunds.get(content.out_request_no ?? '')
      return done(
        fen === undefined ? {} : { out_trade_no, refund_status: 'REFUND_SUCCESS', refund_amount: yuan(fen) },
      )
    }
    default:
      return refusal('isv.invalid-method')
  }
}

function created(
  { out_trade_no = '', total_amount = '', subject = '', time_expire = '' }: Fields,
  notifyUrl: string,
): Order {
  return {
    orderNo: out_trade_no,
    amountFen: Math.round(Number(total_amount) * 100),
    subject,
    notifyUrl,
    expires: time_expire,
    state: 'new',
    transactionId: `20${out_trade_no}`,
    paidAt: null,
    refunds: new Map(),
  }
}

function refund(order: Order, { out_request_no = '', refund_amount = '' }: Fields): Fields {
  if (order.state !== 'paid' && order.state !== 'refunded') return refusal('ACQ.TRADE_STATUS_ERROR')
  const isNew = !order.refunds.has(out_request_no)
  const fen = Math.round(Number(refund_amount) * 100)
  const before = [...order.refunds.values()].reduce((sum, one) => sum + one, 0)
  if (isNew && before + fen > order.amountFen) return refusal('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL')
  if (isNew) order.refunds.set(out_request_no, fen)
  const sum = isNew ? before + fen : before
  if (sum === order.amountFen) order.state = 'refunded'
  return done({ out_trade_no: order.orderNo, fund_change: isNew ? 'Y' : 'N', refund_fee: yuan(sum) })
}

const statuses = {
  new: 'WAIT_BUYER_PAY',
  waiting: 'WAIT_BUYER_PAY',
  paid: 'TRADE_SUCCESS',
  closed: 'TRADE_CLOSED',
  refunded: 'TRADE_CLOSED',
} as const

const tradeOf = (order: Order): Fields => ({
  out_trade_no: order.orderNo,
  trade_no: order.transactionId,
  trade_status: statuses[order.state],
  total_amount: yuan(order.amountFen),
})

const queryOf = (order: Order): Fields => ({
  ...tradeOf(order),
  buyer_logon_id: 'abc***@test',
  ...(order.paidAt && { send_pay_date: inShanghai(order.paidAt) }),
})

const noticeOf = (order: Order, now: Date): Fields => ({
  ...tradeOf(order),
  app_id: APP_ID,
  charset: 'utf-8',
  version: '1.0',
  notify_type: 'trade_status_sync',
  notify_id: `notice-${order.orderNo}`,
  notify_time: inShanghai(now),
  subject: order.subject,
  fund_bill_list: '[{"amount":"1.00","fundChannel":"ALIPAYACCOUNT"}]',
  ...(order.paidAt && { gmt_payment: inShanghai(order.paidAt) }),
  ...(order.refunds.size > 0 && {
    gmt_refund: `${inShanghai(now)}.123`,
    refund_fee: yuan([...order.refunds.values()].reduce((sum, one) => sum + one, 0)),
  }),
})

const yuan = (fen: number): string => (fen / 100).toFixed(2)

const inShanghai = (date: Date): string =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Asia/Shanghai',
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(date)
