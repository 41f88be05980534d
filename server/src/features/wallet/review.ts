/** Withdrawals as administrators see them, and what they decide. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { membership as limits } from '@neuroloom/contract/limits'
import { yuanText } from '@neuroloom/contract/membership/money'
import type { OfficeWithdrawal } from '@neuroloom/contract/membership/wallet'
import { and, asc, desc, eq } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import { users } from '../accounts/tables.ts'
import { lockMember, tell } from '../payments/service.ts'
import { bookPayout, bookReturn } from './book.ts'
import { describeWithdrawal } from './payee.ts'
import { type WithdrawalRow, withdrawals } from './tables.ts'

export async function list(
  ctx: Context,
  { state, page }: Parsed<'office/withdrawals'>,
  { user }: Caller,
): Promise<Answer<'office/withdrawals'>> {
  const wanted = state === null ? undefined : eq(withdrawals.state, state)
  // Those that wait longest first; what was decided, the newest first.
  const order = state === 'under_review' ? asc : desc
  const found = await withMembers(ctx)
    .where(wanted)
    .orderBy(order(withdrawals.askedAt), order(withdrawals.withdrawalNo))
    .limit(limits.page)
    .offset((page - 1) * limits.page)
  return {
    withdrawals: found.map((one) => describeToOffice(ctx, one, user)),
    total: await ctx.db.$count(withdrawals, wanted),
    pageSize: limits.page,
  }
}

/** The member before the withdrawal, as everywhere: so nobody waits for each other. */
export async function decide(
  ctx: Context,
  { withdrawalNo, decision }: Parsed<'office/withdrawal'>,
  { user, address }: Caller,
): Promise<Answer<'office/withdrawal'>> {
  const one = eq(withdrawals.withdrawalNo, withdrawalNo)
  const [known] = await ctx.db.select().from(withdrawals).where(one)
  if (!known) throw fail('withdrawal_missing')
  // Nobody is the judge of an own case.
  if (known.userId === user.id) throw fail('not_allowed')
  const { is, ...said } = decision
  const isPassed = is === 'passed'
  await ctx.db.transaction(async (tx) => {
    const member = await lockMember(tx, known.userId)
    const [row] = await tx
      .update(withdrawals)
      .set({
        ...{ state: isPassed ? 'recorded' : 'not_passed', ...said },
        ...{ reviewedBy: user.id, reviewedAt: ctx.now() },
        // What names a person goes with the account, as soon as nobody has to be paid.
        ...(member === null ? { payeeSeal: null } : {}),
      })
      .where(and(one, eq(withdrawals.state, 'under_review')))
      .returning()
    if (!row) throw fail('withdrawal_decided')
    const isBooked = await (isPassed ? bookPayout : bookReturn)(tx, row, ctx.now())
    if (!isBooked) throw new Error(`${withdrawalNo} is booked already`)
    const params = { amount: yuanText(row.amountFen), number: withdrawalNo, reason: row.reason }
    const kind = isPassed ? 'withdrawal_recorded' : 'withdrawal_refused'
    await tell(ctx, tx, { userId: row.userId, kind, params })
    await ctx.jobs.send(tx, 'wallet.letter', { withdrawalNo }, { singletonKey: `withdrawal ${withdrawalNo}` })
    const subject = `withdrawal:${withdrawalNo}`
    const { amountFen, state } = row
    await audit(tx, {
      actor: user.id,
      action: `withdrawal.${is}`,
      subject,
      address,
      before: { state: 'under_review' },
      after: { state, amountFen },
    })
  })
  const [decided] = await withMembers(ctx).where(one)
  if (!decided) throw fail('withdrawal_missing')
  return describeToOffice(ctx, decided, user)
}

const withMembers = (ctx: Context) => {
  const { emailKey, phoneKey, nickName } = users
  return ctx.db
    .select({ withdrawal: withdrawals, emailKey, phoneKey, nickName })
    .from(withdrawals)
    .leftJoin(users, eq(users.id, withdrawals.userId))
    .$dynamic()
}

type Found = {
  withdrawal: WithdrawalRow
  emailKey: string | null
  phoneKey: string | null
  nickName: string | null
}

const describeToOffice = (
  ctx: Context,
  { withdrawal, emailKey, phoneKey, nickName }: Found,
  viewer: { id: string },
): OfficeWithdrawal => ({
  ...describeWithdrawal(ctx, withdrawal),
  member: { account: emailKey ?? phoneKey ?? '', nickName: nickName ?? '' },
  isOwn: withdrawal.userId === viewer.id,
})
