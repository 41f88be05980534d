/** Paying a custom task, among what is sold by orders. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { and, eq, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { sayer } from '../../../infra/texts.ts'
import { platform, post } from '../../ledger/service.ts'
import {
  askInvoice,
  type Goods,
  methodOf,
  methodsOf,
  placeOrder,
  requireCalm,
  requireTime,
  withQr,
} from '../../payments/service.ts'
import { customOf, type OrderRow, orders } from '../../payments/tables.ts'
import { customTasks, type TaskRow } from '../tables.ts'
import { requireOrderer } from './access.ts'
import { lockTask, moveTask } from './move.ts'

export async function pay(
  ctx: Context,
  body: Parsed<'customTask/pay'>,
  caller: Caller,
): Promise<Answer<'customTask/pay'>> {
  await requireTime(ctx)
  const order = await ctx.db.transaction((tx) => placeIn(ctx, tx, body, caller))
  const say = sayer('letters', order.language)
  const { orderNo, qr, expiresAt } = order.qr
    ? order
    : await withQr(ctx, order, say('receipt.whatCustom', { title: customOf(order).title }))
  return { orderNo, qrCodeUrl: qr, expiresAt: expiresAt.toISOString() }
}

/** The same wish again is the same order, as long as it can be paid. */
async function placeIn(
  ctx: Context,
  tx: Tx,
  body: Parsed<'customTask/pay'>,
  caller: Caller,
): Promise<OrderRow> {
  await requireOrderer(ctx, tx, caller.user)
  const row = await lockTask(tx, body.id, eq(customTasks.userId, caller.user.id))
  if (row.state !== 'unpaid') throw fail('custom_moved')
  if (row.priceFen !== body.priceFen) throw fail('price_changed')
  const method = methodOf(body.payMethod)
  if (!methodsOf(ctx).includes(method)) throw fail('method_closed')
  const waiting = waitingFor(row)
  const [before] = await tx.select().from(orders).where(waiting).for('update')
  const amountFen = body.priceFen
  if (before?.method === method && before.amountFen === amountFen && before.expiresAt > ctx.now()) {
    await askInvoice(ctx, tx, { form: body, order: before })
    return before
  }
  await requireCalm(ctx, tx, caller.user.id)
  if (before) await tx.update(orders).set({ state: 'cancelled' }).where(waiting)
  const { id: taskId, kind, title } = row
  const item = { taskId, kind, title }
  const order = await placeOrder(ctx, tx, { kind: 'custom', item, amountFen, method, caller })
  await askInvoice(ctx, tx, { form: body, order })
  return order
}

/** What was to be paid for it is not to be paid any more. */
export const cancelWaiting = (tx: Tx, row: TaskRow) =>
  tx.update(orders).set({ state: 'cancelled' }).where(waitingFor(row))

const waitingFor = ({ id, userId }: TaskRow) =>
  and(
    eq(orders.userId, userId),
    eq(orders.kind, 'custom'),
    eq(orders.state, 'waiting'),
    sql`${orders.item} ->> 'taskId' = ${id}`,
  )

/** Custom tasks among what is sold. They bring no points: those come with plans and models (design 4.22). */
export const customGoods: Goods = {
  kind: 'custom',

  /** Nobody pays twice, for a task that was given up, or a price that has changed: that money goes back. */
  async fulfil(ctx, tx, { order }) {
    const [row] = await tx
      .select()
      .from(customTasks)
      .where(eq(customTasks.id, customOf(order).taskId))
      .for('update')
    if (row?.state !== 'unpaid' || row.priceFen !== order.amountFen) return false
    const action = row.reviewedBy === null ? 'pay' : 'payReviewed'
    await moveTask(ctx, tx, row, { action, changes: { orderNo: order.orderNo } })
    return true
  },

  async book(ctx, tx, { order, provider }) {
    const { orderNo, amountFen } = order
    await post(tx, {
      ...{ kind: 'custom_paid', source: orderNo, at: ctx.now(), note: noteOf(order) },
      postings: [
        { owner: provider, kind: 'outside', unit: 'fen', amount: -amountFen },
        { owner: platform, kind: 'income', unit: 'fen', amount: amountFen },
      ],
    })
    await ctx.jobs.send(tx, 'payments.letter', { orderNo, kind: 'paid' }, { singletonKey: `paid ${orderNo}` })
  },

  /** All of it until the work is done, and the request is rejected with it; afterwards as much as is fair. */
  async takeBack(ctx, tx, { order, amountFen, reason }) {
    const [row] = await tx.select().from(customTasks).where(isPaidBy(order)).for('update')
    if (row && row.state !== 'rejected') {
      if (row.state !== 'completed' && amountFen !== order.amountFen) throw fail('amount_differs')
      await moveTask(ctx, tx, row, { action: 'refund', changes: { reason }, note: reason })
    }
    const { orderNo, userId } = order
    await post(tx, {
      ...{ kind: 'custom_refunded', source: orderNo, at: ctx.now(), note: noteOf(order) },
      postings: [
        { owner: platform, kind: 'income', unit: 'fen', amount: -amountFen },
        { owner: userId, kind: 'returning', unit: 'fen', amount: amountFen },
      ],
    })
  },
}

const isPaidBy = (order: OrderRow) =>
  and(eq(customTasks.id, customOf(order).taskId), eq(customTasks.orderNo, order.orderNo))

/** Books are kept for ever: no title, which is the member's own text. */
function noteOf(order: OrderRow): Record<string, string> {
  const { taskId, kind } = customOf(order)
  return { custom: kind, taskId }
}
