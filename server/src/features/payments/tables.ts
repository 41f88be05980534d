import type { CustomKind } from '@neuroloom/contract/custom/task-states'
import type { Language } from '@neuroloom/contract/language'
import type { invoiceStates, OrderKind, OrderState, PayMethod } from '@neuroloom/contract/membership/orders'
import type { Plan } from '@neuroloom/contract/membership/vip'
import { bigint, index, jsonb, pgTable, primaryKey, smallint, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from '../accounts/tables.ts'

const time = (name: string) => timestamp(name, { withTimezone: true })
const fen = (name: string) => bigint(name, { mode: 'number' })
const line = (name: string) => text(name).notNull().default('')

export const vipPlans = pgTable('vip_plans', {
  id: smallint('id').$type<Plan['id']>().primaryKey(),
  priceFen: fen('price_fen').notNull(),
  years: smallint('years').notNull(),
  notes: jsonb('notes').$type<Plan['notes']>().notNull(),
  changedAt: time('changed_at').notNull(),
})

/** What of a plan was offered. */
export type PlanItem = {
  level: 2 | 3 | 4
  years: number
  creditFen: number
  extraDays: number
  isRenewal: boolean
  /** The member's level, as it is stored, when this was reckoned: where it is another by now, so would the price be. */
  basis: string
}

/** What of a model of the shop was offered. */
export type ModelItem = {
  listingId: string
  version: number
  name: string
  sellerId: string
  /** The edition of the shop's rules that was agreed to. */
  rules: number
}

/** What of work was ordered: an offer as it was read. */
export type WorkItem = {
  demandId: string
  offerId: string
  revision: number
  providerId: string
  title: string
}

/** What of a custom task was offered. */
export type CustomItem = { taskId: string; kind: CustomKind; title: string }

export const orders = pgTable(
  'orders',
  {
    orderNo: text('order_no').primaryKey(),
    userId: text('user_id').notNull(),
    kind: text('kind').$type<OrderKind>().notNull(),
    item: jsonb('item').$type<PlanItem | ModelItem | WorkItem | CustomItem>().notNull(),
    amountFen: fen('amount_fen').notNull(),
    method: text('method').$type<PayMethod>().notNull(),
    state: text('state').$type<OrderState>().notNull(),
    qr: line('qr'),
    language: text('language').$type<Language>().notNull(),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    paidAt: time('paid_at'),
    askedAt: time('asked_at'),
    /** The provider takes no money for it any more. */
    closedAt: time('closed_at'),
  },
  (table) => [
    index('orders_user').on(table.userId, table.createdAt),
    index('orders_created').on(table.createdAt),
  ],
)
export type OrderRow = typeof orders.$inferSelect
export const isOfModel = (item: OrderRow['item']): item is ModelItem => 'listingId' in item
export const isOfWork = (item: OrderRow['item']): item is WorkItem => 'demandId' in item
export const isOfCustom = (item: OrderRow['item']): item is CustomItem => 'taskId' in item
export const isOfPlan = (item: OrderRow['item']): item is PlanItem => 'years' in item

/** Of an order of that kind alone. */
export function planOf({ orderNo, item }: OrderRow): PlanItem {
  if (!isOfPlan(item)) throw new Error(`The order ${orderNo} is of no plan`)
  return item
}
export function customOf({ orderNo, item }: OrderRow): CustomItem {
  if (!isOfCustom(item)) throw new Error(`The order ${orderNo} is of no custom task`)
  return item
}
export function modelOf({ orderNo, item }: OrderRow): ModelItem {
  if (!isOfModel(item)) throw new Error(`The order ${orderNo} is of no model`)
  return item
}
export function workOf({ orderNo, item }: OrderRow): WorkItem {
  if (!isOfWork(item)) throw new Error(`The order ${orderNo} is of no work`)
  return item
}

export const payments = pgTable(
  'payments',
  {
    provider: text('provider').$type<PayMethod>().notNull(),
    transactionId: text('transaction_id').notNull(),
    orderNo: text('order_no')
      .notNull()
      .unique()
      .references(() => orders.orderNo),
    amountFen: fen('amount_fen').notNull(),
    /** What the provider said, as it said it. */
    raw: text('raw').notNull(),
    at: time('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.transactionId] })],
)

export const refunds = pgTable('refunds', {
  refundNo: text('refund_no').primaryKey(),
  orderNo: text('order_no')
    .notNull()
    .unique()
    .references(() => orders.orderNo),
  amountFen: fen('amount_fen').notNull(),
  reason: text('reason').notNull(),
  askedBy: text('asked_by'),
  askedAt: time('asked_at').notNull(),
  sentAt: time('sent_at'),
  reference: line('reference'),
  problem: line('problem'),
})
export type RefundRow = typeof refunds.$inferSelect

export const invoices = pgTable(
  'invoices',
  {
    id: text('id').primaryKey(),
    orderNo: text('order_no')
      .notNull()
      .unique()
      .references(() => orders.orderNo, { onDelete: 'cascade' }),
    userId: text('user_id').notNull(),
    type: smallint('type').$type<0 | 1>().notNull(),
    title: text('title').notNull(),
    tax: line('tax'),
    addr: line('addr'),
    phone: line('phone'),
    bank: line('bank'),
    account: line('account'),
    state: text('state').$type<(typeof invoiceStates)[number]>().notNull(),
    number: line('number'),
    reason: line('reason'),
    askedAt: time('asked_at').notNull(),
    decidedAt: time('decided_at'),
  },
  (table) => [
    index('invoices_user').on(table.userId),
    index('invoices_state').on(table.state, table.askedAt),
  ],
)
export type InvoiceRow = typeof invoices.$inferSelect

/** Levels that were bought. */
export const terms = pgTable(
  'terms',
  {
    orderNo: text('order_no')
      .primaryKey()
      .references(() => orders.orderNo),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    level: smallint('level').notNull(),
    valueFen: fen('value_fen').notNull(),
    from: time('from_at').notNull(),
    until: time('until_at'),
    endedAt: time('ended_at'),
  },
  (table) => [index('terms_user').on(table.userId)],
)
export type TermRow = typeof terms.$inferSelect
