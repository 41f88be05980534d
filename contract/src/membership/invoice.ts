/** What an invoice needs: one rule for the page and the server. Pure. */
import { membership as limits } from '../limits.ts'

/** 0 for a person: its title alone. 1 for an organisation: all six. */
export const invoiceTypes = { person: 0, organisation: 1 } as const
export type InvoiceType = (typeof invoiceTypes)[keyof typeof invoiceTypes]

export const invoiceFields = [
  'invoiceTitle',
  'invoiceTax',
  'invoiceAddr',
  'invoicePhone',
  'invoiceBank',
  'invoiceAccount',
] as const
export type InvoiceField = (typeof invoiceFields)[number]

export type InvoiceForm = { invoice: 0 | 1; invoiceType?: InvoiceType | undefined } & Record<
  InvoiceField,
  string
>

/** An invoice as somebody fills it in. */
export type InvoiceDraft = { type: InvoiceType | 'none' } & Record<InvoiceField, string>

export const noInvoice: InvoiceDraft = {
  ...{ type: 'none', invoiceTitle: '', invoiceTax: '', invoiceAddr: '' },
  ...{ invoicePhone: '', invoiceBank: '', invoiceAccount: '' },
}

export const invoiceFormOf = ({ type, ...fields }: InvoiceDraft): InvoiceForm =>
  type === 'none' ? { ...fields, invoice: 0 } : { ...fields, invoice: 1, invoiceType: type }

/** Each has a text of its own: `membership:invoice.problem.<problem>`. */
export type InvoiceProblem =
  | 'type_required'
  | `${'title' | 'tax' | 'addr' | 'phone' | 'bank' | 'account'}_required`
  | 'tax_format'
  | 'too_long'

/** The fields that an invoice of this type has. */
export const fieldsOf = (type: InvoiceType | undefined): readonly InvoiceField[] =>
  type === invoiceTypes.organisation ? invoiceFields : ['invoiceTitle']

/** Every field that is missing or wrong, with its problem; nothing where no invoice is wanted. */
export function invoiceProblems(
  form: InvoiceForm,
): Partial<Record<InvoiceField | 'invoiceType', InvoiceProblem>> {
  if (form.invoice === 0) return {}
  if (form.invoiceType === undefined) return { invoiceType: 'type_required' }
  const found = fieldsOf(form.invoiceType).map((field) => [field, problemOf(field, form[field].trim())])
  return Object.fromEntries(found.filter(([, problem]) => problem !== null))
}

const required = {
  invoiceTitle: 'title_required',
  invoiceTax: 'tax_required',
  invoiceAddr: 'addr_required',
  invoicePhone: 'phone_required',
  invoiceBank: 'bank_required',
  invoiceAccount: 'account_required',
} as const satisfies Record<InvoiceField, InvoiceProblem>

function problemOf(field: InvoiceField, value: string): InvoiceProblem | null {
  if (value === '') return required[field]
  if (value.length > limits.invoiceLength) return 'too_long'
  if (field === 'invoiceTax' && !TAX.test(value)) return 'tax_format'
  return null
}

/**
 * Taxpayer numbers: 15 to 20 letters and digits in China (18 by GB 32100-2015), fewer elsewhere; with the spaces and
 * hyphens in which people write them.
 */
const TAX = /^[A-Za-z0-9][A-Za-z0-9 .-]{4,28}[A-Za-z0-9]$/
