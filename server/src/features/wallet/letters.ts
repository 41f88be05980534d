/** The letter about a reviewed withdrawal, in the member's language or else that in which it was asked for. */
import { yuanText } from '@neuroloom/contract/membership/money'
import { eq } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import type { JobData } from '../../infra/jobs.ts'
import { sayer } from '../../infra/texts.ts'
import { mailAddressOf } from '../accounts/access.ts'
import { users } from '../accounts/tables.ts'
import { type WithdrawalRow, withdrawals } from './tables.ts'

/** Nothing where there is no mail here, or the member left no address. */
export async function sendLetter(ctx: Context, { withdrawalNo }: JobData['wallet.letter']): Promise<void> {
  if (!ctx.messages.canMail) return
  const [row] = await ctx.db.select().from(withdrawals).where(eq(withdrawals.withdrawalNo, withdrawalNo))
  if (!row || row.state === 'under_review') return
  const [member] = await ctx.db.select().from(users).where(eq(users.id, row.userId))
  const to = mailAddressOf(member)
  if (to === null) return
  const language = member?.language ?? row.language
  await ctx.messages.sendMail({ to, ...letterOf({ ...row, language }, row.state) })
}

function letterOf(
  { withdrawalNo, amountFen, method, reference, reason, language }: WithdrawalRow,
  state: 'recorded' | 'not_passed',
): { subject: string; text: string } {
  const say = sayer('letters', language)
  const facts = {
    ...{ withdrawalNo, reference, reason },
    amount: yuanText(amountFen),
    method: say(`withdrawal.method.${method}`),
  }
  const lines =
    state === 'recorded' ? ['number', 'amount', 'method', 'reference'] : ['number', 'amount', 'reason']
  return {
    subject: say(`withdrawal.${state}.subject`, facts),
    text: [
      say(`withdrawal.${state}.text`),
      '',
      ...lines.map((line) => say(`withdrawal.line.${line}`, facts)),
      '',
      say('withdrawal.end'),
      '',
    ].join('\n'),
  }
}
