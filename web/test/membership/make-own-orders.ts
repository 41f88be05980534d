/** Orders as their member sees them. */
import type { Invoice, Order } from '@neuroloom/contract/membership/orders'

export const orderNo = '20270101000000000001'

export const makeOwnOrder = (changes: Partial<Order> = {}): Order => ({
  orderNo,
  kind: 'plan',
  level: 3,
  model: null,
  work: null,
  custom: null,
  years: 1,
  amountFen: 1_000_000,
  creditFen: 0,
  method: 'alipay',
  state: 'paid',
  createdAt: '2027-01-01T09:00:00.000Z',
  expiresAt: '2027-01-01T09:30:00.000Z',
  paidAt: '2027-01-01T09:02:00.000Z',
  from: '2027-01-01T09:02:00.000Z',
  until: '2028-02-03T09:02:00.000Z',
  refundedFen: 0,
  qrCodeUrl: '',
  invoice: null,
  ...changes,
})

/** Not paid yet. */
export const waiting = { state: 'waiting', paidAt: null, from: null, until: null } as const

export const makeOwnInvoice = (changes: Partial<Invoice> = {}): Invoice => ({
  id: 'invoice-1',
  orderNo,
  type: 1,
  title: 'District hospital',
  tax: '91310000MA1FL0000X',
  addr: '',
  phone: '',
  bank: '',
  account: '',
  amountFen: 1_000_000,
  state: 'asked',
  number: '',
  reason: '',
  askedAt: '2027-01-01T09:00:00.000Z',
  decidedAt: null,
  ...changes,
})
