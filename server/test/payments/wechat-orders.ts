/** Orders at the stand-in of WeChat Pay: what is done about them, once it is known who asks. */
import type { Order } from './standing.ts'

export const MERCHANT = '1900000001'
export const APP_ID = 'wx0000000000000001'

type Routed = {
  call: string
  search: string
  body: string
  orders: Map<string, Order>
  refundStatus: string
}
export type Said = { status: number; content: object | null }

export const refusal = (status: number, code: string): Said => ({
  status,
  content: { code, message: 'refused' },
})

export function route({ call, search, body, orders, refundStatus }: Routed): Said {
  const content: unknown = body === '' ? {} : JSON.parse(body)
  // Whole requests of an adapter of ours, whose signature was right.
  const asked = content as Asking
  if (call === 'POST /v3/pay/transactions/native') return requested(orders, asked)
  if (call === 'POST /v3/refund/domestic/refunds') return refund(orders, asked, refundStatus)
  const [, orderNo = '', isClose] = /\/out-trade-no\/(\w+)(\/close)?$/.exec(call) ?? []
  const order = orders.get(orderNo)
  if ((isClose ? asked.mchid : new URLSearchParams(search).get('mchid')) !== MERCHANT)
    return refusal(400, 'PARAM_ERROR')
  if (!order) return refusal(404, 'ORDER_NOT_EXIST')
  if (!isClose) return { status: 200, content: transactionOf(order) }
  if (order.state === 'closed') return refusal(400, 'ORDER_CLOSED')
  if (order.state !== 'waiting') return refusal(400, 'ORDERPAID')
  order.state = 'closed'
  return { status: 204, content: null }
}

type Asking = Record<string, string> & { amount: { total: number; refund: number; currency: string } }

function requested(orders: Map<string, Order>, asked: Asking): Said {
  const {
    appid,
    mchid,
    out_trade_no = '',
    description = '',
    notify_url = '',
    time_expire = '',
    amount,
  } = asked
  if (appid !== APP_ID || mchid !== MERCHANT || amount.currency !== 'CNY') return refusal(400, 'PARAM_ERROR')
  if (Buffer.byteLength(description) > 127) return refusal(400, 'PARAM_ERROR')
  const order = orders.get(out_trade_no)
  if (order && order.state !== 'waiting') return refusal(403, 'OUT_TRADE_NO_USED')
  orders.set(
    out_trade_no,
    order ?? {
      orderNo: out_trade_no,
      amountFen: amount.total,
      subject: description,
      notifyUrl: notify_url,
      expires: time_expire,
      state: 'waiting',
      transactionId: `42${out_trade_no}`,
      paidAt: null,
      refunds: new Map(),
    },
  )
  return { status: 200, content: { code_url: `weixin://wxpay/bizpayurl?pr=${out_trade_no}` } }
}

function refund(orders: Map<string, Order>, asked: Asking, status: string): Said {
  const { out_trade_no = '', out_refund_no = '', amount } = asked
  const order = orders.get(out_trade_no)
  if (!order) return refusal(404, 'RESOURCE_NOT_EXISTS')
  if (order.state !== 'paid' && order.state !== 'refunded') return refusal(400, 'INVALID_REQUEST')
  if (amount.total !== order.amountFen) return refusal(400, 'INVALID_REQUEST')
  const before = order.refunds.get(out_refund_no)
  const sum = [...order.refunds.values()].reduce((all, one) => all + one, 0)
  if (before === undefined && sum + amount.refund > order.amountFen) return refusal(403, 'NOT_ENOUGH')
  if (before === undefined) order.refunds.set(out_refund_no, amount.refund)
  order.state = 'refunded'
  const told = { refund: before ?? amount.refund, total: order.amountFen, currency: 'CNY' }
  return {
    status: 200,
    content: { refund_id: `50${out_refund_no}`, out_refund_no, out_trade_no, status, amount: told },
  }
}

const states = {
  new: 'NOTPAY',
  waiting: 'NOTPAY',
  paid: 'SUCCESS',
  closed: 'CLOSED',
  refunded: 'REFUND',
} as const

export const transactionOf = (order: Order): object => ({
  appid: APP_ID,
  mchid: MERCHANT,
  out_trade_no: order.orderNo,
  trade_state: states[order.state],
  ...(order.paidAt && {
    transaction_id: order.transactionId,
    success_time: inShanghai(order.paidAt),
    amount: { total: order.amountFen, payer_total: order.amountFen, currency: 'CNY', payer_currency: 'CNY' },
  }),
})

export const inShanghai = (date: Date): string =>
  `${new Date(date.getTime() + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00`
