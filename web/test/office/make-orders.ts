/** Orders and invoices as administrators see them, and the back-office opened at one of its parts. */
import type { OfficeInvoice, OfficeOrder } from '@neuroloom/contract/membership/orders'
import { screen, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { createElement } from 'react'
import { Admin } from '../../src/pages/admin.tsx'
import { makeSetting, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'

export const orderNo = '20270101000000000001'

export const makeOrder = (changes: Partial<OfficeOrder> = {}): OfficeOrder => ({
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
  until: '2028-01-01T09:02:00.000Z',
  refundedFen: 0,
  qrCodeUrl: '',
  invoice: null,
  account: 'member@hospital.example',
  nickName: 'Member',
  isOwn: false,
  transactions: [],
  unusedFen: 750_000,
  refundReason: '',
  refundProblem: '',
  ...changes,
})

export const makeInvoice = (changes: Partial<OfficeInvoice> = {}): OfficeInvoice => ({
  id: 'invoice-1',
  orderNo,
  type: 1,
  title: 'District hospital',
  tax: '91310000MA1FL0000X',
  addr: '1 Long Street',
  phone: '021 5555',
  bank: 'Bank of the City',
  account: '6222 0000',
  amountFen: 1_000_000,
  state: 'asked',
  number: '',
  reason: '',
  askedAt: '2027-01-01T09:00:00.000Z',
  decidedAt: null,
  level: 3,
  model: null,
  work: null,
  custom: null,
  member: { account: 'member@hospital.example', nickName: 'Member' },
  ...changes,
})

/** `host` 0 = public, -1 = a hospital's own server. */
export function openOffice(
  part: string,
  handlers: Parameters<typeof serve>[0],
  { host = 0, role = 2 as 0 | 2 } = {},
) {
  signIn({ role, id: 'user-1' })
  const received = serve({ 'setting/public': () => makeSetting({ host }), ...handlers })
  renderPart(createElement(Admin), `/admin?part=${part}`)
  const sent = (path: string) => received.filter((one) => one.path === path).map(({ body }) => body)
  return { person: userEvent.setup(), sent, received }
}

/** As one paste: typing letter by letter would try nothing more, and takes its time. */
export async function fill(person: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await person.clear(field)
  await person.click(field)
  if (text !== '') await person.paste(text)
}

/** Of several that lie above each other, the one with this title: under test Ant Design gives all of them one id, and so one name. */
export async function dialogOf(title: string) {
  const dialog = (await screen.findByText(title)).closest<HTMLElement>('[role="dialog"]')
  if (!dialog) throw new Error(`No dialog ${title}`)
  return within(dialog)
}
