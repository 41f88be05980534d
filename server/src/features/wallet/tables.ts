import type { Language } from '@neuroloom/contract/language'
import type { PayoutMethod, WithdrawalState } from '@neuroloom/contract/membership/payout'
import { bigint, customType, index, pgTable, text, timestamp, unique } from 'drizzle-orm/pg-core'

const time = (name: string) => timestamp(name, { withTimezone: true })
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

export const withdrawals = pgTable(
  'withdrawals',
  {
    withdrawalNo: text('withdrawal_no').primaryKey(),
    userId: text('user_id').notNull(),
    requestId: text('request_id').notNull(),
    amountFen: bigint('amount_fen', { mode: 'number' }).notNull(),
    method: text('method').$type<PayoutMethod>().notNull(),
    /** See payee.ts; null once it was reviewed and its member's account is closed. */
    payeeSeal: bytes('payee_seal'),
    state: text('state').$type<WithdrawalState>().notNull(),
    language: text('language').$type<Language>().notNull(),
    askedAt: time('asked_at').notNull(),
    reviewedBy: text('reviewed_by'),
    reviewedAt: time('reviewed_at'),
    reference: text('reference').notNull().default(''),
    reason: text('reason').notNull().default(''),
  },
  (table) => [
    unique().on(table.userId, table.requestId),
    index('withdrawals_user').on(table.userId, table.askedAt),
    index('withdrawals_state').on(table.state, table.askedAt),
  ],
)
export type WithdrawalRow = typeof withdrawals.$inferSelect
