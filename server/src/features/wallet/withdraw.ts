/** A member asks for money to be paid out: the request and its entry in the ledger are one transaction. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { membership as limits } from '@neuroloom/contract/limits'
import { yuanText } from '@neuroloom/contract/membership/money'
import type { Payee } from '@neuroloom/contract/membership/payout'
import { and, eq } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { alarmLater } from '../../infra/alarm.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { balanceOf } from '../ledger/service.ts'
import { lockMember, newNumber } from '../payments/service.ts'
import { bookRequest } from './book.ts'
import { describeWithdrawal, payeeOf, sealPayee } from './payee.ts'
import { type WithdrawalRow, withdrawals } from './tables.ts'

/**
 * Requests of one member wait for each other at the member's row, so the balance that is compared is the balance that is
 * withdrawn from; the ledger itself refuses what would fall below zero.
 */
export async function withdraw(
  ctx: Context,
  { requestId, amountFen, ...given }: Parsed<'wallet/withdraw'>,
  { user, address, language }: Caller,
): Promise<Answer<'wallet/withdraw'>> {
  const payee = { ...given, bank: given.method === 'bank' ? given.bank : '' }
  const row = await ctx.db.transaction(async (tx) => {
    if (!(await lockMember(tx, user.id))) throw fail('not_signed_in')
    const [before] = await tx
      .select()
      .from(withdrawals)
      .where(and(eq(withdrawals.userId, user.id), eq(withdrawals.requestId, requestId)))
    if (before) {
      if (!isSame(ctx, before, { amountFen, payee })) throw fail('withdrawal_differs')
      return before
    }
    await requireFew(tx, user.id)
    const have = await balanceOf(tx, { owner: user.id, kind: 'wallet', unit: 'fen' })
    if (have < amountFen) throw fail('balance_too_low', { have: yuanText(have) })
    const withdrawalNo = newNumber(ctx.now())
    const [added] = await tx
      .insert(withdrawals)
      .values({
        ...{ withdrawalNo, userId: user.id, requestId, amountFen, method: payee.method, language },
        payeeSeal: sealPayee(ctx, withdrawalNo, payee),
        state: 'under_review',
        askedAt: ctx.now(),
      })
      .returning()
    if (!added) throw new Error('The withdrawal was not written')
    if (!(await bookRequest(tx, added, ctx.now()))) throw new Error(`${withdrawalNo} is booked already`)
    await alarmLater(ctx, tx, 'office_withdrawal')
    const subject = `withdrawal:${withdrawalNo}`
    await audit(tx, { actor: user.id, action: 'withdrawal.ask', subject, address })
    return added
  })
  return describeWithdrawal(ctx, row)
}

export async function one(
  ctx: Context,
  { withdrawalNo }: Parsed<'wallet/withdrawal'>,
  { user }: Caller,
): Promise<Answer<'wallet/withdrawal'>> {
  const own = and(eq(withdrawals.withdrawalNo, withdrawalNo), eq(withdrawals.userId, user.id))
  const [row] = await ctx.db.select().from(withdrawals).where(own)
  if (!row) throw fail('withdrawal_missing')
  return describeWithdrawal(ctx, row)
}

async function requireFew(tx: Tx, userId: string): Promise<void> {
  const waiting = and(eq(withdrawals.userId, userId), eq(withdrawals.state, 'under_review'))
  const most = limits.withdrawalsAtOnce
  if ((await tx.$count(withdrawals, waiting)) >= most) throw fail('withdrawals_waiting', { most })
}

function isSame(
  ctx: Context,
  before: WithdrawalRow,
  { amountFen, payee }: { amountFen: number; payee: Payee },
): boolean {
  const known = payeeOf(ctx, before)
  const isSamePayee =
    known !== null &&
    (['method', 'name', 'bank', 'account'] as const).every((field) => known[field] === payee[field])
  return before.amountFen === amountFen && isSamePayee
}
