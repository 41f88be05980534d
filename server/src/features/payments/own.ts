/** What of orders is a member's own: in the archive, and when the account is erased. */
import { and, desc, eq, inArray } from 'drizzle-orm'
import { type ArchivedFile, jsonFile } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import { invoices, orders, payments, refunds, terms } from './tables.ts'

export async function* exportOf({ db }: Context, userId: string): AsyncIterable<ArchivedFile> {
  const found = await db
    .select({ order: orders, payment: payments, refund: refunds, invoice: invoices, term: terms })
    .from(orders)
    .leftJoin(payments, eq(payments.orderNo, orders.orderNo))
    .leftJoin(refunds, eq(refunds.orderNo, orders.orderNo))
    .leftJoin(invoices, eq(invoices.orderNo, orders.orderNo))
    .leftJoin(terms, eq(terms.orderNo, orders.orderNo))
    .where(eq(orders.userId, userId))
    .orderBy(desc(orders.createdAt))
  if (found.length > 0) yield jsonFile('orders.json', found)
}

/** Orders, payments and refunds are books, which are kept; what names a person in them goes, but for issued invoices. */
export async function eraseOf({ db }: Context, userId: string): Promise<void> {
  await db
    .update(orders)
    .set({ state: 'cancelled' })
    .where(and(eq(orders.userId, userId), eq(orders.state, 'waiting')))
  await db
    .delete(invoices)
    .where(and(eq(invoices.userId, userId), inArray(invoices.state, ['asked', 'refused', 'void'])))
}
