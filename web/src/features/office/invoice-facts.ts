import { invoiceTypes } from '@neuroloom/contract/membership/invoice'
import type { Invoice } from '@neuroloom/contract/membership/orders'
import type { TFunction } from 'i18next'
import { formatDate } from '../../lib/format.ts'
import { formatFen } from '../../lib/format-money.ts'

/** What stands on an invoice and what became of it, in the order of the forms in which it is written. */
export function invoiceFacts(invoice: Invoice, t: TFunction<'office'>): [name: string, value: string][] {
  const type = invoice.type === invoiceTypes.person ? 'person' : 'organisation'
  const facts: [string, string][] = [
    [t('invoice.type'), t(`invoice.${type}`)],
    [t('invoice.invoiceTitle'), invoice.title],
    [t('invoice.tax'), invoice.tax],
    [t('invoice.addr'), invoice.addr],
    [t('invoice.phone'), invoice.phone],
    [t('invoice.bank'), invoice.bank],
    [t('invoice.account'), invoice.account],
    [t('order.amount'), formatFen(invoice.amountFen)],
    [t('invoice.asked'), formatDate(invoice.askedAt, 'minute')],
    [t('invoice.number'), invoice.number],
    [t('invoice.refusedBecause'), invoice.reason],
    [t('invoice.decided'), invoice.decidedAt === null ? '' : formatDate(invoice.decidedAt, 'minute')],
  ]
  return facts.filter(([, value]) => value !== '')
}
