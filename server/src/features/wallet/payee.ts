/** Whose account a withdrawal goes to: encrypted in the database, bound to its withdrawal. */
import type { Payee } from '@neuroloom/contract/membership/payout'
import type { Withdrawal } from '@neuroloom/contract/membership/wallet'
import type { Context } from '../../infra/context.ts'
import type { WithdrawalRow } from './tables.ts'

export const sealPayee = ({ seals }: Context, withdrawalNo: string, { name, bank, account }: Payee): Buffer =>
  seals.seal(JSON.stringify({ name, bank, account }), ownerOf(withdrawalNo))

/** Null where it was erased, or cannot be opened with this server's secret. */
export function payeeOf({ seals }: Context, row: WithdrawalRow): Payee | null {
  const text = row.payeeSeal && seals.open(row.payeeSeal, ownerOf(row.withdrawalNo))
  // Authenticated: it is what `sealPayee` wrote.
  return text === null ? null : { method: row.method, ...(JSON.parse(text) as Omit<Payee, 'method'>) }
}

/** A withdrawal as its member and administrators see it. */
export function describeWithdrawal(ctx: Context, row: WithdrawalRow): Withdrawal {
  const { withdrawalNo, amountFen, state, method, askedAt, reviewedAt, reference, reason } = row
  return {
    ...{ withdrawalNo, amountFen, status: state, method, reference, reason },
    payee: payeeOf(ctx, row),
    askedAt: askedAt.toISOString(),
    reviewedAt: reviewedAt?.toISOString() ?? null,
  }
}

const ownerOf = (withdrawalNo: string): string => `withdrawal ${withdrawalNo}`
