/** Invoices that members asked for: issued elsewhere, and told here by their number. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { membership as limits } from '@neuroloom/contract/limits'
import { and, asc, desc, eq } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import { users } from '../../accounts/tables.ts'
import { shownInvoice } from '../orders.ts'
import {
  type InvoiceRow,
  invoices,
  isOfCustom,
  isOfModel,
  isOfPlan,
  isOfWork,
  type OrderRow,
  orders,
} from '../tables.ts'
import { tell } from '../tell.ts'

/** Of orders that were paid: an invoice is written about money that came. */
const isOfPaid = eq(orders.state, 'paid')

export async function list(
  ctx: Context,
  { state, page }: Parsed<'office/invoices'>,
): Promise<Answer<'office/invoices'>> {
  const wanted = state === null ? undefined : eq(invoices.state, state)
  const due = state === 'asked' ? and(wanted, isOfPaid) : wanted
  const found = await withOrders(ctx)
    .where(due)
    // Those that wait longest first; what was decided, the newest first.
    .orderBy(state === 'asked' ? asc(invoices.askedAt) : desc(invoices.askedAt))
    .limit(limits.page)
    .offset((page - 1) * limits.page)
  const ofOrders = ctx.db.select().from(invoices).innerJoin(orders, eq(orders.orderNo, invoices.orderNo))
  const total = await ctx.db.$count(ofOrders.where(due).as('found'))
  return { invoices: found.map(shownToOffice), total, pageSize: limits.page }
}

export async function decide(
  ctx: Context,
  { id, decision }: Parsed<'office/invoice'>,
  { user, address }: Caller,
): Promise<Answer<'office/invoice'>> {
  await ctx.db.transaction(async (tx) => {
    const one = eq(invoices.id, id)
    const [row] = await tx
      .select({ invoice: invoices, order: orders })
      .from(invoices)
      .innerJoin(orders, eq(orders.orderNo, invoices.orderNo))
      .where(one)
      .for('update')
    if (!row) throw fail('order_missing')
    const { invoice, order } = row
    if (invoice.state !== 'asked' || order.state !== 'paid') throw fail('order_over')
    const { is, ...said } = decision
    await tx
      .update(invoices)
      .set({ state: is, ...said, decidedAt: ctx.now() })
      .where(one)
    const { orderNo, userId } = order
    if (decision.is === 'issued') {
      const params = { orderNo, number: decision.number }
      await tell(ctx, tx, { userId, kind: 'invoice_issued', params })
      const key = `invoice ${orderNo}`
      await ctx.jobs.send(tx, 'payments.letter', { orderNo, kind: 'invoice' }, { singletonKey: key })
    } else {
      const params = { orderNo, reason: decision.reason }
      await tell(ctx, tx, { userId, kind: 'invoice_refused', params })
    }
    await audit(tx, {
      actor: user.id,
      action: `invoice.${is}`,
      subject: `order:${orderNo}`,
      address,
      before: { state: invoice.state },
      after: { state: is },
    })
  })
  const [decided] = await withOrders(ctx).where(eq(invoices.id, id))
  if (!decided) throw fail('order_missing')
  return shownToOffice(decided)
}

const withOrders = (ctx: Context) => {
  const { emailKey, phoneKey, nickName } = users
  return ctx.db
    .select({
      invoice: invoices,
      amountFen: orders.amountFen,
      item: orders.item,
      emailKey,
      phoneKey,
      nickName,
    })
    .from(invoices)
    .innerJoin(orders, eq(orders.orderNo, invoices.orderNo))
    .leftJoin(users, eq(users.id, invoices.userId))
    .$dynamic()
}

type Found = {
  invoice: InvoiceRow
  amountFen: number
  item: OrderRow['item']
  emailKey: string | null
  phoneKey: string | null
  nickName: string | null
}

const shownToOffice = ({ invoice, amountFen, item, emailKey, phoneKey, nickName }: Found) => {
  return {
    ...shownInvoice(invoice, amountFen),
    level: isOfPlan(item) ? item.level : 0,
    model: isOfModel(item) ? item.name : null,
    work: isOfWork(item) ? item.title : null,
    custom: isOfCustom(item) ? item.title : null,
    member: { account: emailKey ?? phoneKey ?? '', nickName: nickName ?? '' },
  }
}
