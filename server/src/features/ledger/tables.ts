import { bigint, bigserial, jsonb, pgTable, primaryKey, text, timestamp, unique } from 'drizzle-orm/pg-core'

export const ledgerAccounts = pgTable(
  'ledger_accounts',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    /** A member's id, `platform`, or the provider of a payment; not a reference, because books outlive accounts. */
    owner: text('owner').notNull(),
    kind: text('kind').$type<AccountKind>().notNull(),
    unit: text('unit').$type<Unit>().notNull(),
    balance: bigint('balance', { mode: 'number' }).notNull().default(0),
  },
  (table) => [unique().on(table.owner, table.kind, table.unit)],
)

export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    kind: text('kind').$type<EntryKind>().notNull(),
    source: text('source').notNull(),
    note: jsonb('note').$type<Record<string, string | number>>().notNull().default({}),
    at: timestamp('at', { withTimezone: true }).notNull(),
  },
  (table) => [unique().on(table.kind, table.source)],
)

export const ledgerPostings = pgTable(
  'ledger_postings',
  {
    entryId: bigint('entry_id', { mode: 'number' })
      .notNull()
      .references(() => ledgerEntries.id),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => ledgerAccounts.id),
    amount: bigint('amount', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.entryId, table.accountId] })],
)

export type Unit = 'fen' | 'point'

/**
 * `outside`: what came in from a provider stands there with minus. `income`: plans and custom tasks; `fees`: the platform's share of sales.
 * What a customer paid for work is in `escrow` until it is accepted or decided. A seller's money is `held` while a sale may be refunded, then in the `wallet`, and `withdrawing` until a withdrawal is
 * reviewed. `returning`: a member's payment on its way back. `points_given`: the other side of members' points.
 */
export type AccountKind =
  | 'outside'
  | 'income'
  | 'fees'
  | 'wallet'
  | 'held'
  | 'escrow'
  | 'withdrawing'
  | 'returning'
  | 'points'
  | 'points_given'

/**
 * What moves money or points; with its source it happens once. Of an order, which is the source: `payment_over`: money came
 * when it was over; `refund_sent`: it left again; `model_paid`: the seller's part is held; `sale_recorded`: it is the
 * seller's; `work_paid`: the customer's, in escrow; `work_released`: a part is the provider's (source: order, and which part);
 * `work_refunded`: the rest goes back. Of a withdrawal: asked for, sent by the operator, or refused.
 */
export type EntryKind =
  | 'plan_paid'
  | 'plan_refunded'
  | 'payment_over'
  | 'refund_sent'
  | 'model_paid'
  | 'model_refunded'
  | 'sale_recorded'
  | 'work_paid'
  | 'work_released'
  | 'work_refunded'
  | 'custom_paid'
  | 'custom_refunded'
  | 'withdrawal_asked'
  | 'withdrawal_sent'
  | 'withdrawal_refused'
