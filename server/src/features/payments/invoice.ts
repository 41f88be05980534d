/** The invoice that a member asks for with an order. */
import { fieldsOf, type InvoiceForm, invoiceFields } from '@neuroloom/contract/membership/invoice'
import { eq } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { invoices, type OrderRow } from './tables.ts'

/** As it was wished for last. Of what cost nothing there is none. */
export async function askInvoice(
  ctx: Context,
  tx: Tx,
  { form, order }: { form: InvoiceForm; order: OrderRow },
): Promise<void> {
  await tx.delete(invoices).where(eq(invoices.orderNo, order.orderNo))
  if (form.invoice === 0 || form.invoiceType === undefined || order.amountFen === 0) return
  const has = new Set<string>(fieldsOf(form.invoiceType))
  const given = Object.fromEntries(
    invoiceFields.map((field) => [columns[field], has.has(field) ? form[field] : '']),
  )
  await tx.insert(invoices).values({
    ...{ id: newId(), orderNo: order.orderNo, userId: order.userId, type: form.invoiceType },
    ...{ title: '', ...given, state: 'asked', askedAt: ctx.now() },
  })
}

const columns = {
  invoiceTitle: 'title',
  invoiceTax: 'tax',
  invoiceAddr: 'addr',
  invoicePhone: 'phone',
  invoiceBank: 'bank',
  invoiceAccount: 'account',
} as const
