/** The wallet of a member: what sales brought, what is withdrawn, and statements. Amounts are whole fen. */
import * as z from 'zod'
import { languageSchema } from '../language.ts'
import { dayMs, membership as limits } from '../limits.ts'
import { route } from '../route.ts'
import { orderNoSchema } from './orders.ts'
import { payeeProblems, payoutMethods, walletStatuses, withdrawalStates } from './payout.ts'

/** Twenty digits, as those of orders. */
const withdrawalNoSchema = orderNoSchema
const page = z.int().min(1).max(100_000).default(1)

const payeeSchema = z.object({
  method: z.enum(payoutMethods),
  name: z.string(),
  bank: z.string(),
  account: z.string(),
})

export const withdrawalSchema = z.object({
  withdrawalNo: withdrawalNoSchema,
  amountFen: z.int(),
  status: z.enum(withdrawalStates),
  method: z.enum(payoutMethods),
  /** Null where it cannot be read any more: the account of its member is closed, or the server has another secret. */
  payee: payeeSchema.nullable(),
  askedAt: z.iso.datetime(),
  reviewedAt: z.iso.datetime().nullable(),
  /** Of the payment, at the bank or provider by which it was sent. */
  reference: z.string(),
  /** Why it was not passed. */
  reason: z.string(),
})
export type Withdrawal = z.infer<typeof withdrawalSchema>

export const walletRecordSchema = z.object({
  id: z.string(),
  /** Income or expenditure. */
  direction: z.enum(['in', 'out']),
  status: z.enum(walletStatuses),
  /** Of a sale: the model's name. */
  model: z.string().nullable(),
  /** Of work that was accepted: the title of its demand. */
  work: z.string().nullable(),
  /** Of a withdrawal: the kind of account; null of all else. */
  method: z.enum(payoutMethods).nullable(),
  /** Of the order that was sold, or of the withdrawal. */
  number: z.string(),
  /** Above zero in both directions. */
  amountFen: z.int(),
  at: z.iso.datetime(),
  reason: z.string(),
})
export type WalletRecord = z.infer<typeof walletRecordSchema>

/** Names and numbers of one line: no control characters. */
const line = z
  .string()
  .trim()
  .max(limits.payeeLength)
  .regex(/^\P{Cc}*$/u)

export const walletCalls = {
  'wallet/balance': route({
    summary: 'The own money: what may be withdrawn, what sales may still be refunded, what is under review',
    request: z.object({}),
    response: z.object({
      availableFen: z.int(),
      notRecordedFen: z.int(),
      underReviewFen: z.int(),
      /** No money moves on a server that is on trial. */
      isTrial: z.boolean(),
    }),
    errors: ['not_found'],
  }),
  'wallet/records': route({
    summary: 'One page of the own income and expenditure, the newest first',
    request: z.object({ direction: z.enum(['in', 'out']).nullable().default(null), page }),
    response: z.object({ records: z.array(walletRecordSchema), total: z.int(), pageSize: z.int() }),
    errors: ['not_found'],
  }),
  'wallet/withdrawal': route({
    summary: 'One own withdrawal with the account that it goes to',
    request: z.object({ withdrawalNo: withdrawalNoSchema }),
    response: withdrawalSchema,
    errors: ['withdrawal_missing', 'not_found'],
  }),
  'wallet/withdraw': route({
    summary:
      'Ask for own money to be paid out; the same request id is the same withdrawal, however often it is sent',
    request: z
      .object({
        requestId: z.string().regex(/^[A-Za-z0-9_-]{16,64}$/),
        amountFen: z.int().min(1).max(limits.mostFen),
        method: z.enum(payoutMethods),
        name: line,
        bank: line.default(''),
        account: line,
      })
      .superRefine((payee, context) => {
        for (const [field, problem] of Object.entries(payeeProblems(payee)))
          context.addIssue({ code: 'custom', path: [field], message: `payee.${problem}` })
      }),
    response: withdrawalSchema,
    errors: ['balance_too_low', 'withdrawal_differs', 'withdrawals_waiting', 'not_found'],
  }),
  'wallet/statement': route({
    summary: 'A short-lived link to the statement of a period, both days included, as CSV or PDF',
    request: z
      .object({
        from: z.iso.date().max(10),
        to: z.iso.date().max(10),
        format: z.enum(['csv', 'pdf']),
        language: languageSchema,
      })
      .refine(({ from, to }) => {
        const days = (Date.parse(to) - Date.parse(from)) / dayMs
        return days >= 0 && days < limits.statementDays
      }),
    response: z.object({ url: z.string(), name: z.string() }),
    errors: ['statement_long', 'not_found'],
  }),
}

export const officeWithdrawalSchema = withdrawalSchema.extend({
  /** `account` '' where it is gone. */
  member: z.object({ account: z.string(), nickName: z.string() }),
  /** Nobody reviews an own withdrawal. */
  isOwn: z.boolean(),
})
export type OfficeWithdrawal = z.infer<typeof officeWithdrawalSchema>

export const walletOfficeCalls = {
  'office/withdrawals': route({
    summary:
      'One page of the withdrawals of members, those that wait first; for administrators, as all calls here',
    request: z.object({ state: z.enum(withdrawalStates).nullable().default('under_review'), page }),
    response: z.object({
      withdrawals: z.array(officeWithdrawalSchema),
      total: z.int(),
      pageSize: z.int(),
    }),
    errors: ['not_found'],
  }),
  'office/withdrawal': route({
    summary:
      'A withdrawal was paid out under this reference, or is refused for this reason and its money is back',
    request: z.object({
      withdrawalNo: withdrawalNoSchema,
      decision: z.discriminatedUnion('is', [
        z.object({
          is: z.literal('passed'),
          reference: z.string().trim().min(1).max(limits.referenceLength),
        }),
        z.object({ is: z.literal('refused'), reason: z.string().trim().min(1).max(limits.reasonLength) }),
      ]),
    }),
    response: officeWithdrawalSchema,
    errors: ['withdrawal_missing', 'withdrawal_decided', 'not_found'],
  }),
}
