/** Where a member's money is paid out to: one rule for the page and the server. Pure. */
import { membership as limits } from '../limits.ts'

export const payoutMethods = ['alipay', 'wechat', 'bank'] as const
export type PayoutMethod = (typeof payoutMethods)[number]

/** Of a withdrawal; a sale is besides `not_recorded` while it may be refunded (specification, wallet status). */
export const withdrawalStates = ['under_review', 'recorded', 'not_passed'] as const
export type WithdrawalState = (typeof withdrawalStates)[number]
export const walletStatuses = [...withdrawalStates, 'not_recorded'] as const
export type WalletStatus = (typeof walletStatuses)[number]

/** What moves the money that a member may withdraw. */
export type WalletMove = 'sale_recorded' | 'work_released' | 'withdrawal_asked' | 'withdrawal_refused'

export type Payee = { method: PayoutMethod; name: string; bank: string; account: string }
export type PayeeField = Exclude<keyof Payee, 'method'>

/** Each has a text of its own: `wallet:payee.problem.<problem>`. */
export type PayeeProblem = `${PayeeField}_required` | 'account_format' | 'too_long'

/** The fields that an account of this kind has. */
export const payeeFields = (method: PayoutMethod): readonly PayeeField[] =>
  method === 'bank' ? ['name', 'bank', 'account'] : ['name', 'account']

/** Every field that is missing or wrong, with its problem. */
export function payeeProblems(payee: Payee): Partial<Record<PayeeField, PayeeProblem>> {
  const found = payeeFields(payee.method).map((field) => [field, problemOf(payee, field)])
  return Object.fromEntries(found.filter(([, problem]) => problem !== null))
}

function problemOf(payee: Payee, field: PayeeField): PayeeProblem | null {
  const value = payee[field].trim()
  if (value === '') return `${field}_required`
  if (value.length > limits.payeeLength) return 'too_long'
  const isNumber = field === 'account' && payee.method === 'bank'
  return isNumber && !BANK_ACCOUNT.test(value) ? 'account_format' : null
}

/** Card numbers and IBANs: 6 to 40 letters and digits, in groups by spaces or hyphens if by any. */
const BANK_ACCOUNT = /^[A-Za-z0-9][A-Za-z0-9 -]{4,38}[A-Za-z0-9]$/
