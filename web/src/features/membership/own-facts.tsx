import type { Invoice, Order } from '@neuroloom/contract/membership/orders'
import type { TFunction } from 'i18next'
import { formatDate } from '../../lib/format.ts'
import { formatFen } from '../../lib/format-money.ts'
import type { Fact } from '../../ui/facts.tsx'
import { InvoiceMark } from './own-marks.tsx'

type T = TFunction<['membership', 'levels']>

const at = (date: string | null) => (date === null ? null : formatDate(date, 'minute'))
const money = (fen: number) => (fen === 0 ? null : formatFen(fen))

export function orderFactsOf(order: Order, t: T): Fact[] {
  const { state, from, until } = order
  const validUntil = until === null ? t('orders.noEnd') : formatDate(until, 'minute')
  return [
    [t('orders.number'), order.orderNo],
    [t('orders.credit'), money(order.creditFen)],
    [t('orders.method'), t(`orders.methods.${order.method}`)],
    [t('orders.made'), at(order.createdAt)],
    [t('orders.expires'), state === 'waiting' ? at(order.expiresAt) : null],
    [t('orders.paid'), at(order.paidAt)],
    // What is given back has ended.
    [t('orders.validUntil'), from === null || state !== 'paid' ? null : validUntil],
    [t(state === 'returning' ? 'orders.returning' : 'orders.refunded'), money(order.refundedFen)],
  ]
}

export function invoiceFactsOf(invoice: Invoice, t: T): Fact[] {
  return [
    [t('orders.invoiceState'), <InvoiceMark key="state" state={invoice.state} />],
    [t('orders.invoiceTitle'), invoice.title],
    [t('orders.invoiceNumber'), invoice.number],
    [t('orders.invoiceRefused'), invoice.state === 'refused' ? invoice.reason : null],
  ]
}
