/** What a withdrawal moves: one entry when it is asked for, one when it was paid out or refused. */
import type { PayoutMethod } from '@neuroloom/contract/membership/payout'
import type { Tx } from '../../infra/db.ts'
import { type Posting, post } from '../ledger/service.ts'

export type WithdrawalEntry = {
  withdrawalNo: string
  userId: string
  amountFen: number
  method: PayoutMethod
}

/** The member's money is held until the request was reviewed. */
export const requestPostings = ({ userId, amountFen }: WithdrawalEntry): Posting[] => [
  { owner: userId, kind: 'wallet', unit: 'fen', amount: -amountFen },
  { owner: userId, kind: 'withdrawing', unit: 'fen', amount: amountFen },
]

export const payoutPostings = ({ userId, amountFen, method }: WithdrawalEntry): Posting[] => [
  { owner: userId, kind: 'withdrawing', unit: 'fen', amount: -amountFen },
  // The ledger names what is outside as orders name the ways of paying.
  { owner: method === 'bank' ? 'transfer' : method, kind: 'outside', unit: 'fen', amount: amountFen },
]

export const returnPostings = (withdrawal: WithdrawalEntry): Posting[] =>
  requestPostings(withdrawal).map((posting) => ({ ...posting, amount: -posting.amount }))

export const bookRequest = (tx: Tx, withdrawal: WithdrawalEntry, at: Date) =>
  post(tx, { kind: 'withdrawal_asked', ...entryOf(withdrawal, at), postings: requestPostings(withdrawal) })

export const bookPayout = (tx: Tx, withdrawal: WithdrawalEntry, at: Date) =>
  post(tx, { kind: 'withdrawal_sent', ...entryOf(withdrawal, at), postings: payoutPostings(withdrawal) })

export const bookReturn = (tx: Tx, withdrawal: WithdrawalEntry, at: Date) =>
  post(tx, { kind: 'withdrawal_refused', ...entryOf(withdrawal, at), postings: returnPostings(withdrawal) })

const entryOf = ({ withdrawalNo, method }: WithdrawalEntry, at: Date) => ({
  source: withdrawalNo,
  at,
  note: { method },
})
