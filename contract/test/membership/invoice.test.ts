import { fieldsOf, type InvoiceForm, invoiceProblems } from '@neuroloom/contract/membership/invoice'
import { expect, test } from 'vitest'

const empty: InvoiceForm = {
  ...{ invoice: 1, invoiceTitle: '', invoiceTax: '', invoiceAddr: '' },
  ...{ invoicePhone: '', invoiceBank: '', invoiceAccount: '' },
}

test('where no invoice is wanted, nothing is missing', () => {
  expect(invoiceProblems({ ...empty, invoice: 0 })).toEqual({})
})

test('its kind is asked first', () => {
  expect(invoiceProblems(empty)).toEqual({ invoiceType: 'type_required' })
})

test('a person needs a title alone', () => {
  expect(fieldsOf(0)).toEqual(['invoiceTitle'])
  expect(invoiceProblems({ ...empty, invoiceType: 0 })).toEqual({ invoiceTitle: 'title_required' })
  expect(invoiceProblems({ ...empty, invoiceType: 0, invoiceTitle: '李' })).toEqual({})
})

test('an organisation needs all six, each with a message of its own', () => {
  const problems = Object.values(invoiceProblems({ ...empty, invoiceType: 1 }))
  expect(problems).toHaveLength(6)
  expect(new Set(problems).size).toBe(6)
})

test.each([
  ['91110000600037341L', true],
  ['440300 708461136', true],
  ['DE 123-456-789', true],
  ['1234', false],
  ['９１１１００００６０', false],
  ['=HYPERLINK("x")', false],
])('the tax number %s', (invoiceTax, isFine) => {
  const form = { ...empty, invoiceType: 1, invoiceTax } as const
  expect(invoiceProblems(form).invoiceTax).toBe(isFine ? undefined : 'tax_format')
})

test('nothing longer than fits on an invoice', () => {
  const form = { ...empty, invoiceType: 0, invoiceTitle: 'x'.repeat(201) } as const
  expect(invoiceProblems(form)).toEqual({ invoiceTitle: 'too_long' })
})
