/** The fields by which a payment asks for an invoice, whatever is paid for. */
import * as z from 'zod'
import { type InvoiceForm, invoiceProblems, invoiceTypes } from './invoice.ts'

const line = z.string().trim().max(1000).default('')

export const invoiceRequest = {
  invoice: z.coerce
    .number()
    .pipe(z.union([z.literal(0), z.literal(1)]))
    .default(0),
  invoiceType: z
    .union([z.literal(''), z.null(), z.coerce.number()])
    .optional()
    .transform((value) => (value === '' || value === null ? undefined : value))
    .pipe(z.union([z.literal(invoiceTypes.person), z.literal(invoiceTypes.organisation)]).optional()),
  invoiceTitle: line,
  invoiceTax: line,
  invoiceAddr: line,
  invoiceBank: line,
  invoicePhone: line,
  invoiceAccount: line,
}

/** Each field that is missing or wrong is refused by itself. */
export function checkInvoice(form: InvoiceForm, context: z.RefinementCtx): void {
  for (const [field, problem] of Object.entries(invoiceProblems(form)))
    context.addIssue({ code: 'custom', path: [field], message: `invoice.${problem}` })
}
