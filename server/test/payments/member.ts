/** Members who buy, and the trial's cashier at which they pay. */
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { users } from '../../src/features/accounts/tables.ts'
import { receive } from '../../src/features/payments/callbacks.ts'
import { payAtCashier } from '../../src/features/payments/cashier/cashier.ts'
import { orders } from '../../src/features/payments/tables.ts'
import type { Session, TestServer } from '../harness.ts'

type Stored = Partial<typeof users.$inferInsert>

/** One with a name and the full form, of the ordinary level. */
export async function makeBuyer(server: TestServer, stored: Stored = {}): Promise<Session> {
  const who = await server.signUp({ vipLevel: stored.vipLevel ?? 1 })
  await setMember(server, who, { name: 'Buyer', type: 1, ...stored })
  return who
}

export const setMember = (server: TestServer, { userId }: Session, stored: Stored) =>
  server.ctx.db.update(users).set(stored).where(eq(users.id, userId))

export async function memberOf(server: TestServer, { userId }: Session) {
  const [row] = await server.ctx.db.select().from(users).where(eq(users.id, userId))
  if (!row) throw new Error('The member is gone')
  return row
}

export async function orderOf(server: TestServer, orderNo: string) {
  const [row] = await server.ctx.db.select().from(orders).where(eq(orders.orderNo, orderNo))
  if (!row) throw new Error(`There is no order ${orderNo}`)
  return row
}

/** Orders a plan and gives its number. */
export async function order(
  server: TestServer,
  who: Session,
  wish: { vipId: number; payMethod?: number },
): Promise<string> {
  const { code, message, data } = await server.call('vip/pay', wish, who)
  expect(code, message).toBe(10200)
  if (!data.orderNo) throw new Error('Nothing was ordered')
  return data.orderNo
}

/** Somebody pays it at the cashier, which tells the server. */
export async function payFor(server: TestServer, orderNo: string) {
  const callback = await payAtCashier(server.ctx, orderNo)
  if (!callback) throw new Error('The cashier takes no money for it')
  const { method } = await orderOf(server, orderNo)
  if (method === 'transfer') throw new Error('A bank transfer has no cashier')
  return receive(server.ctx, method, { ...callback, address: '127.0.0.1' })
}

export async function buy(
  server: TestServer,
  who: Session,
  wish: { vipId: number; payMethod?: number },
): Promise<string> {
  const orderNo = await order(server, who, wish)
  await payFor(server, orderNo)
  return orderNo
}
